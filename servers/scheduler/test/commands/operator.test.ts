import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { joinElection, joinRegistry, renewLease, monotonicClock } from '@tamis/etcd';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { registrationOf } from '@tamis/scheduler-state/cluster/server-list.js';
import { runOperator, type OperatorAction, type OperatorResponse } from '../../src/program/local/operator.js';
import type { ServersReport } from '../../src/program/local/operator-servers.js';
import { restoreSteps } from '../../src/program/local/operator-restore.js';
import {
  etcdLogs,
  etcdMissing,
  startCluster,
  type Cluster,
} from '../../../scheduler-state/test/support/etcd-logs.js';
import { until } from '../../../scheduler-model/test/support/until.js';

const skipped = etcdMissing === undefined ? '' : ` (skipped: ${etcdMissing})`;

/** A server that reports its progress, to holders of the token. */
async function startHttp(index: number): Promise<Server> {
  const server = createServer((request, response) => {
    response.statusCode = request.headers['x-scheduler-token'] === 'secret' ? 200 : 403;
    response.end(JSON.stringify({ stats: { raft: { applied_index: String(index) } } }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

describe.skipIf(etcdMissing !== undefined)(`scheduler operator${skipped}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'operator-'));
  let cluster: Cluster;
  /** Servers that register in one test do not exist in the next. */
  let prefix = '';
  let tests = 0;
  beforeEach(() => {
    tests += 1;
    prefix = `/scheduler/west/${tests}/`;
  });
  const stops: (() => unknown)[] = [];

  function run(action: OperatorAction, token: string | null = 'secret'): Promise<OperatorResponse> {
    const etcd = { connection: { endpoints: cluster.urls }, prefix, leaseTtl: 5 };
    return runOperator({ action, etcd, region: 'west', token, fetch });
  }

  async function report(token?: string | null): Promise<ServersReport> {
    return JSON.parse((await run({ kind: 'servers', json: true }, token)).text) as ServersReport;
  }

  function register(name: string, httpAddress: string): void {
    const transport = cluster.connect();
    const shared = { transport, clock: monotonicClock };
    const lease = renewLease({ ...shared, ttl: 60 });
    stops.push(() => lease.close());
    const registry = joinRegistry({ ...shared, lease, prefix: `${prefix}s/`, displaced: () => undefined });
    const address = `127.0.0.1:${name.length}`;
    registry.register(
      registrationOf({ name, address, httpAddress, gossipPort: 1, tags: { build: '1.2.3' } }),
    );
    if (name === 'a.west')
      joinElection({ ...shared, lease, key: `${prefix}leader` }).campaign({ name, address });
  }

  /** Two servers that have come to these indexes, the first of which leads; their addresses. */
  async function registerTwo(...indexes: readonly [number, number]): Promise<readonly string[]> {
    const https = await Promise.all(indexes.map(startHttp));
    stops.push(...https.map((server) => () => server.close()));
    const urls = https.map((server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    register('a.west', urls[0]!);
    register('bb.west', urls[1]!);
    await until(async () => (await report()).leader !== null && (await report()).servers.length === 2);
    return urls;
  }

  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(async () => {
    await Promise.all(stops.map((stop) => stop()));
    await cluster.stop();
    rmSync(folder, { recursive: true });
  });

  it('says so where there is nothing yet', async () => {
    const { text, isWell } = await run({ kind: 'servers', json: false });
    expect(text).toMatch(/^region west, index 0, nothing written yet, no leader\n\nSERVER {2}RPC/);
    expect(isWell).toBe(false);
  });

  it('shows who is there, who leads and how far each has come', async () => {
    const storage = etcdLogs(cluster.connect(), prefix).open();
    const rows = { puts: [], deletes: [], tableIndexes: { jobs: 12 } };
    await storage.append({ id: 'x', after: '', term: 1, batch: { index: 12, ...rows } });
    await storage.close();
    cluster.control(['del', `${prefix}leader`]);
    const urls = await registerTwo(12, 9);
    const { text, isWell } = await run({ kind: 'servers', json: false });
    const lines = text.split('\n').map((line) => line.trim().split(/ {2,}/));
    expect(text).toMatch(/^region west, index 12, since 20.*Z, leader a\.west \(term \d+\)\n/);
    expect(lines.slice(3, 5)).toEqual([
      ['a.west', '127.0.0.1:6', urls[0], '1.2.3', 'yes', '12', '0'],
      ['bb.west', '127.0.0.1:7', urls[1], '1.2.3', '9', '3'],
    ]);
    expect(lines[7]).toEqual([cluster.urls[0], expect.any(String), expect.stringMatching(/MiB$/), 'yes']);
    expect(isWell).toBe(true);
  });

  it('says of whom it cannot be known, and gives no token away', async () => {
    await registerTwo(12, 9);
    const gone = await startHttp(1);
    const { port } = gone.address() as AddressInfo;
    await once(gone.close(), 'close');
    register('c.west', `http://127.0.0.1:${port}`);
    register('d.west', 'http://10.0.0.1:4646');
    await until(async () => (await report()).servers.length === 4);
    const problems = (await report(null)).servers.map(({ index, problem }) => [index, problem]);
    expect(problems).toEqual([
      [null, 'needs a token with agent:read in SCHEDULER_TOKEN'],
      [null, 'needs a token with agent:read in SCHEDULER_TOKEN'],
      [null, expect.stringContaining('ECONNREFUSED')],
      [null, expect.stringContaining('would carry tokens over an open connection: use https')],
    ]);
    const { text, isWell } = await run({ kind: 'servers', json: false });
    expect(text).toMatch(/\n\nc\.west: connect ECONNREFUSED/);
    expect([text.includes('secret'), isWell]).toEqual([false, false]);
  });

  it('saves a snapshot, checks it, and explains how to restore it', async () => {
    const file = join(folder, 'backup.db');
    expect((await run({ kind: 'save', file })).text).toBe(`${file}: ${statSync(file).size} bytes\n`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await expect(run({ kind: 'save', file })).rejects.toThrow('is there already');
    const { text } = await run({ kind: 'restore', file });
    expect(text).toContain(`etcdutl snapshot restore ${file} --name m0 \\\n`);
    expect(text).toMatch(/--initial-cluster m0=http:\/\/127\.0\.0\.1:\d+ /);
  });

  it.each<[what: string, damage: (bytes: Buffer) => Buffer, problem: RegExp]>([
    [
      'damaged',
      (bytes) => Buffer.concat([bytes.subarray(0, 99), Buffer.from('x'), bytes.subarray(100)]),
      /damaged/,
    ],
    ['cut off', (bytes) => bytes.subarray(0, bytes.length - 100), /no snapshot of etcd, or a part of one/],
    ['empty', () => Buffer.alloc(0), /no snapshot of etcd/],
  ])('refuses a snapshot that is %s', async (what, damage, problem) => {
    const [whole, file] = [join(folder, `${what}.db`), join(folder, `${what}-damaged.db`)];
    await run({ kind: 'save', file: whole });
    writeFileSync(file, damage(readFileSync(whole)));
    await expect(run({ kind: 'restore', file })).rejects.toThrow(problem);
  });

  it('says what it needs where no etcd is named', async () => {
    const request = {
      action: { kind: 'servers', json: false },
      etcd: null,
      region: 'west',
      token: null,
      fetch,
    } as const;
    await expect(runOperator(request)).rejects.toThrow('Name a member with --etcd-endpoint URL');
    expect(existsSync(join(folder, 'none.db'))).toBe(false);
  });

  it('lists names to replace if the members do not respond', () => {
    expect(restoreSteps('x.db', null)).toMatch(/replace the names in capitals[^]*--name MEMBER-2/);
  });
});
