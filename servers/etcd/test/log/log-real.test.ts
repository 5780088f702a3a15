import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  compactTo,
  joinElection,
  renewLease,
  memberStatus,
  monotonicClock,
  raisedAlarms,
  saveSnapshot,
  type CommitOutcome,
  type Connection,
  type Election,
  type LeaseRenewer,
} from '../../src/index.js';
import { loadRange } from '../../src/log/load.js';
import { methods } from '../../src/protocol/methods.js';
import { prefixRange, putOperation, rangeRequest } from '../../src/protocol/requests.js';
import { startCluster, type Cluster } from '../support/etcd-cluster.js';
import { etcdMissing } from '../support/etcd-process.js';
import { until } from '../support/until.js';
import { startReplica, type Replica, type ReplicaCommit } from './replica.js';

const skipped = etcdMissing === undefined ? '' : ` (skipped: ${etcdMissing})`;

/** A server with everything that this kit has. */
interface Server {
  readonly connection: Connection;
  readonly lease: LeaseRenewer;
  readonly election: Election;
  readonly replica: Replica;
}

function startServer(cluster: Cluster, name: string, prefix: string): Server {
  const connection = cluster.connect();
  const lease = renewLease({ transport: connection, clock: monotonicClock, ttl: 3 });
  const key = `${prefix}leader`;
  const election = joinElection({ transport: connection, clock: monotonicClock, lease, key });
  election.campaign({ name, address: '127.0.0.1:1' });
  return { connection, lease, election, replica: startReplica(connection, monotonicClock, prefix) };
}

async function stopServer({ connection, lease, election, replica }: Server): Promise<void> {
  election.close();
  await Promise.all([replica.stop(), lease.close()]);
  connection.close();
}

/** The one server that leads, as soon as it has applied all that was committed before. */
async function leaderOf(servers: readonly Server[]): Promise<Server & { readonly term: number }> {
  for (;;) {
    const leader = await until(() => servers.find(({ election }) => election.current()?.isOwn === true));
    const { term } = leader.election.current()!;
    if (await leader.replica.log.reached(term, 10_000)) return { ...leader, term };
  }
}

/** Commits by the current leader, until it is known to be in the log. */
async function commit(servers: readonly Server[], { id, rows }: Omit<ReplicaCommit, 'term'>): Promise<void> {
  for (;;) {
    const { replica, term } = await leaderOf(servers);
    const outcome = await appendUntilKnown(replica, { id, term, rows, after: replica.lastId() });
    if (outcome === 'committed') return;
    // What was committed last may not be applied yet.
    await until(() => replica.log.head()?.id === replica.lastId());
  }
}

async function appendUntilKnown(replica: Replica, one: ReplicaCommit): Promise<CommitOutcome['kind']> {
  for (;;) {
    const outcome = await replica.append(one).catch(() => ({ kind: 'conflict' as const }));
    if (outcome.kind !== 'unknown') return outcome.kind;
    expect(outcome.isFinal).toBe(false);
  }
}

describe.skipIf(etcdMissing !== undefined)(`a log on three members${skipped}`, () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster({ members: 3 });
  });
  afterAll(() => cluster.stop());

  it('loses no commit and repeats none while members are killed and frozen', async () => {
    const servers = ['one', 'two'].map((name) => startServer(cluster, name, '/faults/'));
    const ids: string[] = [];
    const troubles = [
      (n: number) => cluster.members[n]!.kill(),
      (n: number) => cluster.members[n]!.start(),
      (n: number) => Promise.resolve(cluster.members[n]!.freeze()),
      (n: number) => Promise.resolve(cluster.members[n]!.thaw()),
    ];
    for (let n = 0; n < 48; n += 1) {
      if (n % 4 === 0) await troubles[(n / 4) % 4]!(Math.floor(n / 16));
      ids.push(`c${n}`);
      await commit(servers, { id: `c${n}`, rows: { last: `${n}`, [`row${n}`]: '1' } });
    }
    await until(() => servers.every(({ replica }) => replica.lastId() === 'c47'));
    for (const { replica } of servers) {
      expect(replica.notified.filter((name) => name !== 'reset')).toEqual(ids);
      expect(replica.rows.size).toBe(49);
    }
    await Promise.all(servers.map(stopServer));
  });

  it('takes 5,000 rows as one commit', async () => {
    const servers = ['one', 'two'].map((name) => startServer(cluster, name, '/large/'));
    const rows = Object.fromEntries(
      Array.from({ length: 5_000 }, (_, n) => [`allocs/${n}`, 'x'.repeat(1_400)]),
    );
    await commit(servers, { id: 'large', rows });
    await until(() => servers.every(({ replica }) => replica.rows.size === 5_000));
    await commit(servers, { id: 'small', rows: { other: '1' } });
    await until(() => servers.every(({ replica }) => replica.rows.size === 5_001));
    const { kvs } = await servers[0]!.connection.call(methods.range, rangeRequest(prefixRange('/large/c/')));
    expect(kvs).toEqual([]);
    await Promise.all(servers.map(stopServer));
  });

  it('is handed over when its leader resigns', async () => {
    const servers = ['one', 'two'].map((name) => startServer(cluster, name, '/resign/'));
    const first = await leaderOf(servers);
    await first.election.resign();
    const second = await leaderOf(servers);
    expect(second.connection).not.toBe(first.connection);
    expect(second.term).toBeGreaterThan(first.term);
    const late = await first.replica.append({ id: 'late', term: first.term, rows: { x: '1' } });
    expect(late.kind).toBe('notLeader');
    await Promise.all(servers.map(stopServer));
  });

  it('lists its members', async () => {
    const connection = cluster.connect();
    const members = await memberStatus(connection);
    expect(members.map(({ url }) => url)).toEqual(cluster.urls);
    expect(members.filter((member) => 'isLeader' in member && member.isLeader)).toHaveLength(1);
    expect(await raisedAlarms(connection)).toEqual([]);
  });
});

