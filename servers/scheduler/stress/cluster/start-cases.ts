import { setTimeout as pause } from 'node:timers/promises';
import { send, fetchJson } from './client.js';
import { writeJob } from './job.js';
import type { Region } from './region.js';
import type { ClusterCase, Stage } from './stage.js';

const importedCount = 50;

/** Servers that start at once on an empty etcd: one of them fills it, and all name the same leader. */
async function startOnNothing(stage: Stage, two: Region): Promise<void> {
  const three = await stage.open({ isCold: true, servers: 3, nodes: importedCount });
  for (const region of [two, three]) {
    const since = performance.now();
    await Promise.all(region.servers.map((server) => server.start()));
    await region.leader();
    const name = `${region.servers.length} servers elect a leader after their start`;
    stage.figure({ name, value: performance.now() - since, unit: 'ms' });
    const [first] = region.live();
    if (first === undefined) return;
    const { index, problem } = await writeJob(first, 'first', 'x', 0);
    stage.check(index !== null, `the first write was not taken: ${problem}`);
    const expected = region === three ? importedCount : 0;
    for (const server of region.servers) {
      const nodes = await fetchJson<readonly object[]>(server, '/v1/nodes');
      stage.check(nodes.length === expected, `${server.name} has ${nodes.length} nodes, not ${expected}`);
      const namespaces = await fetchJson<readonly object[]>(server, '/v1/namespaces');
      stage.check(namespaces.length === 1, `${server.name} has ${namespaces.length} namespaces, not 1`);
    }
  }
}

/** Two servers of three that are expected wait without a leader; the third one makes them elect. */
async function expectThree(stage: Stage, region: Region): Promise<void> {
  const [first, second, third] = region.servers;
  if (first === undefined || second === undefined || third === undefined) return;
  await Promise.all([first.start(), second.start()]);
  await pause(2 * region.leaseTtl * 1_000);
  for (const server of [first, second]) {
    const { text } = await send(server, '/v1/status/leader');
    stage.check(/^"?"?\s*$/.test(text), `${server.name} names ${text} as leader, and one server is missing`);
    const { status, knownLeader } = await send(server, '/v1/jobs?stale');
    stage.check(status === 200 && !knownLeader, `a stale read on ${server.name} returned ${status}`);
    const read = await send(server, '/v1/jobs');
    stage.check(read.status === 500, `a default read on ${server.name} returned ${read.status}`);
  }
  const since = performance.now();
  await third.start();
  await region.leader();
  stage.figure({ name: 'leader after the start of the third', value: performance.now() - since, unit: 'ms' });
  await third.kill();
  await first.kill();
  await second.kill();
  await first.start();
  await region.leader();
  await Promise.all([second.start(), third.start()]);
}

export const startCases: readonly ClusterCase[] = [
  {
    number: 1,
    name: 'servers start at once on nothing',
    needs: { servers: 2, isCold: true },
    play: startOnNothing,
  },
  {
    number: 15,
    name: 'bootstrap_expect = 3',
    needs: { isCold: true, flags: ['--bootstrap-expect', '3'] },
    play: expectThree,
  },
];
