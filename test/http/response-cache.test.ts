import { describe, expect, it } from 'vitest';
import {
  createResponseCache,
  defaultResponseCacheLimits,
  type ResponseCache,
  type RenderedPage,
} from '../../src/http/response-cache.js';

/** Long bodies are streams of something: here of nothing but a name. */
type Made = RenderedPage<string>;

interface Counted {
  readonly cache: ResponseCache<Made>;
  /** Queries, and returns whether the response had to be computed. */
  run(query: string, index?: number, body?: Made['body']): boolean;
}

/** The signal of a client that stays. */
const present = (): AbortSignal => new AbortController().signal;

function count(limits = {}): Counted {
  const cache = createResponseCache<Made>({ ...defaultResponseCacheLimits, ...limits });
  return {
    cache,
    run(query, index = 1, body = `${query} at ${index}`) {
      let made = false;
      const response = cache.getOrRender(query, index, present(), () => {
        made = true;
        return { body, nextToken: null };
      });
      if (typeof body === 'string') expect(response).toMatchObject({ body });
      return made;
    },
  };
}

describe('the response cache', () => {
  it('computes a response once per request and index', () => {
    const { run: made } = count();
    expect([made('a'), made('a'), made('a', 2), made('b'), made('a', 2), made('b')]).toEqual([
      true,
      false,
      true,
      true,
      false,
      false,
    ]);
  });

  it.each<[limits: object, queries: string[], cached: string[]]>([
    [{ maxEntries: 2 }, ['a', 'b', 'c'], ['b', 'c']],
    [{ maxCharacters: 20 }, ['a', 'b', 'c'], ['b', 'c']],
    [{ maxCharacters: 2 }, ['a'], []],
    [{ maxQueryLength: 2 }, ['a', 'bbb'], ['a']],
    [{ maxEntries: 0 }, ['a'], []],
  ])('within %j', (limits, queries, cached) => {
    const { run: made } = count(limits);
    const body = (query: string): string => query.padEnd(10, '.');
    for (const query of queries) made(query, 1, body(query));
    for (const query of cached) expect(made(query, 1, body(query))).toBe(false);
    const [dropped] = queries.filter((query) => !cached.includes(query));
    if (dropped !== undefined) expect(made(dropped, 1, body(dropped))).toBe(true);
  });

  it('shares a stream while its response is referenced', () => {
    const { cache } = count();
    const body = (): string => 'x';
    const response = cache.getOrRender('a', 1, present(), () => ({ body, nextToken: null }));
    expect(cache.getOrRender('a', 1, present(), () => ({ body, nextToken: null }))).toBe(response);
    expect(cache.getOrRender('a', 2, present(), () => ({ body, nextToken: null }))).not.toBe(response);
  });

  it('keeps no failures', () => {
    const { cache, run: made } = count();
    const fail = (): never => {
      throw new Error('no answer');
    };
    expect(() => cache.getOrRender('b', 1, present(), fail)).toThrow('no answer');
    expect(made('b')).toBe(true);
  });

  it('returns a pending one to all concurrent callers', async () => {
    const { cache, run: made } = count();
    let finish: (response: Made) => void = () => undefined;
    let times = 0;
    const make = (): Promise<Made> => {
      times += 1;
      return new Promise((resolve) => (finish = resolve));
    };
    const all = [1, 2, 3].map(async () => cache.getOrRender('a', 1, present(), make));
    finish({ body: 'slow', nextToken: null });
    expect(await Promise.all(all)).toEqual(Array(3).fill({ body: 'slow', nextToken: null }));
    expect(times).toBe(1);
    expect(made('a', 1, 'slow')).toBe(false);
  });

  it('stops computing one when the last caller has left, and not before', async () => {
    const { cache, run: made } = count();
    const leaving = [new AbortController(), new AbortController()];
    let signal = present();
    const make = (all: AbortSignal): Promise<Made> => {
      signal = all;
      return new Promise((_resolve, reject) => {
        all.addEventListener('abort', () => reject(all.reason as Error));
      });
    };
    const [first, second] = leaving.map((each) =>
      Promise.resolve(cache.getOrRender('a', 1, each.signal, make)),
    );
    leaving[0]?.abort(new Error('gone'));
    expect(signal.aborted).toBe(false);
    leaving[1]?.abort(new Error('gone'));
    expect(signal.aborted).toBe(true);
    // A later client gets a response of its own.
    expect(made('a')).toBe(true);
    await expect(first).rejects.toThrow('gone');
    await expect(second).rejects.toThrow('gone');
  });

  it('makes one for all who come after those who left, too, whenever what these had ends', async () => {
    const { cache } = count();
    const ends: ((error: Error) => void)[] = [];
    const make = (): Promise<Made> => new Promise((_resolve, reject) => ends.push(reject));
    const evaluate = (signal: AbortSignal) => Promise.resolve(cache.getOrRender('a', 1, signal, make));
    const [early, late] = [new AbortController(), new AbortController()];
    const first = evaluate(early.signal);
    early.abort();
    const second = evaluate(late.signal);
    ends[0]?.(new Error('gone'));
    await expect(first).rejects.toThrow('gone');
    const third = evaluate(present());
    expect(ends).toHaveLength(2);
    ends[1]?.(new Error('broken'));
    for (const each of [second, third]) await expect(each).rejects.toThrow('broken');
    // A connection may end long after its request.
    const fourth = evaluate(present());
    late.abort();
    const fifth = evaluate(present());
    expect(ends).toHaveLength(3);
    ends[2]?.(new Error('enough'));
    for (const each of [fourth, fifth]) await expect(each).rejects.toThrow('enough');
  });
});
