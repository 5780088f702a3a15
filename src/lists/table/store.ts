import {
  checkMinimum,
  checkNames,
  checkOptions,
  describe,
  checkFunction,
  isPromise,
} from '../../language/diagnostics/options.js';
import { jsonSize } from '../../runtime/json-size.js';
import {
  createChangeFeed,
  defaultChangeFeedLimits,
  type ChangeFeed,
  type ChangeFeedLimits,
  type RowChange,
} from './change-feed.js';
import { definedTable, type DefinedTable, type TableDefinition } from './define-table.js';
import { isSameValue } from './same-row.js';
import { deleteRow, getRow, putRow, putRows, type TableRows } from './table-rows.js';
import { compareBytewise } from '../list/index.js';
import { fullRange, scanRows } from './sorted-rows.js';
import { requireKey, type RowKey } from './key.js';
import { StoredSnapshot, type TableSnapshot } from './table-snapshot.js';

export type Definitions = Readonly<Record<string, TableDefinition<never>>>;
export type RowIn<D> = D extends TableDefinition<infer T> ? T : never;

/** Writes to one table, within a write to its store. `P` is the type of rows to put, `T` the type of stored rows. */
export interface TableWriter<T extends object, K extends RowKey = string, P = T> {
  /** Returns the row with this key in the current state of the write. */
  get(key: K): T | null;
  /**
   * Adds a row, or replaces the row with the same key. Does nothing if both are equal. @throws RowError that names the first
   * invalid field
   */
  put(row: P): void;
  /**
   * Puts many rows with one sort instead of one search per row. If several rows have the same key, the last one wins.
   * @throws RowError
   */
  putAll(rows: Iterable<P>): void;
  /** Deletes a row. Returns whether it existed. */
  delete(key: K): boolean;
}

/** All tables after one write. Immutable. */
export interface StoreSnapshot<D extends Definitions = Definitions> {
  readonly tables: { readonly [N in keyof D]: TableSnapshot<RowIn<D[N]>, RowKey> };
  /** Index of the last write to any table. */
  readonly index: number;
  /** Index of the last write to each table, including deletions. */
  readonly indexes: { readonly [N in keyof D]: number };
  /**
   * Identifies the sequence of indexes. It changes with a load, a restore or a restart, after which the same index may mean other
   * rows.
   */
  readonly history: string;
}

/** Provides snapshots and changes for lists and watches. Implemented by stores, and by states with their own log. */
export interface Versions<D extends Definitions = Definitions> {
  snapshot(): StoreSnapshot<D>;
  readonly changes: ChangeFeed;
}

export interface StoreOptions {
  /** Index before the first write. Default: 1,000 per millisecond since 1970, so that indexes also increase over restarts. */
  readonly firstIndex?: number | undefined;
  /** Limits of the changes stored for `changes.since`. Default: 65,536 changes and 64 MiB of replaced rows. */
  readonly retained?: { readonly changes?: number; readonly bytes?: number } | undefined;
}

/** Tables with atomic writes across all of them. */
export interface Store<D extends Definitions> extends Versions<D> {
  /**
   * Runs `action` atomically, under one index: if it throws, the error is rethrown and nothing has changed. It must be
   * synchronous. A write without changes gets no index and wakes no watcher.
   */
  write<R>(action: (tables: { readonly [N in keyof D]: TableWriter<RowIn<D[N]>, RowKey> }) => R): R;
  /** Replaces all rows, for example from a file or a leader, and wakes all watchers. @throws RowError */
  load(
    rows: { readonly [N in keyof D]?: Iterable<RowIn<D[N]>> },
    at?: { readonly index: number; readonly history: string },
  ): void;
}

/** A snapshot, with the additional data that writes and lists need. */
interface StoreState extends Omit<StoreSnapshot, 'tables'> {
  readonly tables: Readonly<Record<string, StoredSnapshot<object>>>;
}

/** Creates a store. @throws TypeError if a definition was not created by `defineTable`. */
export function createStore<D extends Definitions>(definitions: D, options: StoreOptions = {}): Store<D> {
  checkOptions('createStore', options, ['firstIndex', 'retained']);
  return openStore('createStore', definitions, options) as object as Store<D>;
}

