import { completeShape } from '@tamis/scheduler-model/complete-shape.js';
import { deploymentShape, type Deployment, type DeploymentInput } from '@tamis/scheduler-model/deployment.js';
import type { Job } from '@tamis/scheduler-model/job.js';
import { stampBefore, timeBefore } from './fixtures.js';
import type { SampleRandom } from './random.js';

const statuses = [
  ['successful', 'Deployment completed successfully', 66],
  ['cancelled', 'Cancelled due to newer version of job', 14],
  ['failed', 'Failed due to progress deadline', 8],
  ['running', 'Deployment is running', 9],
  ['paused', 'Deployment is paused', 3],
] as const;

const day = 86_400_000;

/** A deployment of a service, the `at`-th one, written at `index`. */
export function sampleDeployment(random: SampleRandom, at: number, job: Job, index: number): Deployment {
  const [status, description] = random.weighted(statuses.map((entry) => [entry, entry[2]] as const));
  const groups = (job.TaskGroups ?? []).map((group) => [
    group.Name,
    sampleGroup(random, Number(group.Count), status === 'running', status === 'failed'),
  ]);
  const created = stampBefore(random.int(0, 60 * day), at);
  const deployment: DeploymentInput = {
    ID: random.uuid(),
    Namespace: job.Namespace,
    JobID: job.ID,
    JobVersion: job.Version,
    JobModifyIndex: job.JobModifyIndex,
    JobSpecModifyIndex: job.JobModifyIndex,
    JobCreateIndex: job.CreateIndex,
    IsMultiregion: job.Multiregion !== null,
    TaskGroups: Object.fromEntries(groups) as NonNullable<DeploymentInput['TaskGroups']>,
    Status: status,
    StatusDescription: description,
    EvalPriority: job.Priority,
    CreateIndex: index,
    ModifyIndex: index + random.int(0, 400),
    CreateTime: created,
    ModifyTime: created + BigInt(random.int(1, 600)) * 1_000_000_000n,
  };
  return completeShape(deploymentShape, deployment);
}

type GroupInput = NonNullable<DeploymentInput['TaskGroups']>[string];

function sampleGroup(random: SampleRandom, total: number, isRunning: boolean, isFailed: boolean): GroupInput {
  const placed = isRunning ? random.int(0, total) : total;
  const unhealthy = isFailed ? 1 : 0;
  const canaries = isRunning && random.chance(0.3) ? [random.uuid()] : null;
  return {
    AutoRevert: random.chance(0.4),
    AutoPromote: false,
    ProgressDeadline: 600_000_000_000,
    ...(isRunning ? { RequireProgressBy: timeBefore(-600_000, random.int(0, 999_999_999)) } : {}),
    Promoted: !isRunning && random.chance(0.5),
    ...(canaries === null ? {} : { PlacedCanaries: canaries, DesiredCanaries: canaries.length }),
    DesiredTotal: total,
    PlacedAllocs: placed,
    HealthyAllocs: Math.max(0, placed - unhealthy),
    UnhealthyAllocs: unhealthy,
  };
}
