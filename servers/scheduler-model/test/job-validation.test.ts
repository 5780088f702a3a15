import { describe, expect, it } from 'vitest';
import { completeJob, submittedJobShape } from '@tamis/scheduler-model/job-defaults.js';
import { listErrors } from '@tamis/scheduler-model/job-rules/findings.js';
import { examineJob, sizeErrors } from '@tamis/scheduler-model/job-validation.js';
import { readShape } from '@tamis/scheduler-model/read-shape.js';

const task = { Name: 't', Driver: 'raw_exec', Config: { command: '/bin/true' } };
const valid = { ID: 'x', TaskGroups: [{ Name: 'web', Tasks: [task] }] };

function errorsOf(job: object): readonly string[] {
  const submitted = readShape(submittedJobShape, { ...valid, ...job }, 'Job');
  const completed = completeJob(submitted, { namespace: 'default', region: 'global' });
  return examineJob(completed, Date.UTC(2026, 0, 1)).errors;
}

const nested = (...errors: string[]): string => listErrors(errors);

describe('examineJob', () => {
  it.each<[what: string, job: object, errors: string[]]>([
    ['nothing wrong', {}, []],
    ['no ID', { ID: '' }, ['Missing job ID', 'Missing job name']],
    ['a blank in the ID', { ID: 'a b' }, ['Job ID contains a space']],
    ['an ID that URLs fold away', { ID: '.' }, ['Job ID is ".", which leads elsewhere in every URL']],
    ['an ID that leads up', { ID: '..' }, ['Job ID is "..", which leads elsewhere in every URL']],
    ['dots that can be escaped', { ID: 'a/../b' }, []],
    ['a null character', { ID: 'a\0b' }, ['Job ID contains a null character']],
    ['the longest ID', { ID: 'é'.repeat(512) }, []],
    ['an ID that is longer', { ID: 'é'.repeat(512) + 'a' }, ['Job ID is longer than 1024 bytes']],
    ['an unknown type', { Type: 'cron' }, ['Invalid job type: "cron"']],
    ['the core type', { Type: '_core' }, ['job type cannot be core']],
    ['no datacenters', { Datacenters: [] }, ['Missing job datacenters']],
    ['no datacenters, several regions', { Datacenters: [], Multiregion: {} }, []],
    ['an empty datacenter', { Datacenters: ['dc1', ''] }, ['Job datacenter must be non-empty string']],
    ['no groups', { TaskGroups: [] }, ['Missing job task groups']],
    ['a payload', { Payload: 'YWI=' }, ["job can't be submitted with a payload, only dispatched"]],
    ['priority 0', { Priority: 0 }, ['job priority must be between [1, 100]']],
    ['priority 101', { Priority: 101 }, ['job priority must be between [1, 100]']],
    [
      'a periodic service',
      { Periodic: { Spec: '@daily' } },
      ['Periodic can only be used with "batch" or "sysbatch" scheduler'],
    ],
    ['a periodic service that is off', { Periodic: { Enabled: false } }, []],
    ['a periodic batch job', { Type: 'batch', Periodic: { Spec: '@daily' } }, []],
    [
      'a parameterised system job',
      { Type: 'system', ParameterizedJob: {} },
      ['Parameterized job can only be used with "batch" or "sysbatch" scheduler'],
    ],
    [
      'groups without and with the same name',
      { TaskGroups: [{ Tasks: [task] }, { Name: 'web', Tasks: [task] }, { Name: 'web', Tasks: [task] }] },
      ['Job task group 1 missing name', "Job task group 3 redefines 'web' from group 2"],
    ],
    [
      'two of a system group',
      { Type: 'system', TaskGroups: [{ Name: 'web', Count: 3, Tasks: [task] }] },
      ['Job task group web has count 3. Count cannot exceed 1 with system scheduler'],
    ],
    [
      'no tasks',
      { TaskGroups: [{ Name: 'web' }] },
      [`Task group web validation failed: ${nested('Missing tasks for task group')}`],
    ],
    [
      'a group with everything wrong',
      {
        TaskGroups: [
          {
            Name: 'web',
            Count: -1,
            Tasks: [{ Driver: 'd' }, { ...task, Leader: true }, { ...task, Leader: true }],
          },
        ],
      },
      [
        `Task group web validation failed: ${nested(
          "Task group count can't be negative",
          'Task 1 missing name',
          "Task 3 redefines 't' from task 2",
          'Only one task may be marked as leader',
          `Task  validation failed: ${nested('Missing task name')}`,
        )}`,
      ],
    ],
    [
      'a task with a slash and no driver',
      { TaskGroups: [{ Name: 'web', Tasks: [{ Name: 'a/b' }] }] },
      [
        `Task group web validation failed: ${nested(`Task a/b validation failed: ${nested('Task name cannot include slashes', 'Missing task driver')}`)}`,
      ],
    ],
    ['a periodic batch', { Type: 'batch', Periodic: { Spec: '@daily', TimeZone: 'Europe/Berlin' } }, []],
    ['a timetable without times', { Type: 'batch', Periodic: {} }, ['Must specify a spec']],
    ['a timetable that is off', { Type: 'batch', Periodic: { Enabled: false, Spec: 'x' } }, []],
    [
      'timetables that cannot be read',
      { Type: 'batch', Periodic: { Spec: '60 * * * *', Specs: ['@daily', 'x'] } },
      [
        'Invalid cron spec "60 * * * *": "60" is none of the minutes, 0 to 59',
        'Invalid cron spec "x": expected 5 to 7 fields, found 1',
      ],
    ],
    [
      'more timetables than a job may have',
      { Type: 'batch', Periodic: { Spec: '@daily', Specs: Array<string>(100).fill('x') } },
      ['Periodic has 101 specs, more than 100'],
    ],
    [
      'an unknown time zone',
      { Type: 'batch', Periodic: { Spec: '@daily', TimeZone: 'Mars/Base' } },
      ['Invalid cron spec "@daily": unknown time zone "Mars/Base"'],
    ],
  ])('%s', (_what, job, errors) => {
    expect(errorsOf(job)).toEqual(errors);
  });
});

describe('sizeErrors', () => {
  const groups = (count: number, tasks: number): object => ({
    TaskGroups: Array(count).fill({ Tasks: Array(tasks).fill({}) }),
  });
  it.each<[what: string, job: object, errors: string[]]>([
    ['nothing', {}, []],
    ['groups that are null', { TaskGroups: [null, { Tasks: null }] }, []],
    [
      'many networks and services',
      { TaskGroups: [{ Networks: Array(4_000).fill({}), Tasks: [{ Services: Array(1_001).fill({}) }] }] },
      ['Job has 5001 networks and services, more than 5000'],
    ],
    ['as much as there may be', groups(1_000, 1), []],
    ['many groups', groups(2_001, 0), ['Job has 2001 task groups and tasks, more than 2000']],
    ['many tasks', groups(1, 2_000), ['Job has 2001 task groups and tasks, more than 2000']],
  ])('%s', (_what, job, errors) => {
    expect(sizeErrors(readShape(submittedJobShape, job, 'Job'))).toEqual(errors);
  });
});

describe('listErrors', () => {
  it('has the form of the real scheduler', () => {
    expect(listErrors(['one'])).toBe('1 error occurred:\n\t* one\n\n');
    expect(listErrors(['one', 'two'])).toBe('2 errors occurred:\n\t* one\n\t* two\n\n');
  });
});
