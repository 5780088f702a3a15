import { afterAll, beforeAll, expect, it } from 'vitest';
import { audit, overflowOf } from '../../../test/support/browser.js';
import { mockJob, startCluster, type Cluster } from './support/cluster.js';
import { describeInBrowser, expectCalm } from './support/in-browser.js';
import { visit } from './support/visit.js';

interface Task {
  readonly run_for?: string;
  readonly exit_code?: number;
}

function job(ID: string, Config: Task, more: object = {}): object {
  const task = { Name: 'main', Driver: 'mock_driver', Config, Resources: { CPU: 100, MemoryMB: 50 } };
  return mockJob(ID, { TaskGroups: [{ Name: 'web', Count: 1, Tasks: [task], ...more }] });
}

const restarts = { RestartPolicy: { Attempts: 50, Interval: 3_600e9, Delay: 1e8, Mode: 'delay' } };
const neverAgain = {
  RestartPolicy: { Attempts: 0, Mode: 'fail' },
  ReschedulePolicy: { Attempts: 0, Unlimited: false },
};

describeInBrowser('the overview', (browser) => {
  let quiet: Cluster;
  let broken: Cluster;
  beforeAll(async () => {
    quiet = await startCluster();
    await quiet.api.put('/v1/jobs', { Job: mockJob('web') });
    broken = await startCluster();
    const { api } = broken;
    await api.until<readonly { Status: string }[]>('/v1/nodes', (nodes) => nodes[0]?.Status === 'ready');
    await api.put('/v1/jobs', {
      Job: {
        ...mockJob('nowhere'),
        Constraints: [{ LTarget: '${attr.kernel.name}', RTarget: 'plan9', Operand: '=' }],
      },
    });
    await api.put('/v1/jobs', { Job: job('restless', { run_for: '100ms', exit_code: 1 }, restarts) });
    await api.put('/v1/jobs', { Job: job('dead', { run_for: '1ms', exit_code: 1 }, neverAgain) });
    const Update = { MaxParallel: 1, MinHealthyTime: 240e9, HealthCheck: 'task_states' };
    await api.put('/v1/jobs', { Job: { ...mockJob('rolled'), Update } });
    const [deployment] = await api.until<readonly { ID: string }[]>(
      '/v1/job/rolled/deployments',
      ({ length }) => length > 0,
    );
    await api.put(`/v1/deployment/fail/${deployment?.ID}`, {});
    await api.until<readonly { JobID: string; ClientStatus: string }[]>('/v1/allocations', (rows) =>
      rows.some(({ JobID, ClientStatus }) => JobID === 'dead' && ClientStatus === 'failed'),
    );
  });
  afterAll(async () => {
    await quiet.close();
    await broken.close();
  });

  it('of a quiet cluster says so in a line', async () => {
    const visited = await visit(browser(), quiet.origin, '', { viewport: { width: 1280, height: 800 } });
    const { page } = visited;
    await page.getByText('Nothing needs you').waitFor();
    await page.getByRole('meter', { name: 'CPU of default' }).waitFor();
    await page.getByRole('region', { name: 'Allocations of the last hour' }).getByRole('img').waitFor();
    expect(await page.locator('.concern').count()).toBe(0);
    // Healthy items need no scrolling.
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBe(800);
    expectCalm(visited);
  });

  it('of a broken one shows first what needs attention, and links to it', async () => {
    const visited = await visit(browser(), broken.origin, '');
    const { page } = visited;
    const alert = (name: RegExp, text: string) =>
      page.locator('.concern', { has: page.getByRole('link', { name }), hasText: text }).waitFor();
    await alert(/^1 failed deployment$/, 'rolled, version 0');
    await alert(/^1 blocked evaluation$/, '1 node does not meet: ${attr.kernel.name} = plan9');
    await alert(/^1 failed allocation without a successor$/, 'of dead on srv1');
    await alert(/restarted in the last hour$/, 'of restless on srv1');
    // Resolved problems need no attention.
    await broken.api.put('/v1/jobs', { Job: { ...mockJob('rolled'), Meta: { version: 'next' } } });
    await page.getByRole('link', { name: /failed deployment/ }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: /^1 blocked evaluation$/ }).click();
    await page.locator('.cm-line', { hasText: 'Status == "blocked"' }).waitFor();
    await page.locator('tbody tr', { hasText: 'nowhere' }).waitFor();
    expectCalm(visited);
  });

  it.each([
    ['light', 1280],
    ['dark', 360],
  ] as const)('has no fault that axe finds, and fits: %s, %i px', async (colorScheme, width) => {
    const viewport = { width, height: 800 };
    const { page } = await visit(browser(), broken.origin, '', { colorScheme, viewport });
    await page.locator('.concern').first().waitFor();
    await page.locator('.bars').first().waitFor();
    await page.getByRole('meter').first().waitFor();
    expect(await audit(page)).toEqual([]);
    expect(await overflowOf(page)).toBe(0);
  });
});
