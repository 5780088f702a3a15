import type { Batch, Contents, LogEvent } from './storage.js';

/** Maximum number of queued batches per subscriber. A slower one receives the full contents instead. */
const maxWaiting = 256;

/** @param contents reads the log as it is when called. */
export function createLogFeed(contents: () => Contents, maxQueued = maxWaiting) {
  const subscriptions = new Set<Subscription>();
  let isClosed = false;
  return {
    /** Starts with the contents. */
    subscribe(): AsyncIterableIterator<LogEvent> {
      const subscription = new Subscription(contents, maxQueued, () => subscriptions.delete(subscription));
      if (isClosed) subscription.end();
      else subscriptions.add(subscription);
      return subscription;
    },
    publish(id: string, batch: Batch): void {
      for (const subscription of subscriptions) subscription.push({ kind: 'batch', id, batch });
    },
    /** Ends all subscriptions. */
    close(): void {
      isClosed = true;
      for (const subscription of [...subscriptions]) subscription.end();
    },
  };
}

const done: IteratorResult<LogEvent> = Object.freeze({ done: true, value: undefined });

class Subscription implements AsyncIterableIterator<LogEvent> {
  readonly #contents: () => Contents;
  readonly #maxWaiting: number;
  readonly #left: () => void;
  #waiting: LogEvent[] = [];
  /** Set if the contents must be sent before the queued batches. */
  #isReset = true;
  #isOver = false;
  #pendingRead: ((result: IteratorResult<LogEvent>) => void) | null = null;

  constructor(contents: () => Contents, maxQueued: number, left: () => void) {
    this.#contents = contents;
    this.#maxWaiting = maxQueued;
    this.#left = left;
  }

  push(event: LogEvent): void {
    // Contents that are read later include this batch.
    if (this.#isReset) return;
    if (this.#pendingRead !== null) {
      this.#deliver({ done: false, value: event });
      return;
    }
    this.#waiting.push(event);
    if (this.#waiting.length <= this.#maxWaiting) return;
    this.#waiting = [];
    this.#isReset = true;
  }

  next(): Promise<IteratorResult<LogEvent>> {
    if (this.#isOver) return Promise.resolve(done);
    if (this.#isReset) {
      this.#isReset = false;
      return Promise.resolve({ done: false, value: { kind: 'reset', contents: this.#contents() } });
    }
    const value = this.#waiting.shift();
    if (value !== undefined) return Promise.resolve({ done: false, value });
    return new Promise((resolve) => (this.#pendingRead = resolve));
  }

  return(): Promise<IteratorResult<LogEvent>> {
    this.end();
    return Promise.resolve(done);
  }

  end(): void {
    this.#isOver = true;
    this.#waiting = [];
    this.#left();
    this.#deliver(done);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #deliver(result: IteratorResult<LogEvent>): void {
    const resolve = this.#pendingRead;
    this.#pendingRead = null;
    resolve?.(result);
  }
}
