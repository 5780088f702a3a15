import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  runAllocation,
  type AllocationReport,
  type AllocationRunner,
} from '@tamis/scheduler-node/allocation-runner.js';
import type { TaskDriver } from '@tamis/scheduler-node/driver.js';
import { createMockDriver } from '@tamis/scheduler-node/mock-driver.js';
import type { Allocation } from '@tamis/scheduler-model/allocation.js';
import { createFakeClock, type FakeClock } from '../../scheduler-model/test/support/fake-clock.js';
import { allocationOf, until } from './allocations.js';

let directory = '';
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'allocation-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

interface Run {
  readonly runner: AllocationRunner;
  readonly clock: FakeClock;
  readonly reports: AllocationReport[];
  isDone(): boolean;
  status(): string;
}

function run(allocation: Allocation, extraDrivers: readonly TaskDriver[] = []): Run {
  const clock = createFakeClock();
  const reports: AllocationReport[] = [];
  const drivers = [createMockDriver(clock), ...extraDrivers];
  const runner = runAllocation(allocation, {
    clock,
    random: () => 0,
    directory,
    drivers: new Map(drivers.map((driver) => [driver.name, driver])),
    node: {
      id: 'node-1',
      name: 'n1',
      datacenter: 'dc1',
      region: 'global',
      nodeClass: '',
      attributes: new Map([['kernel.name', 'linux']]),
      meta: new Map([['rack', 'r7']]),
    },
    changed: (report) => void reports.push(report),
  });
  let over = false;
  void runner.done.then(() => (over = true));
  return { runner, clock, reports, isDone: () => over, status: () => runner.report.ClientStatus };
}

const mock = (name: string, config: Readonly<Record<string, unknown>> = {}, more: object = {}) => ({
  Name: name,
  Driver: 'mock_driver',
  Config: { run_for: '1000h', ...config },
  ...more,
});

function eventsOf(report: AllocationReport, task: string): string[] {
  return (report.TaskStates[task]?.Events ?? []).map(({ Type }) => Type);
}

