import { describe } from '../../../language/diagnostics/options.js';

/** Reports that rows of a source have changed, but not which rows. */
export interface ChangeSignal {
  /** Increases with each report. Starts with the current time in µs, so that it also increases over restarts. */
  readonly index: number;
  /** The error that ended the reports; undefined while they continue. */
  readonly failure: unknown;
  /** Calls `listener` at the next report or failure. Returns a function that removes it. */
  onNext(listener: () => void): () => void;
}

/**
 * Creates a signal from an iterable of changed keys. Reading starts at the first use.
 *
 * @throws TypeError if the value is not an async iterable
 */
export function createChangeSignal(caller: string, changes: AsyncIterable<unknown>): ChangeSignal {
  if (typeof (Object(changes) as Partial<AsyncIterable<unknown>>)[Symbol.asyncIterator] !== 'function')
    throw new TypeError(`${caller}: changes must be an async iterable of keys, got ${describe(changes)}`);
  const listeners = new Set<() => void>();
  let index = Date.now() * 1_000;
  let failure: unknown;
  let isStarted = false;

  function report(): void {
    const now = [...listeners];
    listeners.clear();
    for (const listener of now) listener();
  }

  async function read(): Promise<void> {
    try {
      for await (const _ of changes) {
        index += 1;
        report();
      }
    } catch (error) {
      failure = error ?? new Error('The changes of the source failed');
      report();
    }
  }

  function start(): void {
    if (isStarted) return;
    isStarted = true;
    void read();
  }

  return {
    get index() {
      start();
      return index;
    },
    get failure() {
      return failure;
    },
    onNext(listener) {
      start();
      const own = (): void => listener();
      listeners.add(own);
      return () => void listeners.delete(own);
    },
  };
}
