import { afterAll, beforeAll, expect, it } from 'vitest';
import { audit, overflowOf } from '../../../test/support/browser.js';
import { mockJob, startCluster, type Cluster } from './support/cluster.js';
import { describeInBrowser, expectCalm } from './support/in-browser.js';
import { act, visit } from './support/visit.js';

/** A rollout with canaries that is healthy as soon as its tasks run. */
const Update = { MaxParallel: 1, Canary: 1, MinHealthyTime: 0, HealthCheck: 'task_states' };
const rollout = (ID: string, version: string): object => {
  const Tasks = [{ Name: 'main', Driver: 'mock_driver', Config: { run_for: '1h' }, Env: { version } }];
  return mockJob(ID, { Update, TaskGroups: [{ Name: 'web', Count: 2, Tasks }] });
};

describeInBrowser('the page of a job', (browser) => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(async () => {
    await cluster.close();
  });

  it('shows a rollout as it goes, and promotes it', async () => {
    const { api, origin } = cluster;
    await api.put('/v1/jobs', { Job: rollout('roll', '1') });
    const isDone = (list: readonly { Status: string }[]): boolean =>
      list.some(({ Status }) => Status === 'successful');
    await api.until('/v1/job/roll/deployments', isDone);
    const visited = await visit(browser(), origin, 'jobs/roll%40default');
    const { page } = visited;
    await page.locator('.card', { hasText: '2 desired, 2 placed, 2 healthy, 0 unhealthy' }).waitFor();
    expect(await page.title()).toBe('roll@default · Job · Scheduler');
    await page.locator('.cluster-state', { hasText: 'Live' }).waitFor();
    await api.put('/v1/jobs', { Job: rollout('roll', '2') });
    await page.locator('.progress', { hasText: '1 of 1 canaries, not promoted' }).waitFor();
    await page.locator('.progress', { hasText: '1 healthy' }).waitFor();
    await act(page, 'Promote');
    await page.locator('.told', { hasText: 'Promoted, evaluation' }).waitFor();
    await page.locator('.card', { hasText: 'version 1' }).locator('text=successful').first().waitFor();
    await page.getByRole('link', { name: 'Versions' }).click();
    await page.locator('.card', { hasText: 'Version 1' }).locator('text=Env[version]: 1 → 2').waitFor();
    await act(page, 'Revert to version 0');
    await page.locator('strong', { hasText: 'Version 2' }).waitFor();
    expectCalm(visited);
  });

  it('says why something is not placed, plans what is written, and submits it', async () => {
    const { api, origin } = cluster;
    const Constraints = [{ LTarget: '${attr.kernel.name}', RTarget: 'plan9', Operand: '=' }];
    await api.put('/v1/jobs', { Job: mockJob('stuck', { Constraints }) });
    const visited = await visit(browser(), origin, 'jobs/stuck%40default');
    const { page } = visited;
    await page.locator('.failures', { hasText: '1 allocation without a place' }).waitFor();
    await page
      .locator('.failures', { hasText: '1 node does not meet: ${attr.kernel.name} = plan9' })
      .waitFor();
    await page.getByRole('link', { name: 'Definition' }).click();
    const editor = page.locator('.cm-content');
    await editor.waitFor();
    await page.getByRole('button', { name: 'Plan', exact: true }).click();
    await page.locator('.card .failures', { hasText: 'plan9' }).waitFor();
    await page.locator('text=No differences').waitFor();
    await editor.click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText('{"ID": "stuck", ');
    await page.getByRole('button', { name: 'Plan', exact: true }).click();
    await page.locator('.notice', { hasText: 'This is no JSON' }).waitFor();
    await editor.click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText(JSON.stringify(mockJob('stuck', { Meta: { big: '1' } })));
    await page.getByRole('button', { name: 'Plan', exact: true }).click();
    await page.locator('.card', { hasText: 'web: 1 to place' }).waitFor();
    await page.locator('.diff', { hasText: 'Meta[big]' }).first().waitFor();
    await act(page, 'Submit');
    await page.locator('.told', { hasText: 'Submitted' }).waitFor();
    await page.getByRole('link', { name: 'Overview', exact: true }).last().click();
    await page.locator('tbody tr', { hasText: 'running' }).first().waitFor();
    expectCalm(visited);
  });

  it('takes a job file in HCL for a definition, with the places of its mistakes', async () => {
    const { api, origin } = cluster;
    await api.put('/v1/jobs', { Job: mockJob('filed') });
    const visited = await visit(browser(), origin, 'jobs/filed%40default?view=definition');
    const { page } = visited;
    const editor = page.locator('.cm-content');
    await editor.waitFor();
    const write = async (text: string): Promise<void> => {
      await editor.click();
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.insertText(text);
      await page.getByRole('button', { name: 'Plan', exact: true }).click();
    };
    const file = (priority: string): string => `# by hand
job "filed" {
  datacenters = ["dc1"]
  priority    = ${priority}
  group "web" {
    count = 2
    task "main" {
      driver = "mock_driver"
      config { run_for = "1h" }
    }
  }
}`;
    await write(file('"soon"'));
    await page.locator('.notice', { hasText: /4:\d+.*priority/ }).waitFor();
    await write(file('70'));
    await page.locator('.card', { hasText: 'What would be done' }).waitFor();
    await page.locator('.diff', { hasText: 'Priority' }).first().waitFor();
    await act(page, 'Submit');
    await page.locator('.told', { hasText: 'Submitted' }).waitFor();
    expect(await api.get('/v1/job/filed')).toMatchObject({ Priority: 70, TaskGroups: [{ Count: 2 }] });
    expectCalm(visited);
  });

  it('does not overwrite concurrent changes of other users', async () => {
    const { api, origin } = cluster;
    await api.put('/v1/jobs', { Job: mockJob('shared') });
    const { page } = await visit(browser(), origin, 'jobs/shared%40default?view=definition');
    await page.locator('.cm-content').waitFor();
    await api.put('/v1/jobs', { Job: mockJob('shared', { Priority: 70 }) });
    await page.locator('.notice', { hasText: 'The job has been changed since' }).waitFor();
    await page.getByRole('button', { name: 'Plan', exact: true }).click();
    await page.locator('.notice', { hasText: 'Enforcing job modify index' }).waitFor();
    await page.getByRole('button', { name: 'Read it again' }).click();
    await page.locator('.cm-content', { hasText: '"Priority": 70' }).waitFor();
    expect(await page.locator('.cm-content').textContent()).not.toContain('ModifyIndex');
  });

  it('starts children with the input of the user, and lists them', async () => {
    const { api, origin } = cluster;
    const ParameterizedJob = { Payload: 'optional', MetaRequired: ['who'] };
    await api.put('/v1/jobs', { Job: mockJob('ask', { Type: 'batch', ParameterizedJob }) });
    const visited = await visit(browser(), origin, 'jobs/ask%40default');
    const { page } = visited;
    await page.getByRole('button', { name: 'Dispatch' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Dispatch' }).click();
    await dialog.locator('.notice', { hasText: 'who' }).waitFor();
    await dialog.getByLabel('who').fill('Zoë');
    await dialog.getByLabel('Payload').fill('straße');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.locator('.told', { hasText: 'ask/dispatch-' }).waitFor();
    await page.locator('tbody a', { hasText: 'ask/dispatch-' }).click();
    await page.locator('.facts', { hasText: 'who: Zoë' }).waitFor();
    await page.locator('dd a', { hasText: 'ask' }).waitFor();
    expectCalm(visited);
  });

  it('shows what a hostile job says as text', async () => {
    const { api, origin } = cluster;
    const mark = '<img src=x onerror=alert(1)>';
    const Meta = { [mark]: `${mark}\u202egnp.exe`, long: 'x'.repeat(1_000_000) };
    await api.put('/v1/jobs', { Job: mockJob('hostile', { Name: `${mark}\u202e`, Meta }) });
    const visited = await visit(browser(), origin, 'jobs/hostile%40default');
    const { page } = visited;
    await page.locator('h1', { hasText: `${mark}U+202E` }).waitFor();
    await page.locator('.facts li', { hasText: '999,800 more characters' }).waitFor();
    expect(await page.locator('main img').count()).toBe(0);
    expectCalm(visited);
  });

  it.each([
    ['light', 1280],
    ['dark', 360],
  ] as const)('has no fault that axe finds, and fits: %s, %i px', async (colorScheme, width) => {
    await cluster.api.put('/v1/jobs', { Job: rollout('seen', '1') });
    const { page } = await visit(browser(), cluster.origin, 'jobs/seen%40default', {
      colorScheme,
      viewport: { width, height: 800 },
    });
    await page.locator('.progress').waitFor();
    await page.locator('tbody tr').first().waitFor();
    expect(await audit(page)).toEqual([]);
    expect(await overflowOf(page)).toBe(0);
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    expect(await audit(page)).toEqual([]);
    await page.keyboard.press('Escape');
    for (const [view, wait] of [
      ['Versions', '.diff, .card'],
      ['Definition', '.cm-content'],
    ] as const) {
      await page.getByRole('link', { name: view }).click();
      await page.locator(wait).first().waitFor();
      expect(await audit(page)).toEqual([]);
      expect(await overflowOf(page)).toBe(0);
    }
  });
});
