import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fullRange, getRow, scanRows } from 'tamis/table';
import { StorageError } from '@tamis/scheduler-model/base/storage-error.js';
import { jobKey } from '@tamis/scheduler-model/job.js';
import { startPeriodicLauncher } from '@tamis/scheduler-placement/workers/periodic-launcher.js';
import { writeVersion } from '@tamis/scheduler-state/state/job-writes.js';
import { openState, type State } from '@tamis/scheduler-state/state/state.js';
import { createMemoryStorage } from '@tamis/scheduler-state/storage/memory.js';
import type { Storage } from '@tamis/scheduler-state/storage/storage.js';
import { createFakeClock, type FakeClock } from '../../../scheduler-model/test/support/fake-clock.js';
import { completeJob } from '@tamis/scheduler-model/job-defaults.js';
import { simpleJob } from '../placement/cluster.js';

const minute = 60_000;
const began = Date.UTC(2026, 0, 1, 12, 0, 35);

/** A server with a periodic job of each minute. */
interface Server {
  readonly clock: FakeClock;
  readonly state: State;
  /** Whether the store accepts writes. */
  readonly disk: { isFull: boolean };
  /** Starts to lead, or stops. */
  lead(isLeader: boolean): Promise<void>;
  /** Lets the time pass in steps of 15 s. */
  pass(milliseconds: number): Promise<void>;
  /** Number of launches since the last call. */
  launches(): number;
  /** The due time that was dealt with last. */
  lastDue(): number | null;
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 12; turn += 1) await nextTurn();
}

async function startServer(Spec = '* * * * *'): Promise<Server> {
  const clock = createFakeClock(began);
  const disk = { isFull: false };
  const memory = createMemoryStorage();
  const storage: Storage = {
    ...memory,
    append(entry) {
      if (disk.isFull) throw new StorageError('write-failed', 'The disk is full');
      return memory.append(entry);
    },
  };
  const state = await openState({ storage, clock });
  const job = completeJob(
    simpleJob('p', { Type: 'batch', Periodic: { Enabled: true, Spec, SpecType: 'cron' } }),
    {
      region: 'global',
      namespace: 'default',
    },
  );
  await state.write((transaction) => writeVersion(transaction, job, null, transaction.stamp()));
  let stop: (() => void) | null = null;
  let known = 1;
  return {
    clock,
    state,
    disk,
    async lead(isLeader) {
      stop?.();
      stop = isLeader ? startPeriodicLauncher({ state, clock, warn: () => undefined }) : null;
      await settle();
      clock.advance(0);
      await settle();
    },
    async pass(milliseconds) {
      for (let left = milliseconds; left > 0; left -= 15_000) {
        clock.advance(Math.min(15_000, left));
        clock.runSoon();
        await settle();
        clock.advance(0);
        await settle();
      }
    },
    launches() {
      const before = known;
      known = [...scanRows(state.snapshot().tables.jobs.primary, fullRange, false)].length;
      return known - before;
    },
    lastDue() {
      const row = getRow(state.snapshot().tables.periodic_launches, jobKey(job));
      return row === null ? null : Number(row.Due);
    },
  };
}

