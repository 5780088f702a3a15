import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { aclIds, createAclCluster, type AclCluster } from '../support/acl-cluster.js';
import { createFakeClock, type FakeClock } from '../../../scheduler-model/test/support/fake-clock.js';

let cluster: AclCluster;
let clock: FakeClock;
beforeEach(async () => {
  clock = createFakeClock(Date.UTC(2026, 0, 1));
  cluster = await createAclCluster(
    { node_write: 'node { policy = "write" }', other: 'node { policy = "write" }' },
    { clock },
  );
});
afterEach(() => cluster.agent.close());

interface LastDrain {
  readonly StartedAt: string;
  readonly UpdatedAt: string;
  readonly Status: string;
  readonly AccessorID: string;
  readonly Meta: Readonly<Record<string, string>> | null;
}

/** Requests a drain, or its end, and returns the node's view of it; a minute passes. */
async function drain(token: string, body: object): Promise<LastDrain> {
  const path = `/v1/node/${aclIds.node}`;
  const response = await cluster.sendAs(token, `${path}/drain`, { method: 'PUT', body });
  expect(response.status).toBe(200);
  clock.advance(60_000);
  return ((await cluster.sendAs('mgmt', path)).json() as { LastDrain: LastDrain }).LastDrain;
}

async function accessorOf(token: string): Promise<string> {
  const response = await cluster.sendAs(token, '/v1/acl/token/self');
  return (response.json() as { AccessorID: string }).AccessorID;
}

const DrainSpec = { Deadline: 3_600_000_000_000 };

describe('the last drain of a node', () => {
  it('is of the drain that began last, not of one before it', async () => {
    const first = await drain('node_write', { DrainSpec, Meta: { why: 'disk' } });
    expect(first).toMatchObject({ StartedAt: '2026-01-01T00:00:00.000Z', Meta: { why: 'disk' } });
    await drain('node_write', { DrainSpec: null });
    expect(await drain('node_write', { DrainSpec })).toMatchObject({
      StartedAt: '2026-01-01T00:02:00.000Z',
      UpdatedAt: '2026-01-01T00:02:00.000Z',
      Status: 'draining',
      Meta: null,
    });
  });

  it('keeps the beginning of a drain that is changed or called off', async () => {
    await drain('node_write', { DrainSpec, Meta: { why: 'disk' } });
    expect(await drain('node_write', { DrainSpec: { Deadline: -1 } })).toMatchObject({
      StartedAt: '2026-01-01T00:00:00.000Z',
      UpdatedAt: '2026-01-01T00:01:00.000Z',
      Meta: { why: 'disk' },
    });
    expect(await drain('node_write', { DrainSpec: null })).toMatchObject({
      StartedAt: '2026-01-01T00:00:00.000Z',
      Status: 'canceled',
      Meta: { why: 'disk' },
    });
  });

  it('names the token that requested it last', async () => {
    const [one, other] = [await accessorOf('node_write'), await accessorOf('other')];
    expect(one).not.toBe(other);
    expect((await drain('node_write', { DrainSpec })).AccessorID).toBe(one);
    expect((await drain('other', { DrainSpec: null })).AccessorID).toBe(other);
    expect((await drain('other', { DrainSpec: null })).AccessorID).toBe(other);
    expect((await drain('mgmt', { DrainSpec })).AccessorID).toBe(await accessorOf('mgmt'));
  });
});
