import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noteOfExtra, requireExtra, whyExtraMissing } from '../../../test/support/extra.js';
import { aclIds, createAclCluster, type AclCluster } from './support/acl-cluster.js';
import { minimalJob } from './support/base-cluster.js';

/** The client library `nomad-client` itself against a server with access control. Its entry is TypeScript. */

const folder = 'extra/scheduler-clients';

type Call = (...args: readonly unknown[]) => Promise<unknown>;
type Module = Readonly<Record<string, Call>>;
interface Client extends Readonly<
  Record<'jobs' | 'nodes' | 'allocations' | 'namespaces' | 'tasks' | 'nodePools', Module>
> {
  readonly ping: Call;
  readonly healthCheck: Call;
  readonly getClusterInfo: Call;
}
interface Library {
  readonly NomadClient: new (options: Readonly<Record<string, string>>) => Client;
}

let cluster: AclCluster;
let createClient: (token: string) => Client;

async function statusOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return 'done';
  } catch (error) {
    return (error as Error).message.split(':')[0] ?? '';
  }
}

describe.skipIf(whyExtraMissing(folder) !== null)(`nomad-client${noteOfExtra(folder)}`, () => {
  beforeAll(async () => {
    cluster = await createAclCluster();
    const baseUrl = await cluster.agent.listen();
    const loader = requireExtra(folder, 'tsx/cjs/api') as {
      readonly require: (name: string, from: string) => unknown;
    };
    const { NomadClient } = loader.require(
      'nomad-client',
      new URL(`../../../${folder}/package.json`, import.meta.url).href,
    ) as Library;
    createClient = (token) => new NomadClient({ baseUrl, token: cluster.tokens.get(token) ?? token });
  });
  afterAll(() => cluster.agent.close());

  it('is refused with a token that does not exist', async () => {
    expect(await statusOf(createClient('00000000').jobs['list']!())).toBe('HTTP Error 403');
  });

  it.each<readonly [title: string, call: (client: Client) => Promise<unknown>, result: unknown]>([
    ['ping', (client) => client.ping(), true],
    ['healthCheck', (client) => client.healthCheck(), { healthy: true, leader: true, clients: 1 }],
    ['getClusterInfo', (client) => client.getClusterInfo(), { datacenter: 'dc1' }],
    ['jobs.list', (client) => client.jobs['list']!(), { data: [{ ID: 'alpha' }] }],
    ['jobs.get', (client) => client.jobs['get']!('alpha'), { ID: 'alpha' }],
    ['jobs.create', (client) => client.jobs['create']!(minimalJob('made')), { Warnings: '' }],
    ['jobs.update', (client) => client.jobs['update']!({ ...minimalJob('made'), Priority: 60 }), {}],
    ['jobs.validate', (client) => client.jobs['validate']!({ Job: minimalJob('made') }), { Error: '' }],
    ['jobs.plan', (client) => client.jobs['plan']!(minimalJob('other')), {}],
    ['jobs.versions', (client) => client.jobs['versions']!('made'), [{ Version: 1 }, { Version: 0 }]],
    ['jobs.revert', (client) => client.jobs['revert']!('made', 0), {}],
    ['jobs.summary', (client) => client.jobs['summary']!('made'), { JobID: 'made' }],
    ['jobs.evaluations', (client) => client.jobs['evaluations']!('made'), [{}, {}, {}]],
    ['jobs.allocations', (client) => client.jobs['allocations']!('alpha'), [{ JobID: 'alpha' }]],
    ['jobs.deployments', (client) => client.jobs['deployments']!('alpha'), [{ JobID: 'alpha' }]],
    ['jobs.stop', (client) => client.jobs['stop']!('made', true), {}],
    ['nodes.list', (client) => client.nodes['list']!(), { data: [{ ID: aclIds.node }] }],
    ['nodes.get', (client) => client.nodes['get']!(aclIds.node), { ID: aclIds.node }],
    ['nodes.markIneligible', (client) => client.nodes['markIneligible']!(aclIds.node), {}],
    ['nodes.allocations', (client) => client.nodes['allocations']!(aclIds.node), [{}, {}]],
    ['allocations.list', (client) => client.allocations['list']!(), { data: [{ JobID: 'alpha' }] }],
    ['allocations.get', (client) => client.allocations['get']!(aclIds.allocations[0]), { JobID: 'alpha' }],
    ['namespaces.list', (client) => client.namespaces['list']!(), { data: [{}, {}] }],
    ['namespaces.update', (client) => client.namespaces['update']!({ Name: 'more' }), ''],
    ['namespaces.delete', (client) => client.namespaces['delete']!('more'), ''],
  ])('%s works with a management token', async (_title, call, result) => {
    const given = await call(createClient('mgmt'));
    if (typeof result === 'object') expect(given).toMatchObject(result as object);
    else expect(given).toBe(result);
  });
});
