import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAllocationFeed } from '@tamis/scheduler-node/allocation-feed.js';
import type { AllocationLine, AllocationCursor } from '@tamis/scheduler-node/server-link.js';
import { allocationShape, type Allocation } from '@tamis/scheduler-model/allocation.js';
import { completeShape } from '@tamis/scheduler-model/complete-shape.js';
import { completeJob } from '@tamis/scheduler-model/job-defaults.js';
import type { Job } from '@tamis/scheduler-model/job.js';
import { allocationLines, awaitAllocationChanges } from '../../src/rpc/allocation-changes.js';
import { createBlockingQueries, type BlockingQueries } from '@tamis/scheduler-state/state/blocking-query.js';
import { scanRows, fullRange } from 'tamis/table';
import { openState, type State } from '@tamis/scheduler-state/state/state.js';
import { writeAllocations } from '@tamis/scheduler-state/state/write-allocations.js';
import { systemClock } from '@tamis/http';
import {
  createRestorableStorage,
  readContents,
  type ReadContents,
  type RestorableStorage,
} from '../../../scheduler-state/test/support/storage-log.js';
import { until } from '../../../scheduler-model/test/support/until.js';
const never = new AbortController().signal;
const place = { namespace: 'default', region: 'global' };

function jobOf(groups: number, meta = 'm'): Job {
  const task = { Name: 't', Driver: 'raw_exec', Config: { command: '/bin/sleep', args: ['600'] } };
  const TaskGroups = Array.from({ length: groups }, (_, at) => ({ Name: `g${at}`, Tasks: [task] }));
  return completeJob({ ID: 'web', Meta: { meta }, TaskGroups }, place);
}

function allocationOf(id: string, node: string, job: Job, group = 'g0'): Allocation {
  const given = {
    ...{ ID: id, Namespace: 'default', NodeID: node, JobID: job.ID, TaskGroup: group },
    ...{ DesiredStatus: 'run', ClientStatus: 'pending', Name: `web.${group}[0]` },
  };
  return { ...completeShape(allocationShape, given), Job: job };
}

interface Server {
  readonly storage: RestorableStorage;
  readonly state: State;
  readonly blocking: BlockingQueries;
  readonly history: string;
}

let histories = 0;
async function startServer(rows: readonly Allocation[] = []): Promise<Server> {
  histories += 1;
  const storage = createRestorableStorage();
  const state = await openState({ storage, clock: systemClock, incarnation: histories });
  const blocking = createBlockingQueries({ state, clock: systemClock, random: () => 0, maxWaiters: 1_000 });
  if (rows.length > 0) await state.write((transaction) => writeAllocations(transaction, rows));
  return { storage, state, blocking, history: `h${histories}` };
}

/** Restores the log of a server while it runs. */
async function restoreInPlace({ storage, state }: Server, contents: ReadContents): Promise<void> {
  const { incarnation } = state.snapshot();
  await storage.restore(contents);
  await until(() => state.snapshot().incarnation !== incarnation);
}

/** What a server sends to a node that has heard of this much. */
async function responseOf(
  server: Server,
  node: string,
  since: AllocationCursor | null,
): Promise<readonly string[]> {
  const received = {
    history: since?.history ?? '',
    index: since === null ? null : BigInt(since.index),
  };
  const news = await awaitAllocationChanges(server, node, received, { wait: 0, signal: never });
  return [...allocationLines(news)].filter((line) => line !== '');
}

const bytesOf = (lines: readonly string[]): number => lines.reduce((sum, line) => sum + line.length, 0);
const kindsOf = (lines: readonly string[]): string[] =>
  lines.map((line) => (JSON.parse(line) as AllocationLine).kind);

function heardOf([first = '']: readonly string[]): AllocationCursor {
  return JSON.parse(first) as AllocationCursor;
}

