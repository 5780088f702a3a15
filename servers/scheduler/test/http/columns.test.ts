import { compileFilter } from 'tamis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { answersOf } from '../../../../src/table/row-answers.js';
import { createIntern } from '../../src/model/intern.js';
import { restoreCluster } from '../../src/cluster/cluster-rows.js';
import type { ScanExplanation } from '../../src/http/lists/told-bodies.js';
import { jobs } from '../../src/model/jobs.js';
import type { Job } from '../../src/model/job.js';
import { largeCluster } from '../../stress/large-cluster.js';
import { createAclCluster, type AclCluster } from '../support/acl-cluster.js';
import { withQuery } from '../support/test-agent.js';

const rows = 1_500;

let cluster: AclCluster;
beforeAll(async () => {
  cluster = await createAclCluster({ all: 'namespace "*" { policy = "read" }' });
  const intern = createIntern();
  const all = largeCluster(rows, intern);
  await cluster.agent.state.write((transaction) => restoreCluster(transaction, all, intern));
});
afterAll(() => cluster.agent.app.close());

/** How the clause of a filter is answered. */
function answeredBy(filter: string): string | undefined {
  const { primary } = cluster.agent.state.snapshot().tables.jobs;
  return answersOf<Job>(primary, compileFilter<Job>(filter, { schema: jobs.schema }))?.explain()[0]?.by;
}

it('lists of those who may see all are answered by columns in the end; others neither use nor fill them', async () => {
  // Each question is another text: none is answered by what was answered before.
  const ask = async (token: string, namespace: string): Promise<void> => {
    for (let round = 0; round < 12; round += 1) {
      const filter = `Meta.owner == "core" and Meta.owner != "${token}-${namespace}-${round}"`;
      const page = await cluster.askAs(token, withQuery('/v1/jobs', { filter, namespace }));
      expect([page.status, (page.json() as readonly object[]).length]).toEqual([200, rows / 5]);
      const counts = await cluster.askAs(token, withQuery('/v1/jobs', { filter, namespace, facets: 'Type' }));
      expect(counts.json()).toMatchObject({ Total: rows / 5 });
    }
  };
  // Who may see all of a namespace is asked about no row of it, and yet may not see all.
  const told = async (token: string, namespace: string): Promise<unknown> => {
    const query = { filter: 'Meta.owner == "core" and Name matches "0$"', namespace, explain: 'true' };
    const answer = await cluster.askAs(token, withQuery('/v1/jobs', query));
    return (answer.json() as ScanExplanation).Columns;
  };
  await ask('all', '*');
  await ask('all', 'default');
  expect(answeredBy('Meta.owner == "core"')).toBe('rows');
  await ask('mgmt', 'default');
  expect(answeredBy('Meta.owner == "core"')).toBe('columns');
  const byColumns = { Filter: 'Meta.owner == "core"', By: 'columns', Why: 'by Meta.owner' };
  for (const namespace of ['*', 'default']) {
    expect(await told('mgmt', namespace)).toEqual([
      byColumns,
      {
        Filter: 'Name matches "0$"',
        By: 'rows',
        Why: 'Name is read once it has been asked for often enough',
      },
    ]);
    expect(await told('all', namespace)).toBeNull();
  }
});
