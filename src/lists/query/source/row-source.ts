import { sharedWeakMap } from '../../../runtime/shared-identity.js';
import { parseToken, type Order } from '../../list/order.js';
import type { FieldIndex } from '../../../filter/compile/frame/field-index.js';
import type { OrderedIndex } from '../../../filter/compile/frame/ordered-index.js';
import type { FieldName } from '../../../language/schema/field-path.js';
import type { Schema } from '../../../language/schema/schema.js';
import { fromSortedRows } from '../../table/sorted-rows.js';
import type { SortField } from '../../table/sort-field.js';
import type { StoreSnapshot, Versions } from '../../table/store.js';
import type { RowPredicate } from '../request/row-predicate.js';
import {
  chooseAccessPath,
  orderOf,
  selectionTest,
  type AccessPath,
  type Selection,
} from '../scan/access-path.js';
import type { ScanRequest } from '../scan/list-scan.js';
import type { FacetCounts } from '../scan/count-facets.js';
import type { FacetField } from '../request/facet-query.js';
import type { RaceWithAbort } from './abortable.js';
import type { ChangeSignal } from './change-signal.js';
import type { LivePool } from './pool.js';
import type { ParsedQuery } from '../request/query.js';
import { chooseSortedPath } from '../scan/sorted-path.js';
import type { SortOrder } from '../scan/sort-order.js';

/** The resources of one query: time slices, until the caller leaves. */
export interface Work {
  readonly pool: LivePool;
  readonly signal: AbortSignal | null;
  /** Waits for work that cannot be cancelled. Rejects if the caller leaves or the list is closed. */
  readonly raceWithAbort: RaceWithAbort;
}

/** The rows of a list at one moment, as one query sees them. */
export interface ListView<T> {
  readonly index: number;
  readonly history: string;
  readonly selection: Selection<T>;
  /** The order of the page. */
  readonly sorted: SortOrder<T>;
}

/** The source of a list's rows (a table, an array, a database), as queries read it. */
export interface RowSource<T> {
  readonly schema: Schema;
  readonly sorts: ReadonlyMap<string, SortField<T>>;
  readonly filterIndexes: readonly (FieldIndex<T> | OrderedIndex<T>)[];
  /** The source with all fields, if this one is restricted to some. Access filters are about the whole rows. */
  readonly whole?: RowSource<T>;
  /** Whether the source returns only the rows of an access filter, so that these are not tested again. */
  readonly enforcesAccess?: true;
  /** The list's own order. */
  readonly order: Order<T>;
  readonly keyOf: (row: T) => string;
  /** The key field, by its filter name; null if a function computes keys. */
  readonly keyField: string | null;
  /** Returns the rows of a query, in its order. `isWhole` also requests rows that the filter rejects, and in any order. */
  view(query: ParsedQuery<T>, work: Work, isWhole?: boolean): ListView<T> | Promise<ListView<T>>;
  /** Null if the source reports no changes. */
  readonly watched: WatchedRows | null;
  /** Reports that rows have changed, for a source without `watched`. */
  readonly signal?: ChangeSignal | undefined;
  /** Returns this source with options of the list applied. */
  readonly bind?: (options: { readonly unresolved: 'error' | 'absent' }) => RowSource<T>;
  /**
   * Counts values in the database without transferring rows; null if that is impossible.
   *
   * @param limit maximum total to count up to
   */
  readonly facets?: (
    query: ParsedQuery<T>,
    fields: readonly FacetField<T>[],
    work: Work,
    limit?: number,
  ) => Promise<FacetCounts | null>;
  /**
   * Returns the statement that is sent to the database instead of using indexes. Its views contain only rows that a page needs.
   */
  readonly statementOf?: (query: ParsedQuery<T>) => SqlExplanation;
}

/** A statement to a database. */
export interface SqlExplanation {
  /** The SQL text, with placeholders for values. */
  readonly text: string;
  /** The clauses of the filter that the statement evaluates completely. */
  readonly clauses: readonly number[];
}

/** The rows of a list. Created by `arraySource`, and by `sqlListSource` of `tamis/sql`. */
export interface Source<T> {
  readonly schema: Schema;
  readonly sorts: readonly FieldName<T>[];
}

