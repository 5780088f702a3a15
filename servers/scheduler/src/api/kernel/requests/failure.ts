import { RequestError, type RequestErrorCode } from '@tamis/http';
import type { FastifyBaseLogger } from 'fastify';
import { FilterCheckError, FilterError, FilterEvaluationError } from 'tamis';
import { QueryError } from 'tamis/query';
import { SchedulerError, type SchedulerErrorCode } from '@tamis/scheduler-model/base/errors.js';
import { StorageError } from '@tamis/scheduler-model/base/storage-error.js';

/** The HTTP status of each error code. */
const statuses: Readonly<Record<SchedulerErrorCode | RequestErrorCode, number>> = {
  'bad-query': 400,
  'too-many-parameters': 400,
  'parameter-too-long': 400,
  'too-many-values': 413,
  'row-too-large': 413,
  'bad-json': 400,
  'bad-stale': 400,
  'invalid-per-page': 400,
  'bad-wait': 400,
  'bad-index': 400,
  'bad-event-query': 400,
  'bad-switch': 400,
  'invalid-watch': 400,
  'filter-with-parameter': 400,
  'empty-body': 400,
  'bad-body': 400,
  'no-job': 400,
  'no-job-id': 400,
  'other-job-id': 400,
  'bad-eval-priority': 400,
  'invalid-job': 400,
  'enforce-index': 400,
  'not-periodic': 400,
  'bad-dispatch': 400,
  'bad-deployment': 400,
  'bad-scaling': 400,
  'bad-node-request': 400,
  'bad-namespace': 400,
  'namespace-in-use': 400,
  'acl-disabled': 400,
  'already-bootstrapped': 400,
  'bad-acl': 400,
  'server-only': 400,
  'bad-agent-request': 400,
  'no-server-answers': 400,
  'unknown-server': 400,
  'permission-denied': 403,
  'foreign-site': 403,
  'foreign-host': 403,
  'too-many-headers': 431,
  'many-hosts': 400,
  'not-found': 404,
  'unknown-node': 404,
  'bad-request': 400,
  'url-too-long': 414,
  'too-many-waiters': 429,
  'too-many-queries': 429,
  'too-many-nodes': 429,
  'unknown-profile': 404,
  'profile-too-long': 400,
  'profiles-busy': 429,
  'bad-log-option': 400,
  // The client has disconnected.
  'client-gone': 499,
  'no-region': 500,
  'region-unreachable': 500,
  'no-leader': 500,
  // Only sent to servers, which then try another server.
  'not-here': 421,
  'unknown-outcome': 500,
  stopping: 503,
  'no-servers': 500,
  'no-members': 500,
  'agent-unreachable': 500,
  'node-busy': 429,
  'too-many-streams': 429,
  'bad-file-request': 400,
  'file-refused': 403,
  'bad-lifecycle-request': 400,
  'wrong-mode': 501,
};

/** Messages for requests rejected by the framework, instead of its own JSON. */
const frameworkTexts: ReadonlyMap<string, string> = new Map([
  ['FST_ERR_CTP_BODY_TOO_LARGE', 'Request body is too large'],
  ['FST_ERR_CTP_INVALID_CONTENT_LENGTH', 'Request body does not have the announced length'],
  ['FST_ERR_BAD_URL', 'Invalid percent escape in the path'],
]);

const undecided = 'It is not known whether the write was stored, look before it is sent again';
const notStored = 'The write could not be stored and nothing of it was kept';

/** An error as the client receives it. An empty message is an empty body. */
export interface Failure {
  readonly status: number;
  readonly text: string;
}

/** Returns the response for an error, without details of internal errors. */
export function describeFailure(error: unknown): Failure {
  if (error instanceof SchedulerError || error instanceof RequestError) {
    return { status: statuses[error.code], text: error.message };
  }
  if (error instanceof QueryError)
    return { status: error.code === 'too-busy' ? 429 : 400, text: error.message };
  if (error instanceof FilterError) return { status: 400, text: filterFailure(error) };
  if (error instanceof StorageError) {
    // The message is only for the operator, because it names local files.
    const outcome = error.code === 'undecided' ? undecided : notStored;
    return { status: 500, text: `${outcome}: ${error.reason || 'the reason is in the log of the agent'}` };
  }
  const { code, statusCode } = error as { code?: unknown; statusCode?: unknown };
  if (typeof code === 'string' && typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500) {
    return { status: statusCode, text: frameworkTexts.get(code) ?? 'Invalid request' };
  }
  return { status: 500, text: 'Internal error, the reason is in the log of the agent' };
}

/** Logs why a request failed. The stack trace is included only for unexpected errors; mistakes of clients have a low level. */
export function logFailure(
  log: FastifyBaseLogger,
  error: unknown,
  about: Readonly<Record<string, unknown>>,
): void {
  const { status } = describeFailure(error);
  const what = { ...about, code: status };
  const isForeseen = error instanceof SchedulerError;
  if (status < 500 || (isForeseen && error.code === 'stopping'))
    log.debug({ ...what, err: error }, 'request failed');
  else if (isForeseen) log.warn({ ...what, reason: error.message }, 'request failed');
  else log.error({ ...what, err: error }, 'request failed');
}

/** Returns the message known from the original scheduler, the position in the filter, and a hint. */
function filterFailure(error: FilterError): string {
  const isAboutRows = error instanceof FilterCheckError || error instanceof FilterEvaluationError;
  const stage = isAboutRows
    ? 'failed to read result page: '
    : 'failed to create result paginator: failed to read filter expression: ';
  return `${stage}${error.goMessage}\n${error.frame}`;
}
