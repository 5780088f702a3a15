import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Agent } from '../../src/agent/agent.js';
import { createApiClient } from '@tamis/scheduler-command/api/api-client.js';
import { defaultAgentConfig } from '../../src/agent/settings/agent-config.js';
import { createMachine } from '@tamis/scheduler-model/host/machine.js';
import { until } from '../../../scheduler-model/test/support/until.js';
import { systemClock } from '@tamis/http';
import { createTestAgent } from '../support/test-agent.js';
import { runCommand, type CommandOptions, type CommandResult } from '../support/run-command.js';

let directory = '';
let agent: Agent;
let origin = '';
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'job-commands-'));
  agent = await createTestAgent({
    clock: systemClock,
    random: Math.random,
    machine: createMachine({ environment: { PATH: '/usr/bin:/bin' }, runtimeVersion: 'v20' }),
    config: {
      dataDir: directory,
      server: { ...defaultAgentConfig.server, numSchedulers: 2, pauseEvalBroker: false },
      client: { ...defaultAgentConfig.client, enabled: true, rawExec: true, mockDriver: true },
    },
  });
  origin = await agent.listen();
});
afterAll(async () => {
  await agent.close();
  await rm(directory, { recursive: true, force: true });
});

function job(id: string, body: string, type = 'service'): string {
  return `job "${id}" {
    type = "${type}"
    group "g" {
      ${body}
      restart {
        attempts = 0
        mode     = "fail"
      }
      task "t" {
        driver = "mock_driver"
        config { run_for = "1h" }
        kill_timeout = "1s"
      }
    }
  }`;
}

const quick =
  'update {\n min_healthy_time = "1ms"\n healthy_deadline = "10m"\n progress_deadline = "20m"\n }';
const run = (args: readonly string[], file = '', options: CommandOptions = {}): Promise<CommandResult> =>
  runCommand(args, { origin, files: { 'job.hcl': file }, ...options });

