import { QuotingError, SecretsError, type SecretsErrorCode } from '../base/errors.js';
import type { ApiResponse } from './endpoint-result.js';

/** The HTTP status of each error code. */
const statuses: Readonly<Record<SecretsErrorCode, number>> = {
  'bad-request': 400,
  'permission-denied': 403,
  'not-found': 404,
  'no-handler': 404,
  'unsupported-path': 404,
  'unsupported-operation': 405,
  'too-slow': 408,
  'body-too-large': 413,
  'unsupported-media-type': 415,
  'too-many-requests': 429,
  'path-too-long': 414,
  'too-many-headers': 431,
  conflict: 409,
  internal: 500,
  'audit-failed': 500,
  'in-use': 503,
  'storage-failed': 503,
  'no-space': 503,
  standby: 503,
  sealed: 503,
  'not-initialized': 503,
  'cloud-unreachable': 503,
  'not-supported': 503,
  'timed-out': 503,
};

/** Returns the response for an error. Internal errors reveal no details, and 404 responses have no message. */
export function toFailure(error: unknown): ApiResponse {
  if (!(error instanceof SecretsError)) return { status: 500, body: { errors: ['internal error'] } };
  const { code, message } = error;
  return {
    status: statuses[code],
    body: { errors: code === 'not-found' || message === '' ? [] : [message] },
    ...(error instanceof QuotingError && { recorded: error.recorded }),
  };
}
