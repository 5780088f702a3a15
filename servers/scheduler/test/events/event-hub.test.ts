import { setImmediate as turn } from 'node:timers/promises';
import { createTimeSlicer } from '@tamis/http';
import fc from 'fast-check';
import { compileFilter } from 'tamis';
import { describe, expect, it } from 'vitest';
import { accessOfPolicies } from '../../src/services/acl/access.js';
import { createEventHub, type EventHub } from '../../src/services/events/event-hub.js';
import { jsonLines } from '../../src/services/events/event-frame.js';
import {
  permittedEvents,
  type EventPermission,
  type EventParams,
} from '../../src/services/events/event-params.js';
import { eventTopics } from '../../src/services/events/topics.js';
import { completeObject } from '@tamis/scheduler-model/complete-shape.js';
import { resources, type Rows, type TableName } from '@tamis/scheduler-model/resources.js';
import { createChangeFeed, type RowChanges } from '@tamis/scheduler-state/state/change-feed.js';
import { defaultChangeFeedLimits, type ChangeFeedLimits } from 'tamis/table';
import { emptySnapshot } from '@tamis/scheduler-state/state/snapshot.js';
import { openTransaction, type Transaction } from '@tamis/scheduler-state/state/transaction.js';
import { createFakeClock } from '../../../scheduler-model/test/support/fake-clock.js';
import type { StreamedEvent, StreamedFrame } from '../support/event-stream.js';
import { stillSources } from '../../../scheduler-state/test/support/row-sources.js';

const tables = { jobs: 'Job', evaluations: 'Evaluation', nodes: 'Node' } as const;
type Table = keyof typeof tables;

/** A row that is written, or deleted where there is no priority. */
interface RowWrite {
  readonly table: Table;
  readonly id: string;
  readonly namespace: string;
  readonly priority: number | null;
}

/** A topic with a filter, and the same filter by hand. */
interface RequestedTopic {
  readonly table: Table;
  readonly keys: readonly string[] | null;
  readonly filter: string;
  readonly verify: (row: Readonly<Record<string, unknown>>) => boolean;
}

interface RequestSpec {
  readonly namespace: string;
  readonly topics: readonly RequestedTopic[];
  readonly readable: readonly string[];
}

const filters: Readonly<Record<Table, readonly Pick<RequestedTopic, 'filter' | 'verify'>[]>> = {
  jobs: [
    { filter: '', verify: () => true },
    { filter: 'Priority > 50', verify: ({ Priority }) => Number(Priority) > 50 },
    {
      filter: 'Namespace == "a" and Priority != 7',
      verify: (row) => row['Namespace'] === 'a' && row['Priority'] !== 7,
    },
    { filter: 'ID != "x"', verify: ({ ID }) => ID !== 'x' },
  ],
  evaluations: [
    { filter: '', verify: () => true },
    {
      filter: 'JobID == "x" or Priority < 20',
      verify: (row) => row['JobID'] === 'x' || Number(row['Priority']) < 20,
    },
  ],
  nodes: [
    { filter: '', verify: () => true },
    { filter: 'Datacenter == "x"', verify: ({ Datacenter }) => Datacenter === 'x' },
  ],
};

const rowWrite: fc.Arbitrary<RowWrite> = fc.record({
  table: fc.constantFrom<Table>('jobs', 'evaluations', 'nodes'),
  id: fc.constantFrom('x', 'y', 'z'),
  namespace: fc.constantFrom('a', 'b', 'c'),
  priority: fc.option(fc.constantFrom(7, 30, 70), { freq: 4 }),
});

const requestedTopic = (table: Table): fc.Arbitrary<RequestedTopic> =>
  fc
    .record({
      keys: fc.option(fc.uniqueArray(fc.constantFrom('x', 'y', 'a.x', 'none'), { maxLength: 2 })),
      filter: fc.constantFrom(...filters[table]),
    })
    .map(({ keys, filter }) => ({ table, keys, ...filter }));

