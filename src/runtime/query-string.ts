import { RequestError } from './request-error.js';

/** Limits for one query string. */
export interface QueryLimits {
  /** Maximum number of parameters. Prevents filling hash tables with unused names. */
  readonly maxParameters: number;
  /** Maximum length of one decoded value, in UTF-16 units. Prevents one parameter from using the whole URL. */
  readonly maxParameterLength: number;
}

/** The parameters of a request. A repeated one keeps all its values, in order. */
export type QueryParameters = ReadonlyMap<string, readonly string[]>;

/**
 * Parses a query string (without its `?`). `+` is a space; `name` alone is `name=`. A broken escape is rejected, not skipped:
 * otherwise a filter garbled by a shell could return all rows.
 * @throws RequestError for a broken percent escape, too many parameters, or one that is too long.
 */
export function parseQueryString(text: string, limits: QueryLimits): QueryParameters {
  const parameters = new Map<string, string[]>();
  if (text === '') return parameters;
  const pairs = text.split('&', limits.maxParameters + 1);
  if (pairs.length > limits.maxParameters) {
    throw new RequestError('too-many-parameters', `More than ${limits.maxParameters} query parameters`);
  }
  for (const pair of pairs) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decode(equals === -1 ? pair : pair.slice(0, equals), null);
    const value = equals === -1 ? '' : decode(pair.slice(equals + 1), name);
    if (value.length > limits.maxParameterLength) {
      const max = limits.maxParameterLength.toLocaleString('en');
      throw new RequestError(
        'parameter-too-long',
        `Query parameter ${quote(name)} is longer than ${max} characters`,
      );
    }
    const values = parameters.get(name);
    if (values === undefined) parameters.set(name, [value]);
    else values.push(value);
  }
  return parameters;
}

/** Returns the first value of a parameter; the empty string if it is absent, because an empty parameter counts as absent. */
export function firstParameter(parameters: QueryParameters, name: string): string {
  return parameters.get(name)?.[0] ?? '';
}

function decode(text: string, name: string | null): string {
  if (!/[%+]/.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    const where = name === null ? 'a query parameter name' : `query parameter ${quote(name)}`;
    throw new RequestError(
      'bad-query',
      `Invalid percent escape in ${where}: ${firstBadEscape(text)}. Write a literal % as %25`,
    );
  }
}

/** Returns the position of the mistake: the first `%` without two hex digits, or the first run of escapes that is not UTF-8. */
function firstBadEscape(text: string): string {
  const bare = /%(?![0-9A-Fa-f]{2}).{0,2}/su.exec(text);
  if (bare !== null) return quote(bare[0]);
  for (const run of text.match(/(?:%[0-9A-Fa-f]{2})+/g) ?? []) {
    if (!decodes(run)) return `${quote(run.slice(0, 24))} is not UTF-8`;
  }
  return quote('%');
}

function decodes(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** Returns a part of the request for use in a message: short, and without characters that control a terminal. */
function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