/** Like {@link createStore}, for a function with additional options. */
export function openStore(
  caller: string,
  definitions: Definitions,
  { firstIndex = Date.now() * 1_000, retained = {} }: StoreOptions,
): Store<Definitions> {
  if (typeof definitions !== 'object' || definitions === null) {
    throw new TypeError(`${caller}: tables must be an object of definitions, got ${describe(definitions)}`);
  }
  const names = Object.keys(definitions);
  const tables = names.map((name) => definedTable<object>(definitions[name] as never));
  checkMinimum(caller, 'firstIndex', firstIndex, 1, true);
  const limits = retentionLimits(caller, retained);
  const changes = createChangeFeed<RowChange>(sizeOf, limits, firstIndex);
  let state = stateOf(
    tables.map((table) => new StoredSnapshot(table, table.empty, firstIndex)),
    firstIndex,
    newHistory(),
  );
  let isWriting = false;

  function byName<A>(all: readonly A[]): Readonly<Record<string, A>> {
    const named: Record<string, A> = {};
    // Faster than `Object.fromEntries`, which only a table of this name needs.
    if (names.includes('__proto__')) return Object.fromEntries(all.map((each, at) => [names[at], each]));
    for (let at = 0; at < all.length; at += 1) named[names[at] as string] = all[at] as A; // Both have the same length
    return named;
  }

  function stateOf(all: readonly StoredSnapshot<object>[], index: number, history: string): StoreState {
    const indexes = byName(all.map((each) => each.index));
    return Object.freeze({ tables: byName(all), index, indexes, history });
  }

  /** Runs a write with drafts of all tables. The drafts are invalid afterwards. */
  function draw<R>(isEmpty: boolean, action: (drafts: readonly Draft[]) => R): R {
    if (isWriting) throw new Error(`${caller}: a write cannot begin within another one`);
    const drafts = tables.map((table, at) => {
      const { contents } = state.tables[names[at] ?? ''] as StoredSnapshot<object>;
      return new Draft(table, isEmpty ? table.empty : contents, limits.maxChanges);
    });
    isWriting = true;
    try {
      return action(drafts);
    } finally {
      isWriting = false;
      for (const draft of drafts) draft.close();
    }
  }

  function commit(drafts: readonly Draft[]): void {
    const index = state.index + 1;
    let found: RowChange[] | null = [];
    const indexes: Record<string, number> = {};
    const all = drafts.map((draft, at) => {
      const name = names[at] ?? '';
      const changed = draft.changes(name);
      if (changed?.length === 0) return state.tables[name] as StoredSnapshot<object>;
      indexes[name] = index;
      if (changed === null) found = null;
      for (const change of changed ?? []) found?.push(change);
      return draft.commit(index);
    });
    if (found?.length === 0) return;
    state = stateOf(all, index, state.history);
    changes.publish(
      found === null || found.length > limits.maxChanges
        ? { kind: 'reset', index, indexes: state.indexes, changes: [] }
        : { kind: 'rows', index, indexes, changes: found },
    );
  }

  return {
    snapshot: () => state as object as StoreSnapshot,
    changes,
    write: (action) =>
      draw(false, (drafts) => {
        checkFunction('store.write', 'action', action);
        const result = action(byName(drafts) as never);
        if (isPromise(result)) {
          throw new TypeError(`${caller}: write must be synchronous; read first, then write the results`);
        }
        commit(drafts);
        return result;
      }),
    load: (rows, at) =>
      draw(true, (drafts) => {
        const [unknown] = Object.keys(rows).filter((name) => !names.includes(name));
        if (unknown !== undefined)
          throw new TypeError(`${caller}: there is no table ${JSON.stringify(unknown)}`);
        const { index = state.index + 1, history = newHistory() } = at ?? {};
        checkMinimum(caller, 'the index', index, 1, true);
        drafts.forEach((draft, at) => draft.putAll((rows[names[at] ?? ''] ?? []) as Iterable<object>));
        state = stateOf(
          drafts.map((draft) => draft.commit(index)),
          index,
          history,
        );
        changes.publish({ kind: 'reset', index, indexes: state.indexes, changes: [] });
      }),
  };
}

/** A table within a write. */
class Draft implements TableWriter<object, RowKey> {
  readonly #table: DefinedTable<object>;
  readonly #before: TableRows<object>;
  readonly #maxChanges: number;
  #contents: TableRows<object>;
  /** Whether more rows were put than are reported one by one, so that the changes are not recorded. */
  #areMany = false;
  /** The rows that were put or deleted, by key. */
  readonly #changes = new Map<string, { readonly before: object | null; after: object | null }>();
  #isOpen = true;

  constructor(table: DefinedTable<object>, before: TableRows<object>, maxChanges: number) {
    this.#table = table;
    this.#maxChanges = maxChanges;
    this.#before = this.#contents = before;
  }