describe('periodic launches', () => {
  it('go on at once when a clock that was an hour ahead is set back on the same leader', async () => {
    const server = await startServer();
    await server.lead(true);
    await server.pass(2 * minute);
    expect(server.launches()).toBe(2);
    server.clock.step(60 * minute);
    await server.pass(3 * minute);
    expect(server.launches()).toBe(4);
    server.clock.step(-60 * minute);
    await server.pass(10 * minute);
    // The last one that was missed, and ten.
    expect(server.launches()).toBe(11);
  });

  it('are made once for the last missed time when the clock is set forward, without any write', async () => {
    const server = await startServer('0 * * * *');
    await server.lead(true);
    server.clock.step(150 * minute);
    await server.pass(15_000);
    expect(server.launches()).toBe(1);
    expect(server.lastDue()).toBe(Date.UTC(2026, 0, 1, 14));
    await server.pass(minute);
    expect(server.launches()).toBe(0);
  });

  it('are made up once for an outage, also after one launch by a fast clock', async () => {
    const server = await startServer();
    await server.lead(true);
    await server.pass(2 * minute);
    server.clock.step(60 * minute);
    await server.pass(15_000);
    expect(server.launches()).toBe(3);
    server.clock.step(-60 * minute);
    await server.lead(false);
    await server.pass(20 * minute);
    expect(server.launches()).toBe(0);
    await server.lead(true);
    expect(server.launches()).toBe(1);
    expect(server.lastDue()).toBe(Math.floor(server.clock.now() / minute) * minute);
  });

  it('are repeated by the same leader when their write has failed', async () => {
    const server = await startServer('0 * * * *');
    await server.lead(true);
    server.disk.isFull = true;
    await server.pass(70 * minute);
    expect(server.launches()).toBe(0);
    server.disk.isFull = false;
    await server.pass(15_000);
    expect(server.launches()).toBe(1);
    expect(server.lastDue()).toBe(Date.UTC(2026, 0, 1, 13));
  });

  it('are not made again by the next leader when their jobs have been deleted', async () => {
    const server = await startServer();
    await server.lead(true);
    await server.pass(2 * minute);
    await server.state.write((transaction) => {
      for (const { Namespace, ID, ParentID } of scanRows(transaction.tables.jobs.primary, fullRange, false)) {
        if (ParentID !== '') transaction.delete('jobs', jobKey({ Namespace, ID }));
      }
    });
    server.launches();
    await server.lead(true);
    expect(server.launches()).toBe(0);
  });

  const event = fc.oneof(
    fc.record({
      kind: fc.constant('pass' as const),
      by: fc.integer({ min: 1, max: 40 }).map((n) => n * 15_000),
    }),
    fc.record({
      kind: fc.constant('step' as const),
      by: fc.constantFrom(-7_200, -600, -90, -30, 30, 90, 600, 7_200).map((seconds) => seconds * 1_000),
    }),
    fc.record({ kind: fc.constant('lead' as const), isLeader: fc.boolean() }),
    fc.record({ kind: fc.constant('disk' as const), isFull: fc.boolean() }),
  );

  it('are made once for each due time, or once for several that are due together, whatever happens', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 14 }), async (events) => {
        const server = await startServer();
        await server.lead(true);
        /** The due times that were dealt with, the last of them, and what was known to be the last one before it. */
        const dealt: number[] = [];
        let last = began;
        let previous = began;
        /** When the leader noticed that all times it knows are of a clock that was ahead: it counts from then on. */
        let noticed: number | null = null;
        /** The documented rule: the last due time is launched unless it, or a later one, has been dealt with. */
        const launched = (): number => {
          const now = server.clock.now();
          const isCredible = (time: number): boolean => time <= now + minute;
          const known = isCredible(last) ? last : Math.max(...[...dealt, previous].filter(isCredible));
          if (noticed === null && known === -Infinity) noticed = now;
          const at = Math.floor(now / minute) * minute;
          const isDealt = dealt.length > 0 && at <= known;
          if (isDealt || at <= (noticed ?? known) || server.disk.isFull) return 0;
          previous = known > -Infinity ? known : began;
          dealt.push((last = at));
          noticed = null;
          return 1;
        };
        let isLeader = true;
        for (const each of events) {
          let expected = 0;
          if (each.kind === 'lead' || (each.kind === 'step' && each.by < 0)) noticed = null;
          if (each.kind === 'step') server.clock.step(each.by);
          else if (each.kind === 'disk') server.disk.isFull = each.isFull;
          else if (each.kind === 'lead') {
            await server.lead((isLeader = each.isLeader));
            if (isLeader) expected += launched();
          } else {
            for (let left = each.by; left > 0; left -= 15_000) {
              await server.pass(15_000);
              if (isLeader) expected += launched();
            }
          }
          if (each.kind !== 'pass') {
            await server.pass(15_000);
            if (isLeader) expected += launched();
          }
          expect([each, server.launches()]).toEqual([each, expected]);
        }
        await server.lead(false);
        await server.state.close();
      }),
      { numRuns: 60 },
    );
  });
});
