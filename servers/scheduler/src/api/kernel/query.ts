import { firstParameter, parseGoBool, parseGoDuration, type QueryParameters } from '@tamis/http';
import { SchedulerError } from '@tamis/scheduler-model/base/errors.js';
import { defaultNamespace, namespaceName } from '@tamis/scheduler-model/namespace.js';
import { clip, quote } from '@tamis/scheduler-model/quote.js';
import { decodeToken } from 'tamis/query';

/**
 * The parameters that every read understands, parsed. Absent and empty parameters are the same, except for switches.
 */
export interface ReadQuery {
  /** Any server may respond. */
  readonly stale: boolean;
  /** Maximum number of items of a page, 0 for all. */
  readonly perPage: number;
  /** The token that the page begins with; empty for the beginning. */
  readonly nextToken: string;
  /** Maximum time to block, in ms, without the jitter. */
  readonly wait: number;
  /** Respond only when the index is greater; null does not block. */
  readonly index: bigint | null;
  readonly filter: string;
  /** Empty if not given. `*` is all of them. */
  readonly namespace: string;
  readonly region: string;
  readonly prefix: string;
  readonly reverse: boolean;
  readonly pretty: boolean;
  /** All parameters as they were sent, for those that only one list understands. */
  readonly parameters: QueryParameters;
}

const defaultWait = 300_000;
const maxWait = 600_000;
const nanosecondsPerMillisecond = 1_000_000n;

/**
 * Reads the parameters that all reads share. The first bad one decides, in this order: stale, per_page, wait, index.
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
 * The one namespace that is meant. Keys are `<namespace>.<id>`, so a name with a dot would reach into another one: it
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
 * Reads a switch such as `meta`; absent and empty are the default.
 *
 * @throws SchedulerError `bad-switch`; `prefix` is put before the message.
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
  throw new SchedulerError(
    'bad-switch',
    `${prefix}Failed to parse value of "${name}" (${clip(value)}) as a bool: ${reason}`,
  );
}

/** How a list is watched. */
export interface WatchQuery {
  /** Respond when the result changes, not at each write to the tables. */
  readonly isResult: boolean;
  /** Return the changes instead of the page. */
  readonly isChanges: boolean;
}

/**
 * Reads `watch` and `changes` of a list. @throws SchedulerError `invalid-watch`, `bad-switch`
 *
 * @param isExplained whether the response is a query plan, which has no row changes.
 */
export function parseWatch(parameters: QueryParameters, isExplained: boolean): WatchQuery {
  const value = firstParameter(parameters, 'watch');
  const isChanges = parseSwitch(parameters, 'changes');
  if (value !== '' && value !== 'result') {
    throw new SchedulerError(
      'invalid-watch',
      `Expect \`result\` for \`watch\` query string parameter, not ${quote(value)}; without it, every write to the table ends the wait`,
    );
  }
  const isResult = value === 'result';
  if (isChanges && !isResult) {
    throw new SchedulerError(
      'invalid-watch',
      '`changes` tells how a watched result changes: add `watch=result`',
    );
  }
  if (isExplained && isResult) {
    throw new SchedulerError(
      'invalid-watch',
      '`explain` tells how rows are found, which cannot be watched: remove `watch` or `explain`',
    );
  }
  return { isResult, isChanges };
}

/** Whether any server may respond. @throws SchedulerError `bad-stale` */
export function parseStale(parameters: QueryParameters): boolean {
  if (!parameters.has('stale')) return false;
  const value = firstParameter(parameters, 'stale');
  const parsed = value === '' ? true : parseGoBool(value);
  if (parsed !== null) return parsed;
  throw new SchedulerError('bad-stale', 'Expect `true` or `false` for `stale` query string parameter');
}

function parsePerPage(value: string): number {
  if (value === '') return 0;
  const number = /^[+-]?\d{1,20}$/.test(value) ? Number(value) : NaN;
  if (number >= 0 && number < 2 ** 31) return number;
  throw new SchedulerError('invalid-per-page', 'Expect a number for `per_page` query string parameter');
}

function parseWait(value: string): number {
  if (value === '') return defaultWait;
  const nanoseconds = parseGoDuration(value);
  if (nanoseconds === null) throw new SchedulerError('bad-wait', 'Invalid wait time');
  if (nanoseconds <= 0n) return defaultWait;
  const max = BigInt(maxWait) * nanosecondsPerMillisecond;
  return nanoseconds >= max ? maxWait : Number(nanoseconds) / Number(nanosecondsPerMillisecond);
}

const maxIndex = 2n ** 64n - 1n;

function parseIndex(value: string): bigint | null {
  if (value === '') return null;
  const index = /^\d{1,40}$/.test(value) ? BigInt(value) : null;
  if (index === null || index > maxIndex) throw new SchedulerError('bad-index', 'Invalid index');
  return index;
}