describe('job run', () => {
  it('exits with 0 when the deployment completes, and reports each step', async () => {
    const { code, err, out } = await run(['job', 'run', 'job.hcl'], job('well', quick));
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^well registered, evaluation [0-9a-f]{8}\n/);
    expect(out).toMatch(/well\.g\[0\] \([0-9a-f]{8}\) placed on /);
    expect(out).toMatch(/g: 1 of 1 healthy\n.* successful: Deployment completed successfully\ndone\n$/);
    const again = await run(['job', 'run', 'job.hcl'], job('well', quick));
    expect(again).toMatchObject({ code: 0, err: '' });
  });

  it('ends with 2 when the deployment fails, and says why', async () => {
    const failing = job('ill', quick.replace('20m', '0s')).replace(
      'run_for = "1h"',
      'run_for = "1ms" exit_code = 3',
    );
    const { code, out } = await run(['job', 'run', 'job.hcl'], failing);
    expect(code).toBe(2);
    expect(out).toContain('task t: Terminated: Exit Code: 3');
    expect(out).toMatch(/deployment [0-9a-f]{8} failed: Failed due to unhealthy allocations/);
    expect(out).toMatch(/failed: scheduler alloc logs --stderr [0-9a-f]{8} shows/);
  });

  it.each([
    ['run_for = "10ms"', 0, /\n.* complete\ndone\n$/],
    ['run_for = "10ms" exit_code = 3', 2, /\nfailed: scheduler alloc logs --stderr [0-9a-f]{8} shows /],
    ['start_error = "broken"', 2, /\nfailed: scheduler alloc status [0-9a-f]{8} shows why nothing /],
  ])('follows batch work to its end: %s', async (config, code, end) => {
    const id = `batch-${code}-${config.length}`;
    const once = job(id, 'reschedule {\n attempts = 0\n unlimited = false\n }', 'batch');
    const file = once.replace('run_for = "1h"', config);
    const first = await run(['job', 'run', 'job.hcl'], file);
    expect({ code: first.code, err: first.err }).toEqual({ code, err: '' });
    expect(first.out).toMatch(end);
    // Nothing runs a second time, and what there is of it is judged as before.
    const again = await run(['job', 'run', 'job.hcl'], file);
    expect({ code: again.code, err: again.err }).toEqual({ code, err: '' });
    expect(again.out).toMatch(new RegExp(`^${id} unchanged, evaluation `));
  });

  it('waits for what takes the place of batch work that failed', async () => {
    const twice = job('twice', 'reschedule {\n attempts = 1\n interval = "1h"\n delay = "5s"\n }', 'batch');
    const file = twice.replace('run_for = "1h"', 'run_for = "10ms" exit_code = 3');
    const { code, out } = await run(['job', 'run', 'job.hcl'], file);
    expect(code).toBe(2);
    expect(out.match(/ failed$/gm)).toHaveLength(2);
  });

  it('reports a failed rollout even if nothing is new', async () => {
    const failing = job('sick', quick.replace('20m', '0s')).replace(
      'run_for = "1h"',
      'run_for = "1ms" exit_code = 3',
    );
    expect((await run(['job', 'run', 'job.hcl'], failing)).code).toBe(2);
    const { code, out } = await run(['job', 'run', '--json', 'job.hcl'], failing);
    expect({ code, response: JSON.parse(out) as object }).toMatchObject({
      code: 2,
      response: { Outcome: 'deployment-failed' },
    });
  });

  it('can be paused and resumed while its rollout is under way', async () => {
    const slow = job('held', quick.replace('min_healthy_time = "1ms"', 'min_healthy_time = "9m"'));
    expect((await run(['job', 'run', '--detach', 'job.hcl'], slow)).code).toBe(0);
    const latest = async (): Promise<{ readonly ID: string; readonly Status: string } | undefined> => {
      const found = await fetch(`${origin}/v1/job/held/deployments`);
      return ((await found.json()) as { readonly ID: string; readonly Status: string }[])[0];
    };
    await until(async () => (await latest()) !== undefined, { what: 'a deployment' });
    const { ID = '' } = (await latest()) ?? {};
    expect(await run(['deployment', 'pause', ID])).toMatchObject({
      code: 0,
      out: `${ID.slice(0, 8)} paused\n`,
    });
    expect((await latest())?.Status).toBe('paused');
    const resumed = await run(['deployment', 'resume', '--detach', ID]);
    expect(resumed).toMatchObject({ code: 0, out: `${ID.slice(0, 8)} resumed\n` });
    expect((await latest())?.Status).toBe('running');
  });

  it('names the namespace wherever it is not the default one', async () => {
    await run(['namespace', 'apply', 'shop']);
    const nowhere = job('away', 'constraint {\n attribute = "${node.class}"\n value = "gpu"\n }', 'batch');
    const inShop = nowhere.replace('{', '{\n namespace = "shop"');
    expect((await run(['job', 'run', 'job.hcl'], inShop)).out).toContain(
      'scheduler job status --namespace shop away\n',
    );
    expect((await run(['job', 'status', 'away'])).err).toBe(
      'error: There is no job "away" in namespace "default"\n',
    );
    const elsewhere = await run(['job', 'run', '--detach', '-n', 'default', 'job.hcl'], inShop);
    expect(elsewhere.code).toBe(0);
    expect(elsewhere.err).toContain('warning: the file says namespace "shop", and "default" is taken');
  });

  it('ends with 2 when a system job finds no place, and so does its plan', async () => {
    const constraint = 'constraint {\n attribute = "${node.class}"\n value = "gpu"\n }';
    const nowhere = job('everywhere', constraint, 'system');
    for (const word of ['plan', 'run', 'plan']) {
      const { code, err, out } = await run(['job', word, 'job.hcl'], nowhere);
      expect({ word, code, err }).toEqual({ word, code: 2, err: '' });
      expect(out).toContain('some allocations cannot be placed:');
      expect(out).toContain('constraint ${node.class} = gpu');
    }
    const placed = await run(['job', 'run', 'job.hcl'], job('everywhere', '', 'system'));
    expect(placed).toMatchObject({ code: 0, err: '' });
    expect((await run(['job', 'plan', 'job.hcl'], job('everywhere', '', 'system'))).code).toBe(0);
    expect((await run(['job', 'stop', 'everywhere'])).code).toBe(0);
  });

  it('ends with 2 when a batch job finds no place, and says why', async () => {
    const nowhere = job('nowhere', 'constraint {\n attribute = "${node.class}"\n value = "gpu"\n }', 'batch');
    const { code, err, out } = await run(['job', 'run', 'job.hcl'], nowhere);
    expect({ code, err }).toEqual({ code: 2, err: '' });
    expect(out).toContain('some allocations cannot be placed:\n          g: 1 not placed:\n');
    expect(out).toContain('constraint ${node.class} = gpu');
    expect((await run(['job', 'status', 'nowhere'])).out).toContain('NOT PLACED\n  g: 1 not placed:');
  });

  it('exits with 0 for jobs that do not run yet, and if waiting is disabled', async () => {
    const later = `job "later" {\n type = "batch"\n periodic {\n cron = "@yearly"\n }\n group "g" {\n task "t" {\n driver = "mock_driver"\n }\n }\n }`;
    expect(await run(['job', 'run', 'job.hcl'], later)).toMatchObject({
      code: 0,
      out: 'later registered, nothing has to run now\n',
    });
    const { code, out } = await run(['job', 'run', '--detach', 'job.hcl'], job('quick', quick));
    expect({ code, lines: out.split('\n').length }).toEqual({ code: 0, lines: 2 });
  });

  it('is one object for programs, on standard output alone', async () => {
    const { code, out } = await run(['job', 'run', '--json', 'job.hcl'], job('program', quick));
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ Outcome: 'done', Deployment: { Status: 'successful' } });
  });

  it('ends with 1 for a job that the server refuses, and for one that was changed meanwhile', async () => {
    const refused = await run(['job', 'run', 'job.hcl'], job('wrong', 'count = -1'));
    expect(refused.code).toBe(1);
    expect(await run(['job', 'run', '--detach', 'job.hcl'], job('changed', quick))).toMatchObject({
      code: 0,
    });
    const conflict = await run(['job', 'run', '--check-index', '0', 'job.hcl'], job('changed', quick));
    expect(conflict).toMatchObject({ code: 1, out: '' });
    expect(conflict.err).toContain('Enforcing job modify index 0');
  });

  it('continues after a reader has closed its input', async () => {
    const enough = new AbortController();
    const slow = job('slow', quick.replace('1ms', '2m'));
    const { code, err } = await run(['job', 'run', 'job.hcl'], slow, {
      signal: enough.signal,
      onText: (text) => void (text.includes(' placed on ') && enough.abort()),
    });
    expect(code).toBe(130);
    expect(err).toContain('Stopped watching; the job goes on: scheduler job status slow');
    expect((await run(['job', 'status', 'slow'])).out).toMatch(/^Status +running$/m);
  });

  it('shows a hostile name as text all the way', async () => {
    const body = JSON.stringify({
      ID: 'a\u202eb\u001b[2J',
      TaskGroups: [
        {
          Name: 'g\u001b',
          Count: 1,
          Update: { MinHealthyTime: 1 },
          Tasks: [{ Name: 't', Driver: 'mock_driver', Config: { run_for: '1h' } }],
        },
      ],
    });
    for (const args of [
      ['job', 'run', 'job.hcl'],
      ['job', 'plan', 'job.hcl'],
      ['status', 'a\u202eb\u001b[2J'],
      ['alloc', 'status'],
    ]) {
      const { code, err, out } = await run(args, body, { columns: 100, env: { NO_COLOR: '1' } });
      expect({ code, err }).toEqual({ code: 0, err: '' });
      expect(out.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
    }
  });
});

