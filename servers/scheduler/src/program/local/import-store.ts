import { randomUUID } from 'node:crypto';
import { importBatches } from '@tamis/scheduler-state/cluster/import-batches.js';
import { readImportedRows, type ImportedRow } from '@tamis/scheduler-state/cluster/import.js';
import { exportedResources } from '@tamis/scheduler-model/resources.js';
import { StorageError } from '@tamis/scheduler-model/base/storage-error.js';
import type { Entry, Storage } from '@tamis/scheduler-state/storage/storage.js';
import { counted } from '@tamis/scheduler-command/terminal/counted.js';

export interface ImportRequest {
  /** A new log, without readers before the import has ended. */
  readonly storage: Pick<Storage, 'append'>;
  readonly lines: AsyncIterable<string>;
  /** Name of the source in errors. */
  readonly file: string;
}

/** The contents of a store after an import. */
export interface Imported {
  /** Row counts by kind. */
  readonly counts: Readonly<Record<string, number>>;
  readonly index: number;
}

/**
 * Fills a new log batch by batch, with at most one batch in memory. If this fails, the log contains part of an import and must be
 * discarded.
 *
 * @throws ImportError for an invalid line, StorageError.
 */
export async function importStore({ storage, lines, file }: ImportRequest): Promise<Imported> {
  const counts: Record<string, number> = Object.fromEntries(exportedResources.map(({ kind }) => [kind, 0]));

  async function* tallied(): AsyncGenerator<ImportedRow> {
    for await (const imported of readImportedRows(lines, file)) {
      const { kind } = imported.resource;
      counts[kind] = (counts[kind] ?? 0) + 1;
      yield imported;
    }
  }

  async function append(entry: Entry): Promise<void> {
    const { kind } = await storage.append(entry);
    if (kind !== 'committed') throw new StorageError('write-failed', 'Another process writes to the store');
  }

  let after = '';
  let index = 0;
  /** The next batch is read while the disk writes one. */
  let writing = Promise.resolve();
  for await (const batch of importBatches(tallied())) {
    await writing;
    const id = randomUUID();
    writing = append({ id, term: 1, after, batch });
    // An error of a line that occurred meanwhile is reported first.
    writing.catch(() => undefined);
    after = id;
    ({ index } = batch);
  }
  await writing;
  return { counts, index };
}

/** Returns `imported 400 nodes and 5,000 jobs; the index is 15,917`. */
export function describeImport({ counts, index }: Imported): string {
  const parts = Object.entries(counts).flatMap(([kind, count]) =>
    count === 0 ? [] : [counted(count, kind)],
  );
  const last = parts.pop() ?? 'nothing';
  const all = parts.length === 0 ? last : `${parts.join(', ')} and ${last}`;
  return `imported ${all}; the index is ${index.toLocaleString('en')}\n`;
}
