import { eventTables } from '@tamis/scheduler-model/resources.js';
import type { Batch, StoredRow } from '../storage/storage.js';

type Change =
  | { readonly kind: 'put'; readonly row: StoredRow }
  | { readonly kind: 'delete'; readonly table: string; readonly key: string };

/** Merges batches into one with the same effect; null for an empty list. */
export function mergeBatches(batches: readonly Batch[]): Batch | null {
  const last = batches.at(-1);
  if (last === undefined || batches.length === 1) return last ?? null;
  const changes = new Map<string, Change>();
  for (const { puts, deletes } of batches) {
    for (const row of puts) changes.set(placeOf(row), { kind: 'put', row });
    for (const { table, key } of deletes)
      changes.set(placeOf({ table, key }), { kind: 'delete', table, key });
  }
  const merged = [...changes.values()];
  return {
    index: last.index,
    puts: merged.flatMap((change) => (change.kind === 'put' ? [change.row] : [])),
    deletes: merged.flatMap((change) => (change.kind === 'delete' ? [change] : [])),
    tableIndexes: Object.assign(
      {},
      ...batches.map(({ tableIndexes }) => tableIndexes),
    ) as Batch['tableIndexes'],
  };
}

const withEvents: ReadonlySet<string> = new Set(eventTables);

/** Returns a unique name for each row of a batch whose changes are published as events. */
export function eventRowsOf({ puts, deletes }: Batch): string[] {
  return [...puts, ...deletes].filter(({ table }) => withEvents.has(table)).map(placeOf);
}

/** Returns a unique name for a row. The separator is a blank, which table names do not contain. */
function placeOf({ table, key }: Pick<StoredRow, 'table' | 'key'>): string {
  return `${table} ${key}`;
}
