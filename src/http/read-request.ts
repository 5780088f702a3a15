import { suggestNames } from '../language/diagnostics/suggest.js';
import {
  canonicalFieldName,
  fieldPathText,
  splitFieldNames,
  suggestFieldName,
} from '../language/syntax/field-path.js';
import { parseGoBool } from '../runtime/go-bool.js';
import { parseGoDuration } from '../runtime/go-duration.js';
import { firstParameter, parseQueryString, type QueryParameters } from '../runtime/query-string.js';
import type { Field } from '../language/schema/type.js';
import { quoteText } from '../lists/query/request/clip-text.js';
import { decodeToken } from '../lists/query/request/page-token.js';
import { QueryError, type QueryErrorCode } from '../lists/query/request/query-error.js';
import {
  aboutWaiting,
  maxWaitMs,
  parameterDescriptions,
  defaultWaitMs,
  type ParameterName,
} from './parameters.js';

/** A parsed request for a list. */
export interface ParsedListRequest {
  readonly kind: 'page' | 'facets' | 'count' | 'explain';
  readonly query: {
    readonly filter?: string;
    readonly sort?: string;
    readonly reverse: boolean;
    readonly prefix: string;
    readonly perPage: number;
    readonly nextToken: string;
    readonly prevToken: string;
    readonly total: boolean;
  };
  /** Parameters that filter by a field's value. */
  readonly byValue: readonly string[];
  readonly facets: readonly string[];
  /** The properties of the entries; null for all. */
  readonly fields: readonly string[] | null;
  /** Respond only when the list's index is greater; null to respond at once. */
  readonly index: number | null;
  /** Maximum wait, in ms. */
  readonly wait: number;
  readonly history: string;
  readonly isWatched: boolean;
  readonly isChanges: boolean;
  /** Whether changes have positions. */
  readonly hasPositions: boolean;
  readonly parameters: QueryParameters;
  /** The canonical form of the query: equal queries have equal strings. It contains everything that the response depends on. */
  readonly canonicalQuery: string;
}

/** The rules for parsing the parameters of one endpoint. */
export interface RequestRules {
  /** Returns the public name of a parameter. */
  readonly nameOf: (name: ParameterName) => string;
  /** Parameters that filter by a field's value, and the clause of each. */
  readonly fieldParameters: ReadonlyMap<string, (value: string) => string>;
  /** Additional parameters that `serialize` and `visible` read. */
  readonly further: readonly string[];
  readonly isStrict: boolean;
  /** Whether an unknown parameter is ignored. */
  readonly isIgnored: (name: string) => boolean;
  /** Whether clients can choose the fields of entries. */
  readonly isProjectable: boolean;
  /** The fields of entries. */
  readonly fields: readonly Field[];
  readonly maxPerPage: number | null;
  readonly readSwitch: ((value: string, name: string) => boolean) | null;
  /** Whether the list reports changes. */
  readonly isWatchable: boolean;
}

/**
 * Maximum length of a filter: the maximum that node:http allows. Compiling cannot be interrupted, so longer filters would delay
 * other requests.
 */
const limits = Object.freeze({ maxParameters: 100, maxParameterLength: 16_384 });
/** A page size that includes all rows. */
const maxPageSize = 2 ** 31;

const names = Object.keys(parameterDescriptions) as readonly ParameterName[];
/** Parameters that cannot be combined with a count or an explanation. */
const notCounted: readonly ParameterName[] = [
  ...(['fields', 'sort', 'reverse', 'per_page', 'next_token', 'prev_token', 'total'] as const),
  ...(['index', 'watch', 'changes', 'positions'] as const),
];
const notExplained: readonly ParameterName[] = [
  ...(['fields', 'prev_token', 'total', 'index', 'watch', 'changes', 'positions'] as const),
];

/**
 * Parses the query string of a URL.
 *
 * @throws RequestError if it is malformed; QueryError if a parameter is invalid, with its public name.
 */