const requests: fc.Arbitrary<RequestSpec> = fc.record({
  namespace: fc.constantFrom('a', 'b', '*'),
  topics: fc
    .uniqueArray(fc.constantFrom<Table>('jobs', 'evaluations', 'nodes'), { minLength: 1 })
    .chain((names) => fc.tuple(...names.map(requestedTopic))),
  readable: fc.constantFrom(['a', 'b'], ['a', 'b', 'c']),
});

function permissionFor(params: EventParams, readable: readonly string[]): EventPermission {
  const capabilities = ['read-job'] as const;
  const namespaces = readable.map((pattern) => ({ pattern, denied: false, capabilities }));
  const grants = { namespaces, node: 'read', agent: null, operator: null } as const;
  const isPermitted = permittedEvents(accessOfPolicies([grants], [], ''), params);
  if (isPermitted === null) throw new Error('The request is not allowed');
  return { isPermitted, key: readable.join(), expires: null };
}

function queryOf({ namespace, topics }: RequestSpec): EventParams {
  const entries = topics.map(({ table, keys, filter }) => {
    const topic = eventTopics.find((each) => each.table === table);
    if (topic === undefined) throw new Error(`No topic of ${table}`);
    const compiled = filter === '' ? null : compileFilter(filter, { schema: topic.schema });
    return [topic, { keys: keys === null ? null : new Set(keys), filter: compiled }] as const;
  });
  return { namespace, topics: new Map(entries), key: JSON.stringify([namespace, topics]) };
}

/** The expected events of a subscription, as `index table key deleted`. */
function expectedOf(
  { namespace, topics, readable }: RequestSpec,
  groups: readonly RowChanges[],
): readonly (readonly [number, string])[] {
  return groups.flatMap(({ index, changes }) =>
    changes.flatMap(({ table, before, after }) => {
      const row = (after ?? before) as Readonly<Record<string, unknown>> | null;
      const one = topics.find((each) => each.table === table);
      if (row === null || one === undefined) return [];
      const ns = row['Namespace'];
      const isSeen =
        table === 'nodes' || (readable.includes(String(ns)) && (namespace === '*' || namespace === ns));
      const hasKey =
        one.keys === null || one.keys.includes(String(row['ID'])) || one.keys.includes(String(row['JobID']));
      return isSeen && hasKey && one.verify(row)
        ? [[index, nameOf(index, tables[one.table], row)] as const]
        : [];
    }),
  );
}

function nameOf(index: number, topic: string, row: Readonly<Record<string, unknown>>): string {
  return `${index} ${topic} ${String(row['Namespace'] ?? '')} ${String(row['ID'])} ${String(row['Priority'] ?? row['Datacenter'])}`;
}

const nameOfEvent = ({ Index, Topic, Payload }: StreamedEvent): string =>
  nameOf(Index, Topic, Payload[Topic] ?? {});

/** A feed of random writes, with a hub that has far too little time. */
function createFeed(limits: ChangeFeedLimits, maxQueued: number) {
  const feed = createChangeFeed(limits);
  const groups: RowChanges[] = [];
  feed.subscribe((group) => void (group.kind === 'rows' && groups.push(group)));
  const clock = createFakeClock();
  let snapshot = emptySnapshot();
  let now = 0;
  // Each look at the time takes a while: a slice has but a few changes.
  const slices = createTimeSlicer({ now: () => (now += 1), defer: setImmediate });
  const hub = createEventHub({
    ...{ feed, clock, slices, maxStreams: 10, index: 0, unresolved: 'absent' as const },
    failed: (error) => {
      throw error;
    },
    limits: { batchTime: 25, heartbeat: 10_000, maxQueued },
  });
  return {
    ...{ feed, clock, groups, hub },
    index: () => snapshot.index,
    write(writes: readonly RowWrite[]) {
      const before = snapshot;
      const { transaction, finish } = openTransaction(before, stillSources);
      for (const each of writes) apply(transaction, each);
      const done = finish();
      if (done === null) return;
      ({ snapshot } = done);
      feed.publish(before, snapshot, done.batch);
    },
    replace() {
      const before = snapshot;
      snapshot = { ...snapshot, index: snapshot.index + 1 };
      feed.publish(before, snapshot, null);
    },
  };
}

