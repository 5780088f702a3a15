import type { AuditLog, AuditRecord } from '../audit/audit-log.js';
import { cutText, redactPath } from '../audit/redacted-path.js';
import { SecretsError } from '../errors.js';
import type { Logger } from '../logger.js';
import type { Capability } from '../policies/policy.js';
import type { Token } from '../tokens/token-entry.js';
import { toResponse, type ApiResponse } from './endpoint-result.js';
import type { LogQuota } from './log-quota.js';
import { toFailure } from './failure.js';
import type { Call, Endpoint, Mount } from './mount.js';
import type { ApiRequest } from './request.js';

/** What an unsealed server answers with. */
export interface PipelineParts {
  readonly mounts: readonly Mount[];
  readonly audit: AuditLog;
  /** Of what anonymous callers make the audit log hold. */
  readonly anonymousQuota: LogQuota;
  readonly logger: Logger;
  /** For what anonymous callers cause: it leaves out what is too much. */
  readonly anonymousLogger: Logger;
  /** Counts a use of a token. @throws SecretsError `permission-denied` */
  readonly useToken: (id: string, peer: string) => Promise<Token>;
  readonly isAllowed: (token: Token, capability: Capability, path: string) => Promise<boolean>;
  /** Those of some texts that are tokens or accessors. */
  readonly secretsAmong: (texts: readonly string[]) => Promise<readonly string[]>;
}

/** An answer, and how to take back what it hands out. */
interface Handled {
  readonly response: ApiResponse;
  readonly undo?: () => Promise<void>;
}

interface Admitted {
  readonly endpoint: Endpoint;
  readonly call: Call;
}

/** Who asks for what, as far as it could be told, and why it is refused if it is. */
interface Admission {
  readonly record: AuditRecord;
  readonly admitted: Admitted | null;
  readonly failure: unknown;
}

/**
 * Answers requests in fixed steps: find the mount, know the caller, find the endpoint, read the body, ask the
 * policies, record the request, handle it, record the answer. Nothing is handled that could not be recorded, and
 * anonymous callers make the logs hold only so much.
 */
export function createPipeline(parts: PipelineParts): (request: ApiRequest) => Promise<ApiResponse> {
  return async (request) => {
    const { record, admitted, failure } = await admit(parts, request);
    try {
      if (admitted === null) return await recordRefusal(parts, record, failure);
      return record.caller === null
        ? await serveAnonymous(parts, record, admitted)
        : await serve(parts, record, admitted);
    } catch (error) {
      return refuse(parts, record, error);
    }
  };
}

async function admit(parts: PipelineParts, request: ApiRequest): Promise<Admission> {
  const { id, operation, path, peer, token } = request;
  const secrets = [...(token === null || token === '' ? [] : [token]), ...(await secretsIn(parts, path))];
  let record: AuditRecord = {
    id,
    operation,
    path,
    peer,
    token,
    secrets,
    isKnown: false,
    caller: null,
    data: null,
  };
  try {
    const mount = findMount(parts.mounts, path);
    const caller = (await mount.isOpen(path)) ? null : await authenticate(parts, request);
    record = { ...record, caller: caller?.entry ?? null };
    const endpoint = await mount.find(request);
    record = { ...record, isKnown: true };
    // Only writes have a body that means something; any other is not even looked at.
    const body = operation === 'write' ? await request.readBody(endpoint.maxBodyLength) : {};
    record = { ...record, data: body };
    await authorise(parts, caller, endpoint, path);
    return { record, admitted: { endpoint, call: { request, body, caller } }, failure: null };
  } catch (failure) {
    return { record, admitted: null, failure };
  }
}

/** Characters of the shortest text that is looked up. */
const shortestSecret = 4;

/** Segments of one path that are looked up; no path of this server has so many. */
const mostLookedUp = 16;

/** What is not looked up counts as a secret. */
async function secretsIn({ secretsAmong }: PipelineParts, path: string): Promise<readonly string[]> {
  const texts = [...new Set(path.split('/').filter(({ length }) => length >= shortestSecret))];
  const found = await secretsAmong(texts.slice(0, mostLookedUp));
  return [...found, ...texts.slice(mostLookedUp)];
}

function findMount(mounts: readonly Mount[], path: string): Mount {
  const fitting = mounts.filter(({ prefix }) => path.startsWith(prefix));
  const [longest] = fitting.sort((a, b) => b.prefix.length - a.prefix.length);
  if (longest === undefined) throw new SecretsError('no-handler', 'there is nothing at this path');
  return longest;
}

async function authenticate({ useToken }: PipelineParts, { token, peer }: ApiRequest): Promise<Token> {
  if (token === null) throw new SecretsError('permission-denied', 'permission denied', 'no token was sent');
  return useToken(token, peer);
}

