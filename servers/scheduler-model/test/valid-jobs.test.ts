import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { writeJson } from '@tamis/http';
import { submittedJobShape } from '@tamis/scheduler-model/job-defaults.js';
import { examineJob } from '@tamis/scheduler-model/job-validation.js';
import { isSameSpec } from '@tamis/scheduler-model/same-spec.js';
import { unknownKeyWarnings } from '@tamis/scheduler-model/unknown-keys.js';
import { complete, jobWith, mistakesOf, task, type Body } from './jobs.js';
import { validJob } from './valid-job.js';

describe('a job that is right', () => {
  it('is taken, whatever kind it is of', () => {
    fc.assert(
      fc.property(validJob, (body) => {
        expect(mistakesOf(body)).toEqual([]);
        expect(unknownKeyWarnings(submittedJobShape, body)).toEqual([]);
      }),
    );
  });

  it('is right and the same when it is read and written back', () => {
    fc.assert(
      fc.property(validJob, (body) => {
        const job = complete(body);
        const again = JSON.parse(writeJson({ ...job, Payload: null })) as Body;
        expect(mistakesOf(again)).toEqual([]);
        expect(unknownKeyWarnings(submittedJobShape, again)).toEqual([]);
        expect(isSameSpec(complete(again), job)).toBe(true);
      }),
    );
  });

  it.each<[what: string, body: Body]>([
    ['nothing but what it has to have', jobWith({})],
    [
      'a driver of somebody else',
      jobWith({ task: { Driver: 'docker', Config: { image: 'x', ports: ['http'] } } }),
    ],
    [
      'a bridge for it',
      jobWith({ group: { Networks: [{ Mode: 'bridge' }] }, task: { Driver: 'docker', Config: {} } }),
    ],
    [
      'an identity without a token',
      jobWith({ task: { Identity: { Name: 'default', Env: false, File: false } } }),
    ],
    [
      'a service on a port of its task',
      jobWith({
        task: {
          Resources: { Networks: [{ DynamicPorts: [{ Label: 'http' }] }] },
          Services: [{ Name: 'web-${SCHEDULER_JOB_NAME}', PortLabel: 'http' }],
        },
      }),
    ],
    [
      'one label in the networks of two tasks',
      jobWith({
        group: {
          Tasks: ['web', 'db'].map((Name) => ({
            ...task,
            Name,
            Resources: { Networks: [{ DynamicPorts: [{ Label: 'http' }] }] },
          })),
        },
      }),
    ],
    ['no more than whole cores', jobWith({ task: { Resources: { Cores: 2 } } })],
    [
      'rescheduling switched off',
      jobWith({ group: { ReschedulePolicy: { Attempts: 0, Unlimited: false } } }),
    ],
    ['restarts switched off', jobWith({ group: { RestartPolicy: { Attempts: 0, Mode: 'fail' } } })],
    [
      'an update block of nothing but zeros',
      jobWith({ job: { Type: 'batch', Update: { MaxParallel: 0, HealthCheck: '' } } }),
    ],
    [
      'blocks that are empty',
      jobWith({ job: { Type: 'system', Affinities: [], Spreads: [] }, task: { Templates: [] } }),
    ],
    ['a job that is stopped', jobWith({ job: { Stop: true } })],
  ])('may have %s', (_what, body) => {
    expect(mistakesOf(body)).toEqual([]);
  });
});