const sources = sharedWeakMap<object, RowSource<never>>('sources');

/** Registers the rows of a source object. */
export function registerSource<T>(source: Source<T>, rows: RowSource<never>): Source<T> {
  const frozen = Object.freeze({ schema: source.schema, sorts: Object.freeze([...source.sorts]) });
  sources.set(frozen, rows);
  return frozen;
}

/** Returns the rows of a source; null if the value is not a source. */
export function rowsOfSource<T>(source: object): RowSource<T> | null {
  return (sources.get(source) as object | undefined as RowSource<T> | undefined) ?? null;
}

/** Reports changes of rows. */
export interface WatchedRows {
  readonly versions: Versions;
  readonly table: string;
  /** Returns the rows of a query in a snapshot. */
  readonly viewAt: (query: ParsedQuery<never>, snapshot: StoreSnapshot) => ListView<never>;
}

/** A query over the rows of a view. */
export type RowQuery<T> = Pick<
  ParsedQuery<T>,
  'plan' | 'access' | 'accessPlan' | 'visible' | 'viewer' | 'perPage' | 'nextToken' | 'isBackward'
>;

/**
 * The access path of a query.
 *
 * @param isPage whether only the rows of the page are needed, but not the number of evaluated rows
 */
export function scanRequestOf<T>(
  { selection: all, sorted }: Pick<ListView<T>, 'selection' | 'sorted'>,
  { plan, access, accessPlan = null, visible, viewer, perPage, nextToken }: RowQuery<T>,
  isPage = false,
): ScanRequest<T> {
  const selection = access?.kind === 'none' ? noRows(all) : all;
  const { order, reverse, partialSort } = sorted;
  const start = nextToken === '' ? null : parseToken(order, nextToken);
  const where = rowTestOf(selection, visible);
  const page =
    isPage && perPage > 0 && partialSort === null ? { reverse, start, where, maxRows: perPage + 1 } : null;
  const path =
    selection.sorted === undefined
      ? chooseAccessPath(selection, plan, undefined, accessPlan)
      : chooseSortedPath(selection, selection.sorted, plan, undefined, page, accessPlan);
  const remaining = isLookedUp(selection, path) ? { ...selection, where: null } : selection;
  return {
    path,
    where: remaining === selection ? where : rowTestOf(remaining, visible),
    viewer: remaining.where === null ? (viewer ?? remaining.viewer) : null,
    perPage,
    reverse,
    nextToken,
    partialSort,
  };
}

/** Returns a selection without rows or indexes, for callers without rights: an index would find hidden rows. */
function noRows<T>(selection: Selection<T>): Selection<T> {
  return { rows: fromSortedRows(orderOf(selection), []), keyPrefix: '', where: null };
}

/** Whether the index alone finds exactly the rows of a selection. */
function isLookedUp<T>({ lookups = [] }: Selection<T>, { index }: AccessPath<T>): boolean {
  return lookups.length === 1 && index?.clauses.length === 0;
}

/**
 * Returns the predicate for rows of an access path; null for all. If rows are sorted by a field, no range has exactly the keys
 * with a prefix, so the prefix is tested too.
 */
function rowTestOf<T>(selection: Selection<T>, visible: RowPredicate<T> | null): RowPredicate<T> | null {
  const { where, sorted, keyPrefix } = selection;
  if (sorted !== undefined && keyPrefix !== '') return selectionTest(selection, visible);
  return visible === null || where === null ? (visible ?? where) : (row) => visible(row) && where(row);
}

/**
 * Returns the same view without indexes. The choice of an index depends on invisible rows, so explanations for restricted callers
 * must not use one.
 */
export function withoutIndexes<T>(view: ListView<T>): ListView<T> {
  const { rows, keyPrefix, where, sorted, viewer } = view.selection;
  return {
    ...view,
    selection: {
      ...{ rows, keyPrefix, where },
      ...(viewer === undefined ? {} : { viewer }),
      ...(sorted === undefined ? {} : { sorted }),
    },
  };
}
