import type { TimeSlicer } from '../../../runtime/time-slicer.js';
import type { ChangeFeed, ChangeGroup, RowChange } from '../../table/change-feed.js';

/** Maximum number of queued changes. Beyond it, they are replaced by a reset, so that watchers at least get the current result. */
const maxQueued = 65_536;

/** A feed of changes and how they are processed. */
export interface ChangeProcess<C extends RowChange, S> {
  readonly state: { readonly changes: ChangeFeed<C>; snapshot(): S };
  readonly slices: TimeSlicer;
  /** Processes a group. `snapshot` is the state after it. Other work may run whenever it yields. */
  readonly process: (group: ChangeGroup<C>, snapshot: S) => Generator<void, void, undefined>;
  /** Called if changes can no longer be processed. */
  readonly giveUp: () => void;
  /** Called when all queued changes are processed. */
  readonly finish: () => void;
}

/** Queue of the groups of changes of a feed, which are processed in time slices. */
export class ChangeQueue<C extends RowChange, S> {
  readonly #options: ChangeProcess<C, S>;
  /** Groups with the state after them, and tasks. */
  #queue: ({ readonly group: ChangeGroup<C>; readonly snapshot: S } | (() => void))[] = [];
  #queued = 0;
  #isAtWork = false;
  #leave: (() => void) | null = null;

  constructor(options: ChangeProcess<C, S>) {
    this.#options = options;
  }

  /** Whether changes are being processed. */
  get isAtWork(): boolean {
    return this.#isAtWork;
  }

  /** Subscribes to the feed. Returns false if it was subscribed already. */
  join(): boolean {
    if (this.#leave !== null) return false;
    this.#leave = this.#options.state.changes.subscribe((group) => this.#take(group));
    return true;
  }

  /** Unsubscribes from the feed, unless changes are being processed. */
  leave(): void {
    if (this.#isAtWork) return;
    this.#leave?.();
    this.#leave = null;
  }

  /** Calls a function after the changes that are queued now. */
  after(task: () => void): void {
    if (this.#isAtWork) this.#queue.push(task);
    else task();
  }

  #take(group: ChangeGroup<C>): void {
    const snapshot = this.#options.state.snapshot();
    this.#queued += group.changes.length;
    if (this.#queued <= maxQueued) this.#queue.push({ group, snapshot });
    else {
      const reset: ChangeGroup<C> = { kind: 'reset', index: group.index, indexes: {}, changes: [] };
      this.#queue = [...this.#queue.filter((each) => typeof each === 'function'), { group: reset, snapshot }];
      this.#queued = 0;
    }
    if (!this.#isAtWork) this.#start();
  }

  #start(): void {
    this.#isAtWork = true;
    const { slices, finish } = this.#options;
    const work = this.#work();
    const rest = slices.run((shouldYield) => {
      do if (work.next().done === true) return true;
      while (!shouldYield());
      return false;
    }, slices.stopped);
    const end = (): void => {
      this.#isAtWork = false;
      if (this.#queue.length > 0) this.#start();
      else finish();
    };
    if (rest === null) end();
    else rest.catch(() => this.#giveUp()).then(end, end);
  }

  #giveUp(): void {
    for (const each of this.#queue.splice(0)) if (typeof each === 'function') each();
    this.#queued = 0;
    this.#options.giveUp();
  }

  *#work(): Generator<void, void, undefined> {
    for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) {
      if (typeof next === 'function') next();
      else {
        this.#queued -= next.group.changes.length;
        yield* this.#options.process(next.group, next.snapshot);
      }
      yield;
    }
  }
}
