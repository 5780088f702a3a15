import { setTimeout as pause } from 'node:timers/promises';
import { fetchJson } from './client.js';
import type { Region } from './region.js';
import type { ServerProcess } from './server-process.js';
import type { ClusterCase, Stage } from './stage.js';

const rowCount = 5_000;
/** Milliseconds in which the rows have to be there. */
const timeoutMs = 60_000;
const rounds = 3;
/** Milliseconds after the election in which the leader is killed. */
const maxLifeMs = 600;

/** Number of fill rows in a server's local state; NaN if it does not respond. */
async function rowBudget(server: ServerProcess): Promise<number> {
  return fetchJson<readonly object[]>(server, '/v1/nodes?stale').then(
    ({ length }) => length,
    () => NaN,
  );
}

/** Waits until a server holds all rows; whenever it is looked at, it holds all of them or none. */
async function awaitRows(stage: Stage, server: ServerProcess): Promise<void> {
  const started = performance.now();
  for (;;) {
    const paused = await rowBudget(server);
    const isWhole = paused === 0 || paused === rowCount || Number.isNaN(paused);
    stage.check(isWhole, `${server.name} holds ${paused} rows of a write with ${rowCount}`);
    if (paused === rowCount) return;
    if (performance.now() - started > timeoutMs)
      throw new Error(`${server.name} holds ${paused} rows after ${timeoutMs} ms`);
    await pause(20);
  }
}

/** The leader is killed while it writes the rows that the state begins with, all of them in one write. */
async function killWhileFilling(stage: Stage, region: Region): Promise<void> {
  const regions = [region];
  for (let round = 1; round < rounds; round += 1) regions.push(await stage.open(needs));
  for (const each of regions) {
    await Promise.all(each.servers.map((server) => server.start()));
    const leader = await each.leader();
    await pause(Math.random() * maxLifeMs);
    const found = await rowBudget(leader);
    await leader.kill();
    stage.figure({ name: 'rows that were there when the leader was killed', value: found, unit: '' });
    await Promise.all(each.live().map((server) => awaitRows(stage, server)));
    await leader.start();
    await awaitRows(stage, leader);
  }
}

const needs = { isCold: true, nodes: rowCount };

export const fillCases: readonly ClusterCase[] = [
  { number: 13, name: '5,000 rows in one write, and kill -9', needs, play: killWhileFilling },
];
