import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { send, fetchJson } from './client.js';
import { writeJob } from './job.js';
import { awaitReady, nodeStatus, startNode, type NodeProcess } from './nodes.js';
import type { Region } from './region.js';
import type { ServerProcess } from './server-process.js';
import type { ClusterCase, Stage } from './stage.js';

interface Token {
  readonly SecretID: string;
}

/** A new token is valid on every server at once: a lagging server does not refuse it. */
async function useFreshTokens(stage: Stage, region: Region, token: string): Promise<void> {
  const followers = await region.followers();
  const leader = await region.leader();
  for (let round = 0; round < 30; round += 1) {
    const body = { Name: `fresh-${round}`, Type: 'management' };
    const fresh = await fetchJson<Token>(leader, '/v1/acl/token', { method: 'PUT', body, token });
    const responses = await Promise.all(
      followers.flatMap((server) => [
        send(server, '/v1/jobs', { token: fresh.SecretID }),
        send(server, '/v1/namespace', {
          ...{ method: 'PUT', body: { Name: `by-${server.name}-${round}` }, token: fresh.SecretID },
        }),
      ]),
    );
    const statuses = responses.map(({ status }) => status);
    stage.check(
      statuses.every((status) => status === 200),
      `a fresh token returned ${statuses.join(', ')}`,
    );
  }
}

/** A node goes on at another server when the one it talks to is killed, and is never taken for lost. */
async function preserveNode(stage: Stage, region: Region): Promise<void> {
  const node = startNode(stage.main, region, stage.folder);
  stage.atEnd(node.kill);
  try {
    await awaitReady(region.live(), node.name);
    for (let round = 0; round < 2; round += 1) {
      const leader = await region.leader();
      await leader.kill();
      const started = performance.now();
      while (performance.now() - started < watchTime) {
        for (const server of region.live()) {
          const status = await nodeStatus(server, node.name);
          stage.check(
            status === 'ready',
            `after the leader was killed the node is "${status}" on ${server.name}`,
          );
        }
        await pause(200);
      }
      await leader.start();
    }
    await placeOn(stage, region, node.name);
  } catch (error) {
    throw new Error(`${String(error)}; the client wrote: ${node.errors()}`, { cause: error });
  }
}

/** Milliseconds for which a node is looked at: its deadlines are 4 seconds here. */
const watchTime = 6_000;

/** A node to which another server talks now still gets its work. */
async function placeOn(stage: Stage, region: Region, node: string): Promise<void> {
  const [follower] = await region.followers();
  if (follower === undefined) return;
  const task = { Name: 't', Driver: 'mock_driver', Config: { run_for: '600s' } };
  const Job = {
    ID: 'placed',
    Name: 'placed',
    Datacenters: ['dc1'],
    TaskGroups: [{ Name: 'g', Tasks: [task] }],
  };
  await send(follower, '/v1/jobs', { method: 'PUT', body: { Job } });
  const started = performance.now();
  for (;;) {
    const allocations = await fetchJson<
      readonly { readonly ClientStatus: string; readonly NodeName: string }[]
    >(follower, '/v1/job/placed/allocations?stale');
    if (allocations.some(({ ClientStatus, NodeName }) => ClientStatus === 'running' && NodeName === node))
      return;
    if (performance.now() - started > placeTimeoutMs) {
      stage.check(false, `the work of the node is ${JSON.stringify(allocations).slice(0, 200)}`);
      return;
    }
    await pause(100);
  }
}

interface RestoredJob {
  readonly id: string;
  readonly count: number;
}

/** Registers a job with a number of allocations; retries if there is no leader, because nothing is done then. */
async function runJob(server: ServerProcess, { id, count }: RestoredJob): Promise<void> {
  const task = { Name: 't', Driver: 'mock_driver', Config: { run_for: '3600s' } };
  const TaskGroups = [{ Name: 'g', Count: count, Tasks: [task] }];
  const Job = { ID: id, Name: id, Datacenters: ['dc1'], TaskGroups };
  const started = performance.now();
  for (;;) {
    const { status, text } = await send(server, '/v1/jobs', { method: 'PUT', body: { Job } });
    if (status === 200) return;
    const shouldYield = performance.now() - started > placeTimeoutMs;
    if (shouldYield || !text.includes('No cluster leader'))
      throw new Error(`/v1/jobs on ${server.name} returned ${status}: ${text}`);
    await pause(50);
  }
}

