import { firstParameter, parseGoBool, parseGoDuration, type QueryParameters } from '@tamis/http';
import { badRequest } from '@tamis/scheduler-model/base/errors.js';
import { defaultNamespace, namespaceName } from '@tamis/scheduler-model/namespace.js';
import { clip, quote } from '@tamis/scheduler-model/quote.js';
import { decodeToken } from 'tamis/query';

/** The parsed parameters of every read. Absent and empty parameters are equivalent, except for switches. */
export interface ReadQuery {
  /** Whether any server may respond. */
  readonly stale: boolean;
  /** Maximum number of items per page; 0 for all. */
  readonly perPage: number;
  /** Token of the start of the page; empty for the first page. */
  readonly nextToken: string;
  /** Maximum time to block, in ms, without the jitter. */
  readonly wait: number;
  /** The index after which the read responds; null if it does not block. */
  readonly index: bigint | null;
  readonly filter: string;
  /** The requested namespace; empty if not given, `*` for all. */
  readonly namespace: string;
  readonly region: string;
  readonly prefix: string;
  readonly reverse: boolean;
  readonly pretty: boolean;
  /** All parameters as sent, for those that only one list has. */
  readonly parameters: QueryParameters;
}

const defaultWait = 300_000;
const maxWait = 600_000;
const nanosecondsPerMillisecond = 1_000_000n;

/**
 * Parses the parameters of all reads. The first invalid one is reported, in this order: stale, per_page, wait, index.
 *
 * @throws SchedulerError
 */
export function parseReadQuery(parameters: QueryParameters): ReadQuery {
  return {
    stale: parseStale(parameters),
    perPage: parsePerPage(firstParameter(parameters, 'per_page')),
    wait: parseWait(firstParameter(parameters, 'wait')),
    index: parseIndex(firstParameter(parameters, 'index')),
    nextToken: decodeToken(firstParameter(parameters, 'next_token')),
    filter: firstParameter(parameters, 'filter'),
    namespace: firstParameter(parameters, 'namespace'),
    region: firstParameter(parameters, 'region'),
    prefix: firstParameter(parameters, 'prefix'),
    reverse: firstParameter(parameters, 'reverse') === 'true',
    pretty: parsePretty(parameters),
    parameters,
  };
}

/**
 * Returns the single requested namespace. Keys are `<namespace>.<id>`, so a name with a dot could match another namespace. It
 * becomes the empty name, which no namespace has.
 */
export function readNamespace(parameter: string): string {
  const name = parameter || defaultNamespace;
  return namespaceName.test(name) ? name : '';
}

/** Whether a body is indented: `pretty` without a value, or with any value except `0`. */
export function parsePretty(parameters: QueryParameters): boolean {
  return parameters.has('pretty') && firstParameter(parameters, 'pretty') !== '0';
}

/**
 * Parses a switch such as `meta`; absent and empty are the default.
 *
 * @throws SchedulerError `bad-request`; `prefix` precedes the message.
 */
export function parseSwitch(
  parameters: QueryParameters,
  name: string,
  prefix = '',
  fallback = false,
): boolean {
  const value = firstParameter(parameters, name);
  if (value === '') return fallback;
  const parsed = parseGoBool(value);
  if (parsed !== null) return parsed;
  const reason = `strconv.ParseBool: parsing ${quote(value)}: invalid syntax`;
  throw badRequest(`${prefix}Failed to parse value of "${name}" (${clip(value)}) as a bool: ${reason}`);
}

/** The watch options of a list. */
export interface WatchQuery {
  /** Whether to respond when the result changes, instead of at each write to the tables. */
  readonly isResult: boolean;
  /** Whether to return the changes instead of the page. */
  readonly isChanges: boolean;
}

/**
 * Parses `watch` and `changes` of a list. @throws SchedulerError `bad-request`
 *
 * @param isExplained whether the response is a query plan, which has no row changes.
 */
export function parseWatch(parameters: QueryParameters, isExplained: boolean): WatchQuery {
  const value = firstParameter(parameters, 'watch');
  const isChanges = parseSwitch(parameters, 'changes');
  if (value !== '' && value !== 'result') {
    throw badRequest(
      `Expect \`result\` for \`watch\` query string parameter, not ${quote(value)}; without it, every write to the table ends the wait`,
    );
  }
  const isResult = value === 'result';
  if (isChanges && !isResult) {
    throw badRequest('`changes` requires `watch=result`');
  }
  if (isExplained && isResult) {
    throw badRequest(
      '`explain` tells how rows are found, which cannot be watched: remove `watch` or `explain`',
    );
  }
  return { isResult, isChanges };
}

/** Whether any server may respond. @throws SchedulerError `bad-request` */
export function parseStale(parameters: QueryParameters): boolean {
  if (!parameters.has('stale')) return false;
  const value = firstParameter(parameters, 'stale');
  const parsed = value === '' ? true : parseGoBool(value);
  if (parsed !== null) return parsed;
  throw badRequest('Expect `true` or `false` for `stale` query string parameter');
}

function parsePerPage(value: string): number {
  if (value === '') return 0;
  const number = /^[+-]?\d{1,20}$/.test(value) ? Number(value) : NaN;
  if (number >= 0 && number < 2 ** 31) return number;
  throw badRequest('Expect a number for `per_page` query string parameter');
}

function parseWait(value: string): number {
  if (value === '') return defaultWait;
  const nanoseconds = parseGoDuration(value);
  if (nanoseconds === null) throw badRequest('Invalid wait time');
  if (nanoseconds <= 0n) return defaultWait;
  const max = BigInt(maxWait) * nanosecondsPerMillisecond;
  return nanoseconds >= max ? maxWait : Number(nanoseconds) / Number(nanosecondsPerMillisecond);
}

const maxIndex = 2n ** 64n - 1n;

function parseIndex(value: string): bigint | null {
  if (value === '') return null;
  const index = /^\d{1,40}$/.test(value) ? BigInt(value) : null;
  if (index === null || index > maxIndex) throw badRequest('Invalid index');
  return index;
}
