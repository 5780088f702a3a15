import { randomUUID } from 'node:crypto';
import { createMemoryStorage } from '../../src/storage/memory.js';
import type { AppendOutcome, Batch, Contents, Storage, StoredRow } from '../../src/storage/storage.js';

/** A log in memory that outlives those who close it. */
export function createLastingStorage(): Storage {
  return { ...createMemoryStorage(), close: async () => undefined };
}

/** The contents of a log, read to their end. */
export interface ReadContents extends Omit<Contents, 'rows'> {
  readonly rows: readonly StoredRow[];
}

/** The contents that a log has now, rows in the order of their tables and keys. */
export async function readContents(storage: Pick<Storage, 'subscribe'>): Promise<ReadContents> {
  const { rows, ...rest } = await firstContents(storage);
  const found: StoredRow[] = [];
  for await (const row of rows) found.push(row);
  found.sort((a, b) => (`${a.table} ${a.key}` < `${b.table} ${b.key}` ? -1 : 1));
  return { ...rest, rows: found };
}

/** Appends a batch behind the last one, in a first term. */
export async function commit(storage: Storage, batch: Batch): Promise<AppendOutcome> {
  const { id } = await firstContents(storage);
  return storage.append({ id: randomUUID(), term: 1, after: id, batch });
}

async function firstContents(storage: Pick<Storage, 'subscribe'>): Promise<Contents> {
  const events = storage.subscribe();
  const { value } = await events.next();
  await events.return?.();
  if (value?.kind !== 'reset') throw new Error('The log does not begin with its contents');
  return value.contents;
}
