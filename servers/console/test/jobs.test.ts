import { afterAll, beforeAll, expect, it } from 'vitest';
import { audit, filterText, overflowOf, typeFilter } from '../../../test/support/browser.js';
import { mockJob, startCluster, startSample, type Cluster } from './support/cluster.js';
import { describeInBrowser, expectCalm } from './support/in-browser.js';
import { columnTexts, visit } from './support/visit.js';

describeInBrowser('the list of jobs', (browser) => {
  let sample: Cluster;
  beforeAll(async () => {
    sample = await startSample();
  });
  afterAll(async () => {
    await sample.close();
  });

  it('is there with its first page, and draws the rows that are seen', async () => {
    const visited = await visit(browser(), sample.origin, 'jobs');
    const { page } = visited;
    await page.locator('.result', { hasText: '2,000 rows' }).waitFor();
    expect(await page.locator('table').getAttribute('aria-rowcount')).toBe('101');
    expect(await page.locator('tbody tr').count()).toBeLessThan(60);
    expect(await page.title()).toBe('Jobs · Scheduler');
    const [first] = await columnTexts(page, 'Job');
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.waitForURL(/page=/);
    await page.waitForFunction((name) => document.querySelector('tbody th')?.textContent !== name, first);
    await page.goBack();
    await page.waitForFunction((name) => document.querySelector('tbody th')?.textContent === name, first);
    expectCalm(visited);
  });

  it('underlines a slip, corrects it by its button, and requests the corrected filter', async () => {
    const visited = await visit(browser(), sample.origin, 'jobs');
    const { page } = visited;
    await page.locator('.cm-content').waitFor();
    await typeFilter(page, 'Stauts == "pending"');
    await page.locator('.filter-mark-error', { hasText: 'Stauts' }).waitFor();
    expect(page.url()).not.toContain('filter');
    await page.getByRole('button', { name: 'write Status' }).click();
    expect(await filterText(page)).toBe('Status == "pending"');
    await page.waitForURL(/filter=/);
    await page.locator('.result', { hasText: '3 rows match, found by the index of Status' }).waitFor();
    expect(new Set(await columnTexts(page, 'Status'))).toEqual(new Set(['pending']));
    await page.goBack();
    await page.waitForFunction(() => !location.search.includes('filter'));
    await page.locator('.cm-placeholder').waitFor();
    expectCalm(visited);
  });

  it('completes fields, and the values that are there', async () => {
    const visited = await visit(browser(), sample.origin, 'jobs');
    const { page } = visited;
    await page.locator('.cm-content').click();
    await page.keyboard.type('Prio');
    await page.locator('.cm-tooltip-autocomplete li', { hasText: 'Priority' }).click();
    await page.keyboard.type('> 1 and Meta.');
    await page.locator('.cm-tooltip-autocomplete li', { hasText: 'owner' }).first().click();
    await page.keyboard.type('== ');
    await page.locator('.cm-tooltip-autocomplete li', { hasText: '"' }).first().click();
    await page.waitForURL(/Meta.owner/);
    expect(await filterText(page)).toMatch(/^Priority > 1 and Meta.owner == "[a-z]+"$/);
    await typeFilter(page, '');
    await page.keyboard.type('Status == ');
    await page.locator('.cm-tooltip-autocomplete li', { hasText: '"pending"' }).click();
    await page.locator('.result', { hasText: '3 rows match' }).waitFor();
    expectCalm(visited);
  });

  it('lets a word be written before it says what is wrong with it, and says it once', async () => {
    const visited = await visit(browser(), sample.origin, 'jobs');
    const { page } = visited;
    await page.locator('.cm-content').waitFor();
    await page.locator('tbody tr').first().waitFor();
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    await page.locator('.cm-content').click();
    await page.keyboard.type('Stauts == a and Priority == x');
    await page.keyboard.press('Escape');
    await page.clock.runFor(200);
    await page.locator('.filter-problem', { hasText: 'there is no such field' }).waitFor();
    expect(await page.locator('.filter-problem').count()).toBe(1);
    await page.clock.runFor(2_000);
    await page.locator('.filter-problem', { hasText: 'not an int' }).waitFor();
    await page.clock.resume();
    await page.keyboard.press('Enter');
    await page.getByText('These are the rows of before').waitFor();
    expect(await page.locator('.notice').count()).toBe(0);
    expect(await page.locator('main').innerText()).not.toMatch(
      /no match found|strconv|rows? match|No row matches/,
    );
    expect(await page.locator('.facet').count()).toBe(0);
    expectCalm(visited);
  });

  it.each(['light', 'dark'] as const)(
    'keeps the contrast of previous rows after a mistake: %s',
    async (colorScheme) => {
      const { page } = await visit(browser(), sample.origin, 'jobs', { colorScheme });
      await page.locator('tbody tr').first().waitFor();
      await typeFilter(page, 'Stauts == a');
      await page.keyboard.press('Enter');
      await page.locator('.table-scroll.old').waitFor();
      await page.waitForFunction(() => {
        const colorOf = (selector: string) =>
          getComputedStyle(document.querySelector(selector)!).backgroundColor;
        return colorOf('.table-scroll.old tbody') === colorOf('body');
      });
      expect(await audit(page)).toEqual([]);
    },
  );

  it('shows all of the navigation, and no keys, on a touch screen of 390 px', async () => {
    const touch = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
    const { page } = await visit(browser(), sample.origin, 'jobs', touch);
    await page.locator('.filter-keys', { hasText: 'as you type' }).waitFor();
    expect(await page.getByText('Ctrl-').isVisible()).toBe(false);
    const hidden = await page.locator('.head ul').evaluate((list) => list.scrollWidth - list.clientWidth);
    expect(hidden).toBe(0);
    expect(await overflowOf(page)).toBe(0);
  });

  it('filters by a clicked value, in the table and among the counts', async () => {
    const visited = await visit(browser(), sample.origin, 'jobs?filter=Priority+%3E+1+or+Stop+%3D%3D+true');
    const { page } = visited;
    await page.locator('.cm-content').waitFor();
    await page.locator('tbody button', { hasText: 'dead' }).first().click();
    await page
      .locator('.cm-line', { hasText: '(Priority > 1 or Stop == true) and Status == "dead"' })
      .waitFor();
    // The counts of the new filter replace those of the old one: a click in between would hit an element that is removed.
    await page.waitForFunction(() => {
      const facets = [...document.querySelectorAll('.facet')].map(({ textContent }) => textContent);
      return (
        facets.some((facet) => facet.includes('dead')) && !facets.some((facet) => facet.includes('running'))
      );
    });
    await page.locator('.facet', { hasText: 'sysbatch' }).click({ modifiers: ['Alt'] });
    await page.locator('.cm-line', { hasText: 'and Status == "dead" and Type != "sysbatch"' }).waitFor();
    await page.waitForFunction(() =>
      [...document.querySelectorAll('.facet')].every(({ textContent }) => !textContent.includes('sysbatch')),
    );
    expectCalm(visited);
  });

  it('sorts by a column, the greatest first, and keeps to it on the next page', async () => {
    const { page } = await visit(browser(), sample.origin, 'jobs?filter=Status+%3D%3D+"running"');
    await page.locator('tbody tr').first().waitFor();
    await page.getByRole('button', { name: 'Priority' }).click();
    await page.waitForURL(/sort=-Priority/);
    await page.waitForFunction(
      () => document.querySelector('tbody tr td:nth-child(4)')?.textContent === '100',
    );
    await page
      .getByRole('columnheader', { name: 'Priority' })
      .and(page.locator('[aria-sort=descending]'))
      .waitFor();
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.waitForURL(/page=/);
    expect(page.url()).toContain('sort=-Priority');
    await page.getByRole('button', { name: 'Priority' }).click();
    await page.waitForURL(/sort=Priority/);
    expect(page.url()).not.toContain('page=');
  });

  it('says which clause leaves nothing, with the nearest value as a button', async () => {
    const visited = await visit(browser(), sample.origin, 'jobs');
    const { page } = visited;
    await page.locator('.cm-content').waitFor();
    await typeFilter(page, 'Status=="runing" and Type == "sysbatch"');
    await page.locator('.empty', { hasText: 'Without this clause 43 rows do' }).waitFor();
    await page.getByRole('button', { name: 'Write Status == "running"' }).click();
    await page.locator('.result', { hasText: '9 rows match' }).waitFor();
    expect(await filterText(page)).toBe('Status == "running" and Type == "sysbatch"');
    expectCalm(visited);
  });

  it('never shows the count of one filter for another', async () => {
    const { page } = await visit(browser(), sample.origin, 'jobs');
    await page.locator('.result', { hasText: '2,000 rows' }).waitFor();
    let response = (): void => undefined;
    const pending = new Promise<void>((resolve) => {
      response = resolve;
    });
    await page.route(/facets=.*filter=|filter=.*facets=/, async (route) => {
      await pending;
      await route.continue();
    });
    await page.locator('.facet', { hasText: 'sysbatch' }).click();
    await page.locator('.result.old[aria-busy=true]', { hasText: 'found by the index' }).waitFor();
    response();
    await page.locator('.result[aria-busy=false]', { hasText: '43 rows match' }).waitFor();
    expect(await page.locator('.result').getAttribute('class')).toBe('result');
  });

  it('remembers filters that were entered, and those that are saved by a name', async () => {
    const visited = await visit(browser(), sample.origin, 'jobs');
    const { page } = visited;
    await page.locator('.cm-content').waitFor();
    await typeFilter(page, 'Type == "batch"');
    await page.keyboard.press('Enter');
    await page.waitForURL(/filter=/);
    await page.getByText('Saved filters').click();
    await page.getByLabel('Save this one as').fill('only <b>batch</b>');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.reload();
    await page.getByText('Saved filters (1)').click();
    await page.locator('.cm-content').click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.press('Delete');
    await page.waitForFunction(() => !location.search.includes('filter'));
    await page.keyboard.press('Escape');
    await page.keyboard.press('Alt+ArrowUp');
    expect(await filterText(page)).toBe('Type == "batch"');
    await page.getByRole('button', { name: 'Forget only <b>batch</b>' }).click();
    expect(await page.evaluate(() => localStorage.getItem('scheduler-saved-jobs'))).toBe('[]');
    expectCalm(visited);
  });

  it('can be used with the keyboard alone', async () => {
    const visited = await visit(browser(), sample.origin, 'jobs');
    const { page } = visited;
    await page.locator('.cm-content').waitFor();
    const reached = async (name: string): Promise<void> => {
      for (let presses = 0; presses < 80; presses += 1) {
        await page.keyboard.press('Tab');
        const label = await page.evaluate(() => {
          const { activeElement } = document;
          const inside = activeElement?.shadowRoot?.activeElement ?? activeElement;
          return inside?.getAttribute('aria-label') ?? inside?.textContent ?? '';
        });
        if (label.startsWith(name)) return;
      }
      throw new Error(`Tab never gets to ${name}`);
    };
    await reached('Filter');
    await page.keyboard.type('Status == "dead"');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Enter');
    await page.locator('.result', { hasText: '354 rows match' }).waitFor();
    await reached('batch');
    await page.keyboard.press('Enter');
    await page.waitForURL(/Type/);
    await reached('Priority');
    await page.keyboard.press('Enter');
    await page.waitForURL(/sort=-Priority/);
    await page.locator('tbody a').first().waitFor();
    const outline = await page.evaluate(() => getComputedStyle(document.activeElement!).outlineStyle);
    expect(outline).toBe('solid');
    expectCalm(visited);
  });

  it('shows what changes as it happens, and marks it', async () => {
    const cluster = await startCluster();
    try {
      await cluster.api.put('/v1/jobs', { Job: mockJob('first') });
      const visited = await visit(browser(), cluster.origin, 'jobs');
      const { page } = visited;
      await page.locator('tbody tr', { hasText: 'first' }).waitFor();
      await page.locator('.cluster-state', { hasText: 'Live' }).waitFor();
      await cluster.api.put('/v1/jobs', { Job: mockJob('second') });
      await page.locator('tbody tr.changed', { hasText: 'second' }).waitFor();
      await page.locator('tbody tr', { hasText: 'second' }).locator('text=running').waitFor();
      await page.locator('.result', { hasText: '2 rows' }).waitFor();
      expectCalm(visited);
    } finally {
      await cluster.close();
    }
  });
});