/** Milliseconds until servers show these jobs running and no others, and the nodes run as many allocations. */
async function awaitRunning(
  region: Region,
  nodes: readonly NodeProcess[],
  jobs: readonly RestoredJob[],
): Promise<number> {
  const started = performance.now();
  const expected = jobs.flatMap(({ id, count }) => Array<string>(count).fill(id)).sort();
  for (;;) {
    const [server] = region.live();
    const found: string[] = [];
    let paused = NaN;
    try {
      const rows = await fetchJson<readonly { readonly JobID: string; readonly ClientStatus: string }[]>(
        server as ServerProcess,
        '/v1/allocations',
      );
      for (const { JobID, ClientStatus } of rows) if (ClientStatus === 'running') found.push(JobID);
      paused = (await Promise.all(nodes.map((node) => node.running()))).reduce(
        (sum, count) => sum + count,
        0,
      );
    } catch {
      // There is no leader yet.
    }
    const time = performance.now() - started;
    if (paused === expected.length && found.sort().join() === expected.join()) return time;
    if (time > restoreTimeoutMs) {
      throw new Error(
        `nodes run ${paused} allocations, servers show ${found.join()} and not ${expected.join()}`,
      );
    }
    await pause(50);
  }
}

const restoreTimeoutMs = 60_000;

/** etcd is restored again and again under servers and nodes that go on, to lower indexes and higher ones. */
async function restoreUnderNodes(stage: Stage, region: Region): Promise<void> {
  const nodes = ['n1', 'n2'].map((name) => startNode(stage.main, region, stage.folder, name));
  for (const node of nodes) stage.atEnd(node.kill);
  for (const { name } of nodes) await awaitReady(region.live(), name);
  const first = { id: 'first', count: 3 };
  const second = { id: 'second', count: 2 };
  const leader = await region.leader();
  await runJob(leader, first);
  await awaitRunning(region, nodes, [first]);
  const low = join(stage.folder, 'low');
  region.etcd.control(['snapshot', 'save', low]);
  await runJob(leader, second);
  for (let round = 0; round < 30; round += 1) await writeJob(leader, `filler-${round}`, 'x', 0);
  await awaitRunning(region, nodes, [first, second]);
  const high = join(stage.folder, 'high');
  region.etcd.control(['snapshot', 'save', high]);
  let slowest = 0;
  for (const [round, file] of [low, high, low, low, high].entries()) {
    const victim = region.servers[round % region.servers.length];
    if (round % 2 === 1) await victim?.kill();
    await region.etcd.restore(file);
    const started = performance.now();
    await region.leader();
    // As many allocations as the nodes had before, of another job.
    const fresh = { id: `fresh-${round}`, count: 2 };
    const [server] = await region.followers();
    await runJob(server as ServerProcess, fresh);
    await awaitRunning(region, nodes, file === low ? [first, fresh] : [first, second, fresh]);
    const time = performance.now() - started;
    stage.progress(`restore ${round + 1}: ${Math.round(time)} ms`);
    slowest = Math.max(slowest, time);
    if (round % 2 === 1) await victim?.start();
  }
  stage.figure({ name: 'nodes follow a restore within', value: slowest, unit: 'ms', max: 10_000 });
}

const placeTimeoutMs = 20_000;

function tokenCase(): ClusterCase {
  let token = '';
  return {
    number: 14,
    name: 'a fresh token on every server',
    needs: { flags: ['--acl'] },
    token: () => token,
    async play(stage, region) {
      const [first] = await region.followers();
      if (first === undefined) return;
      token = (await fetchJson<Token>(first, '/v1/acl/bootstrap', { method: 'PUT' })).SecretID;
      await useFreshTokens(stage, region, token);
    },
  };
}

const shortHeartbeats = ['--min-heartbeat-ttl', '2s', '--heartbeat-grace', '2s'];

export const nodeCases: readonly ClusterCase[] = [
  tokenCase(),
  { number: 29, name: 'restores while nodes run', needs: {}, play: restoreUnderNodes },
  { number: 19, name: 'a node outlives its servers', needs: { flags: shortHeartbeats }, play: preserveNode },
];
