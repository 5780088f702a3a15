import { describe, expect, it } from 'vitest';
import {
  allocationEventType,
  deploymentEventType,
  evaluationEventType,
  jobEventType,
  nodeEventType,
} from '../../src/services/events/event-types.js';
import { eventTables } from '@tamis/scheduler-model/resources.js';
import { eventTopics } from '../../src/services/events/topics.js';

type Fields = Readonly<Record<string, unknown>>;
type Case = readonly [before: Fields | null, after: Fields | null, type: string];

const job = { ID: 'web', JobModifyIndex: 5, Version: 0, Stop: false, Status: 'pending' };
const group = { Promoted: false, HealthyAllocs: 0, UnhealthyAllocs: 0, PlacedAllocs: 0 };
const deployment = { Status: 'running', StatusDescription: '', TaskGroups: { a: group } };
const transition = { Migrate: null, Reschedule: null };
const allocation = { DesiredStatus: 'run', ClientStatus: 'pending', DesiredTransition: transition };
const drain = { Deadline: 10, StartedAt: null };
const attributes = { os: 'linux' };
const node = {
  Status: 'ready',
  SchedulingEligibility: 'eligible',
  DrainStrategy: null,
  Attributes: attributes,
};

const tables: readonly (readonly [name: string, typeOf: unknown, cases: readonly Case[]])[] = [
  [
    'job',
    jobEventType,
    [
      [null, job, 'JobRegistered'],
      [job, { ...job, JobModifyIndex: 6, Version: 1 }, 'JobRegistered'],
      [job, { ...job, JobModifyIndex: 6 }, 'JobRegistered'],
      [job, { ...job, Status: 'running' }, 'JobUpdated'],
      [job, { ...job, JobModifyIndex: 6, Version: 1, Stop: true }, 'JobDeregistered'],
      [{ ...job, Stop: true }, { ...job, Stop: true, Status: 'dead' }, 'JobUpdated'],
      [{ ...job, Stop: true }, { ...job, JobModifyIndex: 7, Version: 2 }, 'JobRegistered'],
      [job, null, 'JobDeregistered'],
    ],
  ],
  [
    'allocation',
    allocationEventType,
    [
      [null, allocation, 'AllocationCreated'],
      [allocation, { ...allocation, ClientStatus: 'running' }, 'AllocationUpdated'],
      [allocation, { ...allocation, DesiredTransition: { ...transition } }, 'AllocationUpdated'],
      [allocation, { ...allocation, DesiredStatus: 'stop' }, 'AllocationUpdateDesiredStatus'],
      [
        allocation,
        { ...allocation, DesiredTransition: { ...transition, Migrate: true } },
        'AllocationUpdateDesiredStatus',
      ],
      [allocation, null, 'AllocationDeleted'],
    ],
  ],
  [
    'evaluation',
    evaluationEventType,
    [
      [null, {}, 'EvaluationUpdated'],
      [{}, {}, 'EvaluationUpdated'],
      [{}, null, 'EvaluationDeleted'],
    ],
  ],
  [
    'deployment',
    deploymentEventType,
    [
      [null, deployment, 'DeploymentCreated'],
      [deployment, { ...deployment, TaskGroups: { a: { ...group, PlacedAllocs: 1 } } }, 'DeploymentUpdated'],
      [
        deployment,
        { ...deployment, TaskGroups: { a: { ...group, HealthyAllocs: 1 } } },
        'DeploymentAllocHealth',
      ],
      [
        deployment,
        { ...deployment, TaskGroups: { a: { ...group, UnhealthyAllocs: 1 } } },
        'DeploymentAllocHealth',
      ],
      [deployment, { ...deployment, Status: 'paused' }, 'DeploymentStatusUpdate'],
      [deployment, { ...deployment, StatusDescription: 'x' }, 'DeploymentStatusUpdate'],
      [
        deployment,
        { ...deployment, Status: 'x', TaskGroups: { a: { ...group, Promoted: true } } },
        'DeploymentPromotion',
      ],
      [{ ...deployment, TaskGroups: null }, { ...deployment, TaskGroups: { a: null } }, 'DeploymentUpdated'],
      [deployment, null, 'DeploymentDeleted'],
    ],
  ],
  [
    'node',
    nodeEventType,
    [
      [null, node, 'NodeRegistration'],
      [node, { ...node, Attributes: { ...attributes } }, 'NodeRegistration'],
      [node, { ...node, Status: 'down' }, 'NodeEvent'],
      [node, { ...node, Status: 'down', Attributes: { ...attributes } }, 'NodeEvent'],
      [node, { ...node, LastAllocUpdateIndex: 9 }, 'NodeEvent'],
      [node, { ...node, SchedulingEligibility: 'ineligible' }, 'NodeEligibility'],
      [node, { ...node, DrainStrategy: drain }, 'NodeDrain'],
      [{ ...node, DrainStrategy: drain }, { ...node, DrainStrategy: { ...drain } }, 'NodeEvent'],
      [{ ...node, DrainStrategy: drain }, node, 'NodeDrain'],
      [node, null, 'NodeDeregistration'],
    ],
  ],
];

describe.each(tables)('the type of an event of a %s', (_name, typeOf, cases) => {
  it.each(cases)('%j, then %j: %s', (before, after, type) => {
    // A type is determined by these fields alone.
    const send = typeOf as (versions: { before: Fields | null; after: Fields | null }) => string;
    expect(send({ before, after })).toBe(type);
  });
});

it('has a topic for each table whose writes never share a commit', () => {
  expect(eventTopics.map(({ table }) => table).sort()).toEqual([...eventTables].sort());
});
