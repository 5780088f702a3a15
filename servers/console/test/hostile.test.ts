import { afterAll, beforeAll, expect, it } from 'vitest';
import { typeFilter } from '../../../test/support/browser.js';
import { mockJob, startCluster, type Cluster } from './support/cluster.js';
import { describeInBrowser, expectCalm } from './support/in-browser.js';
import { visit } from './support/visit.js';

const names = [
  '<img/src=x/onerror=alert(1)>',
  '</script><script>alert(2)</script>',
  '{{constructor.constructor("alert(3)")()}}',
  'javascript:alert(4)',
  '__proto__',
  'safe\u202egnp.exe',
  'zero\u200bwidth',
  '"><svg/onload=alert(5)>',
  'a/../../b?c#d%2e%2e',
];

describeInBrowser('hostile jobs', (browser) => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster();
    for (const name of names) {
      const Meta = { [`<b>${name.slice(0, 8)}`]: name, owner: name };
      await cluster.api.put('/v1/jobs', { Job: mockJob(name, { Meta }) });
    }
    const Meta = { owner: 'a'.repeat(1_000_000) };
    await cluster.api.put('/v1/jobs', { Job: mockJob('long', { Name: `long${'a'.repeat(1_000)}`, Meta }) });
  });
  afterAll(async () => {
    await cluster.close();
  });

  it('are text in every list and title, nothing turns what is around it, and what is long is cut', async () => {
    const visited = await visit(browser(), cluster.origin, 'jobs');
    const { page } = visited;
    await page.locator('tbody tr', { hasText: 'long' }).waitFor();
    const texts = await page.locator('tbody th').allTextContents();
    expect(texts).toEqual(
      expect.arrayContaining([names[0], names[1], names[2], 'safeU+202Egnp.exe', 'zeroU+200Bwidth']),
    );
    expect(Math.max(...texts.map(({ length }) => length))).toBeLessThan(300);
    expect(await page.locator('tbody bdi[dir=auto]').count()).toBeGreaterThan(names.length);
    for (const name of ['jobs', 'allocations', 'evaluations', '']) {
      await page.goto(`${cluster.origin}/ui/${name}`);
      await page.locator('h1').waitFor();
      await page.locator('tbody tr').first().waitFor();
      expect(
        await page
          .locator('#app img:not(.cm-widgetBuffer), #app script, #app svg[onload], #app iframe, #app b')
          .count(),
      ).toBe(0);
    }
    expectCalm(visited);
  });

  it('are isolated and show invisible characters in the cells of a list and in the facts of a page', async () => {
    const { page } = await visit(browser(), cluster.origin, 'jobs');
    // The type of a job is a plain string of its column.
    await page.locator('tbody tr', { hasText: 'long' }).waitFor();
    expect(await page.locator('tbody td bdi[dir=auto]', { hasText: /^service$/ }).count()).toBe(
      names.length + 1,
    );
    await page.locator('tbody th a', { hasText: 'safeU+202Egnp.exe' }).click();
    await page.locator('.facts dd').first().waitFor();
    const facts = await page.locator('.facts dd > bdi[dir=auto]').allTextContents();
    expect(facts).toEqual(expect.arrayContaining(['safeU+202Egnp.exe', 'default', 'service']));
  });

  it('have links that lead to them and nowhere else', async () => {
    const { page } = await visit(browser(), cluster.origin, 'jobs');
    await page.locator('tbody tr', { hasText: 'long' }).waitFor();
    const addresses = await page
      .locator('tbody th a')
      .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href));
    for (const address of addresses) {
      expect(new URL(address).origin).toBe(cluster.origin);
      expect(new URL(address).pathname).toMatch(/^\/ui\/jobs\/[^/]+%40default$/);
    }
    const ids = addresses.map((address) =>
      decodeURIComponent(new URL(address).pathname.slice('/ui/jobs/'.length)),
    );
    expect(ids).toEqual(expect.arrayContaining(names.map((name) => `${name}@default`)));
  });

  it('are completed and requested unchanged', async () => {
    const visited = await visit(browser(), cluster.origin, 'jobs');
    const { page } = visited;
    await page.locator('tbody tr', { hasText: 'long' }).waitFor();
    await page.locator('.cm-content').waitFor();
    await typeFilter(page, 'ID == "\u202e<img src=x onerror=alert(1)>"');
    await page.locator('.empty').waitFor();
    await page.locator('.empty', { hasText: 'Without this clause' }).waitFor();
    expect(await page.locator('#app img:not(.cm-widgetBuffer)').count()).toBe(0);
    await page.goto(`${cluster.origin}/ui/jobs?filter=${encodeURIComponent('Meta.owner == "\\u')}`);
    // The page says it until the filter box can.
    await page.getByRole('alert').or(page.locator('.filter-problem')).first().waitFor();
    expectCalm(visited);
  });
});
