import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createNamespace } from '@tamis/scheduler-state/cluster/cluster-rows.js';
import type { ChangeGroup } from '@tamis/scheduler-state/state/change-feed.js';
import { openState, type State } from '@tamis/scheduler-state/state/state.js';
import { scanRows, fullRange } from 'tamis/table';
import { tableShapes } from '@tamis/scheduler-model/resources.js';
import { systemClock } from '@tamis/http';
import { etcdLogs, etcdMissing, startCluster, type Cluster } from '../support/etcd-logs.js';
import { changesIn, concurrentWrites, runTogether } from '../support/concurrent-writes.js';
import { until } from '../../../scheduler-model/test/support/until.js';

const skipped = etcdMissing === undefined ? '' : ` (skipped: ${etcdMissing})`;

/** A server's state, and the term in which it takes itself for the leader. */
interface Server {
  readonly state: State;
  term: number | null;
}

function namesOf({ state }: Server): string[] {
  return [...scanRows(state.snapshot().tables.namespaces.primary, fullRange, false)].map(({ Name }) => Name);
}

function add({ state }: Server, name: string): Promise<void> {
  return state.write((transaction) => {
    transaction.put('namespaces', createNamespace(name, '', transaction.index));
  });
}

describe.skipIf(etcdMissing !== undefined)(`states of two servers on one log in etcd${skipped}`, () => {
  let cluster: Cluster;
  let servers: readonly [Server, Server];

  beforeEach(async () => {
    cluster = await startCluster();
    const { open } = etcdLogs(cluster.connect(), '/scheduler/global/', tableShapes);
    const start = async (): Promise<Server> => {
      const server: { term: number | null; state?: State } = { term: null };
      const state = await openState({ storage: open(), clock: systemClock, term: () => server.term });
      return Object.assign(server, { state });
    };
    servers = [await start(), await start()];
  });
  afterEach(async () => {
    await Promise.all(servers.map(({ state }) => state.close()));
    await cluster.stop();
  });

  it('hold the same, each acknowledged write once, while etcd is killed and frozen', async () => {
    const [leader, follower] = servers;
    const [member] = cluster.members;
    leader.term = 1;
    const names = Array.from({ length: 40 }, (_, at) => `n${String(at).padStart(2, '0')}`);
    const troubles: Readonly<Record<string, () => Promise<void> | void>> = {
      n08: () => member!.kill(),
      n09: () => member!.start(),
      n24: () => member!.freeze(),
      n25: () => member!.thaw(),
    };
    const written: Promise<void>[] = [];
    for (const name of names) {
      written.push(add(leader, name));
      await troubles[name]?.();
      // A write with an unknown outcome blocks later ones.
      if (name !== 'n08' && name !== 'n24') await Promise.allSettled(written);
    }
    const outcomes = await Promise.allSettled(written);
    const acknowledged = names.filter((_, at) => outcomes[at]?.status === 'fulfilled');
    expect(acknowledged.length).toBeGreaterThan(30);
    await until(() => follower.state.snapshot().index === leader.state.snapshot().index);
    expect(namesOf(leader)).toEqual(acknowledged);
    expect(namesOf(follower)).toEqual(acknowledged);
    expect(follower.state.snapshot().tableIndexes).toEqual(leader.state.snapshot().tableIndexes);
  });

  it('take a new leader, and nothing more of the one before', async () => {
    const [first, second] = servers;
    first.term = 1;
    await add(first, 'a');
    await until(() => namesOf(second).includes('a'));
    second.term = 2;
    await add(second, 'b');
    await expect(add(first, 'c')).rejects.toMatchObject({ code: 'no-leader' });
    await until(() => namesOf(first).includes('b'));
    expect(servers.map(namesOf)).toEqual([
      ['a', 'b'],
      ['a', 'b'],
    ]);
  });

  it('wake waiters on a server that does not lead', async () => {
    const [leader, follower] = servers;
    leader.term = 1;
    const woken = new Promise<void>((resolve) => follower.state.watches.watch(['namespaces'], resolve));
    await add(leader, 'a');
    await woken;
    expect(namesOf(follower)).toEqual(['a']);
  });

  it('report each change of each concurrent write, on leader and follower', async () => {
    const [leader, follower] = servers;
    leader.term = 1;
    const groups = servers.map(({ state }) => {
      const found: ChangeGroup[] = [];
      state.changes.subscribe((group) => found.push(group));
      return found;
    });
    for (const writes of fc.sample(concurrentWrites, 10)) {
      for (const found of groups) found.length = 0;
      const made = (await runTogether(leader.state, writes)).sort();
      const { index } = leader.state.snapshot();
      expect(await follower.state.reached(index, AbortSignal.timeout(5_000))).toBe(true);
      for (const found of groups) expect(changesIn(found).sort()).toEqual(made);
    }
  });
});
