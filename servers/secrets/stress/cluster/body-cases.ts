import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { Worker } from 'node:worker_threads';
import { createFakeCloud } from '../../test/support/fake-cloud.js';
import { quantile } from '../../../http/stress/proof.js';
import type { ClusterServer } from './cluster-server.js';
import { createSend, makeToken } from './requests.js';
import type { ClusterCase, Stage } from './stage.js';

/** Growth of the memory of a server during a flood, in bytes: what it is at most on an idle machine, and what is a mistake. */
const expectedGrowth = 67_108_864;
const maxGrowth = 2 * expectedGrowth;
const connections = 1_000;
const large = 2_097_152;

/** Sends one request, and ends when the server closes the connection or has responded. */
function sendBody(address: string, head: string, body: Buffer): Promise<string> {
  const { hostname, port } = new URL(address);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port) });
    let status = 'none';
    const end = (): void => {
      socket.destroy();
      resolve(status);
    };
    socket.once('data', (data) => {
      status = String(data).slice(9, 12);
      end();
    });
    socket.on('error', end).on('close', end);
    socket.write(head);
    socket.write(body);
  });
}

/** Bytes of memory of a process: now, and at most since the last reset. */
function memoryOf(pid: number): { readonly now: number; readonly peak: number } {
  const text = readFileSync(`/proc/${pid}/status`, 'latin1');
  const bytes = (name: string): number => 1_024 * Number(new RegExp(`${name}:\\s+(\\d+)`).exec(text)?.[1]);
  return { now: bytes('VmRSS'), peak: bytes('VmHWM') };
}

interface Flood {
  readonly name: string;
  readonly target: ClusterServer;
  readonly address: string;
  readonly path: string;
  readonly token: string | null;
  readonly length: number;
  readonly more?: string;
  readonly isMeasured?: boolean;
}

/** Floods one server, and measures the memory of all of them and how long the health of the target takes. */
async function flood(stage: Stage, servers: readonly ClusterServer[], given: Flood): Promise<void> {
  const { name, target, address, path, token, length, more = '', isMeasured = true } = given;
  const before = servers.map(({ pid }) => {
    writeFileSync(`/proc/${pid()}/clear_refs`, '5');
    return memoryOf(pid()).now;
  });
  const bystander = new Worker(new URL('../bystander.mjs', import.meta.url), {
    workerData: { address: target.address, token: '', path: 'sys/health?standbyok=true', isAnnounced: true },
  });
  await once(bystander, 'message');
  const body = Buffer.from(`{"role":"dev","jwt":"${'x'.repeat(length - 23)}"}`);
  const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n${more}${
    token === null ? '' : `X-Secrets-Token: ${token}\r\n`
  }\r\n`;
  const statuses = await Promise.all(
    Array.from({ length: connections }, () => sendBody(address, head, body)),
  );
  const reported = new Promise<{ readonly times: readonly number[] }>((resolve) =>
    bystander.once('message', resolve),
  );
  bystander.postMessage('stop');
  const { times } = await reported;
  const growth = Math.max(...servers.map(({ pid }, at) => memoryOf(pid()).peak - (before[at] ?? 0)));
  const counts = [...new Set(statuses)].map(
    (each) => `${statuses.filter((one) => one === each).length} x ${each}`,
  );
  stage.progress(`${name}: ${counts.join(', ')}`);
  stage.check(
    !isMeasured || growth <= maxGrowth,
    `${name}: the memory of a server grew by ${Math.round(growth / 1e6)} MB`,
  );
  stage.check(!times.some(Number.isNaN), `${name}: the health endpoint failed`);
  stage.check(!statuses.includes('500'), `${name}: a request returns 500`);
  stage.figure({ name: `${name}, growth`, value: growth / 1e6, unit: 'MB', max: expectedGrowth / 1e6 });
  stage.figure({ name: 'health, slowest', value: quantile(times, 1), unit: 'ms', max: 500 });
  for (const each of new Set(statuses)) {
    stage.figure({
      name: `responses ${each}`,
      value: statuses.filter((one) => one === each).length,
      unit: '',
    });
  }
}

/** Large bodies at every port of the servers, with and without a token, and the largest logins. */
async function floodBodies(stage: Stage): Promise<void> {
  const cloud = await createFakeCloud();
  stage.atEnd(() => cloud.close());
  const region = await stage.open({ servers: 2, cloud });
  const { active, standby } = await region.parts();
  const [other] = standby;
  if (other === undefined) return;
  const token = await makeToken(createSend(stage, region), active);
  const servers = [active, other];
  const path = '/v1/auth/cloud/role/dev';
  for (const [name, target] of [
    ['active', active],
    ['standby', other],
  ] as const) {
    const common = { target, address: target.address, path };
    // What as many connections cost without large bodies, and code that runs for the first time.
    await flood(stage, servers, {
      ...common,
      name: `${name}, small bodies`,
      token: null,
      length: 40,
      isMeasured: false,
    });
    await flood(stage, servers, { ...common, name: `${name}, no token`, token: null, length: large });
    await flood(stage, servers, { ...common, name: `${name}, token`, token, length: large });
    await flood(stage, servers, { ...common, name: `${name}, token, 64 kB`, token, length: 65_000 });
    const login = { ...common, path: '/v1/auth/cloud/login', token: null };
    await flood(stage, servers, { ...login, name: `${name}, login, 2 MB`, length: large });
    await flood(stage, servers, { ...login, name: `${name}, login, 64 kB`, length: 65_000 });
  }
  const peer = { target: active, address: `http://${active.peerAddress}`, path: '/forward', token: null };
  await flood(stage, servers, { ...peer, name: 'peer port', length: large });
  const more = `X-Secrets-Proof: ${'0'.repeat(64)}\r\nX-Secrets-Body-Hash: ${'0'.repeat(64)}\r\n`;
  await flood(stage, servers, { ...peer, name: 'peer port, wrong proof', length: 600_000, more });
}

export const bodyCases: readonly ClusterCase[] = [
  { name: 'large bodies from many connections cost little memory', play: floodBodies },
];
