import { afterAll, beforeAll, expect, it } from 'vitest';
import { audit, overflowOf } from '../../../test/support/browser.js';
import { mockJob, startCluster, type Cluster } from './support/cluster.js';
import { describeInBrowser, expectCalm } from './support/in-browser.js';
import { visit } from './support/visit.js';

const pages = [
  ['jobs', 'web'],
  ['nodes', 'ready'],
  ['allocations', 'web'],
  ['deployments', 'web'],
  ['evaluations', 'web'],
] as const;

/** A cluster with one node and the job `web`, whose one allocation runs. */
async function startWithJob(): Promise<Cluster> {
  const cluster = await startCluster();
  await cluster.api.until<readonly { Status: string }[]>(
    '/v1/nodes',
    (nodes) => nodes[0]?.Status === 'ready',
  );
  await cluster.api.put('/v1/jobs', { Job: mockJob('web', { Update: { MaxParallel: 1 } }) });
  await cluster.api.until<readonly { ClientStatus: string }[]>(
    '/v1/allocations',
    (rows) => rows[0]?.ClientStatus === 'running',
  );
  return cluster;
}

describeInBrowser('the lists', (browser) => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startWithJob();
  });
  afterAll(async () => {
    await cluster.close();
  });

  it.each(pages)('%s shows what there is, and its name leads on', async (name, text) => {
    const visited = await visit(browser(), cluster.origin, name);
    const { page } = visited;
    await page.locator('tbody tr', { hasText: text }).first().waitFor();
    await page.locator('.result', { hasText: '1 row' }).waitFor();
    await page.locator('.facet').first().waitFor();
    const address = await page.locator('tbody th a').first().getAttribute('href');
    expect(address).toMatch(new RegExp(`^/ui/${name}/.`));
    expectCalm(visited);
  });

  it.each(pages.flatMap(([name]) => [[name, 'light', 1280] as const, [name, 'dark', 360] as const]))(
    '%s has no fault that axe finds, and fits: %s, %i px',
    async (name, colorScheme, width) => {
      const viewport = { width, height: 800 };
      const { page } = await visit(browser(), cluster.origin, name, { colorScheme, viewport });
      await page.locator('tbody tr').first().waitFor();
      await page.locator('.cm-content').waitFor();
      await page.locator('.facet').first().waitFor();
      expect(await audit(page)).toEqual([]);
      expect(await overflowOf(page)).toBe(0);
    },
  );

  it('the overview counts by state, says how the servers are, and follows', async ({ onTestFinished }) => {
    // Of its own: another job leaves rows.
    const changing = await startWithJob();
    onTestFinished(() => changing.close());
    const visited = await visit(browser(), changing.origin, '');
    const { page } = visited;
    const allocations = page.getByRole('region', { name: 'Allocations' });
    await allocations.locator('tr', { hasText: 'running' }).locator('td.number', { hasText: '1' }).waitFor();
    await page.locator('.servers', { hasText: '1 server' }).waitFor();
    await changing.api.put('/v1/jobs', { Job: mockJob('other') });
    await allocations.locator('tr', { hasText: 'running' }).locator('td.number', { hasText: '2' }).waitFor();
    expect(await audit(page)).toEqual([]);
    await changing.api.delete('/v1/job/other?purge=true');
    await page.getByRole('link', { name: 'ready' }).click();
    await page.locator('.cm-line', { hasText: 'Status == "ready"' }).waitFor();
    expectCalm(visited);
  });

  it('says that there is no such page', async () => {
    const { page } = await visit(browser(), cluster.origin, 'jbos');
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
    await page.getByRole('link', { name: 'The overview' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(await page.title()).toBe('Overview · Scheduler');
  });
});
