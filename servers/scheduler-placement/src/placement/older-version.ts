import type { Allocation } from '@tamis/scheduler-model/allocation.js';
import { isUnpromoted, isVersionOf, type Deployment } from '@tamis/scheduler-model/deployment.js';
import type { Job } from '@tamis/scheduler-model/job.js';
import type { TaskGroup } from '@tamis/scheduler-model/task-group.js';
import { deploymentsOfJob } from '@tamis/scheduler-state/state/lookups.js';
import { stableVersion, storedVersion } from '@tamis/scheduler-state/state/stable-version.js';
import type { Tables } from '@tamis/scheduler-state/state/tables.js';

/** A task group in an earlier version of the job. */
export interface OlderVersion {
  readonly job: Job;
  readonly group: TaskGroup;
  /** The deployment that placed it; empty if there was none. */
  readonly deploymentId: string;
}

/** Finds the version to place if the current version of a job must not be placed. */
export type OlderVersions = ReturnType<typeof findOlderVersions>;

export function findOlderVersions(tables: Tables, job: Job) {
  const deployments = [...deploymentsOfJob(tables, { Namespace: job.Namespace, JobID: job.ID })];
  const known = new Map<string, OlderVersion | null>();

  function deploymentOf(version: Job): Deployment | null {
    return deployments.filter((one) => isVersionOf(one, version)).reduce<Deployment | null>(newer, null);
  }

  /** Returns the group in a version; null if the version does not have it. */
  function withGroup(version: Job, name: string): OlderVersion | null {
    const group = version.TaskGroups?.find(({ Name }) => Name === name);
    if (group === undefined) return null;
    return { job: version, group, deploymentId: deploymentOf(version)?.ID ?? '' };
  }

  /** Whether a version was abandoned: it failed, or never got beyond its canaries. */
  function isGivenUp({ job: version, group }: OlderVersion): boolean {
    const deployment = deploymentOf(version);
    if (deployment === null || version.Stable) return false;
    const state = deployment.TaskGroups?.[group.Name] ?? null;
    const wasNeverPromoted = state !== null && isUnpromoted(state);
    return deployment.Status === 'failed' || wasNeverPromoted;
  }

  /** Returns the version of an allocation; null for the current one. */
  function ownOf({ Job: own, TaskGroup: group }: Allocation): OlderVersion | null {
    const isOlder = own !== null && own.CreateIndex === job.CreateIndex && own.Version < job.Version;
    if (!isOlder) return null;
    const key = `${own.Version} ${group}`;
    let version = known.get(key);
    // Old versions are deleted, but an allocation contains its own.
    if (version === undefined)
      known.set(key, (version = withGroup(storedVersion(tables, own) ?? own, group)));
    return version;
  }

  return {
    ownOf,
    /**
     * Returns the version for a replacement, or for an additional allocation: the version of the allocation itself, unless that is
     * the current one or was abandoned. Otherwise the newest stable version, otherwise the newest running one. Null if there is no
     * earlier version.
     *
     * @param running the allocations of the group.
     */
    goodFor(previous: Allocation | null, group: string, running: readonly Allocation[]): OlderVersion | null {
      const own = previous === null ? null : ownOf(previous);
      if (own !== null && !isGivenUp(own)) return own;
      const stable = stableVersion(tables, job);
      const found = stable === null ? null : withGroup(stable, group);
      if (found !== null) return found;
      const others = [...new Set(running.map(ownOf))].filter((one) => one !== null);
      return newest(others.filter((one) => !isGivenUp(one))) ?? own ?? newest(others);
    },
  };
}

function newer(best: Deployment | null, one: Deployment): Deployment {
  return best === null || one.CreateIndex > best.CreateIndex ? one : best;
}

function newest(versions: readonly OlderVersion[]): OlderVersion | null {
  return versions.reduce<OlderVersion | null>(
    (best, one) => (best === null || one.job.Version > best.job.Version ? one : best),
    null,
  );
}
