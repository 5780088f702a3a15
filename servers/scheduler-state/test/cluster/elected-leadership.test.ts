import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, monotonicClock, saveSnapshot, type Connection } from '@tamis/etcd';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createStampClock, type StampClock } from '@tamis/scheduler-model/base/clock.js';
import type { ElectedLeadership } from '@tamis/scheduler-state/cluster/elected-leadership.js';
import { createNamespace } from '@tamis/scheduler-state/cluster/cluster-rows.js';
import type { RegisteredServer } from '@tamis/scheduler-state/cluster/server-list.js';
import { termOf } from '@tamis/scheduler-state/cluster/leadership.js';
import { tableShapes } from '@tamis/scheduler-model/resources.js';
import { openState, type State } from '@tamis/scheduler-state/state/state.js';
import { joinInEtcd } from '@tamis/scheduler-state/drivers/open-etcd.js';
import { createEtcdStorage } from '@tamis/scheduler-state/storage/etcd/etcd-storage.js';
import { systemClock } from '@tamis/http';
import { etcdMissing, startCluster, type Cluster } from '../support/etcd-logs.js';
import { until } from '../../../scheduler-model/test/support/until.js';

const skipped = etcdMissing === undefined ? '' : ` (skipped: ${etcdMissing})`;
const prefix = '/scheduler/global/';

interface Server {
  readonly name: string;
  readonly connection: Connection;
  readonly leadership: ElectedLeadership;
  readonly state: State;
  readonly stamps: StampClock;
}

/** A server as the others find it. */
function registered(name: string): RegisteredServer {
  const address = `${name}:4647`;
  return { name, address, httpAddress: `http://${name}:4646`, gossipPort: 4648, tags: { role: 'scheduler' } };
}

async function startServer(
  cluster: Cluster,
  name: string,
  { bootstrapExpect = 1, leaseTtl = 2 } = {},
): Promise<Server> {
  const connection = connect({ endpoints: cluster.urls });
  const stamps = createStampClock(systemClock);
  const storage = createEtcdStorage({
    connection,
    clock: monotonicClock,
    prefix,
    shapes: tableShapes,
    stamps,
  });
  const leadership = joinInEtcd({
    ...{ connection, prefix, clock: systemClock, storage, leaseTtl },
    self: { name, address: `${name}:4647` },
    bootstrapExpect,
    hasMutualTls: true,
    failed: () => undefined,
    uncompacted: () => undefined,
    displaced: () => undefined,
    disagrees: () => undefined,
    contact: () => undefined,
  });
  const term = (): number | null => termOf(leadership.current());
  const state = await openState({ storage, clock: systemClock, term });
  leadership.stand(registered(name));
  return { name, connection, leadership, state, stamps };
}

async function stopServer({ connection, leadership, state }: Server): Promise<void> {
  await leadership.close();
  await state.close();
  connection.close();
}

function add({ state }: Server, name: string): Promise<void> {
  return state.write((transaction) => {
    transaction.put('namespaces', createNamespace(name, '', transaction.index));
  });
}

describe.skipIf(etcdMissing !== undefined)(`leadership by an election in etcd${skipped}`, () => {
  let cluster: Cluster;
  let servers: Server[];

  beforeEach(async () => {
    cluster = await startCluster();
    servers = await Promise.all(['a', 'b', 'c'].map((name) => startServer(cluster, name)));
  });
  afterEach(async () => {
    await Promise.all(servers.map(stopServer));
    await cluster.stop();
  });

  function leading(): Server | undefined {
    return servers.find(({ leadership }) => leadership.current().location === 'here');
  }

  async function leader(): Promise<Server> {
    await until(() => leading() !== undefined);
    return leading()!;
  }

  it('has one leader, whom the others name', async () => {
    const first = await leader();
    const { leadership } = first;
    const term = termOf(leadership.current());
    await until(() => servers.every((server) => server.leadership.current().location !== 'nobody'));
    for (const server of servers) {
      expect(server.leadership.current()).toEqual({
        location: server === first ? 'here' : 'there',
        server: { name: first.name, address: `${first.name}:4647` },
        term,
      });
    }
    await until(() => servers.every((server) => server.leadership.contact().knownLeader));
    expect(leadership.contact()).toEqual({ lastContact: 0, knownLeader: true });
  });

  it('knows the servers that are there', async () => {
    await leader();
    const names = (): string[] =>
      servers.map(({ leadership }) =>
        leadership.servers
          .all()
          .map(({ name }) => name)
          .join(' '),
      );
    await until(() => names().every((text) => text === 'a b c'));
    expect(servers[0]!.leadership.servers.all()[1]).toEqual(registered('b'));
    const [last] = servers.splice(2, 1) as [Server];
    await stopServer(last);
    await until(() => names().every((text) => text === 'a b'));
  });

  it('goes over when a leader resigns, with everything that was written', async () => {
    const first = await leader();
    await add(first, 'x');
    await first.leadership.resign();
    expect(first.leadership.current().location).not.toBe('here');
    await until(() => leading() !== undefined && leading() !== first);
    const second = await leader();
    expect(termOf(second.leadership.current())).toBeGreaterThan(1);
    expect(second.state.snapshot().index).toBe(first.state.snapshot().index);
    await add(second, 'y');
    await expect(add(first, 'z')).rejects.toMatchObject({ code: 'no-leader' });
    await until(() => first.state.snapshot().index === second.state.snapshot().index);
  });

  it('goes over when a leader is cut off from etcd', async () => {
    const first = await leader();
    await add(first, 'x');
    first.connection.close();
    await until(() => leading() !== undefined && leading() !== first);
    expect(first.leadership.current().location).toBe('nobody');
    const second = await leader();
    await add(second, 'y');
    expect(second.state.snapshot().index).toBe(first.state.snapshot().index + 1);
  });

  it('is unknown while etcd does not respond, and known again afterwards', async () => {
    const first = await leader();
    await add(first, 'x');
    cluster.members[0]!.freeze();
    await until(() => servers.every(({ leadership }) => !leadership.contact().knownLeader));
    expect(leading()).toBeUndefined();
    const requests = first.leadership.require(new AbortController().signal);
    cluster.members[0]!.thaw();
    expect((await requests).location).not.toBe('nobody');
    await add(await leader(), 'y');
  });

  it('rejects pending callers when it is closed', async () => {
    const { leadership } = await leader();
    cluster.members[0]!.freeze();
    await until(() => leadership.current().location === 'nobody');
    const requests = leadership.require(new AbortController().signal);
    const refused = expect(requests).rejects.toMatchObject({ code: 'no-leader' });
    await leadership.close();
    await refused;
    cluster.members[0]!.thaw();
  });
});

