import { onAbort } from '../runtime/on-abort.js';
import { RecentMap } from '../runtime/recent-map.js';

/** The body of a list and the token of its next page. A long body is a separate stream for each reader. */
export interface RenderedPage<S = AsyncIterable<Uint8Array>> {
  readonly body: string | (() => S);
  readonly nextToken: string | null;
  /** Token of the previous page; absent or null if none exists. */
  readonly prevToken?: string | null;
  /** Number of rows; absent if the body is no page. */
  readonly size?: number;
}

/**
 * Cache of recent responses of one list. If many clients block on the same query, one write wakes them all, and they share one
 * rendered response. The index of a list grows with every write to its tables, so the same query at the same index has the same
 * response. Entries of old indexes are never used again.
 */
export interface ResponseCache<M extends RenderedPage<unknown>> {
  /**
   * Returns the response to a query at an index. Calls `make` unless it is cached or being rendered. Errors of `make` are not
   * cached. The signal passed to `make` is aborted when all clients waiting for this response have disconnected.
   */
  getOrRender(
    query: string,
    index: number,
    signal: AbortSignal,
    make: (signal: AbortSignal) => M | Promise<M>,
  ): M | Promise<M>;
}

/** Limits of a response cache. Prevent clients from filling the memory with queries that occur once. */
export interface ResponseCacheLimits {
  readonly maxEntries: number;
  /** Maximum total characters of all bodies. */
  readonly maxCharacters: number;
  /** Maximum length of the key of a cached response, in UTF-16 units. */
  readonly maxQueryLength: number;
}

export const defaultResponseCacheLimits: ResponseCacheLimits = Object.freeze({
  maxEntries: 64,
  maxCharacters: 4_194_304,
  maxQueryLength: 2_048,
});

/** A response that is being rendered. */
interface Making<M> {
  readonly response: Promise<M>;
  /** Adds a waiting client, until its signal is aborted. */
  readonly join: (signal: AbortSignal) => void;
}

export function createResponseCache<M extends RenderedPage<unknown>>(
  limits: ResponseCacheLimits,
): ResponseCache<M> {
  const cache = new RecentMap<string, M>({
    maxEntries: limits.maxEntries,
    maxWeight: limits.maxCharacters,
    weigh: ({ body }) => (typeof body === 'string' ? body.length : 0),
  });
  const making = new Map<string, Making<M>>();
  /** Long responses are cached while a client reads them, and shared with clients that request them meanwhile. */
  const read = new Map<string, WeakRef<M>>();

  function store(key: string, made: M): M {
    if (typeof made.body !== 'string') {
      for (const [each, response] of read) if (response.deref() === undefined) read.delete(each);
      read.set(key, new WeakRef(made));
      return made;
    }
    cache.set(key, made);
    return made;
  }

  return {
    getOrRender(query, index, signal, make) {
      if (query.length > limits.maxQueryLength) return make(signal);
      const key = `${index} ${query}`;
      const known = cache.get(key) ?? read.get(key)?.deref();
      if (known !== undefined) return known;
      const pending = making.get(key);
      if (pending !== undefined) {
        pending.join(signal);
        return pending.response;
      }
      const leaving = new AbortController();
      const made = make(leaving.signal);
      if (!(made instanceof Promise)) return store(key, made);
      // Another request may have started a new rendering by then.
      const forget = (): void => {
        if (making.get(key)?.join === join) making.delete(key);
      };
      const join = createWaiters(leaving, forget);
      join(signal);
      const response = made.then((whole) => store(key, whole)).finally(forget);
      making.set(key, { response, join });
      return response;
    },
  };
}

/** The clients waiting for one response. The response is aborted when the last of them disconnects. */
function createWaiters(response: AbortController, onEmpty: () => void): Making<never>['join'] {
  let present = 0;
  return (signal) => {
    present += 1;
    const leave = (): void => {
      present -= 1;
      if (present > 0) return;
      onEmpty();
      response.abort(signal.reason);
    };
    if (signal.aborted) leave();
    else onAbort(signal, leave);
  };
}
