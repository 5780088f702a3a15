import { setTimeout as pause } from 'node:timers/promises';
import { send } from './client.js';
import { appliedIndex } from './contents.js';
import type { Region } from './region.js';
import type { ServerProcess } from './server-process.js';
import { underLoad, type ClusterCase, type Stage } from './stage.js';
import type { Workload } from './workload.js';

/** Milliseconds of load before something happens, and after it is over. */
export const warmUp = 500;

/** Milliseconds until writes are acknowledged again after something; looked for as long as this. */
export const gapTimeoutMs = 20_000;

/** Waits for the first acknowledgement after a time, and returns how long it took. */
export async function awaitGap(load: Workload, since: number): Promise<number> {
  while (Number.isNaN(load.gapAfter(since)) && performance.now() - since < gapTimeoutMs) await pause(20);
  return load.gapAfter(since);
}

/** Sends stale reads continuously until stopped, and records every response other than 200. */
export function watchStale(stage: Stage, servers: () => readonly ServerProcess[]): () => Promise<void> {
  let shouldYield = false;
  const watching = (async () => {
    while (!shouldYield) {
      for (const server of servers()) {
        const response = await send(server, '/v1/namespaces?stale').catch(() => null);
        // A server that has ended meanwhile does not count.
        if (!server.isServing) continue;
        const found = response === null ? 'not at all' : String(response.status);
        stage.check(response?.status === 200, `a stale read on ${server.name} returned ${found}`);
      }
      await pause(50);
    }
  })();
  return async () => {
    shouldYield = true;
    await watching;
  };
}

async function killLeader(stage: Stage, region: Region): Promise<void> {
  await underLoad(stage, region, async (load) => {
    const stopWatching = watchStale(stage, region.live);
    await pause(warmUp);
    const leader = await region.leader();
    const since = performance.now();
    await leader.kill();
    stage.figure({
      name: 'no writes after kill -9',
      value: await awaitGap(load, since),
      unit: 'ms',
      max: 1_000,
    });
    await pause(warmUp);
    await stopWatching();
  });
}

async function freezeLeader(stage: Stage, region: Region): Promise<void> {
  const load = await underLoad(stage, region, async (load) => {
    await pause(warmUp);
    const leader = await region.leader();
    const before = await appliedIndex(leader);
    const since = performance.now();
    leader.freeze();
    const gap = await awaitGap(load, since);
    const max = (region.leaseTtl + 2) * 1_000;
    stage.figure({ name: 'no writes after SIGSTOP', value: gap, unit: 'ms', max });
    await pause(Math.max(0, stage.extent.freezeTime - gap));
    leader.thaw();
    let paused = before;
    for (let look = 0; look < 50; look += 1) {
      const { index, status } = await send(leader, '/v1/jobs?stale');
      stage.check(status === 200, `a stale read after SIGCONT returned ${status}`);
      stage.check(index >= paused || index === 0, `the index went from ${paused} to ${index} after SIGCONT`);
      paused = Math.max(paused, index);
    }
    await pause(warmUp);
  });
  stage.check(load.acknowledged > 0, 'no write was acknowledged');
}

async function stopLeader(stage: Stage, region: Region): Promise<void> {
  await underLoad(stage, region, async (load) => {
    await pause(warmUp);
    const leader = await region.leader();
    const since = performance.now();
    const ended = leader.stop();
    stage.figure({
      name: 'no writes after SIGTERM',
      value: await awaitGap(load, since),
      unit: 'ms',
      max: 500,
    });
    await ended;
    await pause(warmUp);
  });
}

/** Every server is stopped and started again, then every member of etcd. */
async function restartAll(stage: Stage, region: Region): Promise<void> {
  const gaps: number[] = [];
  await underLoad(stage, region, async (load) => {
    for (const server of region.servers) {
      await region.leader();
      const since = performance.now();
      await server.stop();
      gaps.push(await awaitGap(load, since));
      await server.start();
    }
    for (const member of region.etcd.members) {
      const since = performance.now();
      await member.kill();
      gaps.push(await awaitGap(load, since));
      await member.start();
      await pause(warmUp);
    }
    await pause(warmUp);
  });
  stage.figure({ name: 'no writes after a restart, most', value: Math.max(...gaps), unit: 'ms' });
}

export const leaderCases: readonly ClusterCase[] = [
  { number: 3, name: 'kill -9 of the leader under load', needs: {}, play: killLeader },
  { number: 4, name: 'the leader is frozen, and goes on', needs: {}, play: freezeLeader },
  { number: 5, name: 'SIGTERM of the leader under load', needs: {}, play: stopLeader },
  { number: 11, name: 'a rolling restart of everything', needs: { members: 3 }, play: restartAll },
];
