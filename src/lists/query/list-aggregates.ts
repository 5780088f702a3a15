// Counts, facets and explanations of lists.
import { rowScanOf } from './result/row-scan.js';
import type { FacetCounts } from './scan/count-facets.js';
import { countRows } from './result/counted-rows.js';
import type { ListExplanation } from './result/explain-scan.js';
import { explainRows } from './result/explained-rows.js';
import { allFacetFields, readFacets } from './request/facet-query.js';
import type { ListCore, ListPage, PageTotal } from './list-core.js';
import { QueryError } from './request/query-error.js';
import { wholeQuery, type ParsedQuery } from './request/query.js';
import { withoutIndexes, type Work } from './source/row-source.js';

/** Returns how often each value occurs in the given fields of the matching rows. @throws QueryError */
export async function countList<T extends object>(
  { source, bound }: ListCore<T>,
  query: ParsedQuery<T>,
  fields: readonly string[],
  work: Work,
): Promise<FacetCounts> {
  const facets = readFacets<T>(fields, allFacetFields<T>(source.schema));
  const parsedQuery = bound(wholeQuery(query));
  const counted = await source.facets?.(parsedQuery, facets, work);
  if (counted !== undefined && counted !== null) return counted;
  return countRows(
    rowScanOf(work.pool, parsedQuery, await source.view(parsedQuery, work)),
    facets,
    work.signal,
  );
}

/**
 * Returns the number of matching rows, up to a bound of evaluated rows.
 *
 * @param found number of rows that are known to match
 */
export async function countTotal<T extends object>(
  { source, bound, options: { maxCounted = defaultMaxCounted } }: ListCore<T>,
  query: ParsedQuery<T>,
  work: Work,
): Promise<PageTotal> {
  const parsedQuery = bound(wholeQuery(query));
  // A bound would reveal how many rows are hidden: hidden rows would count, too.
  const isBounded = query.visible === null;
  const budget = { left: isBounded ? maxCounted : Infinity };
  try {
    const counted = await source.facets?.(parsedQuery, [], work, maxCounted);
    if (counted !== undefined && counted !== null)
      return counted.total > maxCounted ? { atLeast: maxCounted } : counted.total;
    const view = await source.view(parsedQuery, work);
    const { total } = await countRows(rowScanOf(work.pool, parsedQuery, view), [], work.signal, { budget });
    return budget.left < 0 ? { atLeast: total } : total;
  } catch (error) {
    // Too many rows would have to be fetched from a database.
    if (isBounded && error instanceof QueryError && error.code === 'too-many-rows') return { atLeast: 0 };
    throw error;
  }
}

/** Returns the counts that a page includes. If there are facets, all rows are counted, so that the total is exact. */
export async function countPage<T extends object>(
  core: ListCore<T>,
  query: ParsedQuery<T>,
  work: Work,
): Promise<Pick<ListPage<T>, 'total' | 'facets'>> {
  const { facets: fields, isCounted = false } = query;
  if (fields === undefined) return { total: await countTotal(core, query, work) };
  const { total, facets } = await countList(core, query, fields, work);
  return { total: isCounted ? total : null, facets };
}

/** Default maximum rows evaluated for a total. */
const defaultMaxCounted = 100_000;

/** Replaces the index in explanations for restricted callers: the choice of an index would reveal how many rows are hidden. */
const hiddenIndex = Object.freeze({ field: null, keys: [], range: null });

/** Explains how the rows are found and, if nothing matches, why. */
export async function explainList<T extends object>(
  { source, bound, options: { now }, unresolved }: ListCore<T>,
  query: ParsedQuery<T>,
  work: Work,
): Promise<ListExplanation> {
  const parsedQuery = bound(query);
  const { pool, signal } = work;
  const reading = { schema: source.schema, unresolved, ...(now === undefined ? {} : { now }) };
  const statement = source.statementOf?.(parsedQuery);
  if (statement !== undefined) {
    const found = rowScanOf(pool, parsedQuery, await source.view(parsedQuery, work));
    return (await explainRows({ ...found, whole: null, statement, reading }, signal)).explanation;
  }
  const unfiltered = { ...parsedQuery, plan: null, sort: null, nextToken: '', perPage: 0 };
  const [view, whole] = await Promise.all([
    source.view(parsedQuery, work, true),
    source.view(unfiltered, work, true),
  ]);
  const { plan, visible } = parsedQuery;
  const found = rowScanOf(
    pool,
    { ...parsedQuery, accessPlan: null },
    visible === null ? view : withoutIndexes(view),
  );
  const { explanation } = await explainRows({ ...found, whole, reading }, signal);
  const isIndexed = plan !== null && plan.lookups.length + plan.ranges.length > 0;
  return visible !== null && isIndexed ? { ...explanation, index: hiddenIndex } : explanation;
}
