import { signal, type ReadonlySignal } from '@preact/signals';
import type { ApiResult, ApiClient, Query } from '../api/api-client.js';
import { isPassing, type ApiFailure } from '../api/api-failure.js';
import type { Live } from './live.js';
import { pause } from './pause.js';

/** A request whose result is kept up to date. */
export interface JobQuery {
  readonly path: string;
  readonly query?: Query;
  /** The topics of the events that may change the result; empty for a single fetch. */
  readonly topics: readonly string[];
  /** Whether it is a list whose result is watched if there is no stream. */
  readonly isList?: boolean;
  /** Minimum interval between requests in ms, for expensive ones; default: a second. */
  readonly interval?: number;
}

/** The state of a result. A value is kept during reloads and failures. */
export interface Reading<T> {
  readonly value: T | null;
  readonly nextToken: string | null;
  readonly failure: ApiFailure | null;
  readonly isLoading: boolean;
  /** Whether the value belongs to the current request, not to the previous one, which is kept until then. */
  readonly isCurrent: boolean;
}

export const nothingRead: Reading<never> = Object.freeze({
  value: null,
  nextToken: null,
  failure: null,
  isLoading: true,
  isCurrent: false,
});

/** A query result that is kept up to date until it is stopped. */
export interface LiveReading<T> {
  readonly reading: ReadonlySignal<Reading<T>>;
  refresh(): void;
  stop(): void;
}

/** Minimum interval between requests in ms, and minimum share of idle time for the agent: four fifths. */
const minIntervalMs = 1_000;
const rest = 4;
/** Polling interval in ms for data without blocking queries, if there is no stream. */
const withoutIndex = 10_000;
/** Retry delay in ms, by the number of failures. */
const delays = [1_000, 2_000, 4_000, 8_000, 15_000];

/** An agent without a leader delays a request by some seconds itself. */
function delayBefore({ kind }: ApiFailure, failures: number): number | undefined {
  return delays[kind === 'no-leader' ? 0 : Math.min(failures, delays.length) - 1];
}

/** @param before the value to show until there is a result. */
export function createReading<T>(
  { api, live }: { readonly api: ApiClient; readonly live: Live },
  params: JobQuery,
  before: Reading<T> = nothingRead,
): LiveReading<T> {
  const reading = signal<Reading<T>>({ ...before, isLoading: true, isCurrent: false });
  const end = new AbortController();
  const { path, query = {}, topics, isList = false, interval = minIntervalMs } = params;
  let index: string | null = null;
  let isLoading = false;
  let isDirty = false;
  let started = 0;
  let took = 0;
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const take = (result: ApiResult<T>): void => {
    index = result.index;
    failures = 0;
    const { value, nextToken } = result;
    reading.value = { value, nextToken, failure: null, isLoading: false, isCurrent: true };
  };
  const fail = (failure: ApiFailure): void => {
    if (failure.kind === 'left') return;
    failures += 1;
    reading.value = { ...reading.value, failure, isLoading: false };
  };
  const clauseFor = async (): Promise<void> => {
    isLoading = true;
    isDirty = false;
    started = performance.now();
    if (reading.value.failure !== null) reading.value = { ...reading.value, isLoading: true };
    const result = await api.get<T>(path, { query, signal: end.signal });
    took = performance.now() - started;
    isLoading = false;
    if (end.signal.aborted) return;
    if (result.ok) take(result);
    else {
      fail(result.failure);
      if (isPassing(result.failure)) plan(delayBefore(result.failure, failures));
    }
    if (isDirty) plan();
  };
  /** Fetches as soon as the rate limit permits; not while the page is hidden. */
  const plan = (delay = Math.max(interval, took * rest) - (performance.now() - started)): void => {
    isDirty = true;
    clearTimeout(timer);
    if (isLoading || document.hidden || end.signal.aborted) return;
    timer = setTimeout(() => void clauseFor(), Math.max(0, delay));
  };
  const look = (): void => {
    if (!document.hidden && isDirty) plan();
  };
  const leave =
    topics.length === 0
      ? (): void => undefined
      : live.follow({
          topics,
          wake: () => {
            plan();
          },
          async wait(signal) {
            const until = AbortSignal.any([signal, end.signal]);
            if (index === null) {
              await pause(withoutIndex, until);
              plan(0);
              return null;
            }
            const watch = isList ? { watch: 'result' } : {};
            const blocking = { ...query, ...watch, index, wait: '30s' };
            const result = await api.get<T>(path, { query: blocking, signal: until, timeoutMs: 60_000 });
            if (result.ok) take(result);
            else fail(result.failure);
            return result.ok ? null : result.failure;
          },
        });
  document.addEventListener('visibilitychange', look);
  void clauseFor();
  return {
    reading,
    refresh: () => {
      plan(0);
    },
    stop() {
      end.abort();
      clearTimeout(timer);
      leave();
      document.removeEventListener('visibilitychange', look);
    },
  };
}
