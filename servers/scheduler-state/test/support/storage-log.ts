import { randomUUID } from 'node:crypto';
import { createMemoryStorage } from '@tamis/scheduler-state/storage/memory.js';
import type {
  AppendOutcome,
  Batch,
  Contents,
  LogEvent,
  Storage,
  StoredRow,
} from '@tamis/scheduler-state/storage/storage.js';

/** A log in memory that outlives those who close it. */
export function createLastingStorage(): Storage {
  return { ...createMemoryStorage(), close: async () => undefined };
}

/** The contents of a log, read to their end. */
export interface ReadContents extends Omit<Contents, 'rows'> {
  readonly rows: readonly StoredRow[];
}

/** A log in memory that is restored from what it once held, as one in etcd is: for a moment under the name of then. */
export interface RestorableStorage extends Storage {
  restore(contents: ReadContents): Promise<void>;
}

/** Numbers of histories: of all such logs no two share one. */
let histories = 0;

export function createRestorableStorage(): RestorableStorage {
  let current = createMemoryStorage();
  let name = (histories += 1);
  let nameBefore = name;

  async function* follow(): AsyncGenerator<LogEvent, undefined> {
    for (let followed: Storage | null = null; followed !== current;) {
      followed = current;
      for await (const event of followed.subscribe()) {
        if (event.kind !== 'reset') yield event;
        else {
          yield { kind: 'reset', contents: { ...event.contents, incarnation: nameBefore } };
          if (name !== nameBefore) yield { kind: 'renewal', incarnation: name };
        }
      }
    }
  }

  return {
    append: (entry) => current.append(entry),
    subscribe: follow,
    probe: () => current.probe(),
    close: () => current.close(),
    async restore({ id, index, tableIndexes, rows }) {
      const before = current;
      current = createMemoryStorage();
      nameBefore = name;
      name = histories += 1;
      if (id !== '')
        await current.append({
          id,
          term: 1,
          after: '',
          batch: { index, tableIndexes, puts: rows, deletes: [] },
        });
      await before.close();
    },
  };
}

/** The contents that a log has now, rows in the order of their tables and keys. */
export async function readContents(storage: Pick<Storage, 'subscribe'>): Promise<ReadContents> {
  const { rows, ...rest } = await firstContents(storage);
  const found: StoredRow[] = [];
  for await (const row of rows) found.push(row);
  found.sort((a, b) => (`${a.table} ${a.key}` < `${b.table} ${b.key}` ? -1 : 1));
  return { ...rest, rows: found };
}

/** Appends a batch after the last one, in a first term. */
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
