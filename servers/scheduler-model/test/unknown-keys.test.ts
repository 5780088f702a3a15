import { t } from 'tamis';
import { describe, expect, it } from 'vitest';
import { submittedJobShape } from '@tamis/scheduler-model/job-defaults.js';
import { unknownKeyWarnings } from '@tamis/scheduler-model/unknown-keys.js';
import { jobWith, task, type Body } from './jobs.js';

const shape = t.struct({ Job: submittedJobShape, EnforceIndex: t.bool });
const warningsOf = (Job: Body, more: Body = {}): string[] => unknownKeyWarnings(shape, { Job, ...more });
const ignored = 'there is no such field, it is ignored';

describe('unknown keys', () => {
  it.each<[job: Body, warning: string]>([
    [jobWith({ job: { Tpye: 'batch' } }), `Job.Tpye: ${ignored}: did you mean Type?`],
    [jobWith({ job: { Taskgroups_: [] } }), `Job.Taskgroups_: ${ignored}: did you mean TaskGroups?`],
    [jobWith({ job: { Whatever: 1 } }), `Job.Whatever: ${ignored}`],
    [jobWith({ job: { 'a.b c': 1 } }), `Job."a.b c": ${ignored}`],
    [jobWith({ job: { Periodic: { Spek: 'x' } } }), `Job.Periodic.Spek: ${ignored}: did you mean Spec?`],
    [
      jobWith({ job: { Update: { MaxParalel: 1 } } }),
      `Job.Update.MaxParalel: ${ignored}: did you mean MaxParallel?`,
    ],
    [
      jobWith({ job: { Constraints: [{}, { Operandd: '=' }] } }),
      `Job.Constraints[1].Operandd: ${ignored}: did you mean Operand?`,
    ],
    [
      jobWith({ job: { Multiregion: { Regions: [{ Nam: 'x' }] } } }),
      `Job.Multiregion.Regions[0].Nam: ${ignored}: did you mean Name?`,
    ],
    [jobWith({ group: { Cuont: 2 } }), `Job.TaskGroups[0].Cuont: ${ignored}: did you mean Count?`],
    [jobWith({ group: { Networks: [{ Ports: [] }] } }), `Job.TaskGroups[0].Networks[0].Ports: ${ignored}`],
    [
      jobWith({ group: { Networks: [{ DynamicPorts: [{ Lable: 'a' }] }] } }),
      `Job.TaskGroups[0].Networks[0].DynamicPorts[0].Lable: ${ignored}: did you mean Label?`,
    ],
    [
      jobWith({ group: { Services: [{ Checks: [{ Intervall: 1 }] }] } }),
      `Job.TaskGroups[0].Services[0].Checks[0].Intervall: ${ignored}: did you mean Interval?`,
    ],
    [
      jobWith({ group: { Volumes: { data: { Sorce: 'x' } } } }),
      `Job.TaskGroups[0].Volumes["data"].Sorce: ${ignored}: did you mean Source?`,
    ],
    [jobWith({ group: { Scaling: { Maximum: 1 } } }), `Job.TaskGroups[0].Scaling.Maximum: ${ignored}`],
    [jobWith({ task: { Drivr: 'x' } }), `Job.TaskGroups[0].Tasks[0].Drivr: ${ignored}: did you mean Driver?`],
    [
      jobWith({ task: { Resources: { Memory: 1, CPU: 1 } } }),
      `Job.TaskGroups[0].Tasks[0].Resources.Memory: ${ignored}: did you mean MemoryMB?`,
    ],
    [
      jobWith({ task: { LogConfig: { MaxFile: 1 } } }),
      `Job.TaskGroups[0].Tasks[0].LogConfig.MaxFile: ${ignored}: did you mean MaxFiles?`,
    ],
    [
      jobWith({ task: { Templates: [{ Data: 'x' }] } }),
      `Job.TaskGroups[0].Tasks[0].Templates[0].Data: ${ignored}`,
    ],
  ])('%j', (job, warning) => {
    expect(warningsOf(job)).toEqual([warning]);
  });

  it('next to the job count too', () => {
    expect(warningsOf(jobWith({}), { EnforceIndx: true })).toEqual([
      `EnforceIndx: ${ignored}: did you mean EnforceIndex?`,
    ]);
  });

  it.each<[what: string, job: Body]>([
    ['in any case', jobWith({ job: { type: 'batch', TASKGROUPS: [] } })],
    ['that are null', jobWith({ job: { Whatever: null }, task: { Foo: null } })],
    [
      'of meta, environment and configuration',
      jobWith({ job: { Meta: { a: 'b' } }, task: { Env: { A: '' }, Config: { x: { y: 1 } } } }),
    ],
    ['of an autoscaler', jobWith({ group: { Scaling: { Policy: { any: { thing: 1 } } } } })],
    [
      'where something else stands',
      jobWith({ job: { Periodic: 5, Constraints: 'x' }, group: { Tasks: { Nope: 1 } } }),
    ],
    ['of a job without any', jobWith({})],
  ])('are not those %s', (_what, job) => {
    expect(warningsOf(job)).toEqual([]);
  });

  it('are named up to twenty, and counted', () => {
    const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`Key${at}`, 1]));
    const warnings = warningsOf(jobWith({ group: { Tasks: [task, { ...task, ...many }] } }));
    expect(warnings).toHaveLength(21);
    expect(warnings[0]).toBe(`Job.TaskGroups[0].Tasks[1].Key0: ${ignored}`);
    expect(warnings[20]).toBe('980 more fields are not known and ignored');
  });

  it('are cut when they are long', () => {
    const [warning] = warningsOf(jobWith({ job: { ['x'.repeat(100_000)]: 1 } }));
    expect(warning).toBe(`Job."${'x'.repeat(60)}…": ${ignored}`);
  });
});