describe('job validate', () => {
  it('knows drivers, and names the line', async () => {
    const { code, err } = await run(
      ['job', 'validate', 'job.hcl'],
      job('slip', '').replace('mock_driver', 'raw_exe').replace('config {', '#'),
    );
    expect(code).toBe(1);
    expect(err).toMatch(
      /^error: job\.hcl:10:\d+: Job\.TaskGroups\[0\]\.Tasks\[0\]\.Driver: there is no driver "raw_exe": did you mean raw_exec\?$/m,
    );
  });

  it('warns of a driver that no node has, and the plan names it', async () => {
    const elsewhere = job('else', '').replace('mock_driver', 'docker');
    const { code, err } = await run(['job', 'validate', 'job.hcl'], elsewhere);
    expect(code).toBe(0);
    expect(err).toMatch(/warning: job\.hcl:10:\d+: .*no node has the driver "docker"/);
    const { out } = await run(['job', 'plan', 'job.hcl'], elsewhere);
    expect(out).toContain('1 of 1 node: missing drivers: docker');
    const plan = JSON.parse((await run(['job', 'plan', '--json', 'job.hcl'], elsewhere)).out) as object;
    expect(plan).toMatchObject({
      CreatedEvals: [{ Status: 'blocked', TriggeredBy: 'queued-allocs', JobID: 'else' }],
    });
  });
});

