import { describe, expect, it } from 'vitest';
import { createNamespace } from '@tamis/scheduler-state/cluster/cluster-rows.js';
import {
  changedAfter,
  createBlockingQueries,
  type BlockingQueries,
} from '@tamis/scheduler-state/state/blocking-query.js';
import { indexOf, type Snapshot } from '@tamis/scheduler-state/state/snapshot.js';
import { openState, type State } from '@tamis/scheduler-state/state/state.js';
import { createMemoryStorage } from '@tamis/scheduler-state/storage/memory.js';
import { createFakeClock, type FakeClock } from '../../../scheduler-model/test/support/fake-clock.js';

interface Bench {
  readonly state: State;
  readonly clock: FakeClock;
  readonly blocking: BlockingQueries;
  put(name: string): Promise<void>;
}

async function setUp(random = 0, maxWaiters = 10_000): Promise<Bench> {
  const clock = createFakeClock();
  const state = await openState({ storage: createMemoryStorage(), clock });
  const blocking = createBlockingQueries({ state, clock, random: () => random, maxWaiters });
  const put = (name: string): Promise<void> =>
    state.write((transaction) => {
      transaction.put('namespaces', createNamespace(name, '', transaction.index));
    });
  await put('first');
  return { state, clock, blocking, put };
}

/** A query and what has become of it. */
class RequestSpec {
  response: { readonly index: number; readonly result: number } | null = null;
  error: unknown = null;
  readonly controller: AbortController;

  constructor(
    { blocking, state }: Bench,
    after: bigint | null,
    wait = 1_000,
    table: 'namespaces' | 'jobs' = 'namespaces',
    controller = new AbortController(),
  ) {
    this.controller = controller;
    const read = {
      look: (snapshot: Snapshot) => ({
        index: indexOf(snapshot, [table]),
        result: snapshot.tables.namespaces.primary.size,
      }),
      until: changedAfter(state, [table], after),
      wait,
      signal: this.controller.signal,
    };
    blocking.query(read).then(
      (resolve) => (this.response = resolve),
      (error: unknown) => (this.error = error),
    );
  }
}

/** Lets promises settle; no time passes. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

describe('a blocking query', () => {
  it.each<[why: string, after: bigint | null]>([
    ['no index is given', null],
    ['the index is 0', 0n],
    ['the index is older', 1n],
  ])('returns immediately if %s', async (_why, after) => {
    const bench = await setUp();
    await bench.put('second');
    const requests = new RequestSpec(bench, after);
    await settle();
    expect(requests.response).toEqual({ index: 2, result: 2 });
    expect(bench.clock.pending).toBe(0);
  });

  it('return after their wait when the clock is set back meanwhile and changes wake them', async () => {
    const bench = await setUp();
    const query = new RequestSpec(bench, 1n, 1_000, 'jobs');
    bench.clock.advance(600);
    bench.clock.step(-3_600_000);
    bench.state.watches.notify(['jobs']);
    await settle();
    bench.clock.advance(401);
    await settle();
    expect(query.response).not.toBeNull();
  });

  it('waits for a change of its table and returns it', async () => {
    const bench = await setUp();
    const requests = new RequestSpec(bench, 1n);
    await settle();
    expect(requests.response).toBeNull();
    expect(bench.blocking.waiting).toBe(1);
    await bench.put('second');
    await settle();
    expect(requests.response).toEqual({ index: 2, result: 2 });
    expect(bench.blocking.waiting).toBe(0);
    expect(bench.clock.pending).toBe(0);
  });

  it('sleeps through changes of other tables', async () => {
    const bench = await setUp();
    const requests = new RequestSpec(bench, 1n, 1_000, 'jobs');
    await bench.put('second');
    await settle();
    expect(requests.response).toBeNull();
  });

  it('goes back to sleep when the index is still not greater, and keeps its deadline', async () => {
    const bench = await setUp();
    const requests = new RequestSpec(bench, 5n);
    await settle();
    bench.clock.advance(600);
    await bench.put('second');
    await settle();
    expect(requests.response).toBeNull();
    bench.clock.advance(399);
    await settle();
    expect(requests.response).toBeNull();
    bench.clock.advance(1);
    await settle();
    expect(requests.response).toEqual({ index: 2, result: 2 });
  });

  it.each<[random: number, wait: number, early: number]>([
    [0, 1_600, 1_599],
    [0.5, 1_600, 1_649],
    [0.999, 1_600, 1_699],
  ])('with %f of luck waits between %i ms and a sixteenth more', async (random, wait, early) => {
    const bench = await setUp(random);
    const requests = new RequestSpec(bench, 1n, wait);
    await settle();
    bench.clock.advance(early);
    await settle();
    expect(requests.response).toBeNull();
    bench.clock.advance(2);
    await settle();
    expect(requests.response).toEqual({ index: 1, result: 1 });
  });

  it('is dropped when its client hangs up', async () => {
    const bench = await setUp();
    const requests = new RequestSpec(bench, 1n);
    await settle();
    requests.controller.abort();
    await settle();
    expect(requests.error).toMatchObject({ code: 'client-gone' });
    expect(bench.blocking.waiting).toBe(0);
    expect(bench.clock.pending).toBe(0);
    await bench.put('second');
  });

  it('is dropped at once when its client was gone before it began to wait', async () => {
    const bench = await setUp();
    const controller = new AbortController();
    controller.abort();
    const requests = new RequestSpec(bench, 1n, 1_000, 'namespaces', controller);
    await settle();
    expect(requests.error).toMatchObject({ code: 'client-gone' });
    expect(bench.blocking.waiting).toBe(0);
  });

  it('returns when the agent stops, and does not wait any more', async () => {
    const bench = await setUp();
    const waiting = new RequestSpec(bench, 1n);
    await settle();
    bench.blocking.stop();
    const late = new RequestSpec(bench, 1n);
    await settle();
    expect(waiting.response).toEqual({ index: 1, result: 1 });
    expect(late.response).toEqual({ index: 1, result: 1 });
  });

  it('is refused when too many wait', async () => {
    const bench = await setUp(0, 2);
    const requests = [new RequestSpec(bench, 1n), new RequestSpec(bench, 1n), new RequestSpec(bench, 1n)];
    const immediate = new RequestSpec(bench, null);
    await settle();
    expect(requests.map(({ error }) => error)).toEqual([
      null,
      null,
      expect.objectContaining({ code: 'too-many-requests' }),
    ]);
    expect(immediate.response).not.toBeNull();
  });

  it('leaves others a turn when thousands are woken', async () => {
    const bench = await setUp();
    const requests = Array.from({ length: 1_000 }, () => new RequestSpec(bench, 1n));
    await settle();
    await bench.put('second');
    await settle();
    const served = (): number => requests.filter(({ response: resolve }) => resolve !== null).length;
    expect(served()).toBe(16);
    let turns = 0;
    while (bench.clock.runSoon() > 0) {
      turns += 1;
      await settle();
    }
    expect(served()).toBe(1_000);
    expect(turns).toBe(Math.ceil(1_000 / 16) - 1);
  });
});
