import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { layoutOf } from '../../src/log/layout.js';
import { methods } from '../../src/protocol/methods.js';
import { deleteOperation, prefixRange, putOperation, rangeRequest } from '../../src/protocol/requests.js';
import { createFakeClock, type FakeClock } from '../support/fake-clock.js';
import { createModelEtcd, type Fault, type ModelEtcd } from '../support/model-etcd.js';
import { createModelStore } from '../support/model-store.js';
import { startReplica, type Replica, type ReplicaCommit } from './replica.js';

const layout = layoutOf('/x/');

/** A cluster in miniature: servers over one model of etcd, whose leader the test names. */
interface Scene {
  readonly clock: FakeClock;
  readonly etcd: ModelEtcd;
  readonly replicas: Replica[];
  /** The result of an operation that may wait for timers. */
  drive<T>(promise: Promise<T>): Promise<T>;
  /** Goes on until it is so: compression is done by threads, which no clock of a test moves. */
  eventually(isSo: () => boolean): Promise<void>;
  /** Elects another leader, and returns its term. */
  elect(): number;
}

function createScene(count: number): Scene {
  const clock = createFakeClock();
  const etcd = createModelEtcd(createModelStore(), clock);
  return {
    clock,
    etcd,
    replicas: Array.from({ length: count }, () => startReplica(etcd, clock)),
    async drive(promise) {
      let isDone = false;
      const done = promise.finally(() => (isDone = true));
      done.catch(() => undefined);
      while (!isDone) await clock.advance(50);
      return done;
    },
    async eventually(isSo) {
      while (!isSo()) await clock.advance(50);
    },
    elect() {
      const transaction = (success: Parameters<typeof etcd.store.txn>[0]['success']): number =>
        Number(etcd.store.txn({ compare: [], success, failure: [] }).header!.revision);
      transaction([deleteOperation({ key: layout.leader })]);
      return transaction([putOperation(layout.leader, Buffer.from('somebody'))]);
    },
  };
}

/** The rows as etcd has them, with a staged commit in its place. */
async function storedRows(scene: Scene): Promise<Map<string, string>> {
  const fresh = startReplica(scene.etcd, scene.clock);
  await scene.eventually(() => fresh.notified.length > 0);
  await scene.drive(fresh.stop());
  return fresh.rows;
}

/** The names of commits that are in the log, in order. */
function committedIds({ etcd }: Scene): string[] {
  const { key } = prefixRange(layout.head);
  const heads = etcd.store.history(Buffer.from(key), Buffer.alloc(0), 0n).flat();
  const ids = heads.map(({ kv }) => (JSON.parse(kv!.value.toString()) as { id: string }).id);
  return ids.filter((id, n) => id !== ids[n - 1]);
}

/** More rows than one transaction takes. */
const many = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`many/${n}`, `${n}`]));