describe('an allocation', () => {
  it('runs until it is stopped', async () => {
    const { runner, clock, isDone: shouldYield, status } = run(allocationOf([mock('t')]));
    await until(() => status() === 'running', clock);
    expect(runner.report.TaskStates['t']).toMatchObject({ State: 'running', Failed: false, Restarts: 0 });
    runner.stop();
    runner.stop();
    await until(shouldYield, clock);
    expect(status()).toBe('complete');
    expect(eventsOf(runner.report, 't')).toEqual(['Received', 'Started', 'Killing', 'Terminated']);
  });

  it('of batch work is complete when its tasks are', async () => {
    const {
      runner,
      clock,
      isDone: shouldYield,
    } = run(allocationOf([mock('t', { run_for: '5s' })], { type: 'batch' }));
    await until(shouldYield, clock);
    expect(runner.report).toMatchObject({
      ClientStatus: 'complete',
      ClientDescription: 'All tasks have completed',
    });
  });

  it('fails when a task fails, and the other tasks end with it', async () => {
    const {
      runner,
      clock,
      isDone: shouldYield,
    } = run(allocationOf([mock('bad', { run_for: '1s', exit_code: 2 }), mock('good')], { type: 'batch' }));
    await until(shouldYield, clock);
    expect(runner.report.ClientStatus).toBe('failed');
    expect(runner.report.TaskStates['bad']).toMatchObject({ Failed: true });
    expect(runner.report.TaskStates['good']).toMatchObject({ State: 'dead', Failed: false });
    expect(eventsOf(runner.report, 'bad')).toEqual(['Received', 'Started', 'Terminated', 'Not Restarting']);
  });

  it('restarts a task as its policy says, with the delay between', async () => {
    const restart = { Attempts: 2, Interval: 600e9, Delay: 15e9, Mode: 'fail' };
    const {
      runner,
      clock,
      isDone: shouldYield,
      reports,
    } = run(allocationOf([mock('t', { run_for: '1s' })], { group: { RestartPolicy: restart } }));
    const began = clock.now();
    await until(shouldYield, clock);
    expect(runner.report.TaskStates['t']).toMatchObject({ Restarts: 2, Failed: true });
    expect(clock.now() - began).toBeGreaterThanOrEqual(33_000);
    expect(reports.some(({ TaskStates }) => TaskStates['t']?.State === 'pending')).toBe(true);
  });

  it('tries again to start what may start later, and fails what cannot', async () => {
    const restart = { Attempts: 1, Interval: 600e9, Delay: 1e9, Mode: 'fail' };
    const recoverable = { start_error: 'no room', start_error_recoverable: true };
    const later = run(allocationOf([mock('t', recoverable)], { group: { RestartPolicy: restart } }));
    await until(later.isDone, later.clock);
    expect(eventsOf(later.runner.report, 't').filter((type) => type === 'Driver Failure')).toHaveLength(2);
    const never = run(allocationOf([{ Name: 't', Driver: 'docker' }]));
    await until(never.isDone, never.clock);
    expect(never.runner.report.ClientStatus).toBe('failed');
    expect(never.runner.report.TaskStates['t']?.Events.at(-1)?.DisplayMessage).toBe(
      'This client has no driver "docker"',
    );
  });

  it('runs prestart, sidecar and poststop tasks in order', async () => {
    const started: string[] = [];
    const noting: TaskDriver = {
      ...createMockDriver({ after: () => () => undefined }),
      name: 'noting',
      async start({ name }) {
        started.push(name);
        return {
          warning: null,
          exit: Promise.resolve({ code: 0, signal: 0, message: '' }),
          signal: () => undefined,
          stop: () => undefined,
        };
      },
    };
    const hook = (name: string, Hook: string, Sidecar = false) => ({
      Name: name,
      Driver: 'noting',
      Lifecycle: { Hook, Sidecar },
    });
    const tasks = [
      hook('cleanup', 'poststop'),
      { Name: 'main', Driver: 'noting' },
      hook('announce', 'poststart'),
      hook('init', 'prestart'),
    ];
    const { clock, isDone: shouldYield, status } = run(allocationOf(tasks, { type: 'batch' }), [noting]);
    await until(shouldYield, clock);
    expect(started).toEqual(['init', 'main', 'announce', 'cleanup']);
    expect(status()).toBe('complete');
  });

  it('does not begin its main tasks when what comes before fails', async () => {
    const init = mock(
      'init',
      { run_for: '1s', exit_code: 1 },
      { Lifecycle: { Hook: 'prestart', Sidecar: false } },
    );
    const { runner, clock, isDone: shouldYield } = run(allocationOf([init, mock('main')]));
    await until(shouldYield, clock);
    expect(runner.report.ClientStatus).toBe('failed');
    expect(eventsOf(runner.report, 'main')).toEqual([]);
  });

  it('ends with its leader', async () => {
    const {
      runner,
      clock,
      isDone: shouldYield,
    } = run(
      allocationOf([mock('lead', { run_for: '2s' }, { Leader: true }), mock('follow')], { type: 'batch' }),
    );
    await until(shouldYield, clock);
    expect(runner.report.ClientStatus).toBe('complete');
  });

  it('gives tasks their environment, with what they refer to filled in', async () => {
    let seen: Readonly<Record<string, unknown>> = {};
    const looking: TaskDriver = {
      ...createMockDriver({ after: () => () => undefined }),
      name: 'looking',
      async start({ environment, config }) {
        seen = { environment, config };
        return {
          warning: null,
          exit: Promise.resolve({ code: 0, signal: 0, message: '' }),
          signal: () => undefined,
          stop: () => undefined,
        };
      },
    };
    const task = {
      Name: 't',
      Driver: 'looking',
      Env: { WHERE: '${node.datacenter}/${meta.rack}', SAVED: '${nope}' },
      Config: { args: ['${attr.kernel.name}', '${SCHEDULER_ALLOC_INDEX}'] },
    };
    const { clock, isDone: shouldYield } = run(allocationOf([task], { type: 'batch' }), [looking]);
    await until(shouldYield, clock);
    expect(seen['config']).toEqual({ args: ['linux', '3'] });
    expect(seen['environment']).toMatchObject({
      WHERE: 'dc1/r7',
      SAVED: '${nope}',
      SCHEDULER_JOB_ID: 'web',
      SCHEDULER_TASK_NAME: 't',
      SCHEDULER_META_OWNER: 'ops',
    });
  });

  it('finds what it was dispatched with in its directory, wherever the name would lead', async () => {
    const task = mock('../t', { run_for: '1s' }, { DispatchPayload: { File: '../../in.txt' } });
    const base = allocationOf([task], { type: 'batch' });
    const Job = base.Job === null ? null : { ...base.Job, Payload: Buffer.from('hello').toString('base64') };
    const { clock, isDone: shouldYield } = run({ ...base, Job });
    await until(shouldYield, clock);
    expect(await readFile(join(directory, '..%2Ft', 'local', '..%2F..%2Fin.txt'), 'utf8')).toBe('hello');
  });

  const update = { MinHealthyTime: 10e9, HealthyDeadline: 300e9, ProgressDeadline: 600e9, MaxParallel: 1 };

  it('of a deployment is healthy when it has run long enough', async () => {
    const { runner, clock } = run(allocationOf([mock('t')], { deployment: 'd1', group: { Update: update } }));
    const began = clock.now();
    await until(() => runner.report.DeploymentStatus !== undefined, clock);
    expect(runner.report.DeploymentStatus).toMatchObject({ Healthy: true });
    expect(clock.now() - began).toBeGreaterThanOrEqual(10_000);
  });

  it.each([
    ['ends', { run_for: '60s' }],
    ['fails', { run_for: '3s', exit_code: 1 }],
  ])('of a deployment with manual health checks is left to an operator when it %s', async (_case, config) => {
    const manual = { ...update, HealthCheck: 'manual', HealthyDeadline: 30e9 };
    const { runner, clock, isDone } = run(
      allocationOf([mock('t', config)], { deployment: 'd1', type: 'batch', group: { Update: manual } }),
    );
    await until(isDone, clock, 500);
    expect(runner.report.DeploymentStatus).toBeUndefined();
  });

  it.each([
    ['it fails', { run_for: '3s', exit_code: 1 }],
    ['it does not run in time', { start_block_for: '400s' }],
  ])('of a deployment is unhealthy when %s', async (_case, config) => {
    const { runner, clock } = run(
      allocationOf([mock('t', config)], { deployment: 'd1', group: { Update: update } }),
    );
    await until(() => runner.report.DeploymentStatus !== undefined, clock, 500);
    expect(runner.report.DeploymentStatus).toMatchObject({ Healthy: false });
  });

  const limited = { group: { MaxRunDuration: 60e9 }, type: 'batch' };

  it('of batch work completes at its time limit, without running the following tasks', async () => {
    const tasks = [
      mock('t', { exit_code: 1 }),
      mock('after', {}, { Lifecycle: { Hook: 'poststop', Sidecar: false } }),
    ];
    const { runner, clock, isDone: shouldYield } = run(allocationOf(tasks, limited));
    const began = clock.now();
    await until(shouldYield, clock);
    expect(runner.report).toMatchObject({
      ClientStatus: 'complete',
      ClientDescription: 'allocation exceeded max_run_duration',
    });
    expect(clock.now() - began).toBeGreaterThanOrEqual(60_000);
    expect(runner.report.TaskStates['t']?.Events[2]).toMatchObject({
      Type: 'Killing',
      DisplayMessage: 'allocation exceeded max_run_duration: Sent interrupt. Waiting 5s before force killing',
    });
    expect(eventsOf(runner.report, 'after')).toEqual(['Killing']);
  });

  it('of batch work goes on counting after a restart of the agent', async () => {
    const hour = 3_600_000;
    const stored = { State: 'running', Failed: false, Restarts: 0, Events: [], LastRestart: null };
    const StartedAt = new Date(createFakeClock().now() - 999 * hour).toISOString();
    const {
      runner,
      clock,
      isDone: shouldYield,
    } = run(
      allocationOf([mock('t', { run_for: '900h' })], {
        type: 'batch',
        group: { MaxRunDuration: 1_000 * hour * 1e6 },
        allocation: { TaskStates: { t: { ...stored, StartedAt, FinishedAt: null } } },
      }),
    );
    await until(shouldYield, clock, hour / 10);
    expect(runner.report.ClientDescription).toBe('allocation exceeded max_run_duration');
  });

  it('of batch work does not begin again when its time was over meanwhile', async () => {
    const stored = { State: 'running', Failed: false, Restarts: 0, Events: [], LastRestart: null };
    const StartedAt = new Date(createFakeClock().now() - 61_000).toISOString();
    const {
      runner,
      clock,
      isDone: shouldYield,
    } = run(
      allocationOf([mock('t')], {
        ...limited,
        allocation: { TaskStates: { t: { ...stored, StartedAt, FinishedAt: null } } },
      }),
    );
    await until(shouldYield, clock);
    expect(runner.report).toMatchObject({
      ClientStatus: 'complete',
      ClientDescription: 'allocation exceeded max_run_duration',
    });
    expect(eventsOf(runner.report, 't')).toEqual(['Killing']);
  });

  it('ends immediately if stopped while a task starts slowly', async () => {
    const {
      runner,
      clock,
      isDone: shouldYield,
    } = run(allocationOf([mock('t', { start_block_for: '1000h' })]));
    await until(() => eventsOf(runner.report, 't').length > 0, clock);
    const began = clock.now();
    runner.stop();
    await until(shouldYield, clock);
    expect(clock.now() - began).toBeLessThan(3_600_000);
    expect(eventsOf(runner.report, 't')).toEqual(['Received', 'Killing']);
  });

  it('of batch work takes over a longer time while it runs', async () => {
    const tasks = [mock('t', { run_for: '2m' })];
    const { runner, clock, isDone: shouldYield } = run(allocationOf(tasks, limited));
    // Much longer than it runs: a slow disk makes the time of this test go far before the task starts.
    runner.update(allocationOf(tasks, { ...limited, group: { MaxRunDuration: 3.6e15 } }));
    await until(shouldYield, clock);
    expect(runner.report.ClientDescription).toBe('All tasks have completed');
  });

  it('of a service runs as long as it is wanted', async () => {
    const { clock, status } = run(allocationOf([mock('t')], { ...limited, type: 'service' }));
    await until(() => status() === 'running', clock);
    const began = clock.now();
    await until(() => clock.now() - began > 120_000, clock);
    expect(status()).toBe('running');
  });

  it('that is left with the agent runs nothing more', async () => {
    const after = mock('after', {}, { Lifecycle: { Hook: 'poststop', Sidecar: false } });
    const { runner, clock, isDone: shouldYield, status } = run(allocationOf([mock('t'), after]));
    await until(() => status() === 'running', clock);
    runner.suspend();
    await until(shouldYield, clock);
    expect(eventsOf(runner.report, 'after')).toEqual([]);
  });

  it('reports its addresses', async () => {
    const Ports = [{ Label: 'http', Value: 20_000, To: 0, HostIP: '10.0.0.7' }];
    const AllocatedResources = {
      Tasks: {},
      TaskLifecycles: {},
      Shared: { DiskMB: 0, Networks: null, Ports },
    };
    const {
      runner,
      clock,
      isDone: shouldYield,
    } = run(
      allocationOf([mock('t', { run_for: '1s' })], { type: 'batch', allocation: { AllocatedResources } }),
    );
    await until(shouldYield, clock);
    expect(runner.report.NetworkStatus).toMatchObject({ Address: '10.0.0.7' });
  });

  it('waits for a task as long as its job says, be it months', async () => {
    const task = mock('t', { kill_after: '2400h' }, { KillTimeout: 1_000 * 3_600e9 });
    const { runner, clock, isDone: shouldYield, status } = run(allocationOf([task]));
    await until(() => status() === 'running', clock);
    runner.stop();
    const began = clock.now();
    await until(shouldYield, clock, 3_600_000);
    expect(clock.now() - began).toBeGreaterThanOrEqual(1_000 * 3_600_000);
  });
});