describe('job stop', () => {
  it.each(['job stop', 'job stop -purge'])('%s is a success while a rollout is under way', async (line) => {
    const slow = job('going', quick.replace('1ms', '2m'));
    await run(['job', 'run', '-detach', 'job.hcl'], slow);
    const { body } = await createApiClient({
      address: origin,
      token: null,
      region: null,
      fetch,
      signal: AbortSignal.timeout(120_000),
    }).get<{ readonly Status: string }>('/v1/job/going/deployment', { index: 1, wait: '60s' });
    expect(body).toMatchObject({ Status: 'running' });
    const { code, err, out } = await run([...line.split(' '), 'going']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^going stopped.*\n/);
    expect(out).toMatch(/\ndone\n$/);
  });
});

describe('a job that runs', () => {
  it('is scaled, within its bounds, and restarted', async () => {
    const bounds = `scaling {\n min = 1\n max = 3\n }\n${quick}`;
    await run(['job', 'run', 'job.hcl'], job('elastic', bounds));
    const scaled = await run(['job', 'scale', 'elastic', '2']);
    expect(scaled).toMatchObject({ code: 0, err: '' });
    expect(scaled.out).toMatch(/^elastic scaled to 2 of g, evaluation /);
    expect((await run(['job', 'scale', 'elastic', 'g', '9'])).err).toContain(
      'greater than scaling policy maximum: 9 > 3',
    );
    expect((await run(['job', 'scale', 'elastic', 'many'])).code).toBe(64);
    expect(await run(['job', 'scale', 'elastic', '-1'])).toMatchObject({
      ...{ code: 64, err: expect.stringContaining('-1 is negative: numbers here begin at 0') },
    });
    expect((await run(['job', 'scale', 'elastic', 'h', '1'])).err).toContain('does not exist in job');
    const restarted = await run(['job', 'restart', 'elastic']);
    expect({ code: restarted.code, err: restarted.err }).toEqual({ code: 0, err: '' });
    expect(restarted.out).toMatch(/^(?:elastic\.g\[\d\] \([0-9a-f]{8}\) starts again\n){2}$/);
    expect((await run(['job', 'restart', '--group', 'h', 'elastic'])).code).toBe(1);
  });

  it('shows its files', async () => {
    await run(['job', 'run', 'job.hcl'], job('files', quick));
    const { out } = await run(['alloc', 'list', '--json', '--filter', 'JobID == "files"']);
    const [{ ID } = { ID: '' }] = JSON.parse(out) as { ID: string }[];
    const root = await run(['alloc', 'fs', ID]);
    expect(root.out.split('\n').map((line) => line.split(/ +/).at(-1))).toEqual(['NAME', 'alloc/', 't/', '']);
    expect((await run(['alloc', 'fs', '-stat', ID, 'alloc'])).out).toMatch(/^Mode +d/m);
    expect((await run(['alloc', 'fs', ID, 'nowhere'])).code).toBe(1);
  });

  it('by time shows its next launch, and what it has launched', async () => {
    const later = `job "nightly" {\n type = "batch"\n periodic {\n cron = "@yearly"\n }\n group "g" {\n task "t" {\n driver = "mock_driver"\n }\n }\n }`;
    await run(['job', 'run', 'job.hcl'], later);
    const year = new Date().getUTCFullYear() + 1;
    const before = (await run(['job', 'status', 'nightly'])).out;
    expect(before).toContain(`Next launch  ${year}-01-01T00:00:00.000Z, `);
    expect(before).toMatch(/^Launched +nothing yet$/m);
    const forced = await run(['job', 'periodic', 'force', 'nightly']);
    expect(forced).toMatchObject({ code: 0, err: '' });
    expect(forced.out).toMatch(/^nightly\/periodic-\d+ launched, evaluation /);
    const { out } = await run(['job', 'status', 'nightly'], '', { columns: 60, env: { NO_COLOR: '1' } });
    expect(out).toMatch(/^nightly\/periodic-\d+/m);
    const { Children } = JSON.parse((await run(['job', 'status', '--json', 'nightly'])).out) as {
      Children: object[];
    };
    expect(Children).toHaveLength(1);
    await run(['job', 'stop', 'nightly']);
    expect((await run(['job', 'status', 'nightly'])).out).not.toContain('Next launch');
  });
});