describe('a log', () => {
  it('gives every follower the same commits, in their order', async () => {
    const scene = createScene(3);
    const [one, two, three] = scene.replicas as [Replica, Replica, Replica];
    const term = scene.elect();
    await scene.clock.advance(500);
    expect(await scene.drive(one.append({ id: 'a', term, rows: { x: '1', y: '1' } }))).toMatchObject({
      kind: 'committed',
    });
    await scene.clock.advance(100);
    expect(await scene.drive(one.append({ id: 'b', term, rows: { x: '2', y: undefined } }))).toMatchObject({
      kind: 'committed',
    });
    await scene.clock.advance(100);
    for (const { rows, notified } of [one, two, three]) {
      expect([...rows]).toEqual([['x', '2']]);
      expect(notified).toEqual(['reset', 'a', 'b']);
    }
    expect(one.log.head()).toMatchObject({ id: 'b', state: 'state of b', staged: 0 });
  });

  it('refuses a commit that follows another one, and one of a leader that leads no more', async () => {
    const scene = createScene(2);
    const [one, two] = scene.replicas as [Replica, Replica];
    const term = scene.elect();
    await scene.clock.advance(500);
    await scene.drive(one.append({ id: 'a', term, rows: { x: '1' } }));
    expect(await scene.drive(one.append({ id: 'b', term, after: '', rows: { x: '2' } }))).toMatchObject({
      kind: 'conflict',
      head: { id: 'a' },
    });
    await scene.clock.advance(100);
    scene.elect();
    expect(await scene.drive(two.append({ id: 'c', term, rows: { x: '3' } }))).toMatchObject({
      kind: 'notLeader',
      head: { id: 'a' },
    });
    expect(committedIds(scene)).toEqual(['a']);
  });

  it('merges changes of one row', async () => {
    const scene = createScene(1);
    const [one] = scene.replicas as [Replica];
    const term = scene.elect();
    await scene.clock.advance(500);
    const changes = ['1', undefined, '2'].map((text) => ({
      key: 'x',
      value: text === undefined ? text : Buffer.from(text),
    }));
    const outcome = await scene.drive(one.log.append({ id: 'a', term, after: '', state: '', changes }));
    expect(outcome).toMatchObject({ kind: 'committed' });
    await scene.clock.advance(100);
    expect([...one.rows]).toEqual([['x', '2']]);
  });

  it('stages a commit that is too large for a transaction, unpacks it before the next, and lets loaders see it', async () => {
    const scene = createScene(2);
    const [one, two] = scene.replicas as [Replica, Replica];
    const term = scene.elect();
    await scene.clock.advance(500);
    await scene.drive(one.append({ id: 'small', term, rows: { 'many/7': 'old', other: '1' } }));
    await scene.clock.advance(100);
    expect(
      await scene.drive(one.append({ id: 'large', term, rows: { ...many, other: undefined } })),
    ).toMatchObject({ kind: 'committed', head: { staged: 1 } });
    await scene.eventually(() => two.lastId() === 'large' && one.lastId() === 'large');
    expect(new Map(two.rows)).toEqual(new Map(Object.entries(many)));
    expect(await storedRows(scene)).toEqual(two.rows);
    expect(await scene.drive(one.append({ id: 'next', term, rows: { other: '2' } }))).toMatchObject({
      kind: 'committed',
      head: { staged: 0 },
    });
    await scene.eventually(() => two.lastId() === 'next');
    expect(two.notified).toEqual(['reset', 'small', 'large', 'next']);
    expect(await storedRows(scene)).toEqual(new Map([...Object.entries(many), ['other', '2']]));
    const chunks = scene.etcd.store.range(rangeRequest(prefixRange(layout.chunks)));
    expect(chunks.kvs).toEqual([]);
  });

  it('refuses a row that could never be put, before anything is', async () => {
    const scene = createScene(1);
    const [one] = scene.replicas as [Replica];
    const term = scene.elect();
    await scene.clock.advance(500);
    const { revision } = scene.etcd.store.header();
    await expect(
      scene.drive(one.append({ id: 'a', term, rows: { ...many, big: 'x'.repeat(1 << 20) } })),
    ).rejects.toMatchObject({
      code: 'too-large',
      message: 'etcd log: row big has 1048579 bytes with its key, the limit is 1048576',
    });
    expect(scene.etcd.store.header().revision).toBe(revision);
  });

  it('wants an unknown outcome settled before anything else', async () => {
    const scene = createScene(1);
    const [one] = scene.replicas as [Replica];
    const term = scene.elect();
    await scene.clock.advance(500);
    scene.etcd.fault = (method) => (method === methods.txn.path ? 'unanswered' : 'none');
    const first = { id: 'a', term, after: '', rows: { x: '1' } };
    expect(await scene.drive(one.append(first))).toMatchObject({ kind: 'unknown', isFinal: false });
    scene.etcd.fault = () => 'none';
    await expect(scene.drive(one.append({ ...first, id: 'b' }))).rejects.toMatchObject({ code: 'refused' });
    expect(await scene.drive(one.append(first))).toMatchObject({ kind: 'committed' });
    expect(committedIds(scene)).toEqual(['a']);
  });

  it('retries pending requests soon when etcd lost its leader', async () => {
    const scene = createScene(1);
    const [one] = scene.replicas as [Replica];
    const term = scene.elect();
    await scene.clock.advance(500);
    const lost = [methods.txn.path, methods.range.path];
    scene.etcd.fault = (method) => (lost[0] === method && lost.shift() !== undefined ? 'silent' : 'none');
    const started = scene.clock.now();
    const commit = { id: 'a', term, after: '', rows: { x: '1' } };
    expect(await scene.drive(one.append(commit))).toMatchObject({ kind: 'unknown', isFinal: false });
    expect(await scene.drive(one.append(commit))).toMatchObject({ kind: 'committed' });
    await scene.drive(one.log.refresh());
    expect(lost).toEqual([]);
    // By the clock of the test: each of them took no more than its first try.
    expect(scene.clock.now() - started).toBeLessThan(2 * 2_000);
    expect(committedIds(scene)).toEqual(['a']);
  });

  it('learns from the watch the result of a commit whose leader was lost', async () => {
    for (const fault of ['unanswered', 'lost'] as const) {
      const scene = createScene(2);
      const [one, two] = scene.replicas as [Replica, Replica];
      const term = scene.elect();
      await scene.clock.advance(500);
      scene.etcd.fault = (method) => (method === methods.txn.path ? fault : 'none');
      const commit = { id: 'a', term, after: '', rows: { x: '1' } };
      await scene.drive(one.append(commit));
      scene.etcd.fault = () => 'none';
      const next = scene.elect();
      await scene.clock.advance(100);
      expect(await scene.drive(two.append({ id: 'b', term: next, rows: { y: '1' } }))).toMatchObject({
        kind: 'committed',
      });
      expect(await scene.drive(one.append(commit))).toMatchObject({
        kind: fault === 'lost' ? 'notLeader' : 'committed',
      });
    }
  });

  it('does not guess the result of a commit if the required revisions are gone', async () => {
    const scene = createScene(2);
    const [one, two] = scene.replicas as [Replica, Replica];
    const term = scene.elect();
    await scene.clock.advance(500);
    scene.etcd.fault = (method) => (method === methods.txn.path ? 'lost' : 'none');
    const commit = { id: 'a', term, after: '', rows: { x: '1' } };
    await scene.drive(one.append(commit));
    scene.etcd.fault = (method) => (method === methods.range.path ? 'lost' : 'none');
    scene.etcd.breakStreams();
    const next = scene.elect();
    await scene.drive(two.append({ id: 'b', term: next, after: '', rows: { y: '1' } }));
    scene.etcd.store.compact(scene.etcd.store.header().revision);
    scene.etcd.fault = () => 'none';
    await scene.eventually(() => one.lastId() === 'b');
    expect(await scene.drive(one.append(commit))).toMatchObject({ kind: 'unknown', isFinal: true });
    const after = await scene.drive(one.append({ id: 'c', term, after: 'b', rows: { x: '1' } }));
    expect(after).toMatchObject({ kind: 'notLeader' });
  });

  it('says that nothing was done when etcd has no space', async () => {
    const scene = createScene(1);
    const [one] = scene.replicas as [Replica];
    const term = scene.elect();
    await scene.clock.advance(500);
    scene.etcd.store.isFull = true;
    await expect(scene.drive(one.append({ id: 'a', term, rows: { x: '1' } }))).rejects.toMatchObject({
      code: 'no-space',
    });
    scene.etcd.store.isFull = false;
    expect(await scene.drive(one.append({ id: 'b', term, rows: { x: '1' } }))).toMatchObject({
      kind: 'committed',
    });
  });

  it.each([
    ['when the head tells', false],
    ['when the head cannot be read at once', true],
  ])('knows what was done with the last of the space %s', async (_when, isUnread) => {
    const scene = createScene(1);
    const [one] = scene.replicas as [Replica];
    const term = scene.elect();
    await scene.clock.advance(500);
    const commit = { id: 'a', term, after: '', rows: { x: '1' } };
    scene.etcd.fault = (method) => (method === methods.txn.path ? 'fills' : isUnread ? 'lost' : 'none');
    const first = await scene.drive(one.append(commit));
    scene.etcd.fault = () => 'none';
    if (isUnread) expect(first).toMatchObject({ kind: 'unknown', isFinal: false });
    const known = isUnread ? await scene.drive(one.append(commit)) : first;
    expect(known).toMatchObject({ kind: 'committed', head: { id: 'a' } });
    const next = { id: 'b', term, after: 'a', rows: { y: '1' } };
    await expect(scene.drive(one.append(next))).rejects.toMatchObject({ code: 'no-space' });
    scene.etcd.store.isFull = false;
    expect(await scene.drive(one.append(next))).toMatchObject({ kind: 'committed' });
    await scene.eventually(() => one.lastId() === 'b');
    expect(one.notified).toEqual(['reset', 'a', 'b']);
  });

  it('does not take a full store for the end of a try that was lost before', async () => {
    const scene = createScene(1);
    const [one] = scene.replicas as [Replica];
    const term = scene.elect();
    await scene.clock.advance(500);
    const commit = { id: 'a', term, after: '', rows: { x: '1' } };
    scene.etcd.fault = (method) => (method === methods.txn.path ? 'late' : 'none');
    expect(await scene.drive(one.append(commit))).toMatchObject({ kind: 'unknown', isFinal: false });
    scene.etcd.fault = () => 'none';
    scene.etcd.store.isFull = true;
    expect(await scene.drive(one.append(commit))).toMatchObject({ kind: 'unknown', isFinal: false });
    scene.etcd.store.isFull = false;
    scene.etcd.deliver();
    expect(await scene.drive(one.append(commit))).toMatchObject({ kind: 'committed' });
  });

  it('begins again when the revisions that it missed are gone', async () => {
    const scene = createScene(2);
    const [one, two] = scene.replicas as [Replica, Replica];
    const term = scene.elect();
    await scene.clock.advance(500);
    await scene.drive(two.stop());
    const late = startReplica(scene.etcd, scene.clock, '/x/', '');
    await scene.drive(one.append({ id: 'a', term, rows: { x: '1' } }));
    await scene.clock.advance(500);
    scene.etcd.breakStreams();
    scene.etcd.store.compact(scene.etcd.store.header().revision + 1n);
    await scene.drive(one.append({ id: 'b', term, rows: { x: '2' } }));
    await scene.drive(one.append({ id: 'c', term, after: 'b', rows: { x: '3' } }));
    await scene.clock.advance(1_000);
    expect(late.notified).toContain('reset');
    expect([...late.rows]).toEqual([['x', '3']]);
  });

  it('begins again when the store was restored from a snapshot, though revisions and terms are the same', async () => {
    const scene = createScene(2);
    const [one, two] = scene.replicas as [Replica, Replica];
    const term = scene.elect();
    await scene.clock.advance(500);
    await scene.drive(one.append({ id: 'a', term, rows: { x: '1' } }));
    await scene.clock.advance(100);
    const snapshot = scene.etcd.store.fork();
    const elsewhere = startReplica(createModelEtcd(snapshot, scene.clock), scene.clock);
    await scene.drive(one.append({ id: 'b', term, rows: { x: '2' } }));
    await scene.clock.advance(100);
    // What has gone on elsewhere has overtaken what was followed here.
    for (const id of ['y', 'z']) {
      await scene.eventually(
        () => elsewhere.notified.length > 0 && elsewhere.lastId() === elsewhere.log.head()?.id,
      );
      await scene.drive(elsewhere.append({ id, term, rows: { [id]: '1' } }));
    }
    scene.etcd.store = snapshot;
    scene.etcd.breakStreams();
    await scene.eventually(() => [one, two].every(({ lastId }) => lastId() === 'z'));
    expect(two.notified).toEqual(['reset', 'a', 'b', 'reset']);
    expect(await scene.drive(one.append({ id: 'c', term, rows: { x: '3' } }))).toMatchObject({
      kind: 'committed',
    });
    await scene.clock.advance(100);
    for (const { rows, lastId } of [one, two]) {
      expect(lastId()).toBe('c');
      expect(Object.fromEntries(rows)).toEqual({ x: '3', y: '1', z: '1' });
    }
  });

  it('renames its history without a commit, and reports everything', async () => {
    const scene = createScene(2);
    const [one, two] = scene.replicas as [Replica, Replica];
    const term = scene.elect();
    await scene.clock.advance(500);
    expect(await scene.drive(one.log.renew(term, 'early'))).toBe('conflict');
    await scene.drive(one.append({ id: 'a', term, rows: many }));
    await scene.eventually(() => one.lastId() === 'a');
    expect(await scene.drive(one.log.renew(term, 'second'))).toBe('done');
    expect(await scene.drive(one.log.renew(term - 1, 'third'))).toBe('notLeader');
    await scene.drive(one.append({ id: 'b', term, rows: { x: '1' } }));
    await scene.eventually(() => [one, two].every(({ lastId }) => lastId() === 'b'));
    for (const { notified, log } of [one, two]) {
      expect(notified).toEqual(['reset', 'a', 'renewal second', 'b']);
      expect(log.head()).toMatchObject({ id: 'b', incarnation: 'second' });
    }
    expect(await storedRows(scene)).toEqual(new Map([...Object.entries(many), ['x', '1']]));
    expect(committedIds(scene)).toEqual(['a', 'b']);
  });

  it('is fresh when all earlier commits are applied, with one read for all callers', async () => {
    const scene = createScene(2);
    const [one, two] = scene.replicas as [Replica, Replica];
    const term = scene.elect();
    await scene.clock.advance(500);
    await scene.drive(one.append({ id: 'a', term, rows: { x: '1' } }));
    let reads = 0;
    scene.etcd.fault = () => {
      reads += 1;
      return 'none';
    };
    const first = two.log.refresh();
    await scene.drive(Promise.all([first, ...Array.from({ length: 50 }, () => two.log.refresh())]));
    expect(reads).toBe(2);
    expect(two.rows.get('x')).toBe('1');
    expect(two.log.refreshedAt()).toBeGreaterThan(0);
    scene.etcd.fault = () => 'lost';
    await expect(scene.drive(two.log.refresh())).rejects.toMatchObject({ code: 'unknown' });
  });
});

