import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { audit } from '../../../test/support/browser.js';
import { mockJob, startCluster, type Cluster } from './support/cluster.js';
import { describeInBrowser, expectCalm } from './support/in-browser.js';
import { act, visit } from './support/visit.js';

describeInBrowser('what a token may not do', (browser) => {
  let cluster: Cluster;
  let management = '';
  let reader = '';
  let allocation = '';
  let node = '';
  const request = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const headers: HeadersInit = management === '' ? {} : { 'x-scheduler-token': management };
    const given = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(`${cluster.origin}${path}`, { method, headers, ...given });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text === '' ? 'null' : text) as T;
  };
  const placed = () =>
    request<readonly { readonly ID: string; readonly NodeID: string }[]>('GET', '/v1/allocations');
  beforeAll(async () => {
    cluster = await startCluster({ acl: { enabled: true } });
    management = (await request<{ SecretID: string }>('PUT', '/v1/acl/bootstrap', {})).SecretID;
    const Rules = 'namespace "default" { capabilities = ["list-jobs", "read-job"] } node { policy = "read" }';
    await request('PUT', '/v1/acl/policy/reader', { Rules });
    const token = { Name: 'reads', Type: 'client', Policies: ['reader'] };
    reader = (await request<{ SecretID: string }>('PUT', '/v1/acl/token', token)).SecretID;
    await request('PUT', '/v1/jobs', { Job: mockJob('kept') });
    // Polls of expectations are for tests alone.
    await vi.waitUntil(async () => (await placed()).length > 0, { timeout: 120_000 });
    const [row] = await placed();
    allocation = row?.ID ?? '';
    node = row?.NodeID ?? '';
  });
  afterAll(async () => {
    await cluster.close();
  });

  it('is refused in the words of the agent, with the right that it needs, and changes nothing', async () => {
    const visited = await visit(browser(), cluster.origin, 'jobs/kept%40default', { token: reader });
    const { page } = visited;
    await act(page, 'Stop');
    const dialog = page.getByRole('dialog');
    await dialog
      .getByRole('alert')
      .filter({ hasText: 'Permission denied Needed: submit-job in its namespace.' })
      .waitFor();
    expect(await audit(page)).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Stop');
    expect(await page.locator('.detail-head .status-word').textContent()).toBe('running');
    expectCalm(visited);
  });

  it('is refused for nodes and logs as well', async () => {
    const { page } = await visit(browser(), cluster.origin, `nodes/${node}`, { token: reader });
    await act(page, 'Take no new work');
    await page.getByRole('dialog').getByRole('alert').filter({ hasText: 'Needed: node write' }).waitFor();
    await page.goto(`${cluster.origin}/ui/allocations/${allocation}?view=logs`);
    await page.getByRole('alert').filter({ hasText: 'Needed: read-logs or read-fs' }).waitFor();
    expect(await page.locator('.log-line').count()).toBe(0);
    await page.getByRole('link', { name: 'Files' }).click();
    await page.getByRole('alert').filter({ hasText: 'Needed: read-fs in its namespace' }).waitFor();
  });

  it('is done for one that may, by the keyboard alone', async () => {
    const visited = await visit(browser(), cluster.origin, 'jobs/kept%40default', { token: management });
    const { page } = visited;
    await page.getByRole('button', { name: 'Stop' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.told', { hasText: 'Stopped: its evaluation' }).waitFor();
    await page.locator('.detail-head .status-word', { hasText: 'dead' }).waitFor();
    expectCalm(visited);
  });
});
