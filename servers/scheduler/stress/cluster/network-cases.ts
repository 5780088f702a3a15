import { setTimeout as pause } from 'node:timers/promises';
import { send } from './client.js';
import { writeJob } from './job.js';
import { awaitGap, warmUp } from './leader-cases.js';
import type { NetworkProxy } from '../../../etcd/test/support/network-proxy.js';
import type { Region } from './region.js';
import type { ServerProcess } from './server-process.js';
import { underLoad, type ClusterCase, type Stage } from './stage.js';

/** Milliseconds for which a network stays cut. */
const cutTime = 6_000;

function numberOf(region: Region, server: ServerProcess): number {
  return region.servers.indexOf(server);
}

async function cut(ways: readonly NetworkProxy[], meanwhile: () => Promise<void>): Promise<void> {
  for (const way of ways) way.silence();
  try {
    await meanwhile();
  } finally {
    for (const way of ways) way.heal();
  }
}

/** Only the leader is cut off from etcd: a different one replaces it, and it never returns outdated data. */
async function cutLeaderFromEtcd(stage: Stage, region: Region): Promise<void> {
  const leader = await region.leader();
  const others = region.servers.filter((server) => server !== leader);
  await underLoad(
    stage,
    region,
    async (load) => {
      await pause(warmUp);
      const since = performance.now();
      await cut(region.network?.toEtcd(numberOf(region, leader)) ?? [], async () => {
        const max = (region.leaseTtl + 2) * 1_000;
        const value = await awaitGap(load, since);
        stage.figure({ name: 'no writes after the leader lost etcd', value, unit: 'ms', max });
        await pause(Math.max(0, cutTime - value));
        const stale = await send(leader, '/v1/jobs?stale');
        stage.check(stale.status === 200, `a stale read without etcd returned ${stale.status}`);
        stage.check(stale.lastContact > 0, 'a server without etcd says that it has just heard of the leader');
      });
      await pause(warmUp);
    },
    // Clients of the server without etcd wait for long, and then no client would write any more.
    { servers: () => [...others, ...others, ...others, leader], clients: 24 },
  );
}

/** Only a follower is cut off from etcd: its stale reads continue and age, no other request gets status 200. */
async function cutFollowerFromEtcd(stage: Stage, region: Region): Promise<void> {
  const [follower] = await region.followers();
  const leader = await region.leader();
  if (follower === undefined) return;
  await cut(region.network?.toEtcd(numberOf(region, follower)) ?? [], async () => {
    await pause(cutTime);
    const { problem } = await writeJob(leader, 'meanwhile', 'x', 0);
    stage.check(problem === '', `the leader refused a write: ${problem}`);
    const stale = await send(follower, '/v1/jobs?stale');
    const age = stale.lastContact;
    stage.check(stale.status === 200 && age >= region.leaseTtl * 1_000, `its contact is ${age} ms old`);
    stage.check(!stale.knownLeader, 'it knows a leader, and has not heard of it for longer than the lease');
    const read = await send(follower, '/v1/jobs').catch(() => null);
    stage.check(read?.status === 500, `a default read without etcd returned ${read?.status}`);
  });
  const since = performance.now();
  while ((await send(follower, '/v1/job/meanwhile')).status !== 200 && performance.now() - since < cutTime)
    await pause(20);
  stage.figure({
    name: 'a follower that had no etcd is back after',
    value: performance.now() - since,
    unit: 'ms',
  });
}

/** A server is cut off from its peers alone: its reads go on, and the others need not elect. */
async function cutFromPeers(stage: Stage, region: Region): Promise<void> {
  const leader = await region.leader();
  const [follower] = await region.followers();
  if (follower === undefined) return;
  await cut(region.network?.toPeers(numberOf(region, follower)) ?? [], async () => {
    const { problem } = await writeJob(leader, 'meanwhile', 'x', 0);
    stage.check(problem === '', `the leader refused a write: ${problem}`);
    const read = await send(follower, '/v1/job/meanwhile');
    stage.check(read.status === 200, `a default read without peers returned ${read.status} ${read.text}`);
    const started = performance.now();
    const written = await writeJob(follower, 'cut-off', 'x', 0);
    stage.check(written.index === null, 'a write without a way to the leader was acknowledged');
    const value = performance.now() - started;
    stage.figure({ name: 'refusal of a write without peers', value, unit: 'ms', max: 11_000 });
    stage.check((await region.leader()) === leader, 'the leader was replaced, though it has etcd');
  });
  const since = performance.now();
  let last = await writeJob(follower, 'healed', 'x', 0);
  while (last.index === null && performance.now() - since < cutTime) {
    await pause(20);
    last = await writeJob(follower, 'healed', 'x', 0);
  }
  stage.check(last.index !== null, `a write after the network is whole again: ${last.problem}`);
  stage.figure({
    name: 'no writes there after it is whole again',
    value: performance.now() - since,
    unit: 'ms',
  });
}

const needs = { isProxied: true };

export const networkCases: readonly ClusterCase[] = [
  {
    number: 17,
    name: 'servers are cut off from etcd, and from their peers',
    needs,
    async play(stage, region) {
      await cutFollowerFromEtcd(stage, region);
      await cutFromPeers(stage, region);
      await cutLeaderFromEtcd(stage, region);
    },
  },
];