type Step =
  | {
      readonly kind: 'commit';
      readonly isLarge: boolean;
      readonly faults: readonly Fault[];
      readonly row: number;
    }
  | { readonly kind: 'elect' | 'deliver' | 'break' | 'compact' | 'wait' };

const fault = fc.constantFrom<Fault>('none', 'none', 'not-sent', 'lost', 'unanswered', 'late');
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('commit' as const),
      isLarge: fc.nat(4).map((n) => n === 0),
      faults: fc.array(fault, { maxLength: 6 }),
      row: fc.nat(3),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constantFrom('elect', 'deliver', 'break', 'compact', 'wait') }),
  },
) as fc.Arbitrary<Step>;

/** Appends until the outcome is known, as a server does; a commit that etcd refuses to take now is not there. */
async function appendUntilKnown(scene: Scene, replica: Replica, commit: ReplicaCommit): Promise<string> {
  const after = replica.lastId();
  for (let tries = 0; tries < 20; tries += 1) {
    const outcome = await scene.drive(replica.append({ after, ...commit })).catch(() => undefined);
    if (outcome === undefined) return 'refused';
    if (outcome.kind !== 'unknown') return outcome.kind;
    if (outcome.isFinal) return 'lost';
  }
  return 'unknown';
}

describe('whatever becomes of calls', () => {
  it('every commit is in the log once if it is said to be, never if not, and all followers agree', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
        const scene = createScene(2);
        let term = scene.elect();
        let leader = 0;
        let count = 0;
        const outcomes = new Map<string, string>();
        await scene.clock.advance(500);
        for (const one of steps) {
          const replica = scene.replicas[leader]!;
          if (one.kind === 'commit') {
            const faults = [...one.faults];
            scene.etcd.fault = (method) =>
              method === methods.txn.path ? (faults.shift() ?? 'none') : 'none';
            count += 1;
            const id = `c${count}`;
            const rows = one.isLarge ? { ...many, [`r${one.row}`]: undefined } : { [`r${one.row}`]: id };
            outcomes.set(id, await appendUntilKnown(scene, replica, { id, term, rows }));
            scene.etcd.fault = () => 'none';
          } else if (one.kind === 'elect') {
            leader = 1 - leader;
            term = scene.elect();
            await scene.drive(scene.replicas[leader]!.log.reached(term, 5_000));
            await scene.drive(scene.replicas[leader]!.log.finish(term));
          } else if (one.kind === 'deliver') scene.etcd.deliver((calls) => calls.reverse());
          else if (one.kind === 'break') scene.etcd.breakStreams();
          else if (one.kind === 'compact') scene.etcd.store.compact(scene.etcd.store.header().revision);
          else await scene.clock.advance(200);
        }
        scene.etcd.deliver();
        const ids = committedIds(scene);
        await scene.eventually(() => scene.replicas.every(({ lastId }) => lastId() === (ids.at(-1) ?? '')));
        expect(new Set(ids).size).toBe(ids.length);
        for (const [id, outcome] of outcomes) {
          if (outcome === 'committed') expect(ids).toContain(id);
          else if (outcome !== 'lost') expect(ids).not.toContain(id);
          expect(outcome).not.toBe('unknown');
        }
        const stored = await storedRows(scene);
        for (const { rows, notified, lastId } of scene.replicas) {
          expect(new Map([...rows].sort())).toEqual(new Map([...stored].sort()));
          expect(lastId()).toBe(ids.at(-1) ?? '');
          // Between resets nothing is left out, and nothing comes twice.
          const names = notified.filter((name) => name !== 'reset');
          expect(names).toEqual(ids.filter((id) => names.includes(id)));
        }
        await scene.drive(Promise.all(scene.replicas.map((replica) => replica.stop())));
      }),
      { numRuns: 60 },
    );
  });
});

