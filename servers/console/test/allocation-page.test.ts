import { afterAll, beforeAll, expect, it } from 'vitest';
import { audit, overflowOf } from '../../../test/support/browser.js';
import { defaultAgentConfig } from '../../scheduler/src/agent/settings/agent-config.js';
import { runTasks, shellTask } from '../../scheduler/test/support/task-job.js';
import { startCluster, type Cluster } from './support/cluster.js';
import { describeInBrowser, expectCalm } from './support/in-browser.js';
import { act, visit } from './support/visit.js';

describeInBrowser('the page of an allocation', (browser) => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster({
      client: { ...defaultAgentConfig.client, enabled: true, rawExec: true, mockDriver: true },
    });
  });
  afterAll(async () => {
    await cluster.close();
  });

  it('shows the states and events of tasks, links what belongs to it, and stops it', async () => {
    const id = await runTasks(cluster.origin, 'states', [shellTask('sleep 1000')]);
    const visited = await visit(browser(), cluster.origin, `allocations/${id}`);
    const { page } = visited;
    await page.locator('.timeline li', { hasText: 'Started' }).waitFor();
    await page.locator('.facts', { hasText: '10 MHz, 10 MB of memory' }).waitFor();
    for (const name of ['states', 'srv1']) {
      await page.locator('.facts').getByRole('link', { name, exact: true }).waitFor();
    }
    await act(page, 'Stop');
    await page.locator('.told', { hasText: 'Stopped: its evaluation' }).waitFor();
    await page.locator('.timeline li', { hasText: 'Killing' }).waitFor();
    expect(await page.getByRole('button', { name: 'Stop' }).count()).toBe(0);
    expectCalm(visited);
  });

  it('starts its tasks again, and sends them a signal', async () => {
    const script = 'trap "echo heard" HUP; echo begun; while :; do sleep 0.1; done';
    const id = await runTasks(cluster.origin, 'commanded', [shellTask(script)]);
    const visited = await visit(browser(), cluster.origin, `allocations/${id}?view=logs`);
    const { page } = visited;
    await page.locator('.log-line', { hasText: 'begun' }).waitFor();
    await act(page, 'Signal');
    await page.locator('.told', { hasText: 'Sent SIGHUP to all its tasks' }).waitFor();
    await page.locator('.log-line', { hasText: 'heard' }).waitFor();
    await page.getByRole('button', { name: 'Signal' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Signal').fill('SIGNONE');
    await dialog.getByRole('button', { name: 'Signal' }).click();
    await dialog.getByRole('alert').filter({ hasText: 'SIGNONE' }).waitFor();
    await page.keyboard.press('Escape');
    await act(page, 'Restart');
    await page.locator('.told', { hasText: 'Restarted: all its tasks' }).waitFor();
    await page.getByRole('link', { name: 'Overview', exact: true }).last().click();
    await page.locator('.timeline li', { hasText: 'Restart' }).first().waitFor();
    expectCalm(visited);
  });

  it('follows the output of a task, pauses, and stops when the user leaves', async () => {
    const script = 'i=0; while true; do i=$((i+1)); echo "line $i"; sleep 0.05; done';
    const id = await runTasks(cluster.origin, 'writes', [shellTask(script)]);
    const visited = await visit(browser(), cluster.origin, `allocations/${id}?view=logs`);
    const { page } = visited;
    const lines = page.locator('.log-line');
    // How many lines there are when the page comes, a machine that is busy decides.
    await lines
      .filter({ hasText: /^line \d{2,}$/ })
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.locator('.log-newer', { hasText: 'newer line' }).waitFor();
    const pending = await lines.last().textContent();
    await page.locator('.log-newer', { hasText: /\d\d newer lines/ }).waitFor();
    expect(await lines.last().textContent()).toBe(pending);
    await page.getByRole('button', { name: 'Jump to the end' }).click();
    await page.waitForFunction(
      (last) => [...document.querySelectorAll('.log-line')].at(-1)?.textContent !== last,
      pending,
    );
    const ended = page.waitForEvent('requestfailed', (request) => request.url().includes('/fs/logs/'));
    await page.getByRole('link', { name: 'Jobs', exact: true }).click();
    expect((await ended).failure()?.errorText).toContain('ABORTED');
    expectCalm(visited);
  });

  it('shows the other output, and what hostile tasks write as text', async () => {
    const script = `printf '<img src=x onerror=alert(1)>\\n\\033[31mred\\033[0m \\342\\200\\256gnp\\n' >&2; sleep 1000`;
    const id = await runTasks(cluster.origin, 'hostile', [shellTask(script)]);
    const visited = await visit(browser(), cluster.origin, `allocations/${id}?view=logs`);
    const { page } = visited;
    await page.getByRole('button', { name: 'stderr' }).click();
    await page.waitForURL(/type=stderr/);
    await page.locator('.log-line', { hasText: '<img src=x onerror=alert(1)>' }).waitFor();
    await page.locator('.log-line', { hasText: 'red U+202Egnp' }).waitFor();
    expect(await page.locator('main img').count()).toBe(0);
    expectCalm(visited);
  });

  it('has all that a task that ended has written, and says so', async () => {
    const id = await runTasks(cluster.origin, 'ends', [shellTask('echo done')], {
      status: 'complete',
      Type: 'batch',
    });
    const visited = await visit(browser(), cluster.origin, `allocations/${id}?view=logs`);
    await visited.page.locator('.log-line', { hasText: 'done' }).waitFor();
    await visited.page.locator('.log-state', { hasText: 'The task has ended' }).waitFor();
    expectCalm(visited);
  });

  it('leads through files, folder by folder', async () => {
    const script = 'echo "<b>text</b>" > "$SCHEDULER_TASK_DIR/a b.txt"; sleep 1000';
    const id = await runTasks(cluster.origin, 'files', [shellTask(script)]);
    const visited = await visit(browser(), cluster.origin, `allocations/${id}?view=files`);
    const { page } = visited;
    await page.locator('tbody').getByRole('link', { name: 'main/' }).click();
    await page.locator('tbody').getByRole('link', { name: 'local/' }).click();
    await page.locator('tbody').getByRole('link', { name: 'a b.txt' }).click();
    await page.locator('.file-text', { hasText: '<b>text</b>' }).waitFor();
    await page.locator('.log-bar', { hasText: '12 bytes' }).waitFor();
    await page.goBack();
    await page.locator('tbody').getByRole('link', { name: 'a b.txt' }).waitFor();
    expectCalm(visited);
  });

  it.each([
    ['light', 1280],
    ['dark', 360],
  ] as const)('has no fault that axe finds, and fits: %s, %i px', async (colorScheme, width) => {
    const id = await runTasks(cluster.origin, `seen-${width}`, [shellTask('echo hello; sleep 1000')]);
    for (const [view, wait] of [
      ['', '.timeline li'],
      ['?view=logs', '.log-line'],
      ['?view=files', 'tbody tr'],
    ] as const) {
      const { page } = await visit(browser(), cluster.origin, `allocations/${id}${view}`, {
        colorScheme,
        viewport: { width, height: 800 },
      });
      await page.locator(wait).first().waitFor();
      expect(await audit(page)).toEqual([]);
      expect(await overflowOf(page)).toBe(0);
    }
  });
});
