import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import {
  audit,
  browserPath,
  filterText,
  launch,
  typeFilter,
  whyNoBrowser,
} from '../../test/support/browser.js';
import { maxTaskMs } from './support/long-task.js';
import { dropFile, visit, type Visit } from './support/visit.js';

const count = (page: Page): Promise<string> => page.locator('.count').innerText();
const until = (page: Page, text: string): Promise<unknown> =>
  page.locator('.count', { hasText: text }).waitFor();
const cells = (page: Page, column: number): Promise<string[]> =>
  page.locator(`.rows-body .row .cell:nth-child(${column + 1})`).allTextContents();

/** The page has no blocked requests, no exceptions, and no requests to other origins. */
function expectCalm({ complaints, external }: Visit): void {
  expect({ complaints, external }).toEqual({ complaints: [], external: [] });
}

describe.skipIf(browserPath === null)(
  `the playground${browserPath === null ? ` (${whyNoBrowser})` : ''}`,
  () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await launch();
    });
    afterAll(async () => {
      await browser.close();
    });

    it('starts with rows and a filter, and shows the matches and the elapsed time', async () => {
      const visited = await visit(browser);
      const { page } = visited;
      expect(await count(page)).toMatch(/^15 of 48 rows in [\d.]+ m?s, compiled in [\d.]+ m?s$/);
      await page.locator('.row.match').first().waitFor();
      expect(new Set(await cells(page, 3))).toEqual(new Set(['running']));
      await page.getByRole('button', { name: 'All 48' }).click();
      await page.locator('.row.miss').first().waitFor();
      expectCalm(visited);
    });

    it('underlines a slip and corrects it by its button', async () => {
      const visited = await visit(browser);
      const { page } = visited;
      await typeFilter(page, 'Stauts == "dead"');
      await page.locator('.filter-mark-error', { hasText: 'Stauts' }).waitFor();
      await page.getByRole('button', { name: 'write Status' }).click();
      expect(await filterText(page)).toBe('Status == "dead"');
      await until(page, ' of 48 rows in');
      await page.locator('.filter-mark-error').waitFor({ state: 'detached' });
      expect(new Set(await cells(page, 3))).toEqual(new Set(['dead']));
      expectCalm(visited);
    });

    it('completes fields, operators and the values that are there', async () => {
      const visited = await visit(browser);
      const { page } = visited;
      await typeFilter(page, '');
      await page.keyboard.type('Sta');
      await page.locator('.cm-tooltip-autocomplete li', { hasText: 'Status' }).waitFor();
      // The first Tab may come too soon for the list, which takes it all the same.
      await expect
        .poll(async () => {
          await page.keyboard.press('Tab');
          return filterText(page);
        })
        .toBe('Status ');
      await page.locator('.cm-tooltip-autocomplete li', { hasText: 'starts with' }).first().waitFor();
      await page.keyboard.type('== ');
      await page.locator('.cm-tooltip-autocomplete li', { hasText: '"pending"' }).click();
      expect(await filterText(page)).toBe('Status == "pending"');
      await page.locator('.row.match').first().waitFor();
      await page.keyboard.press('Escape');
      expect(new Set(await cells(page, 3))).toEqual(new Set(['pending']));
      expectCalm(visited);
    });

    it('describes the token under the pointer', async () => {
      const visited = await visit(browser);
      const { page } = visited;
      await page.locator('.cm-line span', { hasText: 'Status' }).first().hover();
      await page.locator('.filter-note', { hasText: 'Status: string' }).waitFor();
      expectCalm(visited);
    });

    it('formats, and goes back to filters that were entered', async () => {
      const { page } = await visit(browser);
      await typeFilter(page, 'not(Stop==true)');
      await page.keyboard.press('Enter');
      await page.keyboard.press('Shift+Alt+f');
      await page.locator('.cm-line', { hasText: 'not Stop == "true"' }).waitFor();
      await page.keyboard.press('Alt+ArrowUp');
      expect(await filterText(page)).toBe('not(Stop==true)');
      await page.keyboard.press('Alt+ArrowDown');
      expect(await filterText(page)).not.toBe('not(Stop==true)');
    });

    it('explains a row, and why nothing matches, with the nearest value as a button', async () => {
      const visited = await visit(browser);
      const { page } = visited;
      await page.locator('.row.match').first().click();
      await page
        .locator('#side-panel', { hasText: 'Status == "running" is true: Status is "running"' })
        .waitFor();
      await typeFilter(page, 'Status == "runing" and Priority >= 50');
      await until(page, '0 of 48 rows');
      await page.getByRole('tab', { name: 'Clauses' }).click();
      await page.locator('.blocking', { hasText: 'Status == "runing"' }).waitFor();
      await page.locator('#side-panel .fix', { hasText: 'write "running"' }).first().click();
      expect(await filterText(page)).toBe('Status == "running" and Priority >= 50');
      expectCalm(visited);
    });

    it('draws the filter, and writes it at level 0', async () => {
      const visited = await visit(browser);
      const { page } = visited;
      await typeFilter(page, 'Status in ["running", "dead"] and not (ID starts with "web")');
      await page.getByRole('tab', { name: 'Diagram' }).click();
      await page.locator('.railroad .station.not').waitFor();
      expect(await page.locator('.railroad .station.match').count()).toBe(2);
      await page.getByRole('tab', { name: 'Level 0' }).click();
      await page.locator('#side-panel', { hasText: 'Status == "running" or Status == "dead"' }).waitFor();
      await typeFilter(page, 'Priority > 50');
      await page.locator('#side-panel', { hasText: 'Level 0 cannot say this' }).waitFor();
      expectCalm(visited);
    });

    it('writes the filter for three databases, loading the code on demand', async () => {
      const visited = await visit(browser);
      const { page } = visited;
      const requested: string[] = [];
      page.on('request', (request) => requested.push(request.url()));
      const panel = page.locator('#side-panel');
      await typeFilter(page, 'Status == "running" and Version >= 2.0.0');
      await until(page, ' of 48 rows in');
      expect(requested).toEqual([]);
      await page.getByRole('tab', { name: 'SQL' }).click();
      await panel.locator('.json', { hasText: '"rows"."Status" = $1::text' }).waitFor();
      await panel.locator('.json', { hasText: 'Version >= 2.0.0' }).waitFor();
      await panel.getByText('a string is compared by its value as a version').waitFor();
      expect(requested.filter((url) => /write-sql/.test(url))).toHaveLength(1);
      await page.getByRole('button', { name: 'SQLite' }).click();
      await panel.locator('.json', { hasText: '"rows"."Status" COLLATE BINARY = ?' }).waitFor();
      await page.getByRole('button', { name: 'DuckDB' }).click();
      await typeFilter(page, 'Priority > 50');
      await panel.getByText('the database has the whole answer').waitFor();
      await expect.poll(() => panel.locator('.sql-values li').allTextContents()).toEqual(['"50"']);
      await page.getByRole('tab', { name: 'Schema' }).click();
      await page.getByLabel('Check filters against a schema').uncheck();
      await page.getByRole('tab', { name: 'SQL' }).click();
      await panel.getByText('which is switched off').waitFor();
      expectCalm(visited);
    });

    it('takes a file that is dropped, infers its schema and lets people change it', async () => {
      const visited = await visit(browser);
      const { page } = visited;
      await dropFile(page, 'disks.csv', 'disk,free,mounted\nsda,12,true\nsdb,0,false\n"s,c",7,true\n');
      await until(page, '3 rows, which the filter does not fit');
      await typeFilter(page, 'free > 5 and mounted == true');
      await until(page, '2 of 3 rows');
      await page.getByRole('tab', { name: 'Schema' }).click();
      expect(await page.getByLabel('Kind of free').inputValue()).toBe('int');
      await page.getByLabel('Kind of free').selectOption('bool');
      await page.locator('.filter-mark-error').first().waitFor();
      await page.getByRole('button', { name: 'Infer again' }).click();
      await until(page, '2 of 3 rows');
      expectCalm(visited);
    });

    it('reports problems of a file, and keeps the previous rows', async () => {
      const { page } = await visit(browser);
      await dropFile(page, 'broken.json', '[\n{"a": 1},\n{"a" 2}]');
      await page.getByRole('alert').filter({ hasText: 'line 3: ' }).waitFor();
      expect(await count(page)).toContain('of 48 rows');
    });

    it('filters 100,000 rows while the user types, without blocking the page', async () => {
      const visited = await visit(browser);
      const { page } = visited;
      await page.getByLabel('Sample rows').selectOption('machines');
      await until(page, 'of 100,000 rows in');
      await page.locator('.cm-content').click();
      await page.keyboard.press('ControlOrMeta+a');
      const millis = await maxTaskMs(browser, page, async () => {
        await page.keyboard.type('state == "ready" and cpu > 5 and load < 3.2 and name contains "we"', {
          delay: 15,
        });
        await page.keyboard.press('Escape');
        await until(page, '4,738 of 100,000 rows in');
      });
      // A scan of all rows in the page would take seconds; the limit leaves room for a busy machine.
      expect(millis).toBeLessThan(500);
      // The list is the height of all matches, of which few are in the page.
      expect(await page.locator('.rows').getAttribute('aria-rowcount')).toBe('4739');
      expect(await page.locator('.rows-body .row').count()).toBeLessThan(80);
      await page.locator('.rows').focus();
      await page.keyboard.press('End');
      await page.locator('#row-4737').waitFor();
      expectCalm(visited);
    });

    it('aborts a filter that is costly for each row, and evaluates the next one meanwhile', async () => {
      const visited = await visit(browser);
      const { page } = visited;
      const list = Array.from({ length: 2_000 }, (_, index) => index);
      await dropFile(
        page,
        'wide.ndjson',
        Array.from({ length: 3_000 }, () => JSON.stringify({ list })).join('\n'),
      );
      await until(page, '3,000 rows');
      await typeFilter(page, 'any list as x { any list as y { x == @y and x == -1 } }');
      await page.getByRole('button', { name: 'Stop' }).click();
      await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' });
      await typeFilter(page, 'list.0 == 0');
      await until(page, '3,000 of 3,000 rows');
      expectCalm(visited);
    });

    it('shares filter and schema by the fragment, and rows if the user opts in', async () => {
      const { page } = await visit(browser);
      await dropFile(page, 'two.ndjson', '{"id":"a","n":9007199254740993}\n{"id":"b","n":2}');
      await until(page, '2 rows');
      await typeFilter(page, 'n == 9007199254740993');
      await until(page, '1 of 2 rows');
      await page.getByRole('button', { name: 'Share…' }).click();
      const lean = await page.getByLabel('Link', { exact: true }).inputValue();
      await page.getByLabel('With the rows: whoever has the link can read them').check();
      await expect.poll(() => page.getByLabel('Link', { exact: true }).inputValue()).not.toBe(lean);
      const whole = await page.getByLabel('Link', { exact: true }).inputValue();

      const other = await visit(browser, { fragment: new URL(whole).hash });
      await until(other.page, '1 of 2 rows');
      expect(await filterText(other.page)).toBe('n == 9007199254740993');
      expect(await cells(other.page, 1)).toEqual(['a']);
      expectCalm(other);

      const bare = await visit(browser, { fragment: new URL(lean).hash });
      await bare.page.locator('.cm-line', { hasText: 'n == 9007199254740993' }).waitFor();
      expect(await count(bare.page)).toContain('No rows yet');
      await typeFilter(bare.page, 'm == 1');
      await bare.page.locator('.filter-mark-error', { hasText: 'm' }).waitFor();
      expectCalm(bare);
    });

    it.each(['#v1.%%%', '#v1.AAAA', `#v1.${'A'.repeat(70_000)}`])(
      'says that a link is damaged: %.12s',
      async (fragment) => {
        const visited = await visit(browser, { fragment });
        await visited.page.getByRole('alert').filter({ hasText: 'The link cannot be read' }).waitFor();
        await until(visited.page, '15 of 48 rows');
        expectCalm(visited);
      },
    );

    it('shows names and values as text, whatever they are', async () => {
      const visited = await visit(browser);
      const { page } = visited;
      const hostile = [
        '<img src=x onerror=alert(1)>',
        '</script><script>alert(2)</script>',
        '{{constructor.constructor("alert(3)")()}}',
        'javascript:alert(4)',
        '__proto__',
        'constructor',
        '\u202egnp.exe',
        '"><svg onload=alert(5)>',
      ];
      const row = Object.fromEntries(hostile.map((name) => [name, name]));
      await dropFile(
        page,
        '<b>rows</b>.json',
        JSON.stringify([row, { ...row, nested: { [hostile[0]!]: [row] } }]),
      );
      await until(page, '2 rows');
      await typeFilter(page, 'img_src_x_onerror_alert_1 == "<b>none</b>"');
      await until(page, '0 of 2 rows');
      await page.locator('#side-panel .values').waitFor();
      await page.getByRole('button', { name: 'All 2' }).click();
      await page.locator('.rows-body .row').nth(1).click();
      for (const name of ['Row', 'Clauses', 'Diagram', 'SQL', 'Level 0', 'Schema']) {
        await page.getByRole('tab', { name }).click();
        expect(
          await page.locator('#app img, #app script, #app svg[onload], #app iframe, #app b').count(),
        ).toBe(0);
      }
      expect(await page.locator('.rows-head .cell').allTextContents()).toEqual(
        expect.arrayContaining(hostile),
      );
      expectCalm(visited);
    });

    it('can be used with the keyboard alone', async () => {
      const visited = await visit(browser);
      const { page } = visited;
      const reached = async (name: string): Promise<void> => {
        for (let presses = 0; presses < 40; presses += 1) {
          await page.keyboard.press('Tab');
          const label = await page.evaluate(
            () =>
              document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '',
          );
          if (label.startsWith(name)) return;
        }
        throw new Error(`Tab never gets to ${name}`);
      };
      await page.keyboard.press('ControlOrMeta+End');
      await page.keyboard.type(' and Priority == 70');
      await page.keyboard.press('Escape');
      // The previous rows stay until the result of the new filter is complete.
      await page.locator('.count', { hasText: /^(?!15 )[1-9]\d* of 48 rows/ }).waitFor();
      await reached('Rows');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.locator('#side-panel', { hasText: 'Priority == 70 is true' }).waitFor();
      await reached('Row');
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('ArrowRight');
      await page.locator('#side-panel .railroad').waitFor();
      const outline = await page.evaluate(() => getComputedStyle(document.activeElement!).outlineStyle);
      expect(outline).toBe('solid');
      expectCalm(visited);
    });

    it.each([
      ['light', 1280],
      ['dark', 360],
    ] as const)('has no fault that axe finds: %s, %i px', async (colorScheme, width) => {
      const { page } = await visit(browser, { colorScheme, viewport: { width, height: 800 } });
      await typeFilter(page, 'Status == "runing" and Stop == true');
      await until(page, '0 of 48 rows');
      await page.getByRole('button', { name: 'All 48' }).click();
      await page.locator('.rows-body .row').first().click();
      const faults: unknown[] = [];
      for (const name of ['Row', 'Clauses', 'Diagram', 'SQL', 'Level 0', 'Schema']) {
        await page.getByRole('tab', { name }).click();
        faults.push(...(await audit(page)));
      }
      await page.getByRole('button', { name: 'Share…' }).click();
      faults.push(...(await audit(page)));
      expect(faults).toEqual([]);
    });

    it('fits a screen of 360 px', async () => {
      const { page } = await visit(browser, { viewport: { width: 360, height: 740 } });
      const widths = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      expect(widths).toEqual([360, 360]);
    });

    it('loads at most 350 kB, and allows nothing inline', () => {
      const { folder } = inject('site');
      const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
        /\.\w+$/.test(name),
      );
      const sizes = files.map((name) => gzipSync(readFileSync(join(folder, name)), { level: 9 }).length);
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(350_000);
      const html = readFileSync(join(folder, 'index.html'), 'utf8');
      expect(html).toContain('http-equiv="Content-Security-Policy"');
      expect(html).not.toMatch(/unsafe-|<style|<script(?![^>]* src=)|https?:|\sstyle=|\son\w+=/);
    });
  },
);