export function readRequest(url: string, rules: RequestRules): ParsedListRequest {
  const given = parseQueryString(queryOf(url), limits);
  const { nameOf, fieldParameters, maxPerPage } = rules;
  const known = knownNames(rules);
  const parameters = new Map([...given].filter(([name]) => known.includes(name) || !rules.isIgnored(name)));
  if (rules.isStrict) refuseOthers(parameters, known);
  const text = (name: ParameterName): string => firstParameter(parameters, nameOf(name));
  const flag = (name: ParameterName): boolean => readFlag(parameters, nameOf(name), rules.readSwitch);
  const facets = (parameters.get(nameOf('facets')) ?? []).filter((each) => each !== '').join();
  if (facets === '' && parameters.has(nameOf('facets')))
    throw invalid(nameOf('facets'), 'must name at least one field');
  const [isCount, isExplained, isChanges] = [flag('count'), flag('explain'), flag('changes')];
  const kinds = { facets: facets !== '', count: isCount, explain: isExplained };
  const [first, other] = (['facets', 'count', 'explain'] as const).filter((kind) => kinds[kind]);
  const requested: ParsedListRequest['kind'] = first ?? 'page';
  if (first !== undefined && other !== undefined) {
    const message = `\`${nameOf(first)}\` and \`${nameOf(other)}\` cannot be combined`;
    throw new QueryError('invalid-parameter', nameOf(other), message);
  }
  const request = {
    kind: requested,
    facets: facets === '' ? [] : splitFieldNames(facets),
    fields: readFields(text('fields'), nameOf('fields'), rules),
    index: readIndex(text('index'), nameOf('index')),
    wait: readWait(text('wait'), nameOf('wait')),
    history: text('history'),
    ...readWatch(
      parameters.has(nameOf('watch')) ? text('watch') : null,
      isChanges,
      flag('positions'),
      nameOf,
    ),
    parameters,
  };
  const isGiven = (name: ParameterName): boolean => text(name) !== '';
  if (requested !== 'page') {
    const excluded = (requested === 'explain' ? notExplained : notCounted).find(isGiven);
    if (excluded !== undefined) {
      const why = requested === 'explain' ? 'explains one query' : 'counts all matching rows once';
      const message = `\`${nameOf(requested)}\` ${why}: remove \`${nameOf(excluded)}\``;
      throw new QueryError('invalid-parameter', nameOf(excluded), message);
    }
  }
  if (!rules.isWatchable && (request.index !== null || request.isWatched)) {
    const name = nameOf(request.isWatched ? 'watch' : 'index');
    throw new QueryError('invalid-watch', name, `This list reports no changes: remove \`${name}\``);
  }
  if (text('prev_token') !== '' && request.isWatched) {
    const [watch, token] = [nameOf('watch'), nameOf('prev_token')];
    const message = `\`${watch}\` and \`${token}\` cannot be combined: use \`${nameOf('next_token')}\``;
    throw new QueryError('invalid-watch', token, message);
  }
  const perPage = readPerPage(text('per_page'), nameOf('per_page'));
  const bounded = maxPerPage === null ? perPage : Math.min(perPage === 0 ? maxPerPage : perPage, maxPerPage);
  const prefix = text('prefix');
  const byValue = [...fieldParameters.keys()].filter((name) => firstParameter(parameters, name) !== '');
  const [selecting] = [...(prefix === '' ? [] : [nameOf('prefix')]), ...byValue];
  const filter = text('filter');
  if (filter !== '' && selecting !== undefined) {
    const message = `\`${nameOf('filter')}\` cannot be combined with \`${selecting}\`: add the condition to the filter`;
    throw new QueryError('mixed-filters', nameOf('filter'), message);
  }
  const clauses = byValue.map((name) => fieldParameters.get(name)?.(firstParameter(parameters, name)) ?? '');
  const whole = filter === '' ? clauses.join(' and ') : filter;
  const sort = text('sort');
  return {
    ...request,
    byValue,
    query: {
      ...(whole === '' ? {} : { filter: whole }),
      ...(sort === '' ? {} : { sort }),
      reverse: flag('reverse'),
      prefix,
      perPage: bounded,
      nextToken: decodeToken(text('next_token')),
      prevToken: decodeToken(text('prev_token')),
      total: flag('total'),
    },
    canonicalQuery: parsedQueryOf(parameters, nameOf),
  };
}

function queryOf(url: string): string {
  const start = url.indexOf('?');
  if (start === -1) return '';
  const end = url.indexOf('#', start);
  return url.slice(start + 1, end === -1 ? undefined : end);
}

function parsedQueryOf(parameters: QueryParameters, nameOf: RequestRules['nameOf']): string {
  const requested = new Map(parameters);
  for (const name of aboutWaiting) requested.delete(nameOf(name));
  return JSON.stringify([...requested]);
}

