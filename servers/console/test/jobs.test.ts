import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, whyNoBrowser } from './support/chromium.js';
import { mockJob, startCluster, type Cluster } from './support/cluster.js';
import { audit, columnTexts, filterText, launch, typeFilter, visit, type Visit } from './support/visit.js';

/** The page has blocked nothing, thrown nothing and asked nobody else. */
function expectCalm({ complaints, strangers }: Visit): void {
  expect({ complaints, strangers }).toEqual({ complaints: [], strangers: [] });
}

const why = chromiumPath === null ? ` (${whyNoBrowser})` : '';

describe.skipIf(chromiumPath === null)(`the list of jobs${why}`, () => {
  let browser: Browser;
  let sample: Cluster;
  beforeAll(async () => {
    browser = await launch();
    sample = await startCluster({ fill: { kind: 'sample' } });
  });
  afterAll(async () => {
    await browser.close();
    await sample.close();
  });

  it('is there with its first page, and draws the rows that are seen', async () => {
    const visited = await visit(browser, sample.origin, 'jobs');
    const { page } = visited;
    await page.locator('tbody tr').first().waitFor();
    expect(await page.locator('table').getAttribute('aria-rowcount')).toBe('101');
    expect(await page.locator('tbody tr').count()).toBeLessThan(60);
    expect(await page.title()).toBe('Jobs · Scheduler');
    const first = await columnTexts(page, 'Job');
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.waitForURL(/page=/);
    await page.waitForFunction((name) => document.querySelector('tbody th')?.textContent !== name, first[0]);
    await page.goBack();
    await page.waitForFunction((name) => document.querySelector('tbody th')?.textContent === name, first[0]);
    expectCalm(visited);
  });

  it('underlines a slip, corrects it by its button, and asks for what is right', async () => {
    const visited = await visit(browser, sample.origin, 'jobs');
    const { page } = visited;
    await page.locator('.cm-content').waitFor();
    await typeFilter(page, 'Stauts == "pending"');
    await page.locator('.cm-lintRange-error', { hasText: 'Stauts' }).waitFor();
    expect(page.url()).not.toContain('filter');
    await page.getByRole('button', { name: 'write Status' }).click();
    expect(await filterText(page)).toBe('Status == "pending"');
    await page.waitForURL(/filter=/);
    await page.locator('.result', { hasText: 'found by the index of Status' }).waitFor();
    expect(new Set(await columnTexts(page, 'Status'))).toEqual(new Set(['pending']));
    await page.goBack();
    await page.waitForFunction(() => !location.search.includes('filter'));
    await page.locator('.cm-placeholder').waitFor();
    expectCalm(visited);
  });

  it('asks for a value that is clicked, and says when nothing matches', async () => {
    const visited = await visit(browser, sample.origin, 'jobs?filter=Priority+%3E+1+or+Stop+%3D%3D+true');
    const { page } = visited;
    await page.locator('.cm-content').waitFor();
    await page.locator('tbody button', { hasText: 'dead' }).first().click();
    await page
      .locator('.cm-line', { hasText: '(Priority > 1 or Stop == true) and Status == "dead"' })
      .waitFor();
    await typeFilter(page, 'Status == "dead" and Status == "running"');
    await page.keyboard.press('Enter');
    await page.locator('.empty', { hasText: 'No row matches' }).waitFor();
    await page.getByRole('button', { name: 'Without the filter' }).click();
    await page.locator('tbody tr').first().waitFor();
    expectCalm(visited);
  });

  it('shows what changes as it happens, and marks it', async () => {
    const cluster = await startCluster();
    try {
      await cluster.api.put('/v1/jobs', { Job: mockJob('first') });
      const visited = await visit(browser, cluster.origin, 'jobs');
      const { page } = visited;
      await page.locator('tbody tr', { hasText: 'first' }).waitFor();
      await page.locator('.cluster-state', { hasText: 'Live' }).waitFor();
      await cluster.api.put('/v1/jobs', { Job: mockJob('second') });
      await page.locator('tbody tr.changed', { hasText: 'second' }).waitFor();
      await page.locator('tbody tr', { hasText: 'second' }).locator('text=running').waitFor();
      expectCalm(visited);
    } finally {
      await cluster.close();
    }
  });

  it.each([
    ['light', 1280],
    ['dark', 360],
  ] as const)('has no fault that axe finds, and fits: %s, %i px', async (colorScheme, width) => {
    const { page } = await visit(browser, sample.origin, 'jobs?filter=Status+%3D%3D+"pending"', {
      colorScheme,
      viewport: { width, height: 800 },
    });
    await page.locator('tbody tr').first().waitFor();
    await page.locator('.cm-content').waitFor();
    expect(await audit(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  });
});
