import { copyText } from '../../../runtime/shared-identity.js';
import {
  canonicalFieldName,
  splitFieldNames,
  suggestFieldName,
} from '../../../language/syntax/field-path.js';
import { isPositionInOrder, type SortField } from '../../table/sort-field.js';
import { quoteText } from './clip-text.js';
import { QueryError } from './query-error.js';

/** A field that a list is sorted by. */
export interface SortKey {
  /** The field as filters name it: `Name`, `["First Name"]`. */
  readonly field: string;
  readonly isDescending: boolean;
}

/**
 * The requested order of a list: by one field, then by further fields. With one field, descending is the exact reverse of
 * ascending, including rows with equal values. With several, the last field decides whether rows that are equal in all of them
 * are in the list's order or its reverse.
 */
export interface Sort extends SortKey {
  readonly others: readonly SortKey[];
}

/** The fields of a list by which it can be sorted, as filters name them. */
export type SortFields = ReadonlyMap<string, Pick<SortField<never>, 'by' | 'isNumbered'>>;

/** Returns every sort by one field that a list supports. */
export function sortsOf(fields: Iterable<string>): readonly string[] {
  return [...fields].flatMap((field) => [field, `-${field}`]);
}

/** The last sort of each list. Queries with equal sorts share it, because thousands of watched queries may have the same. */
const lastSorts = new WeakMap<SortFields, { readonly text: string; readonly sort: Sort }>();

/** Maximum fields in one `sort`. Prevents sort keys composed of hundreds of strings. */
const maxKeys = 8;

/**
 * Returns the sort that a parameter names: field names separated by commas, with `-` for descending order; null if it is empty.
 *
 * @throws QueryError `invalid-sort`
 */
export function readSort(text: string, fields: SortFields): Sort | null {
  if (text === '') return null;
  const last = lastSorts.get(fields);
  if (last?.text === text) return last.sort;
  const copy = copyText(text);
  const names = splitFieldNames(copy);
  if (names.length > maxKeys) throw invalidSort(`\`sort\` takes at most ${maxKeys} fields`);
  const keys = names.map((name) => readKey(name, fields));
  const seen = new Set<string>();
  for (const { field } of keys) {
    if (seen.has(field)) throw invalidSort(`\`sort\` names ${field} twice`);
    seen.add(field);
  }
  const [first, ...others] = keys as [SortKey, ...SortKey[]]; // A split string has at least one part
  const sort = { ...first, others };
  lastSorts.set(fields, { text: copy, sort });
  return sort;
}

function readKey(name: string, fields: SortFields): SortKey {
  const isDescending = name.startsWith('-');
  const written = isDescending ? name.slice(1) : name;
  const field = canonicalFieldName(written);
  if (fields.has(field)) return { field, isDescending };
  const names = [...fields.keys()];
  const near = suggestFieldName(written, names);
  const hint = near === undefined ? '' : `did you mean ${isDescending ? '-' : ''}${near}? `;
  const what =
    names.length === 0
      ? 'This list cannot be sorted'
      : `The sorts of this list are ${names.join(', ')}, with - for descending order`;
  throw invalidSort(`Cannot sort by ${quoteText(written)}: ${hint}${what}`);
}

export function invalidSort(message: string): QueryError {
  return new QueryError('invalid-sort', 'sort', message);
}

/** Throws if `reverse` is combined with `sort`. @throws QueryError `invalid-sort` */
export function rejectReverse({ field, isDescending }: SortKey): never {
  throw invalidSort(
    `\`reverse\` cannot be combined with \`sort\`; use sort=${isDescending ? field : `-${field}`}`,
  );
}

/** Returns a sort as written in a query. */
export function nameOfSort({ field, isDescending, others }: Sort): string {
  return [{ field, isDescending }, ...others]
    .map((key) => `${key.isDescending ? '-' : ''}${key.field}`)
    .join();
}

/** Returns the sort whose order is the exact reverse. */
export function reversedSort({ others, ...first }: Sort): Sort {
  const reversed = ({ field, isDescending }: SortKey): SortKey => ({ field, isDescending: !isDescending });
  return { ...reversed(first), others: others.map(reversed) };
}

type TokenParameter = 'next_token' | 'prev_token';

/** Prefix for a token of a list without `sort`, if the token could be mistaken for one of a sorted list. */
const unsorted = ':';

/** Returns a page token for clients, which includes the sort. */
export function sortedToken(sort: Sort | null, token: string | null, fields: SortFields): string | null {
  if (token === null) return null;
  if (sort !== null) return `${nameOfSort(sort)}:${token}`;
  return token.startsWith(unsorted) || sortOfToken(token, fields) !== null ? `${unsorted}${token}` : token;
}

/** Like {@link sortedToken}, for the token of a page, which may have been scanned in the opposite order. */
export function tokenOfPage(
  { sort, isBackward }: { readonly sort: Sort | null; readonly isBackward: boolean },
  token: string | null,
  fields: SortFields,
): string | null {
  return sortedToken(sort !== null && isBackward ? reversedSort(sort) : sort, token, fields);
}

/**
 * Returns a page token without its sort.
 * @throws QueryError `invalid-token` for a token of another order, or one that is not a position in this order.
 */
export function readSortedToken(
  token: string,
  sort: Sort | null,
  fields: SortFields,
  parameter: TokenParameter = 'next_token',
): string {
  if (token === '') return '';
  if (sort === null) {
    if (token.startsWith(unsorted)) return token.slice(unsorted.length);
    const other = sortOfToken(token, fields);
    if (other !== null)
      throw badToken(parameter, `belongs to a list with sort=${other}`, 'request that order');
    return token;
  }
  const name = nameOfSort(sort);
  if (token.startsWith(`${name}:`)) {
    const position = token.slice(name.length + 1);
    const field = fields.get(sort.field);
    if (field !== undefined && isPlace(sort, field, position)) return position;
    throw badToken(
      parameter,
      'is malformed or belongs to another list',
      'use the token of a page of this list',
    );
  }
  const other = sortOfToken(token, fields);
  throw badToken(
    parameter,
    other === null ? 'belongs to a list without `sort`' : `belongs to a list with sort=${other}`,
    `use a token of a list with sort=${name}`,
  );
}

function isPlace(
  { others }: Sort,
  field: Pick<SortField<never>, 'by' | 'isNumbered'>,
  position: string,
): boolean {
  // A position by several fields is one string, or a number followed by a string.
  return others.length === 0 || field.by === 'list' ? isPositionInOrder(field, position) : position !== '';
}

/** Returns the `sort` part of a token; null if it has none. */
function sortOfToken(token: string, fields: SortFields): string | null {
  const [name = ''] = splitFieldNames(token, ':');
  if (!token.startsWith(`${name}:`)) return null;
  return splitFieldNames(name).every((key) => fields.has(key.replace(/^-/, ''))) ? name : null;
}

function badToken(parameter: TokenParameter, problem: string, instead: string): QueryError {
  return new QueryError('invalid-token', parameter, `The \`${parameter}\` ${problem}: ${instead}`);
}