describe('a watch that leaves something out', () => {
  /** A follower whose watch loses the responses with a commit of that name. */
  function startLeaky({ etcd, clock }: Scene, lost: string): Replica {
    const transport: typeof etcd = {
      ...etcd,
      async *stream(method, request, options) {
        for await (const response of etcd.stream(method, request, options)) {
          const isWatch = method.path === methods.watch.path;
          const isLost = isWatch && eventsOf(response).some((text) => text.includes(lost));
          if (!isLost) yield response;
        }
      },
    };
    return startReplica(transport, clock);
  }

  const eventsOf = (response: unknown): readonly string[] =>
    (response as { events: readonly { kv?: { value: Buffer } }[] }).events.map(({ kv }) => String(kv?.value));

  it('is restarted if the next commit does not follow', async () => {
    const scene = createScene(1);
    const [leader] = scene.replicas as [Replica];
    const leaky = startLeaky(scene, '"lost"');
    const term = scene.elect();
    await scene.clock.advance(500);
    for (const id of ['a', 'lost', 'b']) {
      await scene.drive(leader.append({ id, term, rows: { [id]: id } }));
      await scene.clock.advance(100);
    }
    await scene.eventually(() => leaky.rows.size === 3);
    expect(leaky.notified).toEqual(['reset', 'a', 'reset']);
    expect(leaky.rows).toEqual(leader.rows);
    await scene.drive(Promise.all([leader.stop(), leaky.stop()]));
  });

  it('has not reported what a read finds, although it has reported a later change', async () => {
    const scene = createScene(1);
    const [leader] = scene.replicas as [Replica];
    const leaky = startLeaky(scene, '"lost"');
    const term = scene.elect();
    await scene.clock.advance(500);
    await scene.drive(leader.append({ id: 'a', term, rows: { a: 'a' } }));
    await scene.drive(leader.append({ id: 'lost', term, rows: { b: 'b' } }));
    const later = putOperation('/x/s/one', Buffer.from('a server'));
    scene.etcd.store.txn({ compare: [], success: [later], failure: [] });
    await scene.clock.advance(100);
    expect([...leaky.rows.keys()]).toEqual(['a']);
    const outcomes: boolean[] = [];
    while (outcomes.at(-1) !== true) {
      const found = await scene.drive(
        leaky.log.refresh().then(
          () => true,
          () => false,
        ),
      );
      outcomes.push(found);
      if (found) expect(leaky.rows.get('b')).toBe('b');
      expect(outcomes.length).toBeLessThan(20);
      await scene.clock.advance(100);
    }
    expect(outcomes[0]).toBe(false);
    await scene.drive(Promise.all([leader.stop(), leaky.stop()]));
  });
});
