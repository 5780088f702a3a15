import { describe, expect, it } from 'vitest';
import { createProgress, percentOf } from '../../src/program/local/progress.js';
import { countItems, type ProgressListener } from '@tamis/scheduler-state/progress/count-items.js';
import { createProgressLog } from '@tamis/scheduler-state/progress/progress-log.js';
import { watchLoading } from '@tamis/scheduler-state/progress/watch-loading.js';
import type { Storage } from '@tamis/scheduler-state/storage/storage.js';
import { createMemoryStorage } from '@tamis/scheduler-state/storage/memory.js';

async function* numbers(count: number): AsyncGenerator<number> {
  for (let at = 0; at < count; at += 1) yield at;
}

async function count(items: number, listener: ProgressListener): Promise<number> {
  let seen = 0;
  for await (const item of countItems(numbers(items), listener)) seen += item === seen ? 1 : NaN;
  return seen;
}

describe('on a terminal', () => {
  async function rendered(items: number, share: number | null): Promise<string[]> {
    const texts: string[] = [];
    const progress = createProgress((text) => void texts.push(text.replaceAll('\r\u001b[K', '<')));
    const listener = progress.listener({
      step: (lines) => `read ${lines} lines${percentOf(share)}`,
      end: (lines) => `writing what ${lines} lines hold`,
    });
    expect(await count(items, listener)).toBe(items);
    progress.end();
    progress.end();
    return texts;
  }

  it('counts what takes long, and takes the count off again', async () => {
    expect(await rendered(12_000, 0.456)).toEqual([
      '<read 5,000 lines, 45 %',
      '<read 10,000 lines, 45 %',
      '<writing what 12,000 lines hold',
      '<',
    ]);
    expect(await rendered(5_000, null)).toEqual(['<read 5,000 lines', '<writing what 5,000 lines hold', '<']);
    expect(await rendered(4_999, null)).toEqual([]);
  });

  it('is silent where there is none', async () => {
    const progress = createProgress(null);
    const listener = progress.listener({ step: () => 'step', end: () => 'end' });
    expect(await count(12_000, listener)).toBe(12_000);
    expect(() => progress.end()).not.toThrow();
  });
});

describe('in the log', () => {
  /** Lines of the log, where the work takes so many milliseconds for 500 items. */
  function logOf(milliseconds: number): { readonly lines: unknown[]; readonly listener: ProgressListener } {
    const lines: unknown[] = [];
    let time = 1_000_000;
    const listener = createProgressLog({
      now: () => (time += milliseconds),
      log: { info: (details: object, message: string) => void lines.push([message, details]) } as never,
      items: 'rows',
      messages: { step: 'loading', end: 'loaded' },
      details: () => ({ percent: 5 }),
    });
    return { lines, listener };
  }

  it('says every five seconds how many there were, and when there are no more', async () => {
    const { lines, listener } = logOf(3_000);
    await count(2_700, listener);
    expect(lines).toEqual([
      ['loading', { rows: 1_000, percent: 5 }],
      ['loading', { rows: 2_000, percent: 5 }],
      ['loaded', { rows: 2_700 }],
    ]);
  });

  it('says nothing of what takes less, the second time too', async () => {
    const { lines, listener } = logOf(10);
    await count(100_000, listener);
    await count(100_000, listener);
    expect(lines).toEqual([]);
  });

  it('counts the rows of a store whenever all of them are loaded, and can be ended while it waits', async () => {
    const { lines, listener } = logOf(6_000);
    const row = (at: number): { table: string; key: string; row: object } => ({
      table: 't',
      key: String(at),
      row: {},
    });
    const puts = Array.from({ length: 700 }, (_, at) => row(at));
    const storage: Storage = createMemoryStorage();
    await storage.append({
      id: 'a',
      term: 1,
      after: '',
      batch: { index: 1, puts, deletes: [], tableIndexes: {} },
    });
    const events = watchLoading(storage, listener).subscribe();
    const first = await events.next();
    if (first.value?.kind !== 'reset') throw new Error('a log begins with its contents');
    let rows = 0;
    for await (const { table } of first.value.contents.rows) rows += table === 't' ? 1 : 0;
    expect([rows, lines]).toEqual([
      700,
      [
        ['loading', { rows: 500, percent: 5 }],
        ['loaded', { rows: 700 }],
      ],
    ]);
    const next = events.next();
    await events.return?.();
    expect(await next).toEqual({ done: true, value: undefined });
  });
});