describe('the allocations that a node receives', () => {
  it('grows with what changed, not with what there is', async () => {
    const sizes: number[] = [];
    for (const count of [5, 500]) {
      const job = jobOf(count);
      const rows = Array.from({ length: count }, (_, at) => allocationOf(`a${at}`, 'n', job, `g${at}`));
      const server = await startServer(rows);
      const since = heardOf(await responseOf(server, 'n', null));
      const stopped: Allocation = { ...(rows[3] as Allocation), DesiredStatus: 'stop' };
      await server.state.write((transaction) => writeAllocations(transaction, [stopped]));
      const lines = await responseOf(server, 'n', since);
      expect(kindsOf(lines)).toEqual(['begin', 'job', 'group', 'allocation', 'end']);
      sizes.push(bytesOf(lines));
    }
    const [few = 0, many = 0] = sizes;
    expect(many).toBeLessThan(few + 10);
  });

  it('contain each job once and each of its groups once', async () => {
    const job = jobOf(400);
    const rows = Array.from({ length: 800 }, (_, at) => allocationOf(`a${at}`, 'n', job, `g${at >> 1}`));
    const lines = await responseOf(await startServer(rows), 'n', null);
    const kinds = kindsOf(lines);
    expect(kinds.filter((kind) => kind === 'job')).toHaveLength(1);
    expect(kinds.filter((kind) => kind === 'group')).toHaveLength(400);
    expect(kinds.filter((kind) => kind === 'allocation')).toHaveLength(800);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(8_192);
    expect(bytesOf(lines)).toBeLessThan(800 * 2_000 + 400 * 3_000);
  });

  it('wakes the node that it is about and no other, and none by what the node has said itself', async () => {
    const job = jobOf(1);
    const rows = Array.from({ length: 1_000 }, (_, at) => allocationOf(`a${at}`, `n${at % 200}`, job));
    const server = await startServer(rows);
    const woken: string[] = [];
    let bytes = 0;
    for (let at = 0; at < 200; at += 1) {
      const node = `n${at}`;
      const { history, index } = heardOf(await responseOf(server, node, null));
      const timeoutMs = { wait: 60_000, signal: new AbortController().signal };
      void awaitAllocationChanges(server, node, { history, index: BigInt(index) }, timeoutMs).then((news) => {
        woken.push(node);
        bytes += bytesOf([...allocationLines(news)]);
      });
    }
    while (server.blocking.waiting < 200) await nextTurn();
    const write = (change: Partial<Allocation>): Promise<void> =>
      server.state.write((transaction) => {
        const stored = transaction.get('allocations', 'a7');
        if (stored !== null) writeAllocations(transaction, [{ ...stored, ...change }]);
      });
    await write({ ClientStatus: 'running' });
    for (let turn = 0; turn < 50; turn += 1) await nextTurn();
    expect(woken).toEqual([]);
    await write({ DesiredStatus: 'stop' });
    while (woken.length === 0) await nextTurn();
    for (let turn = 0; turn < 50; turn += 1) await nextTurn();
    expect(woken).toEqual(['n7']);
    expect(bytes).toBeLessThan(8_192);
    server.blocking.stop();
  });

  it('are sent in full if the log is restored while the node waits, to a lower or a higher index', async () => {
    const job = jobOf(1);
    const server = await startServer([allocationOf('gone', 'n', job)]);
    const put = (id: string): Promise<unknown> =>
      server.state.write((transaction) => writeAllocations(transaction, [allocationOf(id, 'n', job)]));
    const early = await readContents(server.storage);
    await server.state.write((transaction) => transaction.delete('allocations', 'gone'));
    for (const id of ['b', 'b', 'b']) await put(id);
    const late = await readContents(server.storage);
    for (const contents of [early, late, early]) {
      const { history, index } = heardOf(await responseOf(server, 'n', null));
      const timeoutMs = { wait: 60_000, signal: never };
      const waiting = awaitAllocationChanges(server, 'n', { history, index: BigInt(index) }, timeoutMs);
      await restoreInPlace(server, contents);
      const lines = [...allocationLines(await waiting)].filter((line) => line !== '');
      expect(kindsOf(lines)).toEqual(['begin', 'job', 'group', 'allocation', 'end']);
      expect(JSON.parse(lines[0]!)).toMatchObject({ isWhole: true, index: contents.index });
      expect(heardOf(lines).history).not.toBe(history);
    }
    server.blocking.stop();
  });

  it('omit the jobs of finished allocations', async () => {
    const row: Allocation = { ...allocationOf('a', 'n', jobOf(1)), ClientStatus: 'complete' };
    const lines = await responseOf(await startServer([row]), 'n', null);
    expect(kindsOf(lines)).toEqual(['begin', 'allocation', 'end']);
  });
});

