import type { jobTypes } from '@tamis/scheduler-model/job.js';
import { type Job } from '@tamis/scheduler-model/job.js';
import { completeJob, type SubmittedJob } from '@tamis/scheduler-model/job-defaults.js';
import { isStartedLater } from '@tamis/scheduler-model/started-later.js';
import type { TaskGroupInput } from '@tamis/scheduler-model/task-group.js';
import { datacenters, namespaces, teams } from './fixtures.js';
import type { SampleRandom } from './random.js';
import { stampOf } from './sample-tasks.js';

const components = [
  'api',
  'worker',
  'indexer',
  'gateway',
  'cache',
  'scheduler',
  'exporter',
  'frontend',
] as const;
const stages = ['prod', 'staging', 'canary'] as const;

/** The role of a job in the sample, if it is not random. */
export type SampleRole = 'system' | 'canary' | 'failed' | 'blocked';

/** Returns the `at`-th job of the sample, submitted at `submitted` ms since 1970 and written at `index`. */
export function sampleJob(
  random: SampleRandom,
  at: number,
  role: SampleRole | null,
  { index, submitted }: { readonly index: number; readonly submitted: number },
): Job {
  const type =
    role === 'system'
      ? 'system'
      : role !== null
        ? 'service'
        : random.weighted([
            ['service', 66],
            ['batch', 32],
            ['sysbatch', 2],
          ] as const satisfies readonly (readonly [(typeof jobTypes)[number], number])[]);
  const team = random.pick(teams);
  const component = random.pick(components);
  const id = `${team}-${component}-${random.pick(stages)}-${String(at).padStart(5, '0')}`;
  const [namespace] = random.pick(namespaces);
  const completed = completeJob(
    { ...submittedJob(random, id, type, team, component), ...roleFields(role) },
    { namespace, region: 'global' },
  );
  const isRollout = role === 'canary' || role === 'failed';
  return {
    ...completed,
    ...(role === null ? sampleState(random, completed) : {}),
    ...(role === 'blocked'
      ? { Status: 'pending' }
      : isRollout || role === 'system'
        ? { Status: 'running' }
        : {}),
    Version: random.int(isRollout ? 1 : 0, 12),
    Stable: role === null || role === 'system',
    SubmitTime: stampOf(submitted),
    CreateIndex: index,
    ModifyIndex: index,
    JobModifyIndex: index,
  };
}

/** A constraint that no node of the sample meets. */
export const unmetConstraint = { LTarget: '${attr.cpu.arch}', RTarget: 'riscv64', Operand: '=' };

function roleFields(role: SampleRole | null): Partial<SubmittedJob> {
  if (role === 'canary') return { Update: { Canary: 1 } };
  return role === 'blocked' ? { Constraints: [unmetConstraint] } : {};
}

/** Returns a child job started at `submitted`, in ms since 1970. */
export function sampleChild(
  parent: Job,
  at: number,
  { index, submitted }: { readonly index: number; readonly submitted: number },
): Job {
  const seconds = Math.floor(submitted / 1000);
  const isPeriodic = parent.Periodic !== null;
  const ID = isPeriodic ? `${parent.ID}/periodic-${seconds}` : `${parent.ID}/dispatch-${seconds}-${at}`;
  return {
    ...parent,
    ID,
    Name: ID,
    ParentID: parent.ID,
    Periodic: null,
    Dispatched: !isPeriodic,
    Status: 'dead',
    Version: 0,
    SubmitTime: stampOf(submitted),
    CreateIndex: index,
    ModifyIndex: index,
    JobModifyIndex: index,
  };
}

