import type { Clock } from '../clock.js';
import { restoreCluster } from '../cluster/cluster-rows.js';
import { readImport } from '../cluster/import.js';
import { createIntern } from '../model/intern.js';
import { exportedResources } from '../model/resources.js';
import { openState } from '../state/state.js';
import type { Storage } from '../storage/storage.js';
import { CommandError } from './command-error.js';

export interface ImportRequest {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly lines: AsyncIterable<string>;
  /** The name of the source in errors. */
  readonly file: string;
}

/** The contents of a store after an import. */
export interface Imported {
  /** By kind. */
  readonly counts: Readonly<Record<string, number>>;
  readonly index: number;
}

/**
 * Fills an empty store, all or nothing, and closes it.
 *
 * @throws ImportError for a line that cannot be used, CommandError when the store holds something already.
 */
export async function importStore({ storage, clock, lines, file }: ImportRequest): Promise<Imported> {
  const state = await openState({ storage, clock });
  try {
    if (state.snapshot().index !== 0) {
      throw new CommandError('The store holds something already: name another data directory');
    }
    const intern = createIntern();
    const rows = await readImport(lines, file, intern);
    await state.write((transaction) => restoreCluster(transaction, rows, intern));
    const counts = exportedResources.map(({ kind, table }) => [kind, rows[table].length] as const);
    return { counts: Object.fromEntries(counts), index: state.snapshot().index };
  } finally {
    await state.close();
  }
}

/** `imported 400 nodes and 5,000 jobs; the index is 15,917`. */
export function describeImport({ counts, index }: Imported): string {
  const parts = Object.entries(counts).flatMap(([kind, count]) =>
    count === 0 ? [] : [`${count.toLocaleString('en')} ${kind}${count === 1 ? '' : 's'}`],
  );
  const last = parts.pop() ?? 'nothing';
  const all = parts.length === 0 ? last : `${parts.join(', ')} and ${last}`;
  return `imported ${all}; the index is ${index.toLocaleString('en')}\n`;
}