function knownNames({ nameOf, fieldParameters, further, isProjectable }: RequestRules): readonly string[] {
  const own = names.filter((name) => name !== 'fields' || isProjectable);
  return [...own.map(nameOf), ...fieldParameters.keys(), ...further];
}

/** Rejects unknown parameters, because ignoring one would ignore the client's intent. */
function refuseOthers(parameters: QueryParameters, known: readonly string[]): void {
  for (const [name, values] of parameters) {
    if (!known.includes(name)) {
      const [near] = suggestNames(name, known, 1);
      const hint = near === undefined ? '' : `did you mean ${near}? `;
      const message = `Unknown parameter ${quoteText(name)}: ${hint}the parameters are ${known.join(', ')}`;
      throw new QueryError('invalid-parameter', name, message);
    }
    if (values.length > 1) throw invalid(name, `must be given once, got ${values.length} values`);
  }
}

function readFlag(
  parameters: QueryParameters,
  name: string,
  readSwitch: RequestRules['readSwitch'],
): boolean {
  if (!parameters.has(name)) return false;
  const value = firstParameter(parameters, name);
  if (readSwitch !== null) return readSwitch(value, name);
  const parsed = value === '' ? true : parseGoBool(value);
  if (parsed !== null) return parsed;
  throw invalid(name, `must be true or false, got ${quoteText(value)}`);
}

/** Returns the properties of the named fields; null for all. */
function readFields(
  value: string,
  parameter: string,
  { fields, isProjectable }: RequestRules,
): readonly string[] | null {
  if (value === '' || !isProjectable) return null;
  const textOf = ({ name }: Field): string => fieldPathText([name]);
  const names = fields.map(textOf);
  const chosen = new Map(splitFieldNames(value).map((name) => [canonicalFieldName(name), name]));
  for (const [text, name] of chosen) {
    if (names.includes(text)) continue;
    const near = suggestFieldName(name, names);
    const hint = near === undefined ? '' : `did you mean ${near}? `;
    const message = `\`${parameter}\`: unknown field ${quoteText(name)}: ${hint}the fields are ${names.join(', ')}`;
    throw new QueryError('invalid-parameter', parameter, message);
  }
  return fields.filter((field) => chosen.has(textOf(field))).map(({ property }) => property);
}

function readIndex(value: string, name: string): number | null {
  if (value === '') return null;
  if (/^\d{1,20}$/.test(value)) return Number(value);
  throw invalid(name, `must be the X-Index of a response, an integer, got ${quoteText(value)}`);
}

const nanoseconds = 1_000_000n;

function readWait(value: string, name: string): number {
  if (value === '') return defaultWaitMs;
  const wait = parseGoDuration(value);
  if (wait === null || wait < 0n)
    throw invalid(name, `must be a duration such as 30s or 5m, got ${quoteText(value)}`);
  return wait >= BigInt(maxWaitMs) * nanoseconds ? maxWaitMs : Number(wait) / Number(nanoseconds);
}

function readWatch(
  value: string | null,
  isChanges: boolean,
  hasPositions: boolean,
  nameOf: RequestRules['nameOf'],
): Pick<ParsedListRequest, 'isWatched' | 'isChanges' | 'hasPositions'> {
  const name = nameOf('watch');
  if (value !== null && value !== 'result') {
    const message = `\`${name}\` must be \`result\`, got ${quoteText(value)}; without it, every write to the list ends the wait`;
    throw new QueryError('invalid-watch', name, message);
  }
  if (isChanges && value === null) {
    const changes = nameOf('changes');
    throw new QueryError('invalid-watch', changes, `\`${changes}\` needs \`${name}=result\``);
  }
  if (hasPositions && !isChanges) {
    const positions = nameOf('positions');
    throw new QueryError('invalid-watch', positions, `\`${positions}\` needs \`${nameOf('changes')}\``);
  }
  return { isWatched: value === 'result', isChanges, hasPositions };
}

function readPerPage(value: string, name: string): number {
  if (value === '') return 0;
  const number = /^\d{1,10}$/.test(value) ? Number(value) : NaN;
  if (number < maxPageSize) return number;
  throw invalid(name, `must be an integer >= 0 (0 = all rows), got ${quoteText(value)}`, 'invalid-page');
}

/** Returns the error of a parameter. `problem` follows its name. */
function invalid(name: string, problem: string, code: QueryErrorCode = 'invalid-parameter'): QueryError {
  return new QueryError(code, name, `\`${name}\` ${problem}`);
}
