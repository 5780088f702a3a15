import { setImmediate as nextTurn } from 'node:timers/promises';
import { eventLoop } from '@tamis/http';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createNamespace } from '@tamis/scheduler-state/cluster/cluster-rows.js';
import { SchedulerError } from '@tamis/scheduler-model/base/errors.js';
import { completeObject } from '@tamis/scheduler-model/complete-shape.js';
import { evaluationShape, type Evaluation } from '@tamis/scheduler-model/evaluation.js';
import type { Snapshot } from '@tamis/scheduler-state/state/snapshot.js';
import { scanRows, fullRange, type SortedRows, type TableRows } from 'tamis/table';
import { openState, type State } from '@tamis/scheduler-state/state/state.js';
import { tableNames } from '@tamis/scheduler-state/state/tables.js';
import { createMemoryStorage } from '@tamis/scheduler-state/storage/memory.js';
import type { Entry, LogEvent, Storage } from '@tamis/scheduler-state/storage/storage.js';
import { StorageError } from '@tamis/scheduler-model/base/storage-error.js';
import { createFakeClock, type FakeClock } from '../../../scheduler-model/test/support/fake-clock.js';
import { until } from '../../../scheduler-model/test/support/until.js';

/**
 * The outcome of an append on its way: `kept` and `dropped` get no response, `late` arrives after that, `refused` is a full disk.
 */
type Fault = 'kept' | 'dropped' | 'late' | 'refused';

/** A server of the cluster: its replica, and what its log and its election are made to do. */
interface Server {
  readonly state: State;
  readonly faults: Fault[];
  /** Whether batches do not arrive for now. */
  block(isLocked: boolean): void;
  /** Has the contents take the place of the batches that have not arrived. */
  reset(): void;
  /** The term that it believes to lead in. */
  term: number | null;
  /** The greatest index that it has shown. */
  visible: number;
}

async function openServer(log: Storage, clock: FakeClock, name: string): Promise<Server> {
  const faults: Fault[] = [];
  const tried = new Set<string>();
  let release: (() => void) | null = null;
  let gate = Promise.resolve();
  let isReset = false;
  let inner = log.subscribe();
  const events: AsyncIterableIterator<LogEvent> = {
    async next() {
      await gate;
      if (isReset) {
        isReset = false;
        await inner.return?.();
        inner = log.subscribe();
      }
      return inner.next();
    },
    return: () => inner.return?.() ?? Promise.resolve({ done: true, value: undefined }),
    [Symbol.asyncIterator]: () => events,
  };

  async function append(entry: Entry): ReturnType<Storage['append']> {
    const isFirst = !tried.has(entry.id);
    tried.add(entry.id);
    const fault = faults.shift();
    switch (fault) {
      case 'refused':
        // Only of what was never sent can it be said that nothing was kept.
        if (isFirst) throw new StorageError('write-failed', 'The disk is full');
        return log.append(entry);
      case 'kept':
        await log.append(entry);
        return { kind: 'unknown' };
      case 'late':
        setImmediate(() => void log.append(entry));
        return { kind: 'unknown' };
      case 'dropped':
        return { kind: 'unknown' };
      case undefined:
        return log.append(entry);
    }
  }

  let ids = 0;
  const server: Server = {
    state: await openState({
      storage: { ...log, append, subscribe: () => events, close: async () => undefined },
      clock,
      pace: eventLoop,
      uuid: () => `${name}.${(ids += 1)}`,
      term: () => server.term,
    }),
    faults,
    block(isLocked) {
      if (isLocked && release === null) gate = new Promise((resolve) => (release = resolve));
      if (isLocked) return;
      release?.();
      release = null;
    },
    reset: () => void (isReset = true),
    term: null,
    visible: 0,
  };
  return server;
}

type Command =
  | { readonly kind: 'write'; readonly at: number; readonly key: number; readonly isDelete: boolean }
  | { readonly kind: 'fault'; readonly at: number; readonly fault: Fault }
  | { readonly kind: 'elect'; readonly at: number; readonly isReported: boolean }
  | { readonly kind: 'hold' | 'release' | 'reset'; readonly at: number }
  | { readonly kind: 'turn' | 'wait' };

const at = fc.nat(2);
const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('write'), at, key: fc.nat(4), isDelete: fc.boolean() }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom('turn', 'wait') }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('fault'),
      at,
      fault: fc.constantFrom('kept', 'dropped', 'late', 'refused'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('elect'), at, isReported: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('hold', 'release', 'reset'), at }) },
);

interface Written {
  outcome: 'open' | 'acknowledged' | 'refused' | 'undecided';
  index: number;
}

class Cluster {
  readonly log = createMemoryStorage();
  readonly clock = createFakeClock();
  readonly writes: Written[] = [];
  servers: readonly Server[] = [];
  #term = 0;

  async open(count: number): Promise<void> {
    const names = Array.from({ length: count }, (_, number) => `srv${number}`);
    this.servers = await Promise.all(names.map((name) => openServer(this.log, this.clock, name)));
  }

  async run(step: Command): Promise<void> {
    if (step.kind === 'turn') await nextTurn();
    else if (step.kind === 'wait') this.clock.advance(500);
    else if ('at' in step) this.#notify(step, this.servers[step.at % this.servers.length]!);
    this.look();
  }