function submittedJob(
  random: SampleRandom,
  ID: string,
  Type: (typeof jobTypes)[number],
  team: string,
  component: string,
): SubmittedJob {
  // One allocation on every node would be most of all allocations.
  const isOfNodes = Type === 'system' || Type === 'sysbatch';
  const start =
    Type === 'batch'
      ? random.weighted([
          ['now', 50],
          ['periodic', 35],
          ['dispatch', 15],
        ] as const)
      : 'now';
  const first = random.pick(datacenters);
  const second = random.pick(datacenters);
  return {
    ID,
    Type,
    Priority: random.weighted([
      [50, 70],
      [30, 10],
      [70, 12],
      [80, 5],
      [100, 3],
    ] as const),
    Datacenters: isOfNodes || random.chance(0.1) ? ['*'] : first === second ? [first] : [first, second],
    NodePool: isOfNodes ? random.pick(['gpu', 'edge']) : 'default',
    TaskGroups: sampleGroups(random, Type, component),
    ...(random.chance(0.85) ? { Meta: sampleMeta(random, team) } : {}),
    ...(!isOfNodes && random.chance(0.3)
      ? { Constraints: [{ LTarget: '${attr.cpu.arch}', RTarget: 'amd64', Operand: '=' }] }
      : {}),
    ...(start === 'periodic'
      ? { Periodic: { Spec: random.pick(['*/15 * * * *', '0 3 * * *', '@hourly']), ProhibitOverlap: true } }
      : {}),
    ...(start === 'dispatch'
      ? { ParameterizedJob: { MetaRequired: ['input'], MetaOptional: ['region'] } }
      : {}),
    ...(Type === 'service' && random.chance(0.02) ? { Multiregion: sampleMultiregion } : {}),
  };
}

const sampleMultiregion: NonNullable<SubmittedJob['Multiregion']> = {
  Strategy: { MaxParallel: 1, OnFailure: 'fail_all' },
  Regions: [
    { Name: 'global', Count: 2, Datacenters: ['dc1'] },
    { Name: 'west', Count: 1, Datacenters: ['us-west'] },
  ],
};

function sampleMeta(random: SampleRandom, team: string): Record<string, string> {
  return {
    owner: team,
    tier: random.pick(['gold', 'silver', 'bronze']),
    'cost.center': `cc-${random.int(100, 130)}`,
    'deploy.commit': random.hex(12),
    ...(random.chance(0.3) ? { 'on.call': `${team}-oncall` } : {}),
  };
}

function sampleGroups(random: SampleRandom, type: string, component: string): TaskGroupInput[] {
  const names = [
    component,
    ...(random.chance(0.35) ? ['sidecar'] : []),
    ...(random.chance(0.1) ? ['migrate'] : []),
  ];
  const isOfNodes = type === 'system' || type === 'sysbatch';
  return names.map((Name) => ({
    Name,
    Count: type === 'service' ? random.int(1, 4) : type === 'batch' ? random.int(1, 2) : 1,
    Tasks: [
      {
        Name: `${Name}-main`,
        Driver: random.weighted([
          ['docker', 75],
          ['exec', 15],
          ['java', 10],
        ] as const),
        Config: {
          image: `registry.example.com/${Name}:${random.int(1, 9)}.${random.int(0, 30)}`,
          ports: ['http'],
        },
        Env: { LOG_LEVEL: random.pick(['info', 'debug', 'warn']) },
        Resources: {
          CPU: isOfNodes ? 100 : random.pick([500, 1_000, 2_000, 2_500]),
          MemoryMB: isOfNodes ? 128 : random.pick([256, 512, 1_024, 2_048]),
        },
      },
      ...(random.chance(0.2)
        ? [{ Name: 'log-shipper', Driver: 'docker', Lifecycle: { Hook: 'poststart', Sidecar: true } }]
        : []),
    ],
    ...(random.chance(0.5)
      ? { Networks: [{ Mode: 'bridge', DynamicPorts: [{ Label: 'http', To: 8_080 }] }] }
      : {}),
  }));
}

function sampleState(random: SampleRandom, job: Job): Pick<Job, 'Status' | 'Stop'> {
  if (random.chance(0.04)) return { Status: 'dead', Stop: true };
  const isRunning = job.Type === 'service' || isStartedLater(job) || random.chance(0.3);
  return { Status: isRunning ? 'running' : 'dead', Stop: false };
}
