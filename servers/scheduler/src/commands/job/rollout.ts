import type { Deployment, DeploymentGroup } from '../../model/deployment.js';
import type { TaskEvent } from '../../client/task-events.js';
import { harmless } from '../../terminal/harmless.js';
import type { AllocationRow } from '../alloc/allocation-table.js';
import { waitsForPromotion } from '../deployment/deployment-view.js';
import type { ShownEvaluation } from '../eval/eval-status.js';
import { failureLines } from '../eval/placement-failures.js';

/** What came of a registration. */
export type Outcome =
  /** All is placed, and healthy where somebody looks. */
  | 'done'
  /** The canaries are well, and the rest waits for somebody. */
  | 'waits-for-promotion'
  | 'deployment-failed'
  /** Not all of it found a place. */
  | 'not-placed'
  /** Nobody could decide what to place. */
  | 'evaluation-failed';

/** The objects of events. */
export interface EventPayload {
  readonly Evaluation?: ShownEvaluation;
  readonly Deployment?: Deployment;
  readonly Allocation?: WatchedAllocation;
}

type WatchedAllocation = Partial<AllocationRow> &
  Pick<AllocationRow, 'ID' | 'ClientStatus'> & { readonly EvalID?: string; readonly DeploymentID?: string };

/** A line that tells what has happened, and whether it is good. */
export interface Note {
  readonly text: string;
  readonly mood: 'good' | 'bad' | 'waiting' | 'plain';
}

/** What is known of a rollout so far. It is told what happens, and says what of it people want to know. */
export interface Rollout {
  /** Null while it goes on. */
  readonly outcome: Outcome | null;
  /** The evaluation is over, and no deployment has been heard of: somebody has to ask whether there is one. */
  readonly needsDeployment: boolean;
  readonly deployment: Deployment | null;
  /** The ID of the first allocation that failed; null for none. */
  readonly failed: string | null;
  apply(payload: EventPayload): readonly Note[];
  /** Follows a deployment that was there before; null for none, which ends it. */
  follow(deployment: Deployment | null): readonly Note[];
}

/** Whatever is not known yet. */
export interface RolloutStart {
  /** Empty where there is no evaluation of its own. */
  readonly evalId: string;
  /** The index of the write whose consequences are told. */
  readonly index: number | bigint;
  /** IDs are shortened by it. */
  readonly short: (id: string) => string;
}

const terminalDeployments: ReadonlySet<string> = new Set(['successful', 'failed', 'cancelled']);
const terminalEvaluations: ReadonlySet<string> = new Set(['complete', 'failed', 'canceled']);

export function createRollout({ evalId, index, short }: RolloutStart): Rollout {
  const evaluations = new Set(evalId === '' ? [] : [evalId]);
  const allocations = new Map<string, AllocationProgress>();
  let deployment: Deployment | null = null;
  let outcome: Outcome | null = null;
  let isEvaluated = evalId === '';
  let hasFailures = false;
  /** A rollout has failed, and the one that returns to the version before is followed. */
  let hasReverted = false;
  let failed: string | null = null;

  function onEvaluation(evaluation: ShownEvaluation): Note[] {
    if (!evaluations.has(evaluation.ID)) return [];
    for (const next of [evaluation.NextEval, evaluation.BlockedEval]) if (next) evaluations.add(next);
    if (evaluation.ID !== evalId || !terminalEvaluations.has(evaluation.Status) || isEvaluated) return [];
    isEvaluated = true;
    if (evaluation.Status !== 'complete') {
      outcome = 'evaluation-failed';
      return [
        note(
          `evaluation ${short(evalId)} ${evaluation.Status}: ${evaluation.StatusDescription ?? ''}`,
          'bad',
        ),
      ];
    }
    const failures = failureLines(evaluation.FailedTGAllocs ?? null);
    hasFailures = failures.length > 0;
    return hasFailures ? [note(['not all of it finds a place:', ...failures].join('\n'), 'bad')] : [];
  }

  function onDeployment(next: Deployment, isFollowed = false): Note[] {
    const isOther = deployment !== null && deployment.ID !== next.ID;
    const mayFollow = deployment === null || (hasReverted && next.CreateIndex > deployment.CreateIndex);
    if (isOther && !mayFollow) return [];
    if (deployment === null && !isFollowed && next.CreateIndex < index) return endOfOlder(next);
    const before = isOther ? null : deployment;
    deployment = next;
    const notes = [
      ...(before === null
        ? [
            note(
              `deployment ${short(next.ID)} of version ${next.JobVersion} ${isFollowed ? 'is under way' : 'begins'}`,
              'plain',
            ),
          ]
        : []),
      ...progressNotes(before, next),
    ];
    if (before?.Status === next.Status && !terminalDeployments.has(next.Status))
      return notes.concat(onPromotion());
    return [...notes, ...statusNotes(next), ...onPromotion()];
  }

  /** A rollout that the write has ended: that of the version before, or of a job that was stopped. It is no failure. */
  function endOfOlder({ ID, Status, StatusDescription }: Deployment): Note[] {
    if (!terminalDeployments.has(Status)) return [];
    return [note(`deployment ${short(ID)} ${Status}: ${StatusDescription}`, 'plain')];
  }

  function onPromotion(): Note[] {
    if (deployment === null || outcome !== null || !waitsForPromotion(deployment)) return [];
    outcome = hasReverted ? 'deployment-failed' : 'waits-for-promotion';
    return [note('the canaries are healthy and wait to be promoted', 'waiting')];
  }

  function statusNotes({ ID, Status, StatusDescription }: Deployment): Note[] {
    const told = `deployment ${short(ID)} ${Status}: ${StatusDescription}`;
    if (Status === 'paused') return [note(told, 'waiting')];
    if (!terminalDeployments.has(Status)) return [];
    const goesBack =
      !hasReverted && Status === 'failed' && /rolling back to job version/.test(StatusDescription);
    if (goesBack) hasReverted = true;
    else outcome = Status === 'successful' && !hasReverted ? 'done' : 'deployment-failed';
    return [note(told, Status === 'successful' ? 'good' : 'bad')];
  }

  function onAllocation(allocation: WatchedAllocation): Note[] {
    const { ID, EvalID = '', DeploymentID = '' } = allocation;
    const isOurs =
      allocations.has(ID) ||
      evaluations.has(EvalID) ||
      (deployment !== null && DeploymentID === deployment.ID);
    if (!isOurs) return [];
    const before = allocations.get(ID) ?? null;
    allocations.set(ID, progressOf(allocation));
    if (allocation.ClientStatus === 'failed') failed ??= ID;
    return allocationNotes(before, allocation, short);
  }

  return {
    get outcome() {
      return outcome;
    },
    get needsDeployment() {
      return isEvaluated && deployment === null && outcome === null;
    },
    get deployment() {
      return deployment;
    },
    get failed() {
      return failed;
    },
    apply: ({ Evaluation: evaluation, Deployment: changed, Allocation: allocation }) => [
      ...(evaluation === undefined ? [] : onEvaluation(evaluation)),
      ...(changed === undefined ? [] : onDeployment(changed)),
      ...(allocation === undefined ? [] : onAllocation(allocation)),
    ],
    follow(found) {
      if (found !== null) return onDeployment(found, true);
      outcome = hasFailures ? 'not-placed' : 'done';
      return [];
    },
  };
}

