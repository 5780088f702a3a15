import type { Job } from '@tamis/scheduler-model/job.js';
import type { Node } from '@tamis/scheduler-model/node.js';
import type { TaskGroup } from '@tamis/scheduler-model/task-group.js';
import { distinctOperands, meets, type Condition } from './constraint.js';
import type { ProposedUsage } from './proposed-usage.js';
import { isUnique, resolveTarget } from '@tamis/scheduler-model/target.js';

/** The feasibility of nodes for a task group. */
export interface Feasibility {
  /** Returns why a node is not feasible; null if it is. */
  infeasibleReason(node: Node): string | null;
  /** Returns why a node conflicts with a constraint that depends on other allocations of the job; null if it does not. */
  distinctConflict(node: Node, proposed: ProposedUsage): string | null;
  /** Whether the nodes of each checked class are feasible. Unchecked classes are missing. */
  readonly classes: ReadonlyMap<string, boolean>;
  /** Whether a constraint distinguishes nodes of the same class, so that results by class do not apply. */
  readonly escaped: boolean;
}

export function createFeasibility(job: Job, group: TaskGroup): Feasibility {
  const tasks = group.Tasks ?? [];
  const ofGroup = [...(group.Constraints ?? []), ...tasks.flatMap(({ Constraints }) => Constraints ?? [])];
  const all = [...(job.Constraints ?? []), ...ofGroup].filter(
    ({ Operand }) => !distinctOperands.has(Operand),
  );
  const single = all.filter(({ LTarget, RTarget }) => isUnique(LTarget) || isUnique(RTarget));
  const shared = all.filter((condition) => !single.includes(condition));
  const drivers = [...new Set(tasks.map(({ Driver }) => Driver))];
  const volumes = readVolumes(group);
  const requiresDevices = tasks.some(({ Resources }) => (Resources?.Devices ?? []).length > 0);
  const verdicts = new Map<string, string | null>();
  const classes = new Map<string, boolean>();

  function classReason(node: Node): string | null {
    const known = verdicts.get(node.ComputedClass);
    if (known !== undefined && node.ComputedClass !== '') return known;
    const verdict = firstUnmet(shared, node);
    verdicts.set(node.ComputedClass, verdict);
    classes.set(node.ComputedClass, verdict === null);
    return verdict;
  }

  return {
    classes,
    escaped: single.length > 0,
    infeasibleReason(node) {
      const reason = classReason(node) ?? firstUnmet(single, node);
      if (reason !== null) return reason;
      const missing = drivers.filter((driver) => !runsDriver(node, driver));
      if (missing.length > 0) return `missing drivers: ${missing.join(', ')}`;
      if (volumes.some((volume) => !hasVolume(node, volume))) return volumeReason(volumes);
      return requiresDevices ? 'missing devices' : null;
    },
    distinctConflict: createDistinctConflict(job, group),
  };
}

function firstUnmet(conditions: readonly Condition[], node: Node): string | null {
  const unmet = conditions.find((condition) => !meets(condition, node));
  return unmet === undefined ? null : [unmet.LTarget, unmet.Operand, unmet.RTarget].filter(Boolean).join(' ');
}

/** Whether a node has a healthy driver of this name. */
function runsDriver(node: Node, driver: string): boolean {
  const known = node.Drivers;
  const info = known !== null && Object.hasOwn(known, driver) ? known[driver] : undefined;
  return info?.Detected === true && info.Healthy;
}

interface VolumeDemand {
  readonly isHost: boolean;
  readonly source: string;
  readonly readOnly: boolean;
}

function readVolumes({ Volumes }: TaskGroup): readonly VolumeDemand[] {
  return Object.values(Volumes ?? {}).map((given) => {
    const volume = (typeof given === 'object' && given !== null ? given : {}) as Readonly<
      Record<string, unknown>
    >;
    return {
      isHost: volume['Type'] === 'host',
      source: typeof volume['Source'] === 'string' ? volume['Source'] : '',
      readOnly: volume['ReadOnly'] === true,
    };
  });
}

function hasVolume(node: Node, { isHost, source, readOnly }: VolumeDemand): boolean {
  const known = node.HostVolumes;
  const volume = isHost && known !== null && Object.hasOwn(known, source) ? known[source] : undefined;
  return volume !== undefined && volume !== null && (readOnly || !volume.ReadOnly);
}

function volumeReason(volumes: readonly VolumeDemand[]): string {
  return volumes.every(({ isHost }) => isHost) ? 'missing compatible host volumes' : 'missing CSI plugins';
}

/** Returns a function that checks the constraints that keep allocations of a job apart. */
function createDistinctConflict(job: Job, group: TaskGroup): Feasibility['distinctConflict'] {
  const ofGroup = [
    ...(group.Constraints ?? []),
    ...(group.Tasks ?? []).flatMap(({ Constraints }) => Constraints ?? []),
  ];
  const scoped = [
    ...(job.Constraints ?? []).map((condition) => ({ condition, scope: null })),
    ...ofGroup.map((condition) => ({ condition, scope: group.Name })),
  ];
  const hosts = scoped.filter(
    ({ condition }) => condition.Operand === 'distinct_hosts' && condition.RTarget !== 'false',
  );
  const properties = scoped.filter(({ condition }) => condition.Operand === 'distinct_property');
  return (node, proposed) => {
    if (hosts.some(({ scope }) => proposed.count(node.ID, scope) > 0)) return 'distinct_hosts';
    for (const { condition, scope } of properties) {
      const found = propertyConflict(condition, scope, node, proposed);
      if (found !== null) return found;
    }
    return null;
  };
}

function propertyConflict(
  { LTarget, RTarget }: Condition,
  scope: string | null,
  node: Node,
  proposed: ProposedUsage,
): string | null {
  const allowed = RTarget === '' ? 1 : Number(RTarget);
  const value = resolveTarget(LTarget, node);
  if (value === null) return `missing property ${JSON.stringify(LTarget)}`;
  const used = proposed.values(LTarget, scope).get(value) ?? 0;
  return used < allowed ? null : `distinct_property: ${LTarget}=${value} used by ${used} allocs`;
}