async function authorise(
  { isAllowed }: PipelineParts,
  caller: Token | null,
  { capability }: Endpoint,
  path: string,
): Promise<void> {
  if (capability === null) return;
  if (caller !== null && (await isAllowed(caller, capability, path))) return;
  throw new SecretsError('permission-denied', 'permission denied', `no policy allows ${capability}`);
}

/** Whoever has a token gets two lines for each request; all others only as many as there is room for. */
async function recordRefusal(
  parts: PipelineParts,
  record: AuditRecord,
  failure: unknown,
): Promise<ApiResponse> {
  const { audit, anonymousQuota } = parts;
  const refused = refuse(parts, record, failure);
  if (record.caller === null && anonymousQuota.isSpent()) {
    anonymousQuota.leaveOut();
    return refused;
  }
  const error = errorText(refused);
  const lines =
    audit.line('request', { ...record, error }) +
    audit.line('response', { ...record, error, ...answered(refused) });
  if (record.caller !== null || anonymousQuota.take(Buffer.byteLength(lines))) await audit.write(lines);
  else anonymousQuota.leaveOut();
  return refused;
}

async function serve(
  parts: PipelineParts,
  record: AuditRecord,
  { endpoint, call }: Admitted,
): Promise<ApiResponse> {
  const { audit } = parts;
  await audit.write(audit.line('request', record));
  const handled = await handle(parts, record, endpoint, call);
  return answerRecorded(parts, handled, audit.line('response', { ...record, ...answered(handled.response) }));
}

/** Bytes by which the line of a refusal is longer than that of its request. */
const refusalLength = 1_000;

/**
 * Serves a path that is open to everybody. While there is room its first line is written before it is handled, as
 * always; without room it waits for the outcome: who gets in is recorded whatever there was before.
 */
async function serveAnonymous(
  parts: PipelineParts,
  record: AuditRecord,
  { endpoint, call }: Admitted,
): Promise<ApiResponse> {
  const { audit, anonymousQuota } = parts;
  const before = anonymousQuota.isSpent() ? null : audit.line('request', record);
  const bytes = 2 * Buffer.byteLength(before ?? '') + refusalLength;
  const hasRoom = before !== null && anonymousQuota.take(bytes);
  if (hasRoom) await audit.write(before);
  const handled = await handle(parts, record, endpoint, call);
  const isIn = handled.response.status < 400;
  if (hasRoom && isIn) anonymousQuota.giveBack(bytes);
  if (!hasRoom && !isIn) {
    anonymousQuota.leaveOut();
    return handled.response;
  }
  const after = audit.line('response', { ...record, ...answered(handled.response) });
  return answerRecorded(parts, handled, hasRoom ? after : (before ?? audit.line('request', record)) + after);
}

/** Records an answer before it is given. One that cannot be recorded is taken back. */
async function answerRecorded(
  { audit, logger }: PipelineParts,
  { response, undo }: Handled,
  lines: string,
): Promise<ApiResponse> {
  try {
    await audit.write(lines);
    return response;
  } catch (error) {
    await undo?.().catch((reason: unknown) => {
      // Nobody has been told the token: it ends by itself.
      logger.error({ err: reason }, 'a token that nobody has been told could not be taken back');
    });
    throw error;
  }
}

async function handle(
  parts: PipelineParts,
  record: AuditRecord,
  endpoint: Endpoint,
  call: Call,
): Promise<Handled> {
  try {
    const answer = await endpoint.handle(call);
    const response = toResponse(answer, record.id);
    return answer.kind === 'auth' && answer.undo !== undefined
      ? { response, undo: answer.undo }
      : { response };
  } catch (error) {
    return { response: refuse(parts, record, error) };
  }
}

/** The public half of an error goes to the caller, the rest to the log. */
function refuse(parts: PipelineParts, record: AuditRecord, error: unknown): ApiResponse {
  const response = toFailure(error);
  const logger = record.caller === null ? parts.anonymousLogger : parts.logger;
  const request = { request_id: record.id, path: pathForLog(record) };
  if (!(error instanceof SecretsError)) {
    logger.error({ err: error, ...request }, 'request failed');
  } else if (error.reason !== null || response.status >= 500) {
    const { code, reason } = error;
    logger.info({ ...request, code, reason: reason ?? error.message }, 'request refused');
  }
  return response;
}

function pathForLog({ path, secrets, isKnown }: AuditRecord): string {
  const shown = redactPath(path, { secrets, isKnown, hide: () => '(hidden)' });
  const cut = cutText(shown);
  return cut === null ? shown : `${cut}...`;
}

function answered({ status, body }: ApiResponse): Pick<AuditRecord, 'status' | 'answer'> {
  return { status, answer: body };
}

function errorText({ body }: ApiResponse): string {
  const errors = body?.errors;
  return Array.isArray(errors) ? errors.join('; ') : '';
}
