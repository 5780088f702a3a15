import { afterAll, beforeAll, expect, it } from 'vitest';
import { restoreCluster } from '@tamis/scheduler-state/cluster/cluster-rows.js';
import type { ScanExplanation } from '@tamis/scheduler-model/wire/aggregate-bodies.js';
import { largeCluster } from '../../stress/large-cluster.js';
import { createAclCluster, type AclCluster } from '../support/acl-cluster.js';
import { withQuery } from '../support/test-agent.js';

const rows = 1_500;

let cluster: AclCluster;
beforeAll(async () => {
  cluster = await createAclCluster({
    all: 'namespace "*" { policy = "read" }',
    others: 'namespace "*" { policy = "read" }',
    default: 'namespace "default" { policy = "read" }',
  });
  const all = largeCluster(rows);
  await cluster.agent.state.write((transaction) => restoreCluster(transaction, all));
});
afterAll(() => cluster.agent.app.close());

const namespaces = ['*', 'default'];

/** Each query is a different string: none is served from the cache of an earlier one. */
async function send(token: string, namespace: string): Promise<void> {
  for (let round = 0; round < 12; round += 1) {
    const filter = `Meta.owner == "core" and Meta.owner != "${token}-${namespace}-${round}"`;
    const page = await cluster.sendAs(token, withQuery('/v1/jobs', { filter, namespace }));
    expect([page.status, (page.json() as readonly object[]).length]).toEqual([200, rows / 5]);
    const counts = await cluster.sendAs(token, withQuery('/v1/jobs', { filter, namespace, facets: 'Type' }));
    expect(counts.json()).toMatchObject({ Total: rows / 5 });
  }
}

let queries = 0;

/** The evaluator of each clause of a filter, and its reason. Earlier explanations are not repeated. */
async function reported(
  token: string,
  namespace: string,
  filter: string,
): Promise<readonly string[] | undefined> {
  queries += 1;
  const query = { filter, namespace, explain: 'true', params: String(queries) };
  const response = await cluster.sendAs(token, withQuery('/v1/jobs', query));
  return (response.json() as ScanExplanation).Columns?.map(({ By, Why }) => `${By}: ${Why}`);
}

const byOwner = 'columns: by Meta.owner';
const notYet = (field: string): string => `rows: ${field} is read after enough queries use it`;

it('lists are served by columns after repeated queries of callers who see the same rows', async () => {
  const filter = 'Meta.owner == "core" and Name matches "0$"';
  for (const namespace of namespaces) await send('all', namespace);
  for (const namespace of namespaces) {
    expect(await reported('all', namespace, filter)).toEqual([byOwner, notYet('Name')]);
    // A caller that may see all of a namespace needs no check of its rows, and yet may not see all namespaces.
    for (const other of ['mgmt', 'others', 'default']) {
      expect(await reported(other, namespace, filter)).toEqual([notYet('Meta.owner'), notYet('Name')]);
    }
  }
  await send('mgmt', 'default');
  for (const namespace of namespaces) {
    expect(await reported('mgmt', namespace, filter)).toEqual([byOwner, notYet('Name')]);
    expect(await reported('default', namespace, filter)).toEqual([notYet('Meta.owner'), notYet('Name')]);
  }
});

it('what an index finds has columns of its own', async () => {
  const filter = 'Status == "running" and Meta.owner == "core"';
  for (let round = 0; round < 12; round += 1) {
    const counted = withQuery('/v1/jobs', {
      filter: `${filter} and Meta.owner != "${round}"`,
      facets: 'Type',
    });
    expect((await cluster.sendAs('mgmt', counted)).status).toBe(200);
  }
  expect(await reported('mgmt', 'default', filter)).toEqual([byOwner]);
});
