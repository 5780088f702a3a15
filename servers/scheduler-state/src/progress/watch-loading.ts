import type { LogEvent, Storage } from '../storage/storage.js';
import { countItems, type ProgressListener } from './count-items.js';

/** Wraps a storage to report progress whenever its contents are loaded. */
export function watchLoading(storage: Storage, listener: ProgressListener): Storage {
  return { ...storage, subscribe: () => watchContents(storage.subscribe(), listener) };
}

/**
 * Wraps an iterable of contents to report progress. Not a generator, because a generator could not be ended while it waits for
 * the next event.
 */
function watchContents(
  events: AsyncIterableIterator<LogEvent>,
  listener: ProgressListener,
): AsyncIterableIterator<LogEvent> {
  return {
    async next() {
      const next = await events.next();
      if (next.done === true || next.value.kind !== 'reset') return next;
      const { contents } = next.value;
      return {
        value: { kind: 'reset', contents: { ...contents, rows: countItems(contents.rows, listener) } },
      };
    },
    return: async () => (await events.return?.()) ?? { done: true, value: undefined },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
