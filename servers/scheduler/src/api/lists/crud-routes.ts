import type { Selection } from 'tamis/query';
import { getRow, type TableRows } from 'tamis/table';
import type { Snapshot } from '@tamis/scheduler-state/state/snapshot.js';
import type { TableName } from '@tamis/scheduler-state/state/tables.js';
import type { Transaction } from '@tamis/scheduler-state/state/transaction.js';
import type { ClusterRoute } from '../kernel/context.js';
import { listRoute, type ListDefinition } from './list-route.js';
import { foundRow, readRoute } from './read-route.js';
import { management, type RowsRight } from '../kernel/rights.js';
import type { RouteFacts } from '../kernel/route.js';
import { writeRoute, type WriteDefinition } from './write-route.js';

/** Properties shared by the routes of one resource. */
type CommonFacts = Pick<WriteDefinition<never, never, never>, 'tag' | 'isSecret' | 'requires'>;

/** A row with the index of its last write. */
type IndexedRow = Readonly<Record<'ModifyIndex', number | bigint>>;

/** Declaration of rows that clients list, read, write and delete by key. `W` is the result of writes. */
export interface CrudDefinition<T extends IndexedRow, W> {
  readonly common: CommonFacts;
  /** Singular and plural nouns for summaries. */
  readonly nouns: readonly [one: `a ${string}`, all: string];
  readonly table: TableName;
  readonly list: Pick<ListDefinition<T>, 'path' | 'right' | 'entry' | 'resource' | 'parameters'> & {
    /** Returns an entry of the list; default: the whole row. */
    readonly stub?: (row: T) => object;
  };
  /** Route of a single row: path ending in the key, required right, response schema and message of the 404. */
  readonly one: {
    readonly path: string;
    readonly right: RowsRight<void | null>;
    readonly schema: string;
    readonly missing: string;
    readonly project?: (row: T) => object;
  };
  /** Writes of one row, for management tokens. */
  readonly writes: {
    /** The schema of their bodies. */
    readonly schema: string;
    /** The response body; omitted if writes return only the index. */
    readonly response?: Pick<WriteDefinition<never, never, W>, 'response' | 'project'>;
  };
  /** Returns the index. @throws SchedulerError if the row does not exist */
  readonly remove: (transaction: Transaction, key: string) => number;
}

/** Declaration of a write of one row. */
interface RowWrite<I, W>
  extends
    Pick<RouteFacts, 'path' | 'summary'>,
    Partial<Pick<RouteFacts, 'failures'>>,
    Pick<WriteDefinition<I, void, W>, 'parse' | 'write'> {}

/** The routes of rows, and functions to create further ones. */
export interface CrudRoutes<T extends IndexedRow, W> {
  readonly list: ClusterRoute;
  readonly read: ClusterRoute;
  readonly remove: ClusterRoute;
  write<I>(definition: RowWrite<I, W>): ClusterRoute;
  /** Creates the same list for callers with a different right. */
  listFor(facts: Pick<ListDefinition<T>, 'path' | 'summary' | 'right'>): ClusterRoute;
}

const indexAlone = {
  response: { kind: 'empty' },
  project: (index: number) => ({ index, body: null }),
} as const;

export function crudRoutes<T extends IndexedRow, W = number>({
  common,
  nouns: [one, all],
  ...definition
}: CrudDefinition<T, W>): CrudRoutes<T, W> {
  const { table, list, writes, remove } = definition;
  const { path, right, schema, missing, project } = definition.one;
  const { stub = (row: T) => row, ...listed } = list;
  // The table contains these rows, but the compiler cannot infer it.
  const rowsIn = ({ tables }: Snapshot): TableRows<T> => tables[table] as object as TableRows<T>;
  const select = (snapshot: Snapshot, { prefix }: { readonly prefix: string }): Selection<T> => ({
    ...{ rows: rowsIn(snapshot).primary, keyPrefix: prefix, where: null },
  });
  const listFor: CrudRoutes<T, W>['listFor'] = (facts) =>
    listRoute<T>({ ...common, ...listed, ...facts, tables: [table], select, stub: () => stub });
  const responseSteps = (writes.response ?? indexAlone) as Pick<
    WriteDefinition<never, never, W>,
    'response' | 'project'
  >;

  return {
    listFor,
    list: listFor({ path: list.path, right: list.right, summary: `List ${all}` }),
    read: readRoute<void | null>({
      ...common,
      ...{
        path,
        right,
        missing,
        tables: [table],
        summary: `Read ${one}`,
        response: { kind: 'json', schema },
      },
      find: (_query, key) => (snapshot) => foundRow(getRow(rowsIn(snapshot), key), project),
    }),
    write: (facts) =>
      writeRoute({
        ...{ ...common, right: management, body: { schema: writes.schema, required: true } },
        ...{ ...responseSteps, ...facts },
      }),
    remove: writeRoute({
      ...{ ...common, ...indexAlone, path, method: 'delete', right: management, failures: [404] },
      summary: `Delete ${one}`,
      parse: ({ id }) => id,
      write: (key, { state }) => state.write((transaction) => remove(transaction, key)),
    }),
  };
}
