import { runGenerator, type TimeSlicer } from '@tamis/http';
import {
  defaultGarbageAges,
  deleteGarbage,
  findGarbage,
  type Garbage,
} from '@tamis/scheduler-state/state/gc.js';
import { importedIndex } from './evaluation-feed.js';
import type { WatcherOptions } from './watcher.js';

/** Interval between searches, in ms. */
const interval = 300_000;
/** Maximum number of rows deleted per write. Prevents a large clean-up from blocking other writes. */
const batch = 200;

/** Periodically deletes rows that ended long ago. Returns a function that stops it. */
export function startGarbageCollector(
  { state, clock, warn }: WatcherOptions,
  slices: TimeSlicer,
): () => void {
  let cancel = clock.after(interval, () => void collect());
  const imported = importedIndex(state.snapshot().tables);
  let isStopped = false;

  async function collect(): Promise<void> {
    try {
      const search = { ages: defaultGarbageAges, now: clock.now(), imported };
      const found = await runGenerator(slices, findGarbage(state.snapshot().tables, search));
      await forget(found);
    } catch (error) {
      if (!isStopped) warn('what has ended was not forgotten', { err: error });
    }
    if (!isStopped) cancel = clock.after(interval, () => void collect());
  }

  async function forget(found: readonly Garbage[]): Promise<void> {
    for (let at = 0; at < found.length && !isStopped; at += batch) {
      const part = found.slice(at, at + batch);
      await state.write((transaction) => deleteGarbage(transaction, part));
    }
  }

  return () => {
    isStopped = true;
    cancel();
  };
}
