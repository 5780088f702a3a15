import type { AuditLog, AuditRecord } from '../audit/audit-log.js';
import { SecretsError } from '../base/errors.js';
import type { ApiResponse } from './endpoint-result.js';
import { toFailure } from './failure.js';
import type { LogQuota } from './log-quota.js';
import type { ApiRequest } from './request.js';

/** Forwards a request and records it. Resolves to null if no other server has handled it. */
export type RecordForwarded = (
  request: ApiRequest,
  pass: () => Promise<ApiResponse | null>,
) => Promise<ApiResponse | null>;

export interface ForwardedRecordOptions {
  /** Returns the audit log of this server. All servers of the store hash values the same way.
   * @throws SecretsError if values cannot be hashed
   */
  readonly audit: () => Promise<AuditLog>;
  readonly anonymousQuota: LogQuota;
}

/** Size of the log line of a response, in addition to that of its request, in bytes. */
const responseLength = 200;

/**
 * Records requests that are forwarded: the caller and the outcome. The server that handles a request records identity and data
 * under the same ID. A request that cannot be recorded is not forwarded. After unauthenticated clients have used up their quota,
 * their requests are recorded only if they succeed, together with the response.
 */
export function createForwardedRecord({ audit, anonymousQuota }: ForwardedRecordOptions): RecordForwarded {
  return async (request, pass) => {
    const log = await audit();
    const record = recordOf(request);
    const before = log.line('request', record);
    const bytes = 2 * Buffer.byteLength(before) + responseLength;
    const hasCapacity = anonymousQuota.take(bytes);
    if (hasCapacity) await log.write(before);
    const passed = await settle(pass);
    const response = 'failure' in passed ? toFailure(passed.failure) : passed.response;
    if (response === null) return null;
    const isIn = response.status < 400;
    if (hasCapacity && isIn) anonymousQuota.giveBack(bytes);
    if (hasCapacity || isIn) {
      // The active server has recorded the reason. Its message is not recorded here, because it may quote the request.
      const outcome = 'failure' in passed ? toRecord(response) : { status: response.status };
      const after = log.line('response', { ...record, ...outcome });
      await log.write(hasCapacity ? after : before + after).catch(() => {
        throw unrecorded();
      });
    } else anonymousQuota.leaveOut();
    if ('failure' in passed) throw passed.failure;
    return response;
  };
}

async function settle(
  pass: () => Promise<ApiResponse | null>,
): Promise<{ readonly response: ApiResponse | null } | { readonly failure: unknown }> {
  try {
    return { response: await pass() };
  } catch (failure) {
    return { failure };
  }
}

function recordOf({ id, operation, path, peer, token }: ApiRequest): AuditRecord {
  const secrets = token === null || token === '' ? [] : [token];
  return { ...{ id, operation, path, peer, token, secrets }, isKnown: false, caller: null, data: null };
}

function toRecord({ status, body, recorded }: ApiResponse): Pick<AuditRecord, 'status' | 'error'> {
  const errors = body?.errors;
  const error = recorded ?? (Array.isArray(errors) ? errors.join('; ') : '');
  return { status, ...(error !== '' && { error }) };
}

function unrecorded(): SecretsError {
  return new SecretsError(
    'audit-failed',
    'the audit log cannot be written: the active server handled the request, but this server could not record it',
  );
}
