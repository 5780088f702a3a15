import { describe, expect, it } from 'vitest';
import { createQueryGate } from '../../src/api/kernel/query-gate.js';
import { createFakeClock } from '../../../scheduler-model/test/support/fake-clock.js';

/** Queries that end when the test says so. */
function createQueries(max: number) {
  const clock = createFakeClock();
  const gate = createQueryGate(max, clock);
  const events: string[] = [];
  const ends = new Map<string, () => void>();
  const run = async (name: string, signal = new AbortController().signal): Promise<void> => {
    const query = (): Promise<void> => {
      events.push(`${name} runs`);
      return new Promise((resolve) => ends.set(name, resolve));
    };
    await gate.run(query, signal).then(
      () => events.push(`${name} ends`),
      (error: { readonly code: string }) => events.push(`${name} ${error.code}`),
    );
  };
  return { clock, events, run, end: (name: string) => ends.get(name)?.() };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('expensive queries', () => {
  it('wait in order while as many run as may', async () => {
    const { events, run, end } = createQueries(1);
    for (const name of ['a', 'b', 'c']) void run(name);
    await turn();
    expect(events).toEqual(['a runs']);
    end('a');
    await turn();
    end('b');
    await turn();
    expect(events).toEqual(['a runs', 'a ends', 'b runs', 'b ends', 'c runs']);
  });

  it('are refused when they have waited for a second, or when many wait', async () => {
    const { clock, events, run, end } = createQueries(1);
    void run('a');
    for (let at = 0; at < 17; at += 1) void run(`b${at}`);
    await turn();
    expect(events).toEqual(['a runs', 'b16 too-many-requests']);
    clock.advance(1_000);
    await turn();
    expect(events).toHaveLength(18);
    expect(new Set(events.slice(2).map((event) => event.split(' ')[1]))).toEqual(
      new Set(['too-many-requests']),
    );
    end('a');
    void run('c');
    await turn();
    expect(events.slice(-1)).toEqual(['c runs']);
  });

  it('give up their place when the client disconnects', async () => {
    const { events, run, end } = createQueries(1);
    const leaving = new AbortController();
    void run('a');
    void run('b', leaving.signal);
    void run('c');
    leaving.abort();
    await turn();
    end('a');
    await turn();
    expect(events).toEqual(['a runs', 'b client-gone', 'a ends', 'c runs']);
  });

  it('run without a limit if it is 0', async () => {
    const { events, run } = createQueries(0);
    for (const name of ['a', 'b', 'c']) void run(name);
    await turn();
    expect(events).toEqual(['a runs', 'b runs', 'c runs']);
  });
});
