import { RequestError, type RequestErrorCode } from '@tamis/http';
import type { FastifyBaseLogger } from 'fastify';
import { FilterCheckError, FilterError, FilterEvaluationError } from 'tamis';
import { QueryError } from 'tamis/query';
import { errorStatuses, SchedulerError } from '@tamis/scheduler-model/base/errors.js';
import { StorageError } from '@tamis/scheduler-model/base/storage-error.js';

/** HTTP status of each error of `@tamis/http`. */
const requestErrorStatuses: Readonly<Record<RequestErrorCode, number>> = {
  'bad-query': 400,
  'too-many-parameters': 400,
  'parameter-too-long': 400,
  'bad-json': 400,
  'many-hosts': 400,
  'foreign-site': 403,
  'foreign-host': 403,
  'too-many-values': 413,
  'too-many-headers': 431,
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
  if (error instanceof SchedulerError) return { status: errorStatuses[error.code], text: error.message };
  if (error instanceof RequestError) return { status: requestErrorStatuses[error.code], text: error.message };
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