type TestFeed = ReturnType<typeof createFeed>;

function apply(transaction: Transaction, { table, id, namespace, priority }: RowWrite): void {
  const fields = {
    jobs: { ID: id, Namespace: namespace, Priority: priority },
    evaluations: { ID: id, Namespace: namespace, Priority: priority, JobID: namespace === 'a' ? 'x' : 'y' },
    nodes: { ID: id, Datacenter: namespace === 'a' ? 'x' : 'y' },
  }[table];
  const { shape, key } = resources[table];
  const row = completeObject(shape, fields as never);
  if (priority === null) transaction.delete(table, (key as (given: unknown) => string)(row));
  else transaction.put<TableName>(table, row as Rows[TableName]);
}

/** A client that reads on request, and resumes its position after a disconnect. */
class Reader {
  readonly reported: string[] = [];
  readonly gaps: (readonly [from: number, to: number, code: string])[] = [];
  index = 0;
  readonly #hub: EventHub;
  readonly #requested: RequestSpec;
  #stream: ReturnType<EventHub['open']>;
  #ahead: StreamedEvent[] = [];
  #text = '';

  constructor(hub: EventHub, given: RequestSpec, from: number | null) {
    this.#hub = hub;
    this.#requested = given;
    this.#stream = this.#open(from);
  }

  #open(from: number | null): ReturnType<EventHub['open']> {
    const params = queryOf(this.#requested);
    const permission = permissionFor(params, this.#requested.readable);
    return this.#hub.open(params, {
      from,
      isReplaced: false,
      format: jsonLines,
      permission,
      authorise: () => permission,
    });
  }

  read(): void {
    for (let chunk: unknown = this.#stream.read(); chunk !== null; chunk = this.#stream.read()) {
      this.#text += String(chunk);
    }
    const lines = this.#text.split('\n');
    this.#text = lines.pop() ?? '';
    for (const line of lines) this.#take(JSON.parse(line) as StreamedFrame);
  }

  #take({ Index, Events = [], Gap }: StreamedFrame): void {
    if (Index === undefined) return;
    this.index = Index;
    if (Gap !== undefined) this.gaps.push([Gap.From, Gap.To, Gap.Code]);
    this.#ahead.push(...Events);
    // The rest of a group may be still to come.
    this.reported.push(...this.#ahead.filter((event) => event.Index <= Index).map(nameOfEvent));
    this.#ahead = this.#ahead.filter((event) => event.Index > Index);
  }

  comeBack(): void {
    this.close();
    this.#ahead = [];
    this.#text = '';
    this.#stream = this.#open(this.index + 1);
  }

  close(): void {
    this.#stream.destroy();
  }
}

type Step =
  | { readonly kind: 'write'; readonly writes: readonly RowWrite[] }
  | { readonly kind: 'read' | 'return'; readonly reader: number }
  | { readonly kind: 'turn' }
  | { readonly kind: 'wait' };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('write' as const),
      writes: fc.array(rowWrite, { minLength: 1, maxLength: 12 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('read' as const, 'read' as const, 'return' as const),
      reader: fc.nat({ max: 2 }),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'turn' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'wait' as const }) },
);

