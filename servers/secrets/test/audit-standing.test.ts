import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startCluster, type Cluster } from '../../etcd/test/support/etcd-cluster.js';
import { etcdMissing } from '../../etcd/test/support/etcd-process.js';
import type { AuditSink } from '../src/audit/audit-log.js';
import { createAuditStanding, type AuditStanding } from '../src/server/audit-standing.js';
import { createFakeClock, type FakeClock } from './support/fake-clock.js';
import { createMemoryLogger, startServer, type TestServer } from './support/secrets-server.js';
import { systemClock } from '@tamis/http';
import { openShared } from './support/shared-servers.js';
import { freePort } from './support/free-port.js';

describe('a server that cannot write its audit log', () => {
  let clock: FakeClock;
  let problem: string | null;
  let isActive: boolean;
  let allowed: boolean[];
  let standing: AuditStanding;

  function start(): void {
    clock = createFakeClock();
    problem = null;
    isActive = false;
    allowed = [];
    standing = createAuditStanding({
      clock,
      logger: createMemoryLogger(),
      problem: async () => problem,
      isActive: () => isActive,
      allow: (mayLead) => void allowed.push(mayLead),
    });
  }
  const look = async (): Promise<void> => {
    clock.advance(1_000);
    await clock.awaited(1_000);
  };
  const report = (address: string, canAudit?: boolean): void =>
    standing.learn({ address, ahead: 0, ...(canAudit !== undefined && { canAudit }) });
  afterEach(() => standing.close());

  it('does not campaign while it is a standby', async () => {
    start();
    await look();
    expect([allowed, standing.canAudit()]).toEqual([[], true]);
    problem = 'full';
    await look();
    await look();
    expect([allowed, standing.canAudit()]).toEqual([[false], false]);
    problem = null;
    await look();
    expect(allowed).toEqual([false, true]);
  });

  it('stays active until a standby reports that it can, and then makes room once', async () => {
    start();
    isActive = true;
    problem = 'full';
    report('a', false);
    report('b');
    await look();
    expect(allowed).toEqual([]);
    report('a', true);
    await look();
    expect(allowed).toEqual([false]);
    isActive = false;
    report('a', false);
    await look();
    await look();
    expect(allowed).toEqual([false]);
  });

  it('does not go by reports that are old, or were taken back', async () => {
    start();
    isActive = true;
    report('a', true);
    report('b', true);
    clock.jump(6_000);
    report('c', true);
    report('c', false);
    problem = 'full';
    await look();
    expect(allowed).toEqual([]);
  });
});

interface Auditing extends TestServer {
  isFull: boolean;
}

/** A sink that fails as a full disk does, on request. */
function sinkOf(isFull: () => boolean): AuditSink {
  return {
    write: async () => {
      if (isFull()) throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
    },
    reopen: async () => undefined,
    space: async () => null,
    close: async () => undefined,
  };
}

describe.skipIf(etcdMissing !== undefined)(`servers with full audit disks ${etcdMissing ?? ''}`, () => {
  let cluster: Cluster;
  const servers: Auditing[] = [];
  let root = '';

  async function startOne(): Promise<Auditing> {
    const store = await openShared(cluster.urls, await freePort());
    const state = { isFull: false };
    const server = await startServer({
      auditSink: sinkOf(() => state.isFull),
      storage: store.storage,
      election: store.election,
      systemClock,
      unsealed: false,
    });
    return Object.assign(state, server);
  }

  beforeAll(async () => {
    cluster = await startCluster();
    servers.push(await startOne(), await startOne());
    const [first] = servers;
    const { body } = await first!.call('PUT', 'sys/init', { token: null, body: {} });
    root = String(body['root_token']);
    const key = (body['keys'] as string[])[0];
    for (const server of servers) {
      const { status } = await server.call('PUT', 'sys/unseal', { token: null, body: { key } });
      expect(status).toBe(200);
    }
  }, 60_000);
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.close()));
    await cluster.stop();
  });

  const leader = async (): Promise<Auditing | null> => {
    for (const server of servers) {
      const { body } = await server.call('GET', 'sys/leader', { token: null });
      if (body['is_self'] === true) return server;
    }
    return null;
  };
  const lookUp = async (server: TestServer): Promise<number> =>
    (await server.call('GET', 'auth/token/lookup-self', { token: root })).status;

  it('make room for a server that can audit, and step down by a request where none can', async () => {
    await expect.poll(async () => (await leader()) !== null, { timeout: 20_000 }).toBe(true);
    const first = (await leader())!;
    const second = servers.find((server) => server !== first)!;
    await expect.poll(() => lookUp(second), { timeout: 20_000 }).toBe(200);
    first.isFull = true;
    await expect.poll(async () => (await lookUp(first), leader()), { timeout: 20_000 }).toBe(second);
    await expect.poll(() => lookUp(second), { timeout: 20_000 }).toBe(200);
    const health = await first.call('GET', 'sys/health', { token: null });
    expect([health.status, health.body['errors']]).toEqual([
      503,
      ['the audit log cannot be written: there is no space left'],
    ]);
    second.isFull = true;
    await expect.poll(() => lookUp(second)).toBe(500);
    expect(await leader()).toBe(second);
    const down = await second.call('PUT', 'sys/step-down', { token: root });
    expect(down.status).toBe(204);
    first.isFull = false;
    await expect.poll(() => lookUp(first), { timeout: 20_000 }).toBe(200);
    expect(await leader()).toBe(first);
  }, 60_000);
});