  readonly get = (key: RowKey): object | null => getRow(this.#contents, requireKey(this.#table.keys, key));

  readonly put = (row: object): void => {
    this.#requireOpen();
    const { take, keyOf } = this.#table;
    const own = take(row);
    this.#put(keyOf(own), own);
  };

  readonly putAll = (rows: Iterable<object>): void => {
    this.#requireOpen();
    const { take, keyOf } = this.#table;
    const own: object[] = [];
    const keys: string[] = [];
    let isInOrder = true;
    for (const row of rows) {
      const taken = take(row);
      const key = keyOf(taken);
      isInOrder &&= keys.length === 0 || compareBytewise(keys[keys.length - 1] ?? '', key) < 0;
      own.push(taken);
      keys.push(key);
    }
    const { size } = this.#contents.primary;
    // A few rows are inserted one by one, because a sort would visit all existing rows.
    if (own.length * 16 < size)
      own.forEach((row, at) => this.#put(keys[at] as string, row)); // Both have the same length
    else if (size === 0 && own.length > this.#maxChanges) {
      this.#areMany = true;
      this.#changes.clear();
      this.#contents = putRows(this.#contents, own, isInOrder);
    } else {
      const byKey = new Map(
        own.map((row, at) => [keys[at] as string, this.#original(keys[at] as string, row)]),
      );
      for (const [key, row] of byKey)
        if (!this.#note(key, size === 0 ? null : getRow(this.#contents, key), row)) byKey.delete(key);
      this.#contents = putRows(this.#contents, [...byKey.values()], isInOrder);
    }
  };

  readonly delete = (key: RowKey): boolean => {
    this.#requireOpen();
    const stored = requireKey(this.#table.keys, key);
    const old = getRow(this.#contents, stored);
    if (old === null) return false;
    this.#contents = deleteRow(this.#contents, stored);
    return this.#note(stored, old, null);
  };

  #put(key: string, own: object): void {
    const row = this.#original(key, own);
    this.#contents = putRow(this.#contents, row, (old) => this.#note(key, old, row));
  }

  /** Returns the row as it was before the write if it is put back to an equal one, so that only reported rows are other objects. */
  #original(key: string, row: object): object {
    const before = this.#changes.get(key)?.before ?? null;
    return before !== null && isSameValue(before, row) ? before : row;
  }

  /** Records a change. Returns false if both rows are equal. */
  #note(key: string, before: object | null, after: object | null): boolean {
    if (before !== null && isSameValue(before, after)) return false;
    if (this.#areMany) return true;
    const known = this.#changes.get(key);
    if (known === undefined) this.#changes.set(key, { before, after });
    else if (isSameValue(known.before, after)) this.#changes.delete(key);
    else known.after = after;
    return true;
  }

  /** Returns the changes, one per row; null if there are too many to report. */
  changes(table: string): readonly RowChange[] | null {
    if (this.#areMany) return isSameTable(this.#before, this.#contents) ? [] : null;
    const changes: RowChange[] = [];
    for (const [stored, { before, after }] of this.#changes) {
      // The definition of the table determines the type of keys.
      const key = this.#table.keys.decode(stored) as string;
      changes.push({ table, key, before, after });
    }
    return changes;
  }

  commit(index: number): StoredSnapshot<object> {
    return new StoredSnapshot(this.#table, this.#contents, index);
  }

  close(): void {
    this.#isOpen = false;
  }

  #requireOpen(): void {
    if (!this.#isOpen) throw new Error('The write is finished: put and delete rows inside it');
  }
}

function retentionLimits(caller: string, retained: NonNullable<StoreOptions['retained']>): ChangeFeedLimits {
  checkNames(caller, 'limit', retained, ['changes', 'bytes']);
  const { changes = defaultChangeFeedLimits.maxChanges, bytes = defaultChangeFeedLimits.maxSize } = retained;
  checkMinimum(caller, 'the limit changes', changes, 0);
  checkMinimum(caller, 'the limit bytes', bytes, 0);
  return { maxChanges: changes, maxSize: bytes };
}

function isSameTable(a: TableRows<object>, b: TableRows<object>): boolean {
  if (a.primary.size !== b.primary.size) return false;
  const others = scanRows(b.primary, fullRange, false)[Symbol.iterator]();
  for (const row of scanRows(a.primary, fullRange, false))
    if (!isSameValue(row, others.next().value)) return false;
  return true;
}

function sizeOf({ before }: RowChange): number {
  return before === null ? 0 : jsonSize(before);
}

/** Returns an identifier that is unique across stores and processes. */
function newHistory(): string {
  const part = (): string => Math.floor(Math.random() * 2 ** 40).toString(36);
  return `${Date.now().toString(36)}-${part()}${part()}`;
}
