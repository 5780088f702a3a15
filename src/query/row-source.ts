import type { Order } from '../list/order.js';
import type { FieldIndex } from '../compile/field-index.js';
import type { OrderedIndex } from '../compile/ordered-index.js';
import type { Schema } from '../schema/schema.js';
import type { SortField } from '../table/sort-field.js';
import type { Versions } from '../table/store.js';
import { chooseAccessPath, type RowPredicate, type Selection } from './access-path.js';
import type { ScanRequest } from './list-scan.js';
import type { LivePool } from './pool.js';
import type { ReadQuestion } from './query.js';
import { selectionTest } from './result-question.js';
import { chooseSortedPath } from './sorted-path.js';
import type { SortOrder } from './sort-order.js';

/** What a question works with. */
export interface Work {
  readonly pool: LivePool;
  readonly signal: AbortSignal | null;
}

/** The rows of a list at one moment, as one question sees them. */
export interface ListView<T> {
  readonly index: number;
  readonly history: string;
  readonly selection: Selection<T>;
  /** The order of the page. */
  readonly sorted: SortOrder<T>;
}

/** Whoever has rows. */
export interface RowSource<T> {
  readonly schema: Schema;
  readonly sorts: ReadonlyMap<string, SortField<T>>;
  readonly filterIndexes: readonly (FieldIndex<T> | OrderedIndex<T>)[];
  /** The list's own order. */
  readonly order: Order<T>;
  readonly keyOf: (row: T) => string;
  /** The field that keys are, by the name of filters; null where a function makes them. */
  readonly keyField: string | null;
  /** The rows that a question is about. `isWhole` where those that the filter refuses are wanted too, in any order. */
  view(question: ReadQuestion<T>, work: Work, isWhole?: boolean): ListView<T> | Promise<ListView<T>>;
  /** Null where nobody tells of changes. */
  readonly watched: WatchedRows | null;
}

/** Where changes of rows are told of. */
export interface WatchedRows {
  readonly versions: Versions;
  readonly table: string;
}

/** What is asked of the rows of a view. */
type AskedRows<T> = Pick<ReadQuestion<T>, 'plan' | 'visible' | 'perPage' | 'nextToken'>;

/** The way to the rows of a question. */
export function scanRequestOf<T>(
  { selection, sorted }: Pick<ListView<T>, 'selection' | 'sorted'>,
  { plan, visible, perPage, nextToken }: AskedRows<T>,
): ScanRequest<T> {
  const where = rowTestOf(selection, visible);
  return {
    path:
      selection.sorted === undefined
        ? chooseAccessPath(selection, plan)
        : chooseSortedPath(selection, selection.sorted, plan),
    where,
    perPage,
    reverse: sorted.reverse,
    nextToken,
    regroup: sorted.regroup,
  };
}

/** Which rows of an access path count; null for all. In the order of a field, no stretch of it is all that begins so. */
function rowTestOf<T>(selection: Selection<T>, visible: RowPredicate<T> | null): RowPredicate<T> | null {
  const { where, sorted, keyPrefix } = selection;
  if (sorted !== undefined && keyPrefix !== '') return selectionTest(selection, visible);
  return visible === null || where === null ? (visible ?? where) : (row) => visible(row) && where(row);
}

/**
 * The same rows, found by a look at all of them. Which index has the fewest rows tells of rows that not everybody may see, so
 * that an explanation to those who do not see all must not use one.
 */
export function withoutIndexes<T>(view: ListView<T>): ListView<T> {
  const { rows, keyPrefix, where, sorted } = view.selection;
  return { ...view, selection: { rows, keyPrefix, where, ...(sorted === undefined ? {} : { sorted }) } };
}
