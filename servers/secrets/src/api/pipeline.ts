import type { AuditLog, AuditRecord } from '../audit/audit-log.js';
import { SecretsError } from '../errors.js';
import type { Logger } from '../logger.js';
import type { Capability } from '../policies/policy.js';
import type { Token } from '../tokens/token-entry.js';
import { toResponse, type ApiResponse } from './answer.js';
import { toFailure } from './failure.js';
import type { Call, Endpoint, Mount } from './mount.js';
import type { ApiRequest } from './request.js';

/** What an unsealed server answers with. */
export interface PipelineParts {
  readonly mounts: readonly Mount[];
  readonly audit: AuditLog;
  readonly logger: Logger;
  /** Counts a use of a token. @throws SecretsError `permission-denied` */
  readonly useToken: (id: string, peer: string) => Promise<Token>;
  readonly isAllowed: (token: Token, capability: Capability, path: string) => Promise<boolean>;
}

/** An answer, and how to take back what it hands out. */
interface Handled {
  readonly response: ApiResponse;
  readonly undo?: () => Promise<void>;
}

/** Who asks for what, as far as it could be told, and why it is refused if it is. */
interface Admission {
  readonly record: AuditRecord;
  readonly admitted: { readonly endpoint: Endpoint; readonly call: Call } | null;
  readonly failure: unknown;
}

/**
 * Answers requests in fixed steps: find the mount, know the caller, find the endpoint, read the body, ask the
 * policies, record the request, handle it, record the answer. Nothing is handled that could not be recorded.
 */
export function createPipeline(parts: PipelineParts): (request: ApiRequest) => Promise<ApiResponse> {
  const { audit, logger } = parts;
  return async (request) => {
    try {
      const { record, admitted, failure } = await admit(parts, request);
      if (admitted === null) {
        const refused = refuse(logger, request, failure);
        await audit.write('request', { ...record, error: errorText(refused) });
        await audit.write('response', { ...record, error: errorText(refused), ...answered(refused) });
        return refused;
      }
      await audit.write('request', record);
      const { response, undo } = await handle(logger, request, admitted.endpoint, admitted.call);
      try {
        await audit.write('response', { ...record, ...answered(response) });
      } catch (error) {
        await undo?.();
        throw error;
      }
      return response;
    } catch (error) {
      return refuse(logger, request, error);
    }
  };
}

async function admit(parts: PipelineParts, request: ApiRequest): Promise<Admission> {
  const { id, operation, path, peer, token } = request;
  let record: AuditRecord = { id, operation, path, peer, token, caller: null, data: null };
  try {
    const mount = findMount(parts.mounts, path);
    const caller = (await mount.isOpen(path)) ? null : await authenticate(parts, request);
    record = { ...record, caller: caller?.entry ?? null };
    const endpoint = await mount.find(request);
    // Only writes have a body that means something; any other is not even looked at.
    const body = operation === 'write' ? await request.readBody(endpoint.maxBodyLength) : {};
    record = { ...record, data: body };
    await authorise(parts, caller, endpoint, path);
    return { record, admitted: { endpoint, call: { request, body, caller } }, failure: null };
  } catch (failure) {
    return { record, admitted: null, failure };
  }
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

async function handle(logger: Logger, request: ApiRequest, endpoint: Endpoint, call: Call): Promise<Handled> {
  try {
    const answer = await endpoint.handle(call);
    const response = toResponse(answer, request.id);
    return answer.kind === 'auth' && answer.undo !== undefined
      ? { response, undo: answer.undo }
      : { response };
  } catch (error) {
    return { response: refuse(logger, request, error) };
  }
}

/** The public half of an error goes to the caller, the rest to the log. */
function refuse(logger: Logger, { id, path }: ApiRequest, error: unknown): ApiResponse {
  const response = toFailure(error);
  if (!(error instanceof SecretsError)) {
    logger.error({ err: error, request_id: id, path }, 'request failed');
  } else if (error.reason !== null || response.status >= 500) {
    const { code, reason } = error;
    logger.info({ request_id: id, path, code, reason: reason ?? error.message }, 'request refused');
  }
  return response;
}

function answered({ status, body }: ApiResponse): Pick<AuditRecord, 'status' | 'answer'> {
  return { status, answer: body };
}

function errorText({ body }: ApiResponse): string {
  const errors = body?.errors;
  return Array.isArray(errors) ? errors.join('; ') : '';
}
