import { setTimeout as pause } from 'node:timers/promises';
import { ask, askJson } from './client.js';
import type { Region } from './region.js';
import type { ServerProcess } from './server-process.js';
import type { ClusterCase, Stage } from './stage.js';

const allocationCount = 5_000;
const nodeCount = 100;
/** Milliseconds in which a plan has to be there. */
const planPatience = 60_000;

/** Registers a job whose allocations are all placed by one plan. */
async function registerLarge(stage: Stage, server: ServerProcess, ID: string): Promise<void> {
  const task = {
    ...{ Name: 't', Driver: 'raw_exec', Config: { command: '/bin/sleep' } },
    Resources: { CPU: 10, MemoryMB: 10 },
  };
  const group = { Name: 'g', Count: allocationCount, Tasks: [task] };
  const Job = { ID, Name: ID, Type: 'service', Datacenters: ['dc1'], TaskGroups: [group] };
  const { status, text } = await ask(server, '/v1/jobs', { method: 'PUT', body: { Job } });
  stage.check(status === 200, `the registration was answered ${status} ${text}`);
}

/** How many allocations of a job a server holds itself; NaN when it does not answer. */
async function heldAllocations(server: ServerProcess, id: string): Promise<number> {
  return askJson<readonly object[]>(server, `/v1/job/${id}/allocations?stale`).then(
    ({ length }) => length,
    () => NaN,
  );
}

/** Waits until a server holds the allocations; whenever it is looked at, it holds all of them or none. */
async function awaitPlan(stage: Stage, server: ServerProcess, id: string): Promise<void> {
  const begun = performance.now();
  for (;;) {
    const held = await heldAllocations(server, id);
    const isWhole = held === 0 || held === allocationCount || Number.isNaN(held);
    stage.check(isWhole, `${server.name} holds ${held} allocations of a plan with ${allocationCount}`);
    if (held === allocationCount) return;
    if (performance.now() - begun > planPatience)
      throw new Error(`${server.name} holds ${held} allocations after ${planPatience} ms`);
    await pause(20);
  }
}

/** The leader is killed as soon as anybody has seen the plan, and before: it is there as a whole or not at all. */
async function killAroundPlan(stage: Stage, region: Region): Promise<void> {
  const [follower] = await region.followers();
  if (follower === undefined) return;
  const since = performance.now();
  await registerLarge(stage, follower, 'seen');
  await awaitPlan(stage, await region.leader(), 'seen');
  const name = `registration to the plan of ${allocationCount} allocations`;
  stage.figure({ name, value: performance.now() - since, unit: 'ms' });
  await (await region.leader()).kill();
  for (const server of region.live()) await awaitPlan(stage, server, 'seen');
  await Promise.all(region.servers.filter(({ isServing }) => !isServing).map((server) => server.start()));
  for (const [round, delay] of [0, 100, 300, 600].entries()) {
    const id = `cut-${round}`;
    const leader = await region.leader();
    await registerLarge(stage, leader, id);
    await pause(delay);
    await leader.kill();
    await Promise.all(region.live().map((server) => awaitPlan(stage, server, id)));
    await leader.start();
  }
}

export const planCases: readonly ClusterCase[] = [
  {
    number: 13,
    name: 'a plan of 5,000 allocations, and kill -9',
    needs: { nodes: nodeCount },
    play: killAroundPlan,
  },
];