describe.skipIf(etcdMissing !== undefined)(`a log on one member${skipped}`, () => {
  let cluster: Cluster;
  const folder = mkdtempSync(join(tmpdir(), 'etcd-snapshot-'));
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(async () => {
    await cluster.stop();
    rmSync(folder, { recursive: true });
  });

  it('begins again for a follower whose revisions are gone', async () => {
    const server = startServer(cluster, 'one', '/compacted/');
    await commit([server], { id: 'a', rows: { x: '1' } });
    const frozen = startReplica(cluster.connect(), monotonicClock, '/compacted/');
    await until(() => frozen.lastId() === 'a');
    await frozen.stop();
    await commit([server], { id: 'b', rows: { x: '2' } });
    const { header } = await server.connection.call(methods.range, rangeRequest({ key: 'x' }));
    await compactTo(server.connection, Number(header!.revision));
    await compactTo(server.connection, Number(header!.revision));
    const late = startReplica(cluster.connect(), monotonicClock, '/compacted/', 'a');
    await until(() => late.rows.get('x') === '2');
    expect(late.notified).toEqual(['reset']);
    await Promise.all([stopServer(server), late.stop()]);
  });

  it('goes back to a snapshot that was restored under it', async () => {
    const servers = ['one', 'two'].map((name) => startServer(cluster, name, '/restored/'));
    await commit(servers, { id: 'a', rows: { x: '1' } });
    const file = join(folder, 'snapshot.db');
    expect(await saveSnapshot(cluster.connect(), file)).toBeGreaterThan(10_000);
    await commit(servers, { id: 'b', rows: { x: '2' } });
    await until(() => servers.every(({ replica }) => replica.rows.get('x') === '2'));
    await cluster.restore(file);
    await until(() => servers.every(({ replica }) => replica.rows.get('x') === '1'));
    expect(servers.map(({ replica }) => replica.lastId())).toEqual(['a', 'a']);
    await commit(servers, { id: 'c', rows: { y: '3' } });
    await until(() => servers.every(({ replica }) => replica.rows.get('y') === '3'));
    for (const { replica } of servers) expect(Object.fromEntries(replica.rows)).toEqual({ x: '1', y: '3' });
    await Promise.all(servers.map(stopServer));
  });

  it('loads each key of a large range once', async () => {
    const connection = cluster.connect();
    const keys = [
      ...Array.from(
        { length: 70_000 },
        (_, n) => `/load/a/${((n * 7_919) % 70_000).toString(16).padStart(5, '0')}`,
      ),
      ...Array.from({ length: 12_000 }, (_, n) => `/load/é/${n}`),
      ...['/load/', '/load/~', '/load/z', '/load/\u007f'],
    ];
    for (let at = 0; at < keys.length; at += 120) {
      const success = keys.slice(at, at + 120).map((key) => putOperation(key, Buffer.from('x')));
      await connection.call(methods.txn, { compare: [], success, failure: [] });
    }
    const { header } = await connection.call(methods.range, rangeRequest({ key: 'x' }));
    await connection.call(methods.txn, {
      compare: [],
      success: [putOperation('/load/late', Buffer.of())],
      failure: [],
    });
    const loaded: string[] = [];
    const dependencies = {
      transport: connection,
      clock: monotonicClock,
      signal: new AbortController().signal,
    };
    for await (const page of loadRange(dependencies, prefixRange('/load/'), Number(header!.revision)))
      for (const { key } of page) loaded.push(key.toString());
    expect(loaded.length).toBe(keys.length);
    expect(new Set(loaded)).toEqual(new Set(keys));
  });
});
