import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { send, fetchJson } from './client.js';
import { appliedIndex } from './contents.js';
import { compactAll, etcdLeader } from './etcd-members.js';
import { writeJob } from './job.js';
import { awaitGap, gapTimeoutMs, warmUp, watchStale } from './leader-cases.js';
import type { Region } from './region.js';
import type { ServerProcess } from './server-process.js';
import { underLoad, type ClusterCase, type Stage } from './stage.js';

/** The leader of etcd itself is killed, and the next one is frozen, without notice. */
async function loseEtcdLeader(stage: Stage, region: Region): Promise<void> {
  const load = await underLoad(stage, region, async (load) => {
    await pause(warmUp);
    const killed = etcdLeader(region);
    const killedAt = performance.now();
    await killed.kill();
    const name = 'no writes after etcd’s leader was';
    stage.figure({ name: `${name} killed`, value: await awaitGap(load, killedAt), unit: 'ms', max: 3_000 });
    await killed.start();
    await pause(2 * warmUp);
    const frozen = etcdLeader(region);
    const frozenAt = performance.now();
    frozen.freeze();
    stage.figure({ name: `${name} frozen`, value: await awaitGap(load, frozenAt), unit: 'ms', max: 4_000 });
    frozen.thaw();
    await pause(warmUp);
  });
  const refused = [...load.problems.values()].reduce((sum, times) => sum + times, 0);
  stage.check(refused === 0, `${refused} requests failed`);
}

/** Two members of three are lost: only stale reads succeed, and report their age; then one is back. */
async function loseMajority(stage: Stage, region: Region): Promise<void> {
  const [server] = await region.followers();
  if (server === undefined) return;
  await writeJob(server, 'before', 'x', 0);
  const stopWatching = watchStale(stage, region.live);
  const [one, two] = region.etcd.members;
  await Promise.all([one?.kill(), two?.kill()]);
  for (const requests of region.servers) await refusesAll(stage, requests);
  const ages: number[] = [];
  for (const requests of region.servers) {
    const { lastContact, knownLeader } = await send(requests, '/v1/jobs?stale');
    stage.check(!knownLeader, `${requests.name} knows a leader without etcd`);
    stage.check(
      lastContact > region.leaseTtl * 1_000,
      `the contact of ${requests.name} is ${lastContact} ms old`,
    );
    ages.push(lastContact);
  }
  await pause(1_000);
  for (const [at, requests] of region.servers.entries()) {
    const { lastContact } = await send(requests, '/v1/jobs?stale');
    stage.check(lastContact > (ages[at] ?? 0), `the contact of ${requests.name} does not grow older`);
  }
  const since = performance.now();
  await one?.start();
  const problems = new Map<string, number>();
  while (performance.now() - since < gapTimeoutMs) {
    const { problem } = await writeJob(server, 'after', 'x', 0);
    if (problem === '') break;
    problems.set(problem, 1);
  }
  const value = performance.now() - since;
  stage.figure({ name: 'no writes after the majority is back', value, unit: 'ms', max: 4_000 });
  await stopWatching();
}

/** A server without etcd refuses writes, default reads and its own health, in words and in time. */
async function refusesAll(stage: Stage, server: ServerProcess): Promise<void> {
  const started = performance.now();
  const [read, written] = await Promise.all([
    send(server, '/v1/jobs'),
    writeJob(server, 'meanwhile', 'x', 0),
  ]);
  const taken = performance.now() - started;
  const health = await send(server, '/v1/agent/health');
  stage.check(
    read.status === 500 && read.text.startsWith('No cluster leader'),
    `a default read on ${server.name} returned ${read.status} ${read.text.slice(0, 80)}`,
  );
  stage.check(
    written.problem.startsWith('500 No cluster leader') || written.outcome === 'unknown',
    `a write on ${server.name} returned ${written.outcome} ${written.problem}`,
  );
  stage.check(health.status === 500, `the health of ${server.name} returned ${health.status}`);
  stage.figure({ name: `refusal of ${server.name}`, value: taken, unit: 'ms', max: 6_000 });
}

/** A server is cut off from etcd while its revisions are compacted: it reloads, and its waiting clients are woken. */
async function compactMeanwhile(stage: Stage, region: Region): Promise<void> {
  const leader = await region.leader();
  const away = region.servers.findIndex((server) => server !== leader);
  const server = region.servers[away];
  const [way] = region.network?.toEtcd(away) ?? [];
  if (server === undefined) return;
  const { index } = await send(server, '/v1/jobs');
  const waiting = send(server, `/v1/jobs?stale&index=${index}&wait=60s`, { timeoutMs: 70_000 });
  way?.refuse();
  for (let round = 0; round < 50; round += 1) await writeJob(leader, `away-${round}`, 'x', 0);
  compactAll(region);
  const since = performance.now();
  way?.heal();
  const woken = await waiting;
  stage.figure({ name: 'a waiting query is woken after', value: performance.now() - since, unit: 'ms' });
  stage.check(
    woken.index > index,
    `a query that waited for more than ${index} returned under ${woken.index}`,
  );
  const { text } = await send(server, '/v1/jobs');
  stage.check(text.includes('"away-49"'), 'a default read lacks what was written meanwhile');
}