  #notify(step: Extract<Command, { readonly at: number }>, server: Server): void {
    switch (step.kind) {
      case 'write': {
        // Of those who believe to lead, where there are any.
        const leaders = this.servers.filter(({ term }) => term !== null);
        this.write(leaders[step.at % leaders.length] ?? server, step.key, step.isDelete);
        break;
      }
      case 'fault':
        server.faults.push(step.fault);
        break;
      case 'elect':
        this.elect(server, step.isReported);
        break;
      case 'reset':
        server.reset();
        break;
      default:
        server.block(step.kind === 'hold');
    }
  }

  /** Who led before may not have heard of it, and goes on to write. */
  elect(server: Server, isReported: boolean): void {
    this.#term += 1;
    if (isReported) for (const other of this.servers) other.term = null;
    server.term = this.#term;
  }

  /** A write leaves a mark of its own each time that it is run, and changes a row that others change too. */
  write({ state }: Server, key: number, isDelete: boolean): void {
    const number = this.writes.length;
    const written: Written = { outcome: 'open', index: 0 };
    this.writes.push(written);
    let runs = 0;
    state
      .write((transaction) => {
        const { index } = transaction;
        runs += 1;
        transaction.put('namespaces', createNamespace(`w${number}-${runs}`, '', index));
        const ID = `e${key}`;
        if (isDelete) transaction.delete('evaluations', ID);
        else {
          const stored = transaction.get('evaluations', ID);
          const given = { ID, JobID: `j${number % 3}`, Status: `s${number % 2}`, ModifyIndex: index };
          const CreateIndex = stored?.CreateIndex ?? index;
          transaction.put(
            'evaluations',
            completeObject(evaluationShape, { ...given, CreateIndex }) as Evaluation,
          );
        }
        return index;
      })
      .then(
        (index) => {
          written.outcome = 'acknowledged';
          written.index = index;
        },
        (error: unknown) => {
          if (!(error instanceof StorageError || error instanceof SchedulerError)) throw error;
          written.outcome = error.code === 'undecided' ? 'undecided' : 'refused';
        },
      );
  }

  /** No server ever shows an older state than before. */
  look(): void {
    for (const server of this.servers) {
      const { index } = server.state.snapshot();
      expect(index).toBeGreaterThanOrEqual(server.visible);
      server.visible = index;
    }
  }

  /** Lets everything come to its end, under one leader. */
  async settle(): Promise<void> {
    for (const server of this.servers) {
      server.block(false);
      server.faults.splice(0);
    }
    this.elect(this.servers[0]!, true);
    const between = async (): Promise<void> => {
      this.clock.advance(2_000);
      await nextTurn();
      this.look();
    };
    await until(() => this.writes.every(({ outcome }) => outcome !== 'open'), { between });
    this.write(this.servers[0]!, 0, false);
    const last = this.writes.length - 1;
    await until(() => this.writes[last]!.outcome === 'acknowledged', { between });
    const { index } = this.writes[last]!;
    await until(() => this.servers.every(({ state }) => state.snapshot().index === index), { between });
  }
}

/** All reads of a snapshot, however its tables were created. */
function contentsOf({ tables, index, tableIndexes }: Snapshot): object {
  const read = tableNames.map((name) => {
    const { primary, listed, indexes } = tables[name] as unknown as TableRows<object>;
    const all = <T>(rows: SortedRows<T>): T[] => [...scanRows(rows, fullRange, false)];
    const groups = Object.entries(indexes).map(([field, found]) => [
      field,
      found.unindexed,
      all(found.groups).map(({ key, rows }) => [key, all(rows)]),
    ]);
    return [name, all(primary), all(listed), groups];
  });
  return { read, index, tableIndexes };
}

function marksOf({ tables }: Snapshot, number: number): string[] {
  const names = [...scanRows(tables.namespaces.primary, fullRange, false)].map(({ Name }) => Name);
  return names.filter((name) => name.startsWith(`w${number}-`));
}

describe('servers that share a log', () => {
  it('agree, and keep each acknowledged write exactly once, whatever happens', async () => {
    const clusters = fc.record({
      count: fc.integer({ min: 2, max: 3 }),
      commands: fc.array(command, { maxLength: 60, size: 'max' }),
    });
    await fc.assert(
      fc.asyncProperty(clusters, async ({ count, commands }) => {
        const cluster = new Cluster();
        await cluster.open(count);
        cluster.elect(cluster.servers[0]!, true);
        for (const each of commands) await cluster.run(each);
        await cluster.settle();
        const [first, ...others] = cluster.servers.map(({ state }) => state.snapshot());
        for (const other of others) expect(contentsOf(other)).toEqual(contentsOf(first!));
        for (const [number, { outcome }] of cluster.writes.entries()) {
          const marks = marksOf(first!, number);
          if (outcome === 'acknowledged') expect([number, marks.length]).toEqual([number, 1]);
          else if (outcome === 'refused') expect([number, marks]).toEqual([number, []]);
          else expect(marks.length).toBeLessThanOrEqual(1);
        }
        const indexes = cluster.writes.filter(({ outcome }) => outcome === 'acknowledged');
        expect(new Set(indexes.map(({ index }) => index)).size).toBe(indexes.length);
        for (const { state } of cluster.servers) await state.close();
      }),
      { numRuns: 300 },
    );
  });
});
