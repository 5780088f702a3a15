import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { audit, overflowOf } from '../../../test/support/browser.js';
import { mockJob, startCluster, type Cluster } from './support/cluster.js';
import { describeInBrowser, expectCalm } from './support/in-browser.js';
import { act, visit } from './support/visit.js';

interface Row {
  readonly ID: string;
}

describeInBrowser('the pages of nodes, deployments, evaluations and servers', (browser) => {
  let cluster: Cluster;
  let ids: Readonly<Record<'node' | 'deployment' | 'evaluation', string>>;
  beforeAll(async () => {
    cluster = await startCluster();
    const { api } = cluster;
    const Update = { MaxParallel: 1, MinHealthyTime: 240e9, HealthCheck: 'task_states' };
    await api.put('/v1/jobs', { Job: mockJob('slow', { Update }) });
    const [deployment] = await api.until<readonly Row[]>('/v1/deployments', ({ length }) => length > 0);
    await api.until<readonly { ClientStatus: string }[]>('/v1/allocations', (list) =>
      list.some(({ ClientStatus }) => ClientStatus === 'running'),
    );
    const [node] = await api.get<readonly Row[]>('/v1/nodes');
    const [evaluation] = await api.get<readonly Row[]>('/v1/evaluations');
    ids = { node: node?.ID ?? '', deployment: deployment?.ID ?? '', evaluation: evaluation?.ID ?? '' };
  });
  afterAll(async () => {
    await cluster.close();
  });

  it('show a node, how full it is, and what else has an attribute of it', async () => {
    const visited = await visit(browser(), cluster.origin, `nodes/${ids.node}`);
    const { page } = visited;
    await page.getByRole('meter', { name: 'CPU in use' }).waitFor();
    await page.locator('tbody tr', { hasText: 'slow' }).waitFor();
    await page.getByLabel('Search in attributes').fill('driver.mock');
    expect(await page.locator('.attributes').last().locator('dt').allTextContents()).toEqual([
      'driver.mock_driver',
    ]);
    await page.locator('.attributes').last().getByRole('link').click();
    await page.waitForURL(/\/ui\/nodes\?filter=/);
    await page.locator('tbody tr').first().waitFor();
    expectCalm(visited);
  });

  it('hold a node, and drain it', async () => {
    const other = await startCluster();
    onTestFinished(() => other.close());
    const [node] = await other.api.until<readonly Row[]>('/v1/nodes', ({ length }) => length > 0);
    await other.api.put('/v1/jobs', { Job: mockJob('stays') });
    await other.api.until('/v1/allocations', ({ length }: readonly Row[]) => length > 0);
    const visited = await visit(browser(), other.origin, `nodes/${node?.ID}`);
    const { page } = visited;
    await act(page, 'Take no new work');
    await page.locator('.told', { hasText: 'The node is ineligible' }).waitFor();
    await page.locator('.status-word', { hasText: 'ineligible' }).waitFor();
    await page.getByRole('button', { name: 'Drain' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Minutes', { exact: true }).fill('30');
    await dialog.getByRole('button', { name: 'Drain' }).click();
    await page.locator('.told', { hasText: 'The drain has begun' }).waitFor();
    await page.locator('.timeline li', { hasText: 'drain' }).first().waitFor();
    expectCalm(visited);
  });

  it('show a deployment, hold it, and end it', async () => {
    const visited = await visit(browser(), cluster.origin, `deployments/${ids.deployment}`);
    const { page } = visited;
    await page.locator('.progress', { hasText: '1 desired, 1 placed, 0 healthy' }).waitFor();
    await act(page, 'Pause');
    await page.locator('.status-word', { hasText: 'paused' }).waitFor();
    await act(page, 'Resume');
    await page.locator('.told', { hasText: 'Resumed' }).waitFor();
    await act(page, 'Fail');
    await page.locator('.detail-head .status-word', { hasText: 'failed' }).waitFor();
    expect(await page.getByRole('button', { name: 'Fail' }).count()).toBe(0);
    expectCalm(visited);
  });

  it('show an evaluation, what it placed, and the servers', async () => {
    const visited = await visit(browser(), cluster.origin, `evaluations/${ids.evaluation}`);
    const { page } = visited;
    await page.locator('.facts', { hasText: 'job-register' }).waitFor();
    await page.locator('tbody tr', { hasText: 'slow' }).waitFor();
    await page.getByRole('link', { name: 'Servers' }).click();
    await page.locator('tbody tr', { hasText: 'srv1.global leader' }).waitFor();
    await page.locator('.facts', { hasText: '0 writes' }).waitFor();
    expectCalm(visited);
  });

  it('say what is not there, and go on', async () => {
    for (const path of [
      'nodes/none',
      'allocations/none',
      'deployments/none',
      'evaluations/none',
      'jobs/none',
    ]) {
      const { page } = await visit(browser(), cluster.origin, path);
      await page.locator('.notice', { hasText: /not found|must be|invalid|No/i }).waitFor();
      expect(await page.locator('h1').count()).toBe(1);
    }
  });

  it.each([
    ['light', 1280],
    ['dark', 360],
  ] as const)('have no fault that axe finds, and fit: %s, %i px', async (colorScheme, width) => {
    for (const path of [
      `nodes/${ids.node}`,
      `deployments/${ids.deployment}`,
      `evaluations/${ids.evaluation}`,
      'servers',
    ]) {
      const { page } = await visit(browser(), cluster.origin, path, {
        colorScheme,
        viewport: { width, height: 800 },
      });
      await page.locator('.facts dd').first().waitFor();
      await page.locator('tbody tr').first().waitFor();
      expect(await audit(page)).toEqual([]);
      expect(await overflowOf(page)).toBe(0);
    }
  });
});
