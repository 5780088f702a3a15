import { checkMinimum, checkNames, describe } from '../../../language/diagnostics/options.js';
import {
  createTimeSlicer,
  defaultSliceBudget,
  eventLoop,
  type TimeSlicer,
} from '../../../runtime/time-slicer.js';
import { createRowBudget, type RowBudget } from './row-budget.js';

/** Limits shared by all lists of a process. */
export interface PoolLimits {
  /** Time per turn of the event loop for lists, in ms. Default: 5. */
  readonly sliceBudget: number;
  /**
   * Maximum number of queries that wait for a change. Default: 20,000. Prevents clients from filling the memory with waiting
   * requests: a waiting watch takes up to 2 kB in addition to its page, so all of them 40 MB.
   */
  readonly maxWaiters: number;
  /**
   * Maximum estimated memory of watched pages, in bytes, in addition to the rows of their tables. Default: 134,217,728.
   */
  readonly maxWatchedBytes: number;
  /**
   * Maximum rows buffered by running queries. Default: 10,000,000. Prevents many different long lists from filling the memory.
   */
  readonly maxBufferedRows: number;
  /** Maximum characters of cached responses. Default: 4,194,304. */
  readonly maxCachedCharacters: number;
}

/** Resources shared by the lists of a process, so that many clients cannot exhaust them. Created by `createPool`. */
export interface Pool {
  /** Number of queries that wait for a change. */
  readonly waiting: number;
  readonly bufferedRows: number;
  /** Rejects all running and future queries with this error. */
  stop(reason: Error): void;
}

/** A pool with its internals. */
export class LivePool implements Pool {
  readonly limits: PoolLimits;
  readonly slices: TimeSlicer;
  readonly rowBudget: RowBudget;
  waiting = 0;
  /** Estimated memory of watched pages, in bytes. */
  watchedBytes = 0;

  constructor(limits: PoolLimits) {
    this.limits = limits;
    this.slices = createTimeSlicer(eventLoop, limits.sliceBudget);
    this.rowBudget = createRowBudget(limits.maxBufferedRows);
  }

  get bufferedRows(): number {
    return this.rowBudget.count;
  }

  readonly stop = (reason: Error): void => this.slices.stop(reason);
}

const defaults: PoolLimits = Object.freeze({
  sliceBudget: defaultSliceBudget,
  maxWaiters: 20_000,
  maxWatchedBytes: 134_217_728,
  maxBufferedRows: 10_000_000,
  maxCachedCharacters: 4_194_304,
});

export function createPool(limits: Partial<PoolLimits> = {}): Pool {
  checkNames('createPool', 'limit', limits, Object.keys(defaults) as (keyof PoolLimits)[]);
  const given = Object.entries(limits).filter(([, limit]) => limit !== undefined);
  for (const [name, limit] of given) checkMinimum('createPool', `the limit ${name}`, limit, 0);
  return new LivePool({ ...defaults, ...(Object.fromEntries(given) as Partial<PoolLimits>) });
}

/** @throws TypeError if the value was not created by `createPool`. */
export function livePool(caller: string, pool: Pool | undefined): LivePool {
  if (pool === undefined) return new LivePool(defaults);
  // Accepts pools of any loaded copy of the package.
  if (typeof pool === 'object' && pool !== null && 'rowBudget' in pool) return pool as LivePool;
  throw new TypeError(`${caller}: pool must be created with createPool(), got ${describe(pool)}`);
}
