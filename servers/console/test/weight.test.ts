import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { typeFilter } from '../../../test/support/browser.js';
import { maxTaskMs } from '../../../playground/test/support/long-task.js';
import { mockJob, startCluster, startSample, type Cluster } from './support/cluster.js';
import { describeInBrowser } from './support/in-browser.js';
import { visit } from './support/visit.js';

describeInBrowser('the weight of the console', (browser) => {
  let sample: Cluster;
  beforeAll(async () => {
    sample = await startSample();
  });
  afterAll(async () => {
    await sample.close();
  });

  it('is at most 200 kB for a first view without the editor, and 350 kB with it', async () => {
    // What the page before it was still loading when it was loaded again counts once.
    const loaded = new Set<string>();
    const { page } = await visit(browser(), sample.origin, 'jobs');
    page.on('request', (request) => loaded.add(new URL(request.url()).pathname));
    await page.reload();
    await page.locator('.cm-content').waitFor();
    await page.locator('.facet').first().waitFor();
    await typeFilter(page, 'Status == "pending"');
    await page.waitForURL(/filter/);
    const files = [...loaded].filter((path) => path.startsWith('/ui/assets/'));
    const sizeOf = (path: string): number =>
      readFileSync(join(inject('consoleFolder'), `${path.slice('/ui/'.length)}.gz`)).length;
    // The editor, and the engine in its worker.
    const isHeavy = (path: string): boolean => sizeOf(path) > 50_000;
    const total = (paths: readonly string[]): number => paths.reduce((sum, path) => sum + sizeOf(path), 0);
    expect(files.filter(isHeavy).length).toBeGreaterThanOrEqual(2);
    expect(total(files.filter((path) => !isHeavy(path)))).toBeLessThan(200_000);
    expect(total(files)).toBeLessThan(350_000);
  });

  it('is in files alone: the page has no inline code, and loads nothing from other origins', () => {
    const folder = inject('consoleFolder');
    const html = readFileSync(join(folder, 'index.html'), 'utf8');
    expect(html).not.toMatch(/<style|<script(?![^>]* src=)|https?:|\sstyle=|\son\w+=/);
    const names = readdirSync(join(folder, 'assets'));
    expect(names.filter((name) => !/-[\w-]{8}\.(js|css|svg)(\.gz|\.br)?$/.test(name))).toEqual([]);
  });

  it('is never noticeable while typing: no task takes 50 ms', async () => {
    const { page } = await visit(browser(), sample.origin, 'jobs');
    await page.locator('.cm-content').waitFor();
    await page.locator('.facet').first().waitFor();
    await page.locator('.cm-content').click();
    const millis = await maxTaskMs(browser(), page, async () => {
      await page.keyboard.type('Status == "pending" and Priority > 20 and Meta.owner != "x"', { delay: 15 });
      await page.keyboard.press('Escape');
      await page.waitForURL(/owner/);
      await page.locator('.result', { hasText: 'found by the index' }).waitFor();
    });
    expect(millis).toBeLessThan(500);
  });

  it('does not grow in an hour', async () => {
    const cluster = await startCluster();
    try {
      await cluster.api.put('/v1/jobs', { Job: mockJob('web') });
      const { page } = await visit(browser(), cluster.origin, '');
      const session = await page.context().newCDPSession(page);
      const measure = async (): Promise<{
        readonly heap: number;
        readonly nodes: number;
        readonly listeners: number;
      }> => {
        await session.send('HeapProfiler.collectGarbage');
        const { usedSize } = await session.send('Runtime.getHeapUsage');
        const { nodes, jsEventListeners } = await session.send('Memory.getDOMCounters');
        return { heap: usedSize, nodes, listeners: jsEventListeners };
      };
      await page.clock.install();
      await page.reload();
      await page.locator('.counts tbody tr').first().waitFor();
      const live = async (minutes: number): Promise<void> => {
        for (let minute = 0; minute < minutes; minute += 1) {
          await cluster.api.put('/v1/jobs', { Job: mockJob('web', { Priority: 1 + (minute % 90) }) });
          await page.clock.runFor(60_000);
        }
      };
      // All that is remembered is there after ten minutes.
      await live(12);
      const before = await measure();
      await live(48);
      const after = await measure();
      expect(after.heap).toBeLessThan(before.heap * 1.2 + 500_000);
      expect(after.nodes).toBeLessThan(before.nodes * 1.2 + 100);
      expect(after.listeners).toBeLessThan(before.listeners * 1.2 + 20);
    } finally {
      await cluster.close();
    }
  });
});
