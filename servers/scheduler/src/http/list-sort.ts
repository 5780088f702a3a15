import { suggestName } from '@tamis/config';
import { firstParameter, type QueryParameters } from '@tamis/http';
import { SchedulerError } from '../errors.js';
import { quote } from '../model/quote.js';
import { isPlaceInOrder, type SortField } from 'tamis/table';
import type { ReadQuery } from './query.js';

/** The order that a list is asked for. */
export interface Sort {
  readonly field: string;
  /** The exact reverse of ascending: what is equal stands in the reverse of the list's own order too. */
  readonly isDescending: boolean;
}

/** The parameters of a list. In the order that `sort` asks for, `reverse` is whether that descends. */
export interface ListQuery extends ReadQuery {
  /** Null for the list's own order. */
  readonly sort: Sort | null;
}

/** The fields of a list by which it can be sorted. */
export type SortFields = ReadonlyMap<string, Pick<SortField<never>, 'by' | 'isNumbered'>>;

/** Every `sort` that a list takes, for its document. */
export function sortsOf(fields: Iterable<string>): readonly string[] {
  return [...fields].flatMap((field) => [field, `-${field}`]);
}

/**
 * Reads `sort`, and `next_token` as that of a list in this order.
 *
 * @throws SchedulerError `bad-sort`, `bad-next-token`
 */
export function parseListQuery(query: ReadQuery, fields: SortFields): ListQuery {
  const { parameters, nextToken } = query;
  const sort = readSort(parameters, fields);
  if (sort === null) {
    const other = sortOfToken(nextToken, fields);
    if (other !== null) throw badToken(`is of a list with sort=${other}`, 'ask for that order');
    return { ...query, sort };
  }
  if (firstParameter(parameters, 'reverse') === 'true') {
    const { field, isDescending } = sort;
    const instead = isDescending ? field : `-${field}`;
    throw new SchedulerError('bad-sort', `\`reverse\` cannot be used with \`sort\`: write sort=${instead}`);
  }
  return { ...query, sort, reverse: sort.isDescending, nextToken: readSortedToken(nextToken, sort, fields) };
}

function readSort(parameters: QueryParameters, fields: SortFields): Sort | null {
  const [text = '', ...others] = (parameters.get('sort') ?? []).filter((each) => each !== '');
  if (text === '') return null;
  const isDescending = text.startsWith('-');
  const field = isDescending ? text.slice(1) : text;
  if (others.length > 0 || field.includes(',')) {
    throw new SchedulerError(
      'bad-sort',
      'A list is sorted by one field: what is equal there stands in its own order',
    );
  }
  if (fields.has(field)) return { field, isDescending };
  const names = [...fields.keys()];
  const near = suggestName(field, names);
  const hint = near === null ? '' : `did you mean ${isDescending ? '-' : ''}${near}? `;
  throw new SchedulerError(
    'bad-sort',
    `Cannot sort by ${quote(field)}: ${hint}This list sorts by ${names.join(', ')}, descending with - before the name`,
  );
}

/** A page token as clients get it: with the order in which it is a place. */
export function sortedToken(sort: Sort | null, token: string | null): string | null {
  return sort === null || token === null ? token : `${nameOf(sort)}:${token}`;
}

function nameOf({ field, isDescending }: Sort): string {
  return `${isDescending ? '-' : ''}${field}`;
}

function readSortedToken(token: string, sort: Sort, fields: SortFields): string {
  if (token === '') return '';
  const name = nameOf(sort);
  if (token.startsWith(`${name}:`)) {
    const place = token.slice(name.length + 1);
    const field = fields.get(sort.field);
    if (field !== undefined && isPlaceInOrder(field, place)) return place;
    throw badToken('names no place in the list', 'take the one of the page before');
  }
  const other = sortOfToken(token, fields);
  throw badToken(
    other === null ? 'is of a list without `sort`' : `is of a list with sort=${other}`,
    `with sort=${name} take one of a list in that order`,
  );
}

/** The `sort` that a token is of; null where it is of none. */
function sortOfToken(token: string, fields: SortFields): string | null {
  const [, name = '', field = ''] = /^(-?([A-Za-z]+)):/.exec(token) ?? [];
  return fields.has(field) ? name : null;
}

function badToken(problem: string, instead: string): SchedulerError {
  return new SchedulerError('bad-next-token', `The \`next_token\` ${problem}: ${instead}`);
}