/** etcd has no space: writes are refused with its message, reads continue, and everything recovers when there is space again. */
async function useUpQuota(stage: Stage, region: Region): Promise<void> {
  const [server] = await region.followers();
  if (server === undefined) return;
  const filler = 'x'.repeat(fillerLength);
  let refusal = '';
  for (let at = 0; at < maxFillers && refusal === ''; at += 1) {
    const { status, text } = await send(server, '/v1/namespace', {
      method: 'PUT',
      body: { Name: `filler-${at % 4}`, Description: 'fills', Meta: { filler: `${at}${filler}` } },
    });
    if (status !== 200) refusal = `${status} ${text}`;
  }
  stage.check(/^500 .*space/.test(refusal), `etcd without space is told as: ${refusal}`);
  const before = await appliedIndex(server);
  const again = await writeJob(server, 'full', 'x', 0);
  stage.check(again.index === null, 'a write was taken while etcd had no space');
  stage.check((await appliedIndex(server)) === before, 'a refused write has changed the index');
  for (const requests of region.servers) {
    const { status } = await send(requests, '/v1/jobs');
    stage.check(status === 200, `a read on ${requests.name} returned ${status} while etcd had no space`);
  }
  compactAll(region);
  region.etcd.control(['defrag']);
  region.etcd.control(['alarm', 'disarm']);
  const since = performance.now();
  while ((await writeJob(server, 'room', 'x', 0)).index === null && performance.now() - since < gapTimeoutMs)
    await pause(50);
  stage.figure({
    name: 'no writes after there is space',
    value: performance.now() - since,
    unit: 'ms',
    max: 4_000,
  });
}

const fillerLength = 100_000;
const maxFillers = 400;

/** etcd is restored from a snapshot: all servers go back to it, and on from there. */
async function restoreSnapshot(stage: Stage, region: Region): Promise<void> {
  const [server] = await region.followers();
  if (server === undefined) return;
  await writeJob(server, 'kept', 'x', 0);
  const retained = await appliedIndex(server);
  const file = join(stage.folder, 'snapshot');
  region.etcd.control(['snapshot', 'save', file]);
  for (let round = 0; round < 20; round += 1) await writeJob(server, `gone-${round}`, 'x', 0);
  const gone = await appliedIndex(server);
  await region.etcd.restore(file);
  const since = performance.now();
  const indexes = async (): Promise<readonly number[]> =>
    Promise.all(region.servers.map((each) => appliedIndex(each)));
  // A restarting leader may write, but fewer times than were lost.
  while ((await indexes()).some((index) => index >= gone) && performance.now() - since < gapTimeoutMs)
    await pause(50);
  const found = await indexes();
  stage.check(
    found.every((index) => index >= retained && index < gone),
    `after the restore the indexes are ${found.join(', ')}, in the snapshot it was ${retained}`,
  );
  stage.figure({
    name: 'all servers are back at the snapshot after',
    value: performance.now() - since,
    unit: 'ms',
  });
  for (const each of region.servers) {
    const jobs = await fetchJson<readonly { readonly ID: string }[]>(each, '/v1/jobs');
    const ids = jobs.map(({ ID }) => ID).join(', ');
    stage.check(ids === 'kept', `after the restore ${each.name} shows ${ids}`);
    const started = performance.now();
    const waited = await send(each, `/v1/jobs?index=${gone}&wait=2s`);
    stage.check(waited.status === 200, `a query with a later index returned ${waited.status}`);
    stage.check(performance.now() - started >= 2_000, 'a query with a later index did not wait');
  }
  for (const each of region.servers) {
    const { problem } = await writeJob(each, `on-${each.name}`, 'x', 0);
    stage.check(problem === '', `a write on ${each.name} after the restore: ${problem}`);
  }
}

export const etcdCases: readonly ClusterCase[] = [
  { number: 6, name: 'etcd’s leader is killed, then frozen', needs: { members: 3 }, play: loseEtcdLeader },
  { number: 7, name: 'the majority of etcd is lost, and back', needs: { members: 3 }, play: loseMajority },
  {
    number: 8,
    name: 'etcd is compacted while a server is away',
    needs: { isProxied: true },
    play: compactMeanwhile,
  },
  { number: 9, name: 'etcd’s quota is used up', needs: { etcd: { quota: 16_777_216 } }, play: useUpQuota },
  { number: 12, name: 'etcd is restored from a snapshot', needs: {}, play: restoreSnapshot },
];