describe('a job that requests more than is available', () => {
  it.each<[body: Body, warning: string]>([
    [jobWith({ job: { Multiregion: { Regions: [] } } }), 'Job.Multiregion: the job runs in this region only'],
    [jobWith({ job: { ConsulNamespace: 'x' } }), 'Job.ConsulNamespace: nothing here talks to Consul'],
    [
      jobWith({ group: { Services: [{ Name: 'web' }] } }),
      'Job.TaskGroups[0].Services: services are kept and shown, and not registered anywhere',
    ],
    [
      jobWith({ group: { Services: [{ Name: 'web', Checks: [{ Type: 'tcp' }] }] } }),
      'Job.TaskGroups[0].Services: services are not registered and checks are not run, health follows the states of the tasks',
    ],
    [
      jobWith({ task: { Services: [{ Name: 'web', Checks: [{}] }] } }),
      'Job.TaskGroups[0].Tasks[0].Services: services are not registered and checks are not run, health follows the states of the tasks',
    ],
    [
      jobWith({ group: { Scaling: { Min: 1, Max: 3 } } }),
      'Job.TaskGroups[0].Scaling: nothing here scales the group, its Min and Max bound the count',
    ],
    [
      jobWith({ group: { Consul: { Namespace: 'x' } } }),
      'Job.TaskGroups[0].Consul: nothing here talks to Consul',
    ],
    [
      jobWith({ group: { MaxClientDisconnect: 1 } }),
      'Job.TaskGroups[0].MaxClientDisconnect: what runs on a node that is away is lost at once, and replaced',
    ],
    [
      jobWith({ group: { EphemeralDisk: { Sticky: true } } }),
      'Job.TaskGroups[0].EphemeralDisk: Sticky and Migrate move nothing, a new allocation starts with an empty directory',
    ],
    [
      jobWith({ group: { Networks: [{ MBits: 10 }] } }),
      'Job.TaskGroups[0].Networks[0].MBits: bandwidth is not limited; the field is deprecated',
    ],
    [
      jobWith({ task: { Actions: [{ Name: 'a' }] } }),
      'Job.TaskGroups[0].Tasks[0].Actions: actions are kept and shown, and cannot be run',
    ],
    [
      jobWith({ group: { Count: 2, Update: { MaxParallel: 3 } } }),
      'Job.TaskGroups[0].Update: Update max parallel count is greater than task group count (3 > 2). A destructive change would result in the simultaneous replacement of all allocations.',
    ],
    [
      jobWith({
        job: {
          TaskGroups: [
            { Name: 'a', Tasks: [task], Update: { AutoPromote: true, Canary: 1 } },
            { Name: 'b', Tasks: [task] },
          ],
        },
      }),
      'auto_promote must be true for all groups to enable automatic promotion',
    ],
    [
      jobWith({ job: { Constraints: [{ LTarget: '${node.datacentre}', RTarget: 'x', Operand: '=' }] } }),
      'Job.Constraints[0]: "${node.datacentre}" is nothing that nodes have: did you mean ${node.datacenter}?',
    ],
    [
      jobWith({ group: { Constraints: [{ LTarget: 'attr.cpu.arch', RTarget: 'amd64', Operand: '=' }] } }),
      'Job.TaskGroups[0].Constraints[0].LTarget: "attr.cpu.arch" is the same text on every node, what a node has is written "${attr.NAME}"',
    ],
    [
      jobWith({ task: { Affinities: [{ LTarget: '${node.x}', RTarget: 'y', Operand: '=', Weight: 1 }] } }),
      'Job.TaskGroups[0].Tasks[0].Affinities[0]: "${node.x}" is nothing that nodes have',
    ],
    [
      jobWith({ job: { Spreads: [{ Attribute: 'node.datacenter', Weight: 1 }] } }),
      'Job.Spreads[0].Attribute: "node.datacenter" is the same text on every node, what a node has is written "${attr.NAME}"',
    ],
  ])('is taken with a warning: %j', (body, warning) => {
    expect(mistakesOf(body)).toEqual([]);
    expect(examineJob(complete(body), Date.now()).warnings).toEqual([warning]);
  });

  it('warns of sidecars without upstreams', () => {
    const body = jobWith({ group: { Services: [{ Name: 'web', Connect: { SidecarService: {} } }] } });
    expect(mistakesOf(body)).toEqual([]);
    expect(examineJob(complete(body), Date.now()).warnings).toContain(
      'Job.TaskGroups[0].Services.Connect: no sidecar is started and no mesh is set up',
    );
  });

  it('produces no warnings if it requests nothing more', () => {
    expect(examineJob(complete(jobWith({})), Date.now()).warnings).toEqual([]);
  });
});
