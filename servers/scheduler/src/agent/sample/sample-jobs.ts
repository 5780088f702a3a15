import type { jobTypes } from '@tamis/scheduler-model/job.js';
import { type Job } from '@tamis/scheduler-model/job.js';
import { completeJob, type SubmittedJob } from '@tamis/scheduler-model/job-defaults.js';
import {
  emptyGroupSummary,
  summariseJob,
  type GroupSummary,
  type JobSummary,
} from '@tamis/scheduler-model/job-summary.js';
import type { TaskGroupInput } from '@tamis/scheduler-model/task-group.js';
import { datacenters, namespaces, stampBefore, teams } from './fixtures.js';
import type { SampleRandom } from './random.js';

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
const nanosecondsPerSecond = 1_000_000_000;
const day = 86_400_000;

/** One job of the sample, the `at`-th, written at `index`, and its summary. */
export function sampleJob(
  random: SampleRandom,
  at: number,
  index: number,
): { readonly job: Job; readonly summary: JobSummary } {
  const type = random.weighted([
    ['service', 62],
    ['batch', 28],
    ['system', 6],
    ['sysbatch', 4],
  ] as const satisfies readonly (readonly [(typeof jobTypes)[number], number])[]);
  const team = random.pick(teams);
  const component = random.pick(components);
  const id = `${team}-${component}-${random.pick(stages)}-${String(at).padStart(5, '0')}`;
  const [namespace] = random.pick(namespaces);
  const completed = completeJob(submittedJob(random, id, type, team, component), {
    namespace,
    region: 'global',
  });
  const job: Job = {
    ...completed,
    ...sampleState(random, completed),
    Version: random.int(0, 12),
    Stable: random.chance(0.7),
    SubmitTime: stampBefore(random.int(0, 120 * day), random.int(0, 999_999)),
    CreateIndex: index,
    ModifyIndex: index + random.int(0, 400),
    JobModifyIndex: index,
  };
  return { job, summary: sampleSummary(random, job) };
}

/** A job started by another one: its ID holds a slash, as such IDs do. */
export function sampleChild(parent: Job, at: number, index: number): Job {
  const seconds = Math.floor(Number(stampBefore(at * 900_000, 0) / BigInt(nanosecondsPerSecond)));
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
    SubmitTime: stampBefore(at * 900_000, at),
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
  const isBatch = Type === 'batch' || Type === 'sysbatch';
  const start = isBatch
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
    Datacenters: random.chance(0.1) ? ['*'] : first === second ? [first] : [first, second],
    NodePool: component === 'cache' && random.chance(0.2) ? 'edge' : 'default',
    TaskGroups: sampleGroups(random, Type, component),
    ...(random.chance(0.85) ? { Meta: sampleMeta(random, team) } : {}),
    ...(random.chance(0.3)
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
  return names.map((Name) => ({
    Name,
    Count: type === 'system' || type === 'sysbatch' ? 1 : random.int(1, 6),
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
          CPU: random.pick([100, 250, 500, 1_000]),
          MemoryMB: random.pick([128, 300, 512, 2_048]),
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
  if (job.Periodic !== null || job.ParameterizedJob !== null) return { Status: 'running', Stop: false };
  const isLongRunning = job.Type === 'service' || job.Type === 'system';
  const Status = random.weighted(
    isLongRunning
      ? ([
          ['running', 90],
          ['pending', 10],
        ] as const)
      : ([
          ['dead', 60],
          ['running', 30],
          ['pending', 10],
        ] as const),
  );
  return { Status, Stop: false };
}

function sampleSummary(random: SampleRandom, job: Job): JobSummary {
  const groups = (job.TaskGroups ?? []).map(
    ({ Name, Count }) => [Name, groupSummary(random, job, Number(Count))] as const,
  );
  return { ...summariseJob(job, null, job.ModifyIndex), Summary: Object.fromEntries(groups) };
}

function groupSummary(random: SampleRandom, job: Job, count: number): GroupSummary {
  if (job.Status === 'pending') return { ...emptyGroupSummary, Queued: count };
  if (job.Status === 'dead') return { ...emptyGroupSummary, Complete: count, Failed: random.int(0, 1) };
  const failed = random.chance(0.05) ? 1 : 0;
  return { ...emptyGroupSummary, Running: count - failed, Failed: failed, Lost: random.chance(0.02) ? 1 : 0 };
}