/** What has been told of an allocation. */
interface AllocationProgress {
  readonly status: string;
  readonly healthy: boolean | null;
  /** The time of the newest event of each task. */
  readonly events: ReadonlyMap<string, bigint>;
}

function progressOf({ ClientStatus, DeploymentStatus, TaskStates }: WatchedAllocation): AllocationProgress {
  const events = Object.entries(TaskStates ?? {}).map(([task, state]) => {
    const last = ((state?.Events ?? []) as readonly TaskEvent[]).at(-1);
    return [task, BigInt(last?.Time ?? 0)] as const;
  });
  return { status: ClientStatus, healthy: DeploymentStatus?.Healthy ?? null, events: new Map(events) };
}

function allocationNotes(
  before: AllocationProgress | null,
  allocation: WatchedAllocation,
  short: (id: string) => string,
): Note[] {
  const { ID, Name = '', NodeName, NodeID = '', ClientStatus } = allocation;
  const name = `${Name} (${short(ID)})`;
  const now = progressOf(allocation);
  const isCanary = allocation.DeploymentStatus?.Canary === true;
  // What was there before goes on in the new version, and what happened to it until then is no part of this.
  const goesOn = before === null && ClientStatus === 'running';
  const mood = ClientStatus === 'failed' || ClientStatus === 'lost' ? 'bad' : 'plain';
  return [
    ...(goesOn ? [note(`${name} goes on`, 'plain')] : []),
    ...(before === null && !goesOn
      ? [note(`${isCanary ? 'canary ' : ''}${name} placed on ${NodeName || short(NodeID)}`, 'plain')]
      : []),
    ...(goesOn ? [] : eventNotes(before, allocation)),
    ...(ClientStatus !== 'pending' && ClientStatus !== before?.status && !goesOn
      ? [note(`${name} ${ClientStatus}`, mood)]
      : []),
    ...(now.healthy !== null && now.healthy !== before?.healthy
      ? [note(`${name} ${now.healthy ? 'healthy' : 'unhealthy'}`, now.healthy ? 'good' : 'bad')]
      : []),
  ];
}

/** Events of tasks that go as they should. */
const expectedEvents: ReadonlySet<string> = new Set([
  'Received',
  'Task Setup',
  'Started',
  'Killing',
  'Killed',
]);

function eventNotes(before: AllocationProgress | null, { Name = '', TaskStates }: WatchedAllocation): Note[] {
  return Object.entries(TaskStates ?? {}).flatMap(([task, state]) => {
    const told = before?.events.get(task) ?? 0n;
    const events = ((state?.Events ?? []) as readonly TaskEvent[]).filter(({ Time }) => BigInt(Time) > told);
    const odd = events.filter(
      ({ Type, ExitCode }) => !expectedEvents.has(Type) && !(Type === 'Terminated' && ExitCode === 0),
    );
    return odd.map(({ Type, DisplayMessage }) =>
      note(`${Name} task ${task}: ${Type}: ${DisplayMessage}`, 'waiting'),
    );
  });
}

function progressNotes(before: Deployment | null, { TaskGroups }: Deployment): Note[] {
  return Object.entries(TaskGroups ?? {}).flatMap(([name, group]) => {
    const was = before?.TaskGroups?.[name] ?? null;
    if (group === null || before === null || was === null || was.HealthyAllocs === group.HealthyAllocs)
      return [];
    return [note(`${name}: ${group.HealthyAllocs} of ${wantedOf(group)} healthy`, 'plain')];
  });
}

function wantedOf({ DesiredCanaries, DesiredTotal, Promoted }: DeploymentGroup): string {
  return Number(DesiredCanaries) > 0 && !Promoted ? `${DesiredCanaries} canaries` : String(DesiredTotal);
}

function note(text: string, mood: Note['mood']): Note {
  return { text: text.split('\n').map(harmless).join('\n'), mood };
}
