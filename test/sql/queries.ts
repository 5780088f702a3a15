import { FilterError } from '../../src/index.js';
import { QueryError, type List, type Query } from '../../src/entries/query.js';
import type { Draw } from '../support/draw.js';
import { drawFilter } from '../support/drawn-filter.js';
import { Values } from '../support/drawn-values.js';
import { drawRow, shape } from './test-mapping.js';

export type Row = Record<string, unknown>;

export const now = (): Date => new Date('2026-11-02T00:00:00Z');
const sortable = [
  ...[
    'text',
    'owner',
    'whole',
    'maybeWhole',
    'load',
    'maybeLoad',
    'flag',
    'maybeFlag',
    'at',
    'maybeAt',
    'stamp',
  ],
  ...['ms', 'seconds', 'span', 'wait', 'size'],
];
export const sorts = ['strict', 'count', 'id', ...sortable] as never[];
const counted = [
  ...['text', 'strict', 'whole', 'count', 'flag', 'owner', 'maybeWhole', 'maybeFlag', 'size'],
  ...['version'],
];

/** Rows and queries. Two in three filters can be evaluated by the database first. */
export function drawQueries(draw: Draw) {
  const values = new Values(draw);
  const rows = Array.from({ length: 24 }, (_, at) => {
    const row = drawRow(values, `${draw.pick(['r', 'R', 'é', '\u{1f600}', '\uff01'])}${at}`);
    return { ...row, strict: draw.pick(['', 'a', 'b', String(row.strict)]) };
  });
  const queries = Array.from({ length: 8 }, () => ({
    filter: draw.oneIn(6) ? null : drawFilter(draw, values, shape, true),
    unresolved: draw.pick(['error', 'absent'] as const),
    sort: draw.pick([
      undefined,
      undefined,
      'count',
      '-count',
      'strict',
      '-strict',
      '-id',
      '-count,strict',
      'strict,-count',
      '-strict,-count,id',
      ...sortable.flatMap((name) => [name, `-${name}`]),
      `${draw.pick(sortable)},-count`,
      `-count,${draw.pick(sortable)}`,
      `strict,-${draw.pick(sortable)}`,
    ]),
    reverse: draw.oneIn(2),
    prefix: draw.pick([undefined, undefined, undefined, 'r', '\u{1f600}1']),
    perPage: draw.pick([1, 3, 7, 50]),
    hidden: draw.oneIn(5) ? draw.pick(['0', '1', '2']) : null,
    token: draw.pick([
      null,
      null,
      'abc',
      'r5',
      '3.r1',
      'count:1.r2',
      'count:99999999999999999999.r2',
      'strict:a\0\0r2',
    ]),
  }));
  return { rows, queries };
}

/** The outcome of a query, errors included. */
async function outcome<R>(result: Promise<R>): Promise<R | string> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof FilterError || error instanceof QueryError) return error.message;
    throw error;
  }
}

/** All pages of a query, and its counts. */
export async function resultsOf(
  list: List<Row>,
  query: Query<Row>,
  nextToken: string | null,
  facetsOf: readonly string[] = counted,
): Promise<unknown> {
  const pages: unknown[] = [];
  let token: string | null = nextToken;
  do {
    const page = await outcome(list.page({ ...query, nextToken: token }));
    pages.push(page);
    token = typeof page === 'string' ? null : page.nextToken;
  } while (token !== null && pages.length < 30);
  const { sort, reverse, perPage, ...requests } = query;
  const facets = await outcome(list.facets(requests, facetsOf as never));
  return { sort, reverse, perPage, pages, facets };
}