/** A step of a history of servers and one node. */
type Step =
  | { readonly kind: 'place' | 'stop' | 'collect' | 'update' | 'other'; readonly at: number }
  | { readonly kind: 'restart' | 'begin anew' | 'go back' | 'import' | 'save' | 'restore' }
  | { readonly kind: 'pull'; readonly breaksAfter: number | null };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('place', 'stop', 'collect', 'update', 'other'),
    at: fc.nat({ max: 7 }),
  }),
  fc.record({ kind: fc.constantFrom('restart', 'begin anew', 'go back', 'import', 'save', 'restore') }),
  fc.record({ kind: fc.constant('pull'), breaksAfter: fc.option(fc.nat({ max: 6 })) }),
) as fc.Arbitrary<Step>;

/** What both sides believe of an allocation. */
function beliefOf({ ID, DesiredStatus, AllocModifyIndex, Job: job }: Allocation): string {
  const groups = job?.TaskGroups?.map(({ Name }) => Name).join() ?? '';
  return `${ID} ${DesiredStatus} ${AllocModifyIndex} ${job?.Meta?.['meta'] ?? ''} ${groups}`;
}

async function runHistory(steps: readonly Step[]): Promise<void> {
  const job = jobOf(1);
  let server = await startServer();
  let retained: readonly Allocation[] = [];
  let saved = await readContents(server.storage);
  const paused = new Map<string, Allocation>();
  let breaksAfter: number | null = null;
  const feed = createAllocationFeed({
    nodeId: 'n',
    link: {
      async *allocations(since) {
        let left = breaksAfter;
        for (const line of await responseOf(server, 'n', since)) {
          if (left === 0) throw new Error('the connection breaks');
          if (left !== null) left -= 1;
          yield JSON.parse(line) as AllocationLine;
        }
      },
    },
    listener: {
      changed: (allocation) => void paused.set(allocation.ID, allocation),
      left: (ids) => [...paused.keys()].forEach((id) => ids.has(id) || paused.delete(id)),
    },
  });
  const rowsOf = ({ state }: Server): Allocation[] =>
    [...scanRows(state.snapshot().tables.allocations.primary, fullRange, false)].filter(
      ({ NodeID }) => NodeID === 'n',
    );
  const write = (action: Parameters<State['write']>[0]): Promise<unknown> => server.state.write(action);
  const restore = async (rows: readonly Allocation[]): Promise<void> => {
    server = await startServer();
    await write((transaction) => transaction.restore('allocations', rows));
  };

  async function take(next: Step): Promise<void> {
    switch (next.kind) {
      case 'place':
      case 'other': {
        const row = allocationOf(`a${next.at}`, next.kind === 'place' ? 'n' : 'm', job);
        await write((transaction) => writeAllocations(transaction, [row]));
        return;
      }
      case 'stop':
      case 'update':
        await write((transaction) => {
          const stored = transaction.get('allocations', `a${next.at}`);
          const change = next.kind === 'stop' ? { DesiredStatus: 'stop' } : { ClientStatus: 'running' };
          if (stored !== null) writeAllocations(transaction, [{ ...stored, ...change }]);
        });
        return;
      case 'collect':
        await write((transaction) => transaction.delete('allocations', `a${next.at}`));
        return;
      case 'restart':
        await restore(rowsOf(server));
        return;
      case 'begin anew':
        server = await startServer();
        return;
      case 'go back':
        await restore(retained);
        return;
      case 'import':
        await write((transaction) => {
          transaction.restore('allocations', [{ ...allocationOf('old', 'n', job), AllocModifyIndex: 1 }]);
        });
        return;
      case 'save':
        saved = await readContents(server.storage);
        return;
      case 'restore':
        await restoreInPlace(server, saved);
        return;
      case 'pull':
        retained = rowsOf(server);
        ({ breaksAfter } = next);
        await feed.pull(never).catch(() => undefined);
    }
  }

  for (const next of steps) await take(next);
  breaksAfter = null;
  // One response may find that nothing fits any more; the next one is whole.
  for (let pulls = 0; pulls < 2; pulls += 1) await feed.pull(never);
  expect([...paused.values()].map(beliefOf).sort()).toEqual(rowsOf(server).map(beliefOf).sort());
}

describe('a node and its servers', () => {
  it('agree in the end, whatever has come between them', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), (steps) => runHistory(steps)),
      { numRuns: 300 },
    );
  });
});
