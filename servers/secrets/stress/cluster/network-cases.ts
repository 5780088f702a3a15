import { setTimeout as pause } from 'node:timers/promises';
import type { NetworkProxy } from '../../../etcd/test/support/network-proxy.js';
import type { ClusterServer } from './cluster-server.js';
import type { Region } from './region.js';
import { createSend, lookUp, makeToken } from './requests.js';
import { noteGaps, underLoad, type ClusterCase, type Stage } from './stage.js';

/** Maximum time until a request that cannot be handled is refused, in ms. */
const refusalTime = 12_000;

/** Does something while ways through the network are silent. */
async function cut(ways: readonly NetworkProxy[], play: () => Promise<void>): Promise<void> {
  for (const way of ways) way.silence();
  try {
    await play();
  } finally {
    for (const way of ways) way.heal();
  }
}

/** The ways of a server. */
function waysOf(
  region: Region,
  server: ClusterServer,
): { readonly toEtcd: readonly NetworkProxy[]; readonly toPeers: readonly NetworkProxy[] } {
  const at = region.servers.indexOf(server);
  return { toEtcd: region.network?.toEtcd(at) ?? [], toPeers: region.network?.toPeers(at) ?? [] };
}

/** The active server hears nothing of etcd, and the others hear of it: another one takes its place. */
async function cutActiveFromEtcd(stage: Stage): Promise<void> {
  const region = await stage.open({ isProxied: true });
  const send = createSend(stage, region);
  const { active, standby } = await region.parts();
  const [other = active] = standby;
  const token = await makeToken(send, other);
  await underLoad(stage, { ...region, servers: standby }, async (load) => {
    await cut(waysOf(region, active).toEtcd, async () => {
      const gap = await load.gap(() => pause(region.leaseTtl * 1_000));
      noteGaps(stage, 'responds again', [gap], (region.leaseTtl + 1) * 1_000);
      while ((await send(other, 'POST', 'auth/token/revoke', { token })).status !== 204) await pause(50);
      const { status } = await lookUp(send, active, token);
      stage.check(status !== 200, 'a replaced server responds for a token that was revoked');
    });
    await region.whole();
    stage.expect(await lookUp(send, active, token), 403, 'a revoked token, at the one that was cut off');
  });
}

/** A standby is cut off from etcd: it does not know the active server, and returns nothing outdated. */
async function cutStandbyFromEtcd(stage: Stage): Promise<void> {
  const region = await stage.open({ isProxied: true });
  const send = createSend(stage, region);
  const { active, standby } = await region.parts();
  const [away = active, other = active] = standby;
  await cut(waysOf(region, away).toEtcd, async () => {
    const [before, after] = [await makeToken(send, active), await makeToken(send, active)];
    await send(other, 'POST', 'auth/token/revoke', { token: before });
    const passedOn = await lookUp(send, away, before);
    stage.check([403, 503].includes(passedOn.status), `a revoked token returns ${passedOn.status}`);
    await send(active, 'PUT', 'sys/step-down');
    while ((await send(other, 'POST', 'auth/token/revoke', { token: after })).status !== 204) await pause(50);
    const started = performance.now();
    const lost = await lookUp(send, away, after);
    const value = performance.now() - started;
    stage.check([403, 503].includes(lost.status), `a revoked token returns ${lost.status}`);
    stage.figure({ name: 'refused without etcd', value, unit: 'ms', max: refusalTime });
  });
  await region.whole();
  const since = performance.now();
  while ((await send(away, 'GET', 'sys/policies/acl/default')).status !== 200) await pause(20);
  stage.figure({ name: 'responds again', value: performance.now() - since, unit: 'ms', max: 2_000 });
}

/** The way between a standby and the active server is silent, in the middle of requests; the others need not elect. */
async function cutStandbyFromActive(stage: Stage): Promise<void> {
  const region = await stage.open({ isProxied: true });
  const send = createSend(stage, region);
  const { active, standby } = await region.parts();
  const [away = active, other = active] = standby;
  await underLoad(stage, { ...region, servers: [active, other] }, async () => {
    stage.expect(await send(away, 'GET', 'sys/policies/acl/default'), 200, 'a request before');
    await cut(waysOf(region, away).toPeers, async () => {
      const requested = Array.from({ length: 8 }, async (_, at) => {
        const started = performance.now();
        const path = `sys/policies/acl/cut-${at}`;
        const { status, text } = await send(away, 'PUT', path, { policy: '' });
        stage.check(status === 503, `without a way to the active server a write returns ${status}`);
        const mayBeThere = !text.includes('nothing has changed');
        const found = await send(other, 'GET', path);
        stage.check(found.status === 404 || mayBeThere, 'what is said to have changed nothing is there');
        return performance.now() - started;
      });
      const value = Math.max(...(await Promise.all(requested)));
      stage.figure({ name: 'refused without a way', value, unit: 'ms', max: refusalTime });
      stage.check((await region.whole()) === active, 'the active server was replaced, though it has etcd');
    });
    const since = performance.now();
    while ((await send(away, 'GET', 'sys/policies/acl/default')).status !== 200) await pause(20);
    stage.figure({ name: 'responds again', value: performance.now() - since, unit: 'ms', max: 2_000 });
  });
}

/** Connections break repeatedly, each with its requests in progress. */
async function breakWays(stage: Stage): Promise<void> {
  const region = await stage.open({ isProxied: true });
  await underLoad(stage, region, async (load) => {
    for (let round = 0; round < 10; round += 1) {
      const server = region.servers[round % region.servers.length] as ClusterServer;
      const { toEtcd, toPeers } = waysOf(region, server);
      // To heal a way that is whole breaks its connections, and lets new ones through.
      await load.gap(async () => {
        for (const way of round % 2 === 0 ? toPeers : toEtcd) way.heal();
      });
    }
  });
}

export const networkCases: readonly ClusterCase[] = [
  { name: 'the active server is cut off from etcd', play: cutActiveFromEtcd },
  { name: 'a server that stands by is cut off from etcd', play: cutStandbyFromEtcd },
  { name: 'a server that stands by is cut off from the active one', play: cutStandbyFromActive },
  { name: 'connections of servers break in the middle of requests', play: breakWays },
];
