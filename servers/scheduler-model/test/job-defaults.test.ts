import { describe, expect, it } from 'vitest';
import { completeJob, submittedJobShape } from '@tamis/scheduler-model/job-defaults.js';
import type { Job } from '@tamis/scheduler-model/job.js';
import { readShape } from '@tamis/scheduler-model/read-shape.js';
import { isSameSpec } from '@tamis/scheduler-model/same-spec.js';

const second = 1_000_000_000;

function complete(job: object): Job {
  const submitted = readShape(submittedJobShape, job, 'Job');
  return completeJob(submitted, { namespace: 'default', region: 'global' });
}

function groupOf(job: Job): NonNullable<Job['TaskGroups']>[number] {
  const [group] = job.TaskGroups ?? [];
  if (group === undefined) throw new Error('the job has no group');
  return group;
}

const task = { Name: 't', Driver: 'raw_exec' };
const group = { Name: 'g', Tasks: [task] };

describe('completing a job', () => {
  it('fills in what a minimal job leaves out', () => {
    const job = complete({ ID: 'mini', TaskGroups: [group] });
    expect(job).toMatchObject({
      Name: 'mini',
      Type: 'service',
      Priority: 50,
      Region: 'global',
      Namespace: 'default',
      Datacenters: ['*'],
      NodePool: 'default',
      AllAtOnce: false,
      Stop: false,
      Periodic: null,
      Update: { Stagger: 30 * second, MaxParallel: 1, HealthCheck: '', ProgressDeadline: 0 },
      Version: 0,
    });
    expect(groupOf(job)).toMatchObject({
      Count: 1,
      EphemeralDisk: { Sticky: false, SizeMB: 300, Migrate: false },
      RestartPolicy: {
        Attempts: 2,
        Interval: 1_800 * second,
        Delay: 15 * second,
        Mode: 'fail',
        RenderTemplates: false,
      },
      ReschedulePolicy: {
        Delay: 30 * second,
        DelayFunction: 'exponential',
        MaxDelay: 3_600 * second,
        Unlimited: true,
      },
      Migrate: {
        MaxParallel: 1,
        HealthCheck: 'checks',
        MinHealthyTime: 10 * second,
        HealthyDeadline: 300 * second,
      },
      Update: {
        Stagger: 30 * second,
        MaxParallel: 1,
        HealthCheck: 'checks',
        MinHealthyTime: 10 * second,
        HealthyDeadline: 300 * second,
        ProgressDeadline: 600 * second,
        AutoRevert: false,
        AutoPromote: false,
        Canary: 0,
      },
      Tasks: [
        {
          Name: 't',
          Resources: { CPU: 100, Cores: 0, MemoryMB: 300 },
          KillTimeout: 5 * second,
          LogConfig: { MaxFiles: 10, MaxFileSizeMB: 10, Disabled: false },
          RestartPolicy: { Attempts: 2, Mode: 'fail' },
        },
      ],
    });
  });

  it.each<[type: string, expected: object]>([
    [
      'batch',
      {
        RestartPolicy: { Attempts: 3, Interval: 86_400 * second },
        ReschedulePolicy: { Attempts: 1, DelayFunction: 'constant' },
        Migrate: null,
        Update: null,
      },
    ],
    [
      'system',
      { RestartPolicy: { Attempts: 2 }, ReschedulePolicy: null, Migrate: null, Update: { MaxParallel: 1 } },
    ],
    ['sysbatch', { RestartPolicy: { Attempts: 3 }, ReschedulePolicy: null, Migrate: null, Update: null }],
  ])('of type %s', (Type, expected) => {
    expect(groupOf(complete({ ID: 'x', Type, TaskGroups: [group] }))).toMatchObject(expected);
  });

  it.each<[what: string, job: object, expected: object]>([
    [
      'the update of the job goes to its groups',
      { Update: { Canary: 2, Stagger: 1 } },
      { Update: { Canary: 2, Stagger: 1, MaxParallel: 1 } },
    ],
    [
      'a group changes single settings of it',
      { Update: { Canary: 2 }, TaskGroups: [{ ...group, Update: { Canary: 1 } }] },
      { Update: { Canary: 1, MaxParallel: 1 } },
    ],
    [
      'the rescheduling of the job goes to its groups',
      { Reschedule: { Attempts: 9 } },
      { ReschedulePolicy: { Attempts: 9, Unlimited: true } },
    ],
    [
      'the migration of the job goes to its groups',
      { Migrate: { MaxParallel: 4 } },
      { Migrate: { MaxParallel: 4, HealthCheck: 'checks' } },
    ],
    [
      'a scaled group starts with its minimum',
      { TaskGroups: [{ ...group, Scaling: { Min: 3 } }] },
      { Count: 3, Scaling: { Min: 3, Enabled: true } },
    ],
    [
      'the minimum of a scaled group is its count, and its policy is enabled',
      { TaskGroups: [{ ...group, Count: 2, Scaling: { Max: 4 } }] },
      { Scaling: { Min: 2, Max: 4, Enabled: true } },
    ],
    ['a count of zero is a count', { TaskGroups: [{ ...group, Count: 0 }] }, { Count: 0 }],
    [
      'a task restarts as its group unless it says otherwise',
      {
        TaskGroups: [
          {
            Name: 'g',
            RestartPolicy: { Attempts: 7 },
            Tasks: [{ ...task, RestartPolicy: { Mode: 'delay' } }],
          },
        ],
      },
      { Tasks: [{ RestartPolicy: { Attempts: 7, Mode: 'delay', Delay: 15 * second } }] },
    ],
    [
      'whole cores replace shares',
      { TaskGroups: [{ Name: 'g', Tasks: [{ ...task, Resources: { Cores: 2 } }] }] },
      { Tasks: [{ Resources: { CPU: 0, Cores: 2, MemoryMB: 300 } }] },
    ],
  ])('%s', (_what, job, expected) => {
    expect(groupOf(complete({ ID: 'x', TaskGroups: [group], ...job }))).toMatchObject(expected);
  });

  it('ignores what only the cluster decides', () => {
    const given = {
      Status: 'running',
      Version: 9,
      SubmitTime: 5,
      CreateIndex: 7,
      JobModifyIndex: 7,
      ParentID: 'p',
      Stable: true,
    };
    expect(complete({ ID: 'x', ...given })).toMatchObject({
      Status: '',
      Version: 0,
      SubmitTime: 0,
      CreateIndex: 0,
      JobModifyIndex: 0,
      ParentID: '',
      Stable: false,
    });
  });

  it('completes what starts a job', () => {
    expect(complete({ ID: 'x', Periodic: { Spec: '@daily' } }).Periodic).toMatchObject({
      Enabled: true,
      SpecType: 'cron',
      TimeZone: 'UTC',
    });
    expect(complete({ ID: 'x', ParameterizedJob: {} }).ParameterizedJob).toMatchObject({
      Payload: 'optional',
    });
    expect(complete({ ID: 'x', NomadTokenID: 'abc' }).SchedulerTokenID).toBe('abc');
  });
});

