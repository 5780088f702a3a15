import { afterAll, beforeAll, expect, it } from 'vitest';
import { audit } from '../../../test/support/browser.js';
import { startCluster, type Cluster } from './support/cluster.js';
import { describeInBrowser, expectCalm } from './support/in-browser.js';
import { visit } from './support/visit.js';

const group = { Name: 'g', Tasks: [{ Name: 't', Driver: 'raw_exec', Config: { command: '/bin/true' } }] };

describeInBrowser('access', (browser) => {
  let cluster: Cluster;
  let management = '';
  let reader = '';
  beforeAll(async () => {
    cluster = await startCluster({ acl: { enabled: true } });
    const put = async (path: string, body: object): Promise<{ readonly SecretID: string }> => {
      const headers: HeadersInit = management === '' ? {} : { 'x-scheduler-token': management };
      const response = await fetch(`${cluster.origin}${path}`, {
        ...{ method: 'PUT', headers },
        body: JSON.stringify(body),
      });
      const text = await response.text();
      if (response.status !== 200) throw new Error(`PUT ${path}: ${response.status} ${text}`);
      return JSON.parse(text === '' ? '{}' : text) as { readonly SecretID: string };
    };
    management = (await put('/v1/acl/bootstrap', {})).SecretID;
    await put('/v1/jobs', { Job: { ID: 'alpha', Datacenters: ['dc1'], TaskGroups: [group] } });
    await put('/v1/acl/policy/lister', { Rules: 'namespace "default" { capabilities = ["list-jobs"] }' });
    const token = { Name: 'only lists', Type: 'client', Policies: ['lister'] };
    reader = (await put('/v1/acl/token', token)).SecretID;
  });
  afterAll(async () => {
    await cluster.close();
  });

  it('is requested by a token that is kept for the tab only and is in no address', async () => {
    const visited = await visit(browser(), cluster.origin, 'jobs');
    const { page } = visited;
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.url()));
    await page.getByRole('alert').filter({ hasText: 'sign in with a token' }).waitFor();
    expect(await audit(page)).toEqual([]);
    await page.getByRole('alert').getByRole('link', { name: 'Sign in' }).click();
    await page.getByLabel('Token').fill('not a token');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').filter({ hasText: 'no blanks' }).waitFor();
    await page.getByLabel('Token').fill(management);
    await page.keyboard.press('Enter');
    await page.locator('.facts', { hasText: 'may do everything' }).waitFor();
    expect(await audit(page)).toEqual([]);
    await page.getByRole('link', { name: 'Jobs' }).click();
    await page.locator('tbody tr', { hasText: 'alpha' }).waitFor();
    expect(sent.filter((url) => url.includes(management))).toEqual([]);
    expect(await page.evaluate(() => [Object.keys(localStorage), document.cookie])).toEqual([[], '']);
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.getByRole('alert').filter({ hasText: 'sign in with a token' }).waitFor();
    expectCalm(visited);
  });

  it('is requested once on the overview, not by each of its parts', async () => {
    const visited = await visit(browser(), cluster.origin, '');
    const { page } = visited;
    await page.getByRole('alert').filter({ hasText: 'sign in with a token to see the cluster' }).waitFor();
    await expect.poll(() => page.getByText('Not without a token').count()).toBeGreaterThan(6);
    expect(await page.getByRole('alert').count()).toBe(1);
    expect(await audit(page)).toEqual([]);
    expectCalm(visited);
  });

  it('of a token that may not is refused in words, page by page, and the rest goes on', async () => {
    const visited = await visit(browser(), cluster.origin, 'nodes', { token: reader });
    const { page } = visited;
    await page.getByRole('alert').filter({ hasText: 'Your token may not see the nodes' }).waitFor();
    expect(await page.getByRole('alert').textContent()).toContain('Needed: node read.');
    await page.getByRole('link', { name: 'Jobs' }).click();
    await page.locator('tbody tr', { hasText: 'alpha' }).waitFor();
    // The stream needs another right: changes are polled.
    await page.locator('.cluster-state', { hasText: 'Live' }).waitFor();
    await fetch(`${cluster.origin}/v1/jobs`, {
      method: 'PUT',
      headers: { 'x-scheduler-token': management },
      body: JSON.stringify({ Job: { ID: 'beta', Datacenters: ['dc1'], TaskGroups: [group] } }),
    });
    await page.locator('tbody tr', { hasText: 'beta' }).waitFor();
    expectCalm(visited);
  });

  it('ends when the user signs out, and reports an invalid token', async () => {
    const visited = await visit(browser(), cluster.origin, 'access', { token: reader });
    const { page } = visited;
    await page.locator('.facts', { hasText: 'only lists' }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.locator('.facts').waitFor({ state: 'detached' });
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
    await page.getByLabel('Token').fill('11111111-2222-4333-8444-555555555555');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').filter({ hasText: 'This is no token of this cluster' }).waitFor();
    expectCalm(visited);
  });

  it('says that the cluster has no leader, and goes on when there is one', async () => {
    const alone = await startCluster({ bootstrapExpect: 3 });
    try {
      const visited = await visit(browser(), alone.origin, 'jobs');
      const { page } = visited;
      await page.locator('.cluster-state', { hasText: 'The leader is changing' }).waitFor();
      await page.getByRole('status').filter({ hasText: 'The leader is changing: the jobs' }).waitFor();
      // Another server, which has one, responds from now on.
      await page.route('**/v1/**', async (route) => {
        const url = route.request().url().replace(alone.origin, cluster.origin);
        await route.continue({
          url,
          headers: { ...route.request().headers(), 'x-scheduler-token': management },
        });
      });
      await page.locator('tbody tr', { hasText: 'alpha' }).waitFor();
      expect(await page.locator('.notice').count()).toBe(0);
    } finally {
      await alone.close();
    }
  });
});
