import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createNamespace } from '../../src/cluster/cluster-rows.js';
import { openReplica } from '../../src/state/replica.js';
import { createWriter, type Writer } from '../../src/state/writer.js';
import { createMemoryStorage } from '../../src/storage/memory.js';
import { createFakeClock } from '../support/fake-clock.js';
import { until } from '../support/until.js';

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
    pace: { now: () => time, soon: (action) => void later.push(action) },
    clock: createFakeClock(),
    uuid: () => `batch ${(ids += 1)}`,
    term: () => 1,
  });
  return {
    writer,
    write: (milliseconds) =>
      writer.write((transaction) => {
        time += milliseconds;
        transaction.put(
          'namespaces',
          createNamespace(`n${transaction.index}`, '', transaction.index, (text) => text),
        );
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
