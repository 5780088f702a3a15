import { setTimeout as pause } from 'node:timers/promises';
import { quantile } from '../../../http/stress/proof.js';
import type { ClusterServer } from './cluster-server.js';
import type { Region } from './region.js';
import { createSend, lookUp, makeToken, type SendRequest } from './requests.js';
import { freezeTime, revoke } from './server-cases.js';
import type { ClusterCase, Stage } from './stage.js';

/** Rounds in which something that batch tokens depend on is changed. */
const rounds = 60;
/** Rounds between two kills of the active server. */
const killEvery = 15;
/** Milliseconds for which requests of one kind are counted. */
const rateTime = 3_000;

const self = 'auth/token/lookup-self';

/** A token that can make others, and batch tokens that it has made, one at each server. */
async function makeFamily(
  send: SendRequest,
  { servers }: Region,
  at: number,
): Promise<{ readonly parent: string; readonly tokens: readonly string[] }> {
  const server = servers[at % servers.length] as ClusterServer;
  const parent = await makeToken(send, server, { policies: ['maker', 'own'] });
  const make: SendRequest = (where, method, path, body) => send(where, method, path, body, parent);
  const expected = { type: 'batch', policies: ['own'], no_default_policy: true, no_parent: false };
  return { parent, tokens: await Promise.all(servers.map((each) => makeToken(make, each, expected))) };
}

async function allow(send: SendRequest, server: ClusterServer, capability: 'read' | 'deny'): Promise<void> {
  const policy = `path "${self}" { capabilities = ["${capability}"] }`;
  while ((await send(server, 'PUT', 'sys/policies/acl/own', { policy })).status !== 204) await pause(50);
}

/**
 * Tokens that continuously look themselves up on every server, while their dependencies are changed on a different one: the first
 * request after the response to a change must see it, on every server. A 503 is ignored.
 */
async function seeChanges(stage: Stage): Promise<void> {
  const region = await stage.open({ members: 3, performanceStandby: true });
  const { servers } = region;
  const send = createSend(stage, region);
  const maker = `path "auth/token/create" { capabilities = ["update"] }`;
  await send(servers[0] as ClusterServer, 'PUT', 'sys/policies/acl/maker', { policy: maker });
  await allow(send, servers[0] as ClusterServer, 'read');
  const busy = { token: '', isDone: false, requests: 0, responded: 0 };
  const noise = servers.map(async (server) => {
    while (!busy.isDone) {
      const response = await lookUp(send, server, busy.token).catch(() => null);
      busy.requests += 1;
      if (response?.status === 200) busy.responded += 1;
      await pause(1);
    }
  });
  const everywhere = async (tokens: readonly string[], status: number, what: string): Promise<void> => {
    const responses = await Promise.all(
      servers.flatMap((server) => tokens.map((token) => lookUp(send, server, token).catch(() => null))),
    );
    for (const response of responses)
      if (response !== null && response.status !== 503) stage.expect(response, status, what);
  };
  try {
    for (let round = 0; round < rounds; round += 1) {
      const at = (shift: number): ClusterServer => servers[(round + shift) % servers.length] as ClusterServer;
      const { parent, tokens } = await makeFamily(send, region, round);
      busy.token = tokens[0] ?? '';
      await everywhere(tokens, 200, 'a batch token');
      if (round % killEvery === killEvery - 1) {
        const active = await region.active();
        await active.kill();
        await active.start();
      }
      if (round % 2 === 0) {
        await revoke(send, at(1), parent);
        await everywhere(tokens, 403, 'a batch token whose parent was revoked');
      } else {
        await allow(send, at(1), 'deny');
        await everywhere(tokens, 403, 'a batch token whose policy denies it');
        await allow(send, at(2), 'read');
        await everywhere(tokens, 200, 'a batch token whose policy allows it again');
      }
      await region.whole();
    }
  } finally {
    busy.isDone = true;
    await Promise.all(noise);
  }
  stage.figure({ name: 'lookups during them', value: busy.requests, unit: '' });
  stage.figure({ name: 'returned 200', value: busy.responded, unit: '' });
}

/** A standby that was frozen has pending requests that were sent after a token's parent was revoked. */
async function wakeStandby(stage: Stage): Promise<void> {
  const region = await stage.open({ performanceStandby: true });
  const send = createSend(stage, region);
  const { standby } = await region.parts();
  const [frozen, other] = standby as [ClusterServer, ClusterServer];
  const maker = 'path "auth/token/create" { capabilities = ["update"] }';
  await send(other, 'PUT', 'sys/policies/acl/maker', { policy: maker });
  await allow(send, other, 'read');
  const { parent, tokens } = await makeFamily(send, region, 0);
  const token = tokens[0] ?? '';
  stage.expect(await lookUp(send, frozen, token), 200, 'a token before the freeze');
  const rest = pause(freezeTime);
  frozen.freeze();
  await revoke(send, other, parent);
  const stale = Array.from({ length: 20 }, () => lookUp(send, frozen, token));
  await rest;
  frozen.thaw();
  for (const { status } of await Promise.all(stale))
    stage.check(status === 403 || status === 503, `a standby that woke returned ${status}`);
}

/** Without the members of etcd a standby returns nothing, and clients do not notice if only it is cut off from them. */
async function cutFromStore(stage: Stage): Promise<void> {
  const region = await stage.open({ isProxied: true, performanceStandby: true });
  const { network } = region;
  if (network === null) return;
  const send = createSend(stage, region);
  const { standby } = await region.parts();
  const [cut, other] = standby as [ClusterServer, ClusterServer];
  const token = await makeToken(send, other, { type: 'batch' });
  stage.expect(await lookUp(send, cut, token), 200, 'a batch token');
  const ways = network.toEtcd(region.servers.indexOf(cut));
  for (const way of ways) way.silence();
  const { status } = await lookUp(send, cut, token);
  stage.check(status === 200 || status === 503, `a standby that is cut from etcd returns ${status}`);
  for (const way of ways) way.heal();
  while ((await lookUp(send, cut, token)).status !== 200) await pause(50);
}

/** The self-lookups of batch tokens that three servers handle, with and without the setting. */
async function countLooks(stage: Stage): Promise<void> {
  for (const performanceStandby of [false, true]) {
    const region = await stage.open({ members: 3, performanceStandby });
    const send = createSend(stage, region);
    const { servers } = region;
    const token = await makeToken(send, servers[0] as ClusterServer, { type: 'batch' });
    const times: number[] = [];
    const since = performance.now();
    const work = async (at: number): Promise<void> => {
      for (let n = at; performance.now() - since < rateTime; n += 1) {
        const started = performance.now();
        const response = await lookUp(send, servers[n % servers.length] as ClusterServer, token);
        stage.expect(response, 200, 'a batch token');
        times.push(performance.now() - started);
      }
    };
    await Promise.all(Array.from({ length: stage.clients }, (_, at) => work(at)));
    const name = performanceStandby ? 'by each server' : 'forwarded';
    const value = (times.length * 1_000) / (performance.now() - since);
    stage.figure({ name, value, unit: '/s' });
    stage.figure({ name: 'p99', value: quantile(times, 0.99), unit: 'ms' });
    await region.close();
  }
}

export const standbyCases: readonly ClusterCase[] = [
  { name: 'performance standbys see what was revoked or denied', play: seeChanges },
  { name: 'a performance standby is frozen for 15 seconds', play: wakeStandby },
  { name: 'a performance standby is cut off from etcd', play: cutFromStore },
  { name: 'batch tokens look themselves up, forwarded and by each server', play: countLooks },
];