describe('what belongs to a job', () => {
  it('is planned, validated, returned to a version, and stopped', async () => {
    await run(['job', 'run', 'job.hcl'], job('versions', quick));
    const second = job('versions', `count = 2\n${quick}`);
    const plan = await run(['job', 'plan', 'job.hcl'], second);
    expect(plan.out).toMatch(/~ {3}group g \(.*1 create.*\)\n~ {5}Count: "1" => "2"\n/);
    expect(await run(['job', 'validate', 'job.hcl'], second)).toMatchObject({
      code: 0,
      out: 'no mistakes\n',
    });
    expect(await run(['job', 'validate', 'job.hcl'], job('wrong', 'count = -1'))).toMatchObject({
      code: 1,
      out: '',
    });
    expect((await run(['job', 'run', 'job.hcl'], second)).code).toBe(0);
    expect((await run(['job', 'history', '-p', 'versions'])).out).toContain('Count: "1" => "2"');
    const reverted = await run(['job', 'revert', 'versions', '0']);
    expect(reverted).toMatchObject({ code: 0, err: '' });
    expect(reverted.out).toMatch(/^versions returned to version 0, evaluation /);
    expect(JSON.parse((await run(['job', 'inspect', 'versions'])).out)).toMatchObject({
      Job: { Version: 2 },
    });
    expect((await run(['job', 'inspect', '--version', '9', 'versions'])).err).toContain(
      'those that are kept are 2, 1, 0',
    );
    expect(await run(['job', 'stop', 'versions'])).toMatchObject({ code: 0 });
    expect((await run(['job', 'status', 'versions'])).out).toMatch(/^Status +dead \(stopped\)$/m);
  });

  it('an allocation is stopped, and takes signals and restarts', async () => {
    const writing = 'run_for = "1h" stdout_string = "a\\nb\\nc\\n"';
    await run(['job', 'run', 'job.hcl'], job('alive', quick).replace('run_for = "1h"', writing));
    const { out } = await run(['alloc', 'status', '--json', '--filter', 'JobID == "alive"']);
    const [{ ID } = { ID: '' }] = JSON.parse(out) as { ID: string }[];
    expect(await run(['alloc', 'logs', '-n', '2', ID])).toEqual({ code: 0, err: '', out: 'b\nc\n' });
    const stopped = await run(['alloc', 'stop', ID]);
    expect(stopped).toMatchObject({ code: 0, err: '', out: expect.stringContaining(' stops, evaluation ') });
    const again = await run(['alloc', 'stop', ID]);
    expect(again).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringContaining('there is nothing to stop'),
    });
    expect((await run(['alloc', 'logs', ID, 'nobody'])).code).toBe(1);
  });
});