describe.skipIf(etcdMissing !== undefined)(`the first election of all in etcd${skipped}`, () => {
  it('waits until enough servers are there, and later ones do not', async () => {
    const cluster = await startCluster();
    onTestFinished(() => cluster.stop());
    const servers = [
      await startServer(cluster, 'a', { bootstrapExpect: 3 }),
      await startServer(cluster, 'b', { bootstrapExpect: 3 }),
    ];
    const leading = (): Server | undefined =>
      servers.find(({ leadership }) => leadership.current().location === 'here');
    await until(() => servers.every(({ leadership }) => leadership.servers.all().length === 2));
    const { current } = servers[0]!.leadership;
    await expect(servers[0]!.leadership.require(AbortSignal.timeout(1_000))).rejects.toThrow();
    expect(current()).toEqual({ location: 'nobody' });
    servers.push(await startServer(cluster, 'c', { bootstrapExpect: 3 }));
    await until(() => leading() !== undefined);
    await add(leading()!, 'x');
    await Promise.all(servers.splice(0).map(stopServer));
    servers.push(await startServer(cluster, 'd', { bootstrapExpect: 3 }));
    await until(() => leading() !== undefined);
    await Promise.all(servers.map(stopServer));
  });
});

describe.skipIf(etcdMissing !== undefined)(`servers whose etcd is restored from a snapshot${skipped}`, () => {
  it('take up its contents and its index as another history', async () => {
    const cluster = await startCluster();
    onTestFinished(() => cluster.stop());
    const file = join(mkdtempSync(join(tmpdir(), 'snapshot-')), 'snapshot.db');
    const servers = [await startServer(cluster, 'a'), await startServer(cluster, 'b')];
    const quoted = (): string[] =>
      servers.map(({ state }) => {
        const { index, incarnation, tables } = state.snapshot();
        return `${incarnation} ${index} ${tables.namespaces.primary.size}`;
      });
    const leading = (): Server | undefined =>
      servers.find(({ leadership }) => leadership.current().location === 'here');
    const agree = (): boolean => new Set(quoted()).size === 1;
    await until(() => leading() !== undefined);
    await add(leading()!, 'x');
    await until(agree);
    const before = servers[0]!.state.snapshot();
    expect(before).toMatchObject({ index: 1 });
    expect(before.incarnation).toBeGreaterThan(0);
    await saveSnapshot(servers[0]!.connection, file);
    await add(leading()!, 'y');
    await add(leading()!, 'z');
    await until(agree);
    await cluster.restore(file);
    const isNew = ({ state }: Server): boolean => state.snapshot().incarnation > before.incarnation;
    await until(() => servers.every(isNew));
    expect(servers.map(({ state }) => state.snapshot().index)).toEqual([1, 1]);
    expect(servers[1]!.state.snapshot().generation).toBeGreaterThan(before.generation);
    await until(() => leading() !== undefined);
    await add(leading()!, 'other');
    await until(agree);
    expect(servers[0]!.state.snapshot().index).toBe(2);
    await Promise.all(servers.map(stopServer));
  });
});

describe.skipIf(etcdMissing !== undefined)(`a server that died as the leader${skipped}`, () => {
  it('leads again when it comes back, although its lease has not ended', async () => {
    const cluster = await startCluster();
    onTestFinished(() => cluster.stop());
    const leaseTtl = 600;
    const first = await startServer(cluster, 'a', { leaseTtl });
    await until(() => first.leadership.current().location === 'here');
    await add(first, 'x');
    first.connection.close();
    const second = await startServer(cluster, 'a', { leaseTtl });
    await until(() => second.leadership.current().location === 'here');
    await add(second, 'y');
    expect(second.state.snapshot().index).toBe(first.state.snapshot().index + 1);
    await Promise.all([first, second].map(stopServer));
  });
});
