import type { AuditLog, AuditRecord } from '../audit/audit-log.js';
import { cutText, redactPath } from '../audit/redacted-path.js';
import { SecretsError } from '../base/errors.js';
import type { Logger } from '../base/logger.js';
import type { Capability } from '../policies/policy.js';
import type { Token } from '../tokens/token-entry.js';
import { toResponse, type ApiResponse, type EndpointResult } from './endpoint-result.js';
import type { LogQuota, RefusalQuota } from './log-quota.js';
import { toFailure } from './failure.js';
import {
  endpointOf,
  isOpen,
  maxBodyLength,
  type Call,
  type Endpoint,
  type Route,
  type Router,
} from './endpoint-table.js';
import type { ApiRequest, Fields } from './request.js';

/** Parts of an unsealed server that handle requests. */
export interface PipelineParts {
  readonly router: Router;
  readonly audit: AuditLog;
  /** Quota for audit log entries of unauthenticated callers. */
  readonly anonymousQuota: LogQuota;
  /** Quota for log entries of refused callers with a token. */
  readonly refusalQuota: RefusalQuota;
  readonly logger: Logger;
  /** Logger for events caused by unauthenticated callers. Omits lines beyond the quota. */
  readonly anonymousLogger: Logger;
  /** Checks a token without counting a use. @throws SecretsError `permission-denied` */
  readonly checkToken: (id: string, peer: string) => Promise<Token>;
  /** Counts a use of a token. @throws SecretsError `permission-denied` */
  readonly useToken: (id: string, peer: string) => Promise<Token>;
  readonly isAllowed: (token: Token, capability: Capability, path: string) => Promise<boolean>;
  /** Returns those of the given strings that are tokens or accessors. */
  readonly secretsAmong: (texts: readonly string[]) => Promise<readonly string[]>;
}

/** A response, and a function that revokes the token in it. */
interface Handled {
  readonly response: ApiResponse;
  readonly undo?: () => Promise<void>;
}

interface Admitted {
  readonly endpoint: Endpoint;
  readonly call: Call;
}

/** The admission of a request: its caller and operation, as far as they are known, and the reason if it is refused. */
interface Admission {
  readonly record: AuditRecord;
  readonly admitted: Admitted | null;
  readonly failure: unknown;
}

/**
 * Handles requests in fixed steps: find the route, authenticate the caller, select the endpoint, check the policies, read the
 * body, authenticate the caller and check the policies again, record the request, handle it, record the response. Requests that
 * cannot be recorded are not handled. The quota limits the log entries of unauthenticated callers.
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
  const route = parts.router(path);
  const secrets = [
    ...(token === null || token === '' ? [] : [token]),
    ...(await secretsIn(parts, path, route)),
  ];
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
    if (route === null) throw new SecretsError('no-handler', 'there is nothing at this path');
    const isWrite = operation === 'write';
    const name = route.name;
    let caller = isOpen(route)
      ? null
      : await authenticate(isWrite ? parts.checkToken : parts.useToken, request);
    record = { ...record, caller: caller?.entry ?? null };
    let body: Fields = {};
    let endpoint: Endpoint;
    try {
      endpoint = endpointOf(route, operation);
      record = { ...record, isKnown: true };
      await authorise(parts, endpoint, { request, name, caller });
      // The body is read only now, so that callers without the right to write cause no work. Only writes use a body.
      if (isWrite) body = await request.readBody(endpoint.maxBodyLength ?? maxBodyLength);
    } finally {
      // Checked again, because the caller decides when the body is complete, and the token may have been revoked meanwhile.
      if (isWrite && caller !== null) caller = await authenticate(parts.useToken, request);
    }
    if (isWrite) await authorise(parts, endpoint, { request, name, caller });
    record = { ...record, data: body };
    return { record, admitted: { endpoint, call: { request, body, name, caller } }, failure: null };
  } catch (failure) {
    return { record, admitted: null, failure };
  }
}

/** Minimum length of a string that is checked for being a secret, in characters. */
const shortestSecret = 4;

/** Maximum number of path segments that are checked. No path of this server has as many. */
const maxLookedUp = 16;

/** Returns the secrets in a path. Literal parts of a row are not secrets. Unresolved parts count as one string. */
async function secretsIn(
  { secretsAmong }: PipelineParts,
  path: string,
  route: Route | null,
): Promise<readonly string[]> {
  const segments = route === null || route.row === null ? path.split('/') : [route.name];
  const texts = [...new Set(segments.filter(({ length }) => length >= shortestSecret))];
  const found = await secretsAmong(texts.slice(0, maxLookedUp));
  return [...found, ...texts.slice(maxLookedUp)];
}

async function authenticate(know: PipelineParts['useToken'], { token, peer }: ApiRequest): Promise<Token> {
  if (token === null) throw new SecretsError('permission-denied', 'permission denied', 'no token was sent');
  return know(token, peer);
}

async function authorise(
  { isAllowed }: PipelineParts,
  { capability: required }: Endpoint,
  { request, name, caller }: Omit<Call, 'body'>,
): Promise<void> {
  if (required === null) return;
  const capability = typeof required === 'string' ? required : await required(name);
  if (caller !== null && (await isAllowed(caller, capability, request.path))) return;
  throw new SecretsError('permission-denied', 'permission denied', `no policy allows ${capability}`);
}

