import { checkNames, checkOptions, describe } from '../diagnostics/options.js';
import { jsonSize } from '../pace/json-size.js';
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
import { KeptSnapshot, requireKey, type TableSnapshot } from './table-snapshot.js';

export type Definitions = Readonly<Record<string, TableDefinition<never>>>;
export type RowIn<D> = D extends TableDefinition<infer T> ? T : never;

/** Writes to one table, while a write of its store is under way. */
export interface TableWriter<T extends object> {
  /** The row with this key, as it is by now. */
  get(key: string): T | null;
  /** Adds a row, or replaces the one with its key, unless that is equal. @throws RowError naming the first field that does not fit */
  put(row: T): void;
  /** Many at once: one sort in place of a search each. Of rows with one key the last counts. @throws RowError */
  putAll(rows: Iterable<T>): void;
  /** Whether there was one. */
  delete(key: string): boolean;
}

/** All tables after one write. Immutable. */
export interface StoreSnapshot<D extends Definitions = Definitions> {
  readonly tables: { readonly [N in keyof D]: TableSnapshot<RowIn<D[N]>> };
  /** Of the last write anywhere. */
  readonly index: number;
  /** Of the last write to each table, deletions included. */
  readonly indexes: { readonly [N in keyof D]: number };
  /** Another text where the same index may mean other rows: after a load, a restore, in another process. */
  readonly history: string;
}

/** What lists and watches need of whoever holds the rows: a store, or a state with a log and a writer of its own. */
export interface Versions<D extends Definitions = Definitions> {
  snapshot(): StoreSnapshot<D>;
  readonly changes: ChangeFeed;
}

export interface StoreOptions {
  /** The index before the first write: 1,000 for each millisecond since 1970, so that indexes grow over restarts too. */
  readonly firstIndex?: number | undefined;
  /** What is kept for `since`: 65,536 changes, and 64 MiB of replaced rows. */
  readonly kept?: { readonly changes?: number; readonly bytes?: number } | undefined;
}

/** Tables that are written together. */
export interface Store<D extends Definitions> extends Versions<D> {
  /**
   * Runs `action`, all or nothing, under one index: what it throws is thrown, and nothing has changed. It must not wait. What
   * changes nothing has no index and wakes nobody.
   */
  write<R>(action: (tables: { readonly [N in keyof D]: TableWriter<RowIn<D[N]>> }) => R): R;
  /** Replaces everything, as a file or a leader has it; whoever waits is answered. @throws RowError */
  load(
    rows: { readonly [N in keyof D]?: Iterable<RowIn<D[N]>> },
    at?: { readonly index: number; readonly history: string },
  ): void;
}

/** The contents of all tables, by their names. */
type Contents = Readonly<Record<string, TableRows<object>>>;

interface StoreState {
  readonly contents: Contents;
  readonly snapshot: StoreSnapshot;
}

/** @throws TypeError for definitions that do not come from `defineTable`. */
export function createStore<D extends Definitions>(definitions: D, options: StoreOptions = {}): Store<D> {
  checkOptions('createStore', options, ['firstIndex', 'kept']);
  return openStore('createStore', definitions, options) as object as Store<D>;
}

/** As {@link createStore}, for a function with other options beside these. */
export function openStore(
  caller: string,
  definitions: Definitions,
  options: StoreOptions,
): Store<Definitions> {
  if (typeof definitions !== 'object' || definitions === null) {
    throw new TypeError(`${caller}: tables must be an object of definitions, not ${describe(definitions)}`);
  }
  const tables = new Map<string, DefinedTable<object>>(
    Object.entries(definitions).map(([name, definition]) => [
      name,
      definedTable<object>(definition as never),
    ]),
  );
  const { firstIndex = Date.now() * 1_000, kept = {} } = options;
  if (!Number.isSafeInteger(firstIndex) || firstIndex < 1) {
    throw new TypeError(
      `${caller}: firstIndex must be a whole number of at least 1, not ${describe(firstIndex)}`,
    );
  }
  const limits = keptLimits(caller, kept);
  const changes = createChangeFeed<RowChange>(sizeOf, limits, firstIndex);
  let state = stateOf(
    Object.fromEntries([...tables].map(([name, { empty }]) => [name, empty])),
    firstIndex,
    Object.fromEntries([...tables.keys()].map((name) => [name, firstIndex])),
    newHistory(),
  );
  let isWriting = false;

  function stateOf(
    contents: Contents,
    index: number,
    indexes: Readonly<Record<string, number>>,
    history: string,
  ): StoreState {
    const entries = [...tables].map(([name, definition]) => [
      name,
      new KeptSnapshot(definition, contents[name] ?? definition.empty),
    ]);
    const snapshot = {
      tables: Object.fromEntries(entries) as StoreSnapshot['tables'],
      index,
      indexes,
      history,
    };
    return { contents, snapshot: Object.freeze(snapshot) };
  }

  function alone<R>(action: () => R): R {
    if (isWriting) throw new Error(`${caller}: a write cannot begin within another one`);
    isWriting = true;
    try {
      return action();
    } finally {
      isWriting = false;
    }
  }

  function commit(drafts: ReadonlyMap<string, Draft>): void {
    const { index, history } = state.snapshot;
    const found: RowChange[] = [];
    const contents: Record<string, TableRows<object>> = { ...state.contents };
    const indexes: Record<string, number> = {};
    for (const [name, draft] of drafts) {
      const changed = draft.changes(name);
      if (changed.length === 0) continue;
      contents[name] = draft.contents;
      indexes[name] = index + 1;
      for (const change of changed) found.push(change);
    }
    if (found.length === 0) return;
    state = stateOf(contents, index + 1, { ...state.snapshot.indexes, ...indexes }, history);
    changes.publish(
      found.length > limits.maxChanges
        ? { kind: 'reset', index: index + 1, indexes: state.snapshot.indexes, changes: [] }
        : { kind: 'rows', index: index + 1, indexes, changes: found },
    );
  }

  return {
    snapshot: () => state.snapshot,
    changes,
    write: (action) =>
      alone(() => {
        const drafts = new Map(
          [...tables].map(([name, definition]) => [
            name,
            new Draft(definition, state.contents[name] ?? definition.empty),
          ]),
        );
        try {
          const result = action(Object.fromEntries(drafts) as never);
          if (isPromise(result)) {
            throw new TypeError(`${caller}: a write must not wait: read first, and write what came of it`);
          }
          commit(drafts);
          return result;
        } finally {
          for (const draft of drafts.values()) draft.close();
        }
      }),
    load: (rows, at) =>
      alone(() => {
        for (const name of Object.keys(rows)) {
          if (!tables.has(name)) throw new TypeError(`${caller}: there is no table ${JSON.stringify(name)}`);
        }
        const index = at?.index ?? state.snapshot.index + 1;
        if (!Number.isSafeInteger(index) || index < 1) {
          throw new TypeError(
            `${caller}: the index must be a whole number of at least 1, not ${describe(index)}`,
          );
        }
        const contents = [...tables].map(([name, definition]) => {
          const draft = new Draft(definition, definition.empty);
          draft.putAll((rows[name] ?? []) as Iterable<object>);
          return [name, draft.contents];
        });
        const indexes = Object.fromEntries([...tables.keys()].map((name) => [name, index]));
        const all = Object.fromEntries(contents) as Contents;
        state = stateOf(all, index, indexes, at?.history ?? newHistory());
        changes.publish({ kind: 'reset', index, indexes, changes: [] });
      }),
  };
}