async function run(steps: readonly Step[], readers: readonly Reader[], feed: TestFeed): Promise<void> {
  for (const one of steps) {
    if (one.kind === 'write') feed.write(one.writes);
    else if (one.kind === 'turn') await turn();
    else if (one.kind === 'wait') feed.clock.advance(25);
    else {
      const reader = readers[one.reader % readers.length];
      if (one.kind === 'read') reader?.read();
      else reader?.comeBack();
    }
  }
  // All clients read until they have everything: one without events learns so by heartbeats.
  for (let round = 0; readers.some(({ index }) => index < feed.index()); round += 1) {
    if (round > 10_000) throw new Error('A reader never reaches the index of the feed');
    for (const reader of readers) reader.read();
    feed.clock.advance(round % 8 === 7 ? 10_000 : 25);
    await turn();
  }
}

async function proveAll(
  queries: readonly RequestSpec[],
  steps: readonly Step[],
  feed: TestFeed,
): Promise<readonly Reader[]> {
  const readers = queries.map((given, at) => new Reader(feed.hub, given, at === 0 ? 0 : null));
  for (const reader of readers) reader.read();
  await run(steps, readers, feed);
  for (const reader of readers) reader.close();
  return readers;
}

describe('the events of a stream', () => {
  const queries = fc.array(requests, { minLength: 1, maxLength: 4 });
  const stepsOf = fc.array(step, { maxLength: 40 });

  it('are those of a scan of each change, in order, once, however it is read and resumed', async () => {
    await fc.assert(
      fc.asyncProperty(
        queries,
        stepsOf,
        fc.constantFrom(1, 2_000, 100_000),
        async (given, steps, maxQueued) => {
          const feed = createFeed(defaultChangeFeedLimits, maxQueued);
          const readers = await proveAll(given, steps, feed);
          for (const [at, reader] of readers.entries()) {
            const one = given[at];
            if (one === undefined) throw new Error('A reader without a request');
            expect(reader.reported).toEqual(expectedOf(one, feed.groups).map(([, name]) => name));
            expect(reader.gaps).toEqual([]);
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  it('are delivered or reported as missing, if the feed is short', async () => {
    let gaps = 0;
    await fc.assert(
      fc.asyncProperty(
        queries,
        stepsOf,
        // A few writes fill the feed: most runs have readers who miss something.
        fc.integer({ min: 2, max: 20 }),
        async (given, steps, maxChanges) => {
          const feed = createFeed({ ...defaultChangeFeedLimits, maxChanges }, 1);
          const readers = await proveAll(given, steps, feed);
          for (const [at, reader] of readers.entries()) {
            const one = given[at];
            if (one === undefined) throw new Error('A reader without a request');
            const all = expectedOf(one, feed.groups);
            const reported = new Set(reader.reported);
            expect(reported.size).toBe(reader.reported.length);
            const isMissing = (index: number): boolean =>
              reader.gaps.some(([from, to]) => from <= index && index <= to);
            expect(reader.reported).toEqual(all.map(([, name]) => name).filter((name) => reported.has(name)));
            expect(all.filter(([index, name]) => !reported.has(name) && !isMissing(index))).toEqual([]);
            gaps += reader.gaps.length;
          }
        },
      ),
      { numRuns: 150 },
    );
    expect(gaps).toBeGreaterThan(0);
  });
});

const everything: RequestSpec = {
  namespace: '*',
  topics: [{ table: 'jobs', keys: null, filter: '', verify: () => true }],
  readable: ['a', 'b', 'c'],
};
const job = (id: string, priority: number | null = 7): RowWrite => ({
  table: 'jobs',
  id,
  namespace: 'a',
  priority,
});

/** Delivers everything there is to all readers. */
async function settle({ clock }: TestFeed): Promise<void> {
  for (let round = 0; round < 20; round += 1) {
    clock.advance(25);
    await turn();
  }
}

describe('a stream', () => {
  it('reports that the state was replaced, and continues with later events', async () => {
    const feed = createFeed(defaultChangeFeedLimits, 1);
    const reader = new Reader(feed.hub, everything, null);
    reader.read();
    feed.write([job('x')]);
    feed.replace();
    feed.write([job('y')]);
    await settle(feed);
    reader.read();
    await settle(feed);
    reader.read();
    expect(reader.gaps).toEqual([[1, 2, 'state-replaced']]);
    expect(reader.reported).toEqual(['3 Job a y 7']);
    reader.close();
  });

  it('reports queued events as missing if the state is replaced before they are read', async () => {
    const feed = createFeed(defaultChangeFeedLimits, 1);
    const reader = new Reader(feed.hub, everything, 0);
    reader.read();
    // The queue holds one event, so the second is left in the feed.
    for (const id of ['x', 'y']) feed.write([job(id)]);
    feed.replace();
    await settle(feed);
    reader.read();
    expect(reader.reported).toEqual([]);
    expect(reader.gaps).toEqual([[1, 3, 'state-replaced']]);
    reader.close();
  });

  it('without a reader stays within its memory limit, and reports what is missing', async () => {
    const feed = createFeed({ ...defaultChangeFeedLimits, maxChanges: 10 }, 20_000);
    const params = queryOf(everything);
    const permission = permissionFor(params, everything.readable);
    const authorise = (): EventPermission => permission;
    const stream = feed.hub.open(params, {
      ...{ from: null, isReplaced: false, format: jsonLines, permission, authorise },
    });
    const healthy = new Reader(feed.hub, everything, null);
    healthy.read();
    stream.read(0);
    for (let at = 0; at < 200; at += 1) {
      feed.write([job('x', 7 + (at % 2))]);
      await settle(feed);
      healthy.read();
    }
    expect(stream.readableLength).toBeLessThan(100_000);
    expect(healthy.reported).toHaveLength(200);
    let text = '';
    for (let round = 0; round < 20; round += 1) {
      for (let chunk: unknown = stream.read(); chunk !== null; chunk = stream.read()) text += String(chunk);
      await settle(feed);
    }
    expect(text).toContain('"Code":"reader-too-slow"');
    const frames = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as StreamedFrame);
    expect(frames.at(-1)?.Index ?? 0).toBe(200);
    stream.destroy();
    healthy.close();
  });

  it('reports that the requested events are no longer retained', async () => {
    const feed = createFeed({ ...defaultChangeFeedLimits, maxChanges: 2 }, 20_000);
    for (const id of ['x', 'y', 'z']) feed.write([job(id)]);
    const reader = new Reader(feed.hub, everything, 1);
    reader.read();
    expect(reader.gaps).toEqual([[1, 3, 'index-gone']]);
    feed.write([job('x', 30)]);
    await settle(feed);
    reader.read();
    expect(reader.reported).toEqual(['4 Job a x 30']);
    const all = new Reader(feed.hub, everything, 0);
    all.read();
    expect(all.reported).toEqual(['3 Job a z 7', '4 Job a x 30']);
    for (const each of [reader, all]) each.close();
  });

  it('sends a large group in parts, of which only the last has its index', async () => {
    const feed = createFeed(defaultChangeFeedLimits, 131_072);
    const reader = new Reader(feed.hub, everything, null);
    reader.read();
    const ids = Array.from({ length: 300 }, (_, at) => `job-${at}`);
    feed.write(ids.map((id) => job(id)));
    for (let round = 0; round < 40 && reader.index < 1; round += 1) {
      await settle(feed);
      reader.read();
    }
    expect(reader.reported).toHaveLength(300);
    expect(new Set(reader.reported).size).toBe(300);
    reader.close();
  });

  it('takes room only while it is there', async () => {
    const feed = createFeed(defaultChangeFeedLimits, 20_000);
    const readers = Array.from({ length: 10 }, () => new Reader(feed.hub, everything, null));
    expect(() => new Reader(feed.hub, everything, null)).toThrow(
      'More than 10 event streams are open, try later',
    );
    for (const reader of readers) reader.close();
    await turn();
    const again = new Reader(feed.hub, everything, null);
    expect(again.reported).toEqual([]);
    again.close();
  });
});