describe('isSameSpec', () => {
  const job = { ID: 'x', TaskGroups: [group], Meta: { a: '1' } };
  it.each<[what: string, other: object, same: boolean]>([
    ['the same', {}, true],
    ['another meta', { Meta: { a: '2' } }, false],
    ['one meta more', { Meta: { a: '1', b: '' } }, false],
    ['no meta', { Meta: null }, false],
    ['an empty list for none', { Constraints: [], Affinities: null }, true],
    ['a default written out', { Priority: 50 }, true],
    ['another count', { TaskGroups: [{ ...group, Count: 2 }] }, false],
    ['one group more', { TaskGroups: [group, { ...group, Name: 'h' }] }, false],
    ['stopped', { Stop: true }, false],
    ['what the cluster decides', { Version: 3, Status: 'dead' }, true],
  ])('%s', (_what, other, same) => {
    expect(isSameSpec(complete(job), complete({ ...job, ...other }))).toBe(same);
    expect(isSameSpec(complete({ ...job, ...other }), complete(job))).toBe(same);
  });

  it('does not look at what changes without the user', () => {
    const stored = {
      ...complete(job),
      Status: 'running',
      Version: 4,
      SubmitTime: 1n,
      ModifyIndex: 9,
      Stable: true,
    };
    expect(isSameSpec(complete(job), stored)).toBe(true);
  });
});
