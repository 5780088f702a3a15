import { setTimeout as pause } from 'node:timers/promises';
import { send, type StressResponse } from './client.js';
import { appliedIndex } from './contents.js';
import { writeJob } from './job.js';
import { awaitGap, warmUp } from './leader-cases.js';
import type { Region } from './region.js';
import { underLoad, type ClusterCase, type Stage } from './stage.js';

/** Every server takes a write; the server itself shows it at once, and all others in a default read. */
async function writeEverywhere(stage: Stage, region: Region): Promise<void> {
  for (const server of region.servers) {
    for (let round = 0; round < 20; round += 1) {
      const id = `by-${server.name}-${round}`;
      const { index, problem } = await writeJob(server, id, 'x', 0);
      stage.check(index !== null, `a write on ${server.name} was not taken: ${problem}`);
      if (index === null) continue;
      const own = await send(server, `/v1/job/${id}?stale`);
      stage.check(own.status === 200, `${server.name} does not show what it acknowledged: ${own.status}`);
      stage.check((await appliedIndex(server)) >= index, `${server.name} acknowledged more than it holds`);
      for (const other of region.servers) {
        const { status } = await send(other, `/v1/job/${id}`);
        stage.check(
          status === 200,
          `${other.name} returns ${status} to a read after a write on ${server.name}`,
        );
      }
    }
  }
}

/** One write completes the queries that wait on all servers, with the same index and body. */
async function wakeEverybody(stage: Stage, region: Region): Promise<void> {
  const [first] = await region.followers();
  for (let round = 0; round < 10 && first !== undefined; round += 1) {
    const { index } = await send(first, '/v1/jobs');
    const paths = [`/v1/jobs?index=${index}&wait=20s`, `/v1/jobs?stale&index=${index}&wait=20s`];
    const waiting = region.servers.flatMap((server) => paths.map((path) => send(server, path)));
    await pause(50);
    await writeJob(first, `wakes-${round}`, 'x', 0);
    const woken = await Promise.all(waiting);
    stage.check(isSame(woken), `those who waited were told different things: ${woken.map(print).join(', ')}`);
    stage.check(
      woken.every((each) => each.index > index),
      `a query that waited for more than ${index} returned under ${woken.map((each) => each.index).join(', ')}`,
    );
  }
}

function isSame(responses: readonly StressResponse[]): boolean {
  return new Set(responses.map(({ status, index, text }) => `${status} ${index} ${text}`)).size === 1;
}

function print({ status, index, text }: StressResponse): string {
  return `${status} under ${index} with ${text.length} characters`;
}

/** A server that was frozen returns current data for default reads, from the first one on. */
async function slowFollower(stage: Stage, region: Region): Promise<void> {
  const [slow] = await region.followers();
  await underLoad(stage, region, async (load) => {
    for (let round = 0; round < 3; round += 1) {
      await pause(warmUp);
      slow?.freeze();
      await awaitGap(load, performance.now() + warmUp);
      slow?.thaw();
    }
    await pause(warmUp);
  });
}

/** An operator watches a list with `index=`; the server is killed, and another one goes on with the same index. */
async function watchThroughKill(stage: Stage, region: Region): Promise<void> {
  let retries = 0;
  let rounds = 0;
  for (const server of [await region.leader(), await region.leader()]) {
    rounds += 1;
    const other = region.live().find((each) => each !== server);
    if (other === undefined) return;
    const { index } = await send(server, '/v1/jobs');
    const query = `/v1/jobs?index=${index}&wait=30s`;
    const watching = send(server, query).catch(async () => {
      retries += 1;
      return send(other, query);
    });
    await pause(50);
    await server.kill();
    const { problem } = await writeJob(other, `seen-${rounds}`, 'x', 0);
    stage.check(problem === '', `a write right after the kill was not taken: ${problem}`);
    const seen = await watching;
    stage.check(seen.status === 200, `the watch returned ${seen.status}: ${seen.text}`);
    stage.check(seen.index > index, `the watch went from index ${index} to ${seen.index}`);
    stage.check(seen.text.includes(`seen-${rounds}`), 'the watch does not show the write');
    await server.start();
  }
  stage.figure({ name: 'retries of the watch, for each kill', value: retries / rounds, unit: '', max: 1 });
}

export const readCases: readonly ClusterCase[] = [
  { number: 2, name: 'a write on any server is seen on all', needs: {}, play: writeEverywhere },
  { number: 10, name: 'a slow follower', needs: {}, play: slowFollower },
  { number: 16, name: 'one write wakes those who wait on every server', needs: {}, play: wakeEverybody },
  { number: 18, name: 'the leader is killed while a list is watched', needs: {}, play: watchThroughKill },
];
