import { isVersionOf, type Deployment } from '@tamis/scheduler-model/deployment.js';
import { isActiveDeployment } from '@tamis/scheduler-model/deployment-status.js';
import type { Job } from '@tamis/scheduler-model/job.js';
import type { DeploymentChange } from '@tamis/scheduler-state/state/plan.js';
import { deploymentsOfJob, type JobName } from '@tamis/scheduler-state/state/lookups.js';
import type { Tables } from '@tamis/scheduler-state/state/tables.js';
import { deploymentTexts } from '@tamis/scheduler-state/state/write-deployment.js';

/** The current deployment of a job, and what is left of earlier ones. */
export interface CurrentDeployment {
  /** Deployment of the current version, unless it has succeeded. */
  readonly row: Deployment | null;
  readonly isPaused: boolean;
  readonly isFailed: boolean;
  /** Canaries that will not be promoted. */
  readonly staleCanaries: ReadonlySet<string>;
  /** Deployments of other versions, which are ended. */
  readonly ended: readonly DeploymentChange[];
}

export function findCurrentDeployment(tables: Tables, name: JobName, job: Job | null): CurrentDeployment {
  const all = [...deploymentsOfJob(tables, name)];
  const isCurrent = (deployment: Deployment): boolean =>
    job !== null && !job.Stop && isVersionOf(deployment, job);
  const row = newest(all.filter((one) => isCurrent(one) && one.Status !== 'successful'));
  const description = job === null || job.Stop ? deploymentTexts.stoppedJob : deploymentTexts.newerJob;
  const ended = all
    .filter((one) => one !== row && isActiveDeployment(one))
    .map(({ ID: id }) => ({ id, status: 'cancelled', description }));
  const isFailed = row !== null && !isActiveDeployment(row);
  const stale = all.filter((one) => one !== row || isFailed).flatMap(unpromotedCanaries);
  return {
    row,
    isFailed,
    isPaused: row?.Status === 'paused',
    staleCanaries: new Set(stale),
    ended,
  };
}

function newest(deployments: readonly Deployment[]): Deployment | null {
  return deployments.reduce<Deployment | null>(
    (best, one) => (best === null || one.CreateIndex > best.CreateIndex ? one : best),
    null,
  );
}

function unpromotedCanaries({ TaskGroups }: Deployment): string[] {
  return Object.values(TaskGroups ?? {}).flatMap((group) =>
    group === null || group.Promoted ? [] : [...(group.PlacedCanaries ?? [])],
  );
}