/** Records a refusal in two lines while the quota lasts. After that, refusals are only counted. */
async function recordRefusal(
  parts: PipelineParts,
  record: AuditRecord,
  failure: unknown,
): Promise<ApiResponse> {
  const { audit } = parts;
  const quota =
    record.caller === null ? parts.anonymousQuota : parts.refusalQuota.of(record.token ?? '', record.peer);
  if (record.caller !== null && quota.isSpent() && failure instanceof SecretsError) {
    quota.leaveOut();
    return toFailure(failure);
  }
  const refused = refuse(parts, record, failure);
  if (quota.isSpent()) {
    quota.leaveOut();
    return refused;
  }
  const { error = '', ...response } = recordOf(refused);
  const lines =
    audit.line('request', { ...record, error }) + audit.line('response', { ...record, error, ...response });
  if (quota.take(Buffer.byteLength(lines))) await audit.write(lines);
  else quota.leaveOut();
  return refused;
}

async function serve(
  parts: PipelineParts,
  record: AuditRecord,
  { endpoint, call }: Admitted,
): Promise<ApiResponse> {
  const { audit, logger } = parts;
  try {
    await audit.write(audit.line('request', record));
  } catch (error) {
    if (endpoint.worksUnrecorded !== true) throw error;
    const request = { request_id: record.id, path: pathForLog(record), remote_address: record.peer };
    logger.error(request, 'the audit log cannot be written: this request is handled all the same');
    return (await settle(parts, record, endpoint.handle(call))).response;
  }
  const handled = await settle(parts, record, endpoint.handle(call));
  return handleRecorded(parts, handled, audit.line('response', { ...record, ...recordOf(handled.response) }));
}

/** Size of the log line of a refusal, in addition to that of its request, in bytes. */
const refusalLength = 1_000;

/**
 * Serves a path that needs no token. Within the quota, the request is recorded before it is handled. Beyond it, the request is
 * recorded after it is handled: successful logins are always recorded.
 */
async function serveAnonymous(
  parts: PipelineParts,
  record: AuditRecord,
  { endpoint, call }: Admitted,
): Promise<ApiResponse> {
  const { audit, anonymousQuota } = parts;
  const before = anonymousQuota.isSpent() ? null : audit.line('request', record);
  const bytes = 2 * Buffer.byteLength(before ?? '') + refusalLength;
  const hasCapacity = before !== null && anonymousQuota.take(bytes);
  if (hasCapacity) await audit.write(before);
  const handled = await settle(parts, record, endpoint.handle(call));
  const isIn = handled.response.status < 400;
  if (hasCapacity && isIn) anonymousQuota.giveBack(bytes);
  if (!hasCapacity && !isIn) {
    anonymousQuota.leaveOut();
    return handled.response;
  }
  const after = audit.line('response', { ...record, ...recordOf(handled.response) });
  return handleRecorded(
    parts,
    handled,
    hasCapacity ? after : (before ?? audit.line('request', record)) + after,
  );
}

/** Records a response before it is sent. If it cannot be recorded, the token that it contains is revoked. */
async function handleRecorded(
  { audit, logger }: PipelineParts,
  { response, undo }: Handled,
  lines: string,
): Promise<ApiResponse> {
  try {
    await audit.write(lines);
    return response;
  } catch (error) {
    await undo?.().catch((reason: unknown) => {
      // The token was not delivered, and it expires by itself.
      logger.error({ err: reason }, 'a token that was not returned to a client could not be revoked');
    });
    throw error;
  }
}

/** Returns the response for the result or the error of an endpoint. */
async function settle(
  parts: PipelineParts,
  record: AuditRecord,
  pending: Promise<EndpointResult | void>,
): Promise<Handled> {
  try {
    const result = await pending;
    const response = toResponse(result, record.id);
    return result?.kind === 'auth' && result.undo !== undefined
      ? { response, undo: result.undo }
      : { response };
  } catch (error) {
    return { response: refuse(parts, record, error) };
  }
}

/** Returns the public part of an error for the caller, and logs the rest. */
function refuse(parts: PipelineParts, record: AuditRecord, error: unknown): ApiResponse {
  const response = toFailure(error);
  const logger = record.caller === null ? parts.anonymousLogger : parts.logger;
  const request = { request_id: record.id, path: pathForLog(record), remote_address: record.peer };
  if (!(error instanceof SecretsError)) {
    logger.error({ err: error, ...request }, 'request failed');
  } else if (error.reason !== null || response.status >= 500) {
    const { code, reason, details } = error;
    logger.info({ ...request, code, reason: reason ?? error.message, ...details }, 'request refused');
  }
  return response;
}

function pathForLog({ path, secrets, isKnown }: AuditRecord): string {
  const redacted = redactPath(path, { secrets, isKnown, hide: () => '(hidden)' });
  const cut = cutText(redacted);
  return cut === null ? redacted : `${cut}...`;
}

function recordOf({
  status,
  body,
  recorded,
}: ApiResponse): Pick<AuditRecord, 'status' | 'response' | 'error'> {
  const errors = body?.errors;
  const error = recorded ?? (Array.isArray(errors) ? errors.join('; ') : '');
  return { status, response: body, ...(error !== '' && { error }) };
}