/** A table within a write. */
class Draft implements TableWriter<object> {
  readonly #definition: DefinedTable<object>;
  readonly #before: TableRows<object>;
  #contents: TableRows<object>;
  readonly #touched = new Set<string>();
  #isOpen = true;

  constructor(definition: DefinedTable<object>, before: TableRows<object>) {
    this.#definition = definition;
    this.#before = this.#contents = before;
  }

  get contents(): TableRows<object> {
    return this.#contents;
  }

  readonly get = (key: string): object | null => getRow(this.#contents, requireKey(key));

  readonly put = (row: object): void => {
    this.#requireOpen();
    const { take, keyOf } = this.#definition;
    const own = take(row);
    const key = keyOf(own);
    const known = getRow(this.#contents, key);
    if (known !== null && isSameValue(known, own)) return;
    this.#contents = putRow(this.#contents, own);
    this.#touched.add(key);
  };

  readonly putAll = (rows: Iterable<object>): void => {
    this.#requireOpen();
    const { take, keyOf } = this.#definition;
    const byKey = new Map<string, object>();
    for (const row of rows) {
      const own = take(row);
      byKey.set(keyOf(own), own);
    }
    const others = [...byKey].filter(([key, own]) => {
      const known = getRow(this.#contents, key);
      return known === null || !isSameValue(known, own);
    });
    // Few rows are put one by one: a sort looks at all that are there.
    if (others.length * 16 < this.#contents.primary.size) {
      for (const [, own] of others) this.#contents = putRow(this.#contents, own);
    } else if (others.length > 0) {
      this.#contents = putRows(
        this.#contents,
        others.map(([, own]) => own),
      );
    }
    for (const [key] of others) this.#touched.add(key);
  };

  readonly delete = (key: string): boolean => {
    this.#requireOpen();
    const left = deleteRow(this.#contents, requireKey(key));
    if (left === this.#contents) return false;
    this.#contents = left;
    this.#touched.add(key);
    return true;
  };

  /** What has become another one, each row once. */
  changes(table: string): readonly RowChange[] {
    return [...this.#touched].flatMap((key) => {
      const [before, after] = [getRow(this.#before, key), getRow(this.#contents, key)];
      return isSameValue(before, after) ? [] : [{ table, key, before, after }];
    });
  }

  close(): void {
    this.#isOpen = false;
  }

  #requireOpen(): void {
    if (!this.#isOpen) throw new Error('The write is over: rows are put and deleted within it');
  }
}

function isPromise(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

function keptLimits(caller: string, kept: NonNullable<StoreOptions['kept']>): ChangeFeedLimits {
  checkNames(caller, 'limit', kept, ['changes', 'bytes']);
  const { changes = defaultChangeFeedLimits.maxChanges, bytes = defaultChangeFeedLimits.maxSize } = kept;
  for (const [name, limit] of Object.entries({ changes, bytes })) {
    if (typeof limit === 'number' && limit >= 0) continue;
    throw new TypeError(
      `${caller}: the limit ${name} must be a number of at least 0, not ${describe(limit)}`,
    );
  }
  return { maxChanges: changes, maxSize: bytes };
}

function sizeOf({ before }: RowChange): number {
  return before === null ? 0 : jsonSize(before);
}

/** No two stores have the same, in whichever processes. */
function newHistory(): string {
  const part = (): string => Math.floor(Math.random() * 2 ** 40).toString(36);
  return `${Date.now().toString(36)}-${part()}${part()}`;
}
