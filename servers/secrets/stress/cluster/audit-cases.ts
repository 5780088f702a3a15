import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { forAll } from '../client.js';
import type { ClusterServer } from './cluster-server.js';
import { bodyOf, createSend, lookUp, makeToken, type SendRequest } from './requests.js';
import type { ClusterCase, Stage } from './stage.js';

/** Sets the maximum size of files that a process writes: without space left for its audit log. */
export function limitFiles(server: ClusterServer, bytes: number | 'unlimited'): void {
  execFileSync('prlimit', ['--pid', `${server.pid()}`, `--fsize=${bytes}:unlimited`]);
}

const sizeOf = ({ auditFile }: ClusterServer): number => statSync(auditFile).size;

const requests = 2_000;
/** Maximum growth of an audit log, in bytes: the flood may overlap two periods. */
const maxGrowth = { token: 250_000, others: 1_100_000 };

/** Sends requests that are refused, and measures the audit logs. Afterwards, requests of valid tokens are recorded. */
async function floodRefusals(stage: Stage): Promise<void> {
  const region = await stage.open({ servers: 2 });
  const send = createSend(stage, region);
  const { active, standby } = await region.parts();
  const [other = active] = standby;
  const token = await makeToken(send, active, { policies: ['default'] });
  const floods = [
    ['active, one token', active, token, maxGrowth.token],
    ['standby, one token', other, token, maxGrowth.others],
    ['standby, no token', other, null, maxGrowth.others],
  ] as const;
  for (const [name, target, used, max] of floods) {
    const before = [active, other].map(sizeOf);
    await forAll(Array.from({ length: requests }), 32, async () => {
      const { status } = await send(target, 'GET', 'sys/policies/acl/refused', undefined, used);
      stage.check(status === 403, `${name}: returned ${status}, not 403`);
    });
    const growth = Math.max(...[active, other].map((server, at) => sizeOf(server) - (before[at] ?? 0)));
    stage.figure({ name, value: growth / 1_000, unit: 'kB' });
    stage.check(growth <= max, `${name}: an audit log grew by ${growth} bytes`);
  }
  const id = String(bodyOf(await lookUp(send, other, token))['request_id']);
  for (const server of [active, other]) {
    const lines = readFileSync(server.auditFile, 'utf8').split('\n');
    const found = lines.filter((line) => line.includes(id)).length;
    stage.check(found === 2, `after the floods a valid request has ${found} lines, not 2`);
  }
}

/** Returns the server that says that it is the active one. */
async function leaderOf(
  send: SendRequest,
  servers: readonly ClusterServer[],
): Promise<ClusterServer | undefined> {
  const leads = await Promise.all(
    servers.map(
      async (server) => bodyOf(await send(server, 'GET', 'sys/leader', undefined, null))['is_self'],
    ),
  );
  return servers[leads.indexOf(true)];
}

/** One server after the other cannot write its audit log. The active server makes room for one that can, if there is one. */
async function fillAuditDisks(stage: Stage): Promise<void> {
  const region = await stage.open();
  const send = createSend(stage, region);
  const limit = (server: ClusterServer): void => limitFiles(server, sizeOf(server));
  const full: ClusterServer[] = [];
  while (full.length < 2) {
    const active = await leaderOf(send, region.servers);
    if (active === undefined) throw new Error('no server is active');
    limit(active);
    full.push(active);
    const since = performance.now();
    const able = region.servers.filter((server) => !full.includes(server));
    for (let next: ClusterServer | undefined; next === undefined || full.includes(next);) {
      // Only a request shows the server that its disk is full.
      await send(active, 'GET', 'auth/token/lookup-self');
      next = await leaderOf(send, region.servers);
      if (performance.now() - since > 20_000) throw new Error('a server that cannot audit stays active');
    }
    stage.figure({ name: 'another is active', value: performance.now() - since, unit: 'ms', max: 10_000 });
    for (const server of able) {
      while ((await lookUp(send, server, region.rootToken)).status === 503) await pause(50);
      stage.expect(await lookUp(send, server, region.rootToken), 200, 'at a server that can record');
    }
  }
  const last = await leaderOf(send, region.servers);
  if (last === undefined) throw new Error('no server is active');
  limit(last);
  const leaders = new Set<ClusterServer | undefined>();
  for (let look = 0; look < 60; look += 1) {
    await lookUp(send, last, region.rootToken);
    leaders.add(await leaderOf(send, region.servers));
    await pause(100);
  }
  stage.check(
    leaders.size === 1,
    `the active server changed ${leaders.size - 1} times while all disks are full`,
  );
  stage.expect(await send(last, 'PUT', 'sys/step-down'), 204, 'step-down without an audit log');
  for (const server of region.servers) limitFiles(server, 'unlimited');
  await region.whole();
  for (const server of region.servers) {
    stage.expect(await lookUp(send, server, region.rootToken), 200, 'when there is space again');
  }
}

export const auditCases: readonly ClusterCase[] = [
  { name: 'refused requests write little into the audit logs', play: floodRefusals },
  { name: 'the disks of the audit logs are full, one after the other', play: fillAuditDisks },
];
