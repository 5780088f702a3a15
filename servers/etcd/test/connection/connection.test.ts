import { sleep } from '@tamis/http';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Channel } from '../../src/connection/transport.js';
import { connect, EtcdError, type Connection } from '../../src/index.js';
import { methods, type Method } from '../../src/protocol/methods.js';
import { putOperation, rangeRequest } from '../../src/protocol/requests.js';
import { CompactionRequest, StatusResponse, type TxnResponse } from '../../src/protocol/messages.js';
import { makeCertificates } from '../support/certificates.js';
import { startCluster, type Cluster } from '../support/etcd-cluster.js';
import { etcdMissing } from '../support/etcd-process.js';
import { createFakeClock } from '../support/fake-clock.js';

const skipped = etcdMissing === undefined ? '' : ` (skipped: ${etcdMissing})`;

function put(connection: Connection, key: string, value: string | Buffer): Promise<TxnResponse> {
  const success = [putOperation(key, Buffer.from(value))];
  return connection.call(methods.txn, { compare: [], success, failure: [] });
}

async function read(connection: Connection, key: string): Promise<string | undefined> {
  const { kvs } = await connection.call(methods.range, rangeRequest({ key }), { timeout: 30_000 });
  return kvs[0]?.value.toString();
}

/** The member that a connection uses. */
function used(cluster: Cluster, connection: Connection): Cluster['members'][number] {
  return cluster.members.find(({ url }) => url === connection.endpoint()?.url)!;
}

/** Repeats a put until it gets a response: allowed for an idempotent put. */
async function putUntilDone(connection: Connection, key: string, value: string): Promise<void> {
  for (;;) {
    try {
      await put(connection, key, value);
      return;
    } catch (error) {
      expect(error).toMatchObject({ code: expect.stringMatching(/^(?:unknown|not-sent)$/) as string });
    }
  }
}

it('reports which members could not be reached, and why', async () => {
  const connection = connect({ endpoints: ['http://127.0.0.1:1', 'http://127.0.0.1:2'] });
  await expect(
    connection.call(methods.txn, { compare: [], success: [], failure: [] }, { timeout: 4_000 }),
  ).rejects.toMatchObject({
    code: 'not-sent',
    message: expect.stringMatching(
      /^etcd cannot be reached: http:\/\/127\.0\.0\.1:[12]: .*ECONNREFUSED.*; http:/,
    ) as string,
  });
  connection.close();
});

it('retries in time a request forwarded to an unresponsive leader, unless it could be applied twice', async () => {
  const clock = createFakeClock();
  const given: number[] = [];
  const dial = (): Channel => ({
    async call<Request, Response>(
      { path }: Method<Request, Response>,
      _request: Request,
      { timeout }: { readonly timeout: number },
    ) {
      if (path === methods.status.path) return StatusResponse.fromPartial({ leader: 1n }) as Response;
      given.push(timeout);
      await sleep(clock, timeout);
      throw new EtcdError('unknown', 'no answer');
    },
    stream: () => {
      throw new Error('not asked for');
    },
    close: () => undefined,
  });
  const connection = connect({ endpoints: ['http://127.0.0.1:1'] }, { clock, dial });
  const failed = [
    connection.call(methods.range, rangeRequest({ key: 'a' }), { timeout: 4_000 }),
    connection.call(methods.txn, { compare: [], success: [], failure: [] }, { timeout: 3_000 }),
  ].map((call) => expect(call).rejects.toMatchObject({ code: 'unknown' }));
  await clock.advance(10_000);
  await Promise.all(failed);
  expect(given).toEqual([2_000, 3_000, 975, 500, 375]);
  connection.close();
});

describe.skipIf(etcdMissing !== undefined)(`a connection to one member${skipped}`, () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster.stop());

  it('puts and reads', async () => {
    const connection = cluster.connect();
    await put(connection, 'a', 'ä');
    expect(await read(connection, 'a')).toBe('ä');
    expect(await read(connection, 'none')).toBeUndefined();
  });

  it('distinguishes refusals', async () => {
    const connection = cluster.connect();
    await expect(put(connection, 'large', Buffer.alloc(2 << 20))).rejects.toMatchObject({
      code: 'too-large',
    });
    const { header } = await put(connection, 'a', '1');
    const revision = Number(header!.revision);
    await connection.call(methods.compact, CompactionRequest.fromPartial({ revision: BigInt(revision) }));
    const at = (requests: number): Promise<unknown> =>
      connection.call(methods.range, rangeRequest({ key: 'a' }, { revision: requests }));
    await expect(at(revision - 1)).rejects.toMatchObject({ code: 'compacted' });
    await expect(at(revision + 1000)).rejects.toMatchObject({ code: 'future-revision' });
    await expect(connection.call(methods.leaseRevoke, { ID: 77n })).rejects.toMatchObject({
      code: 'lease-not-found',
    });
    const twice = {
      compare: [],
      success: [putOperation('b', Buffer.of()), putOperation('b', Buffer.of())],
      failure: [],
    };
    await expect(connection.call(methods.txn, twice)).rejects.toMatchObject({ code: 'refused' });
  });

  it('accepts a response above the limit of grpc', async () => {
    const connection = cluster.connect();
    for (let n = 0; n < 6; n += 1) await put(connection, `page/${n}`, Buffer.alloc(1 << 20));
    const { kvs } = await connection.call(
      methods.range,
      rangeRequest({ key: 'page/', end: Buffer.from('page0') }),
    );
    expect(kvs.map(({ value }) => value.length)).toEqual(Array(6).fill(1 << 20));
  });

  it('reports that there is no space left', async ({ onTestFinished }) => {
    const full = await startCluster({ quota: 16 << 20 });
    onTestFinished(() => full.stop());
    const connection = full.connect();
    await expect(async () => {
      for (let n = 0; n < 40; n += 1) await put(connection, `fill/${n}`, Buffer.alloc(1 << 20));
    }).rejects.toMatchObject({ code: 'no-space' });
    expect(await read(connection, 'fill/0')).toHaveLength(1 << 20);
  });

  it('refuses calls when it is closed, and ends those under way', async () => {
    const connection = cluster.connect();
    await read(connection, 'a');
    cluster.members[0]!.freeze();
    const underWay = put(connection, 'a', '2');
    const failed = expect(underWay).rejects.toMatchObject({ code: 'unknown' });
    await turn();
    connection.close();
    await failed;
    cluster.members[0]!.thaw();
    await expect(read(connection, 'a')).rejects.toMatchObject({ code: 'closed' });
  });
});

