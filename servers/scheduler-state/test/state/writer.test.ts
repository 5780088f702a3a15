import { setImmediate as nextTurn } from 'node:timers/promises';
import { eventLoop } from '@tamis/http';
import { describe, expect, it } from 'vitest';
import { createNamespace } from '@tamis/scheduler-state/cluster/cluster-rows.js';
import { openReplica } from '@tamis/scheduler-state/state/replica.js';
import { createWriter, type Writer } from '@tamis/scheduler-state/state/writer.js';
import { createMemoryStorage } from '@tamis/scheduler-state/storage/memory.js';
import type { AppendOutcome } from '@tamis/scheduler-state/storage/storage.js';
import { createFakeClock } from '../../../scheduler-model/test/support/fake-clock.js';
import { commit } from '../support/storage-log.js';
import { until } from '../../../scheduler-model/test/support/until.js';
import { stillSources } from '../support/row-sources.js';

/** A writer whose turns come when they are called, and whose time passes only in the writes. */
async function createWorld(): Promise<{
  /** A write that takes that many milliseconds. */
  write: (milliseconds: number) => Promise<void>;
  writer: Writer;
  /** Lets the writer go on; resolves when it has done what it does in one turn. */
  turn: () => Promise<void>;
  /** Milliseconds of work since the last turn. */
  worked: () => number;
}> {
  let time = 0;
  let turnBegan = 0;
  const later: (() => void)[] = [];
  const storage = createMemoryStorage();
  let ids = 0;
  const writer = createWriter({
    storage,
    replica: await openReplica(storage, () => undefined, 0),
    pace: { now: () => time, defer: (action) => void later.push(action) },
    clock: createFakeClock(),
    sources: stillSources,
    uuid: () => `batch ${(ids += 1)}`,
    term: () => 1,
  });
  return {
    writer,
    write: (milliseconds) =>
      writer.write((transaction) => {
        time += milliseconds;
        transaction.put('namespaces', createNamespace(`n${transaction.index}`, '', transaction.index));
      }),
    async turn() {
      await until(() => later.length > 0);
      turnBegan = time;
      for (const action of later.splice(0)) action();
      await nextTurn();
    },
    worked: () => time - turnBegan,
  };
}

describe('the writer', () => {
  it('gives others a turn when the writes that wait take long together', async () => {
    const { write, worked, turn } = await createWorld();
    const writes = Array.from({ length: 30 }, () => write(2));
    await nextTurn();
    const turns = [worked()];
    while (turns.reduce((sum, each) => sum + each) < 60) {
      await turn();
      turns.push(worked());
    }
    expect(Math.max(...turns)).toBeLessThanOrEqual(6);
    await turn();
    await Promise.all(writes);
  });

  it('gives others a turn between a write and the one that follows from it', async () => {
    const { write, writer, worked, turn } = await createWorld();
    async function chain(): Promise<void> {
      for (let at = 0; at < 5; at += 1) await write(10);
    }
    const done = chain();
    await nextTurn();
    for (let at = 0; at < 5; at += 1) {
      expect(worked()).toBe(10);
      await turn();
    }
    await done;
    await writer.close();
  });

  it('makes a write that takes longer than a turn all the same', async () => {
    const { write, turn } = await createWorld();
    const long = write(100);
    await turn();
    await expect(long).resolves.toBeUndefined();
  });
});

/** A writer on a log with responses controlled by the test. */
async function createDoubtfulWorld() {
  const storage = createMemoryStorage();
  const clock = createFakeClock();
  const world = {
    outcome: { kind: 'unknown' } as AppendOutcome,
    appends: 0,
    hangs: false,
    term: 1 as number | null,
  };
  let ids = 0;
  const writer = createWriter({
    storage: {
      async append() {
        world.appends += 1;
        return world.hangs ? new Promise<never>(() => undefined) : world.outcome;
      },
    },
    replica: await openReplica(storage, () => undefined, 1),
    pace: eventLoop,
    clock,
    sources: stillSources,
    uuid: () => `batch ${(ids += 1)}`,
    term: () => world.term,
  });
  let runs = 0;
  const write = (): Promise<number> =>
    writer.write((transaction) => {
      transaction.put('namespaces', createNamespace('n', '', transaction.index));
      return (runs += 1);
    });
  /** Lets time pass until the log has been queried again. */
  async function retry(milliseconds = 2_000): Promise<void> {
    const before = world.appends;
    while (world.appends === before) {
      await nextTurn();
      clock.advance(milliseconds);
    }
    await nextTurn();
  }
  return { ...{ clock, storage, write, retry }, world, runs: () => runs };
}

describe('a log that does not say what became of a batch', () => {
  it('blocks callers for at most five seconds', async () => {
    const { retry, clock, world, write } = await createDoubtfulWorld();
    const refused = expect(write()).rejects.toMatchObject({ code: 'undecided' });
    await until(() => world.appends === 1);
    clock.advance(5_000);
    await retry();
    await refused;
  });

  it('blocks callers no longer while it is queried once more', async () => {
    const { retry, clock, world, write } = await createDoubtfulWorld();
    const refused = expect(write()).rejects.toMatchObject({ code: 'undecided' });
    await until(() => world.appends === 1);
    await nextTurn();
    world.hangs = true;
    await retry(50);
    clock.advance(5_000);
    await refused;
  });

  it('releases callers if this server leads no more, and drops the later batches', async () => {
    const { retry, world, write, runs } = await createDoubtfulWorld();
    const refused = expect(write()).rejects.toMatchObject({ code: 'undecided' });
    await until(() => world.appends === 1);
    const later = expect(write()).rejects.toMatchObject({ code: 'no-leader' });
    world.term = null;
    await retry();
    await Promise.all([refused, later]);
    expect(runs()).toBe(1);
  });

  it('repeats no batch that was reported as having an unknown result', async () => {
    const { retry, storage, world, write, runs } = await createDoubtfulWorld();
    const refused = expect(write()).rejects.toMatchObject({ code: 'undecided' });
    await until(() => world.appends === 1);
    world.term = null;
    await retry();
    await refused;
    await commit(storage, { index: 1, puts: [], deletes: [], tableIndexes: {} });
    world.outcome = { kind: 'conflict', index: 1 };
    await retry();
    world.term = 2;
    world.outcome = { kind: 'notLeader', index: 1 };
    await expect(write()).rejects.toMatchObject({ code: 'no-leader' });
    expect(runs()).toBe(2);
  });
});