describe.skipIf(etcdMissing !== undefined)(`a connection to three members${skipped}`, () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster({ members: 3 });
  });
  afterAll(() => cluster.stop());

  it('goes on with another member when the one in use is killed', async () => {
    const connection = cluster.connect();
    // A member that came back in the test before may have cost etcd its leader.
    await putUntilDone(connection, 'a', '1');
    const killed = used(cluster, connection);
    await killed.kill();
    expect(await read(connection, 'a')).toBe('1');
    expect(used(cluster, connection)).not.toBe(killed);
    await putUntilDone(connection, 'a', '2');
    await killed.start();
    expect(await read(connection, 'a')).toBe('2');
  });

  it('switches to another member when the current one is frozen, and repeats its pending reads', async () => {
    const connection = cluster.connect();
    // A member that came back in the test before may have cost etcd its leader.
    await putUntilDone(connection, 'a', '1');
    const frozen = used(cluster, connection);
    frozen.freeze();
    expect(await read(connection, 'a')).toBe('1');
    expect(used(cluster, connection)).not.toBe(frozen);
    await putUntilDone(connection, 'a', '2');
    frozen.thaw();
    expect(await read(connection, 'a')).toBe('2');
  });

  it('leaves a member that has lost its leader for one that has one', async () => {
    const connection = cluster.connect();
    await read(connection, 'a');
    const alone = used(cluster, connection);
    const others = cluster.members.filter((member) => member !== alone);
    await Promise.all(others.map((member) => member.kill()));
    await expect(put(connection, 'a', '3')).rejects.toMatchObject({
      code: expect.stringMatching(/unknown|not-sent/) as string,
    });
    await Promise.all(others.map((member) => member.start()));
    await putUntilDone(connection, 'a', '4');
    expect(await read(connection, 'a')).toBe('4');
  });
});

describe.skipIf(etcdMissing !== undefined)(`a connection with certificates and a user${skipped}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'etcd-certificates-'));
  const passwordFile = join(folder, 'password');
  const user = { name: 'root', passwordFile };
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster({ tls: makeCertificates(folder) });
    cluster.control(['user', 'add', 'root:first']);
    cluster.control(['user', 'grant-role', 'root', 'root']);
    cluster.control(['user', 'add', 'guest:guest']);
    cluster.control(['auth', 'enable']);
    writeFileSync(passwordFile, 'first\nnot a part of it\n', { mode: 0o600 });
  });
  afterAll(async () => {
    await cluster.stop();
    rmSync(folder, { recursive: true });
  });

  it('is refused by members whose authority it does not know', async () => {
    const connection = cluster.connect({ tls: {} });
    await expect(
      connection.call(methods.range, rangeRequest({ key: 'a' }), { timeout: 6_000 }),
    ).rejects.toMatchObject({
      code: 'not-sent',
      message: expect.stringContaining('unable to verify') as string,
    });
  });

  it('names a file that cannot be read', () => {
    expect(() => cluster.connect({ tls: { caFile: join(folder, 'none') } })).toThrow(
      expect.objectContaining({
        code: 'configuration',
        message: expect.stringMatching(/^etcd tls: ENOENT.*none/) as string,
      }),
    );
  });

  it('authenticates, and again when its token has ended', async () => {
    const connection = cluster.connect({ user });
    await put(connection, 'a', '1');
    await cluster.members[0]!.kill();
    await cluster.members[0]!.start();
    expect(await read(connection, 'a')).toBe('1');
    cluster.control(['user', 'passwd', 'root', '--interactive=false'], 'root:first', 'second');
    writeFileSync(passwordFile, 'second');
    expect(await read(connection, 'a')).toBe('1');
  });

  it('reports missing permissions of a user, and never the password', async () => {
    writeFileSync(join(folder, 'guest'), 'guest', { mode: 0o600 });
    writeFileSync(join(folder, 'wrong'), 'wrong-password', { mode: 0o600 });
    const guest = cluster.connect({ user: { name: 'guest', passwordFile: join(folder, 'guest') } });
    await expect(read(guest, 'a')).rejects.toMatchObject({ code: 'permission' });
    const wrong = cluster.connect({ user: { name: 'root', passwordFile: join(folder, 'wrong') } });
    const failure: unknown = await read(wrong, 'a').catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'unauthenticated' });
    expect(String(failure)).not.toContain('wrong-password');
    rmSync(join(folder, 'guest'));
    await expect(read(guest, 'a')).rejects.toMatchObject({ code: 'permission' });
    writeFileSync(join(folder, 'open'), 'first', { mode: 0o640 });
    for (const [name, problem] of [
      ['none', /ENOENT.*none/],
      ['open', /open is open to others than its owner: chmod 600 it/],
    ] as const)
      expect(() => cluster.connect({ user: { name: 'root', passwordFile: join(folder, name) } })).toThrow(
        expect.objectContaining({
          code: 'configuration',
          message: expect.stringMatching(problem) as string,
        }),
      );
  });
});
