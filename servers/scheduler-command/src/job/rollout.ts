import type { Deployment, DeploymentGroup } from '@tamis/scheduler-model/deployment.js';
import type { TaskEvent } from '@tamis/scheduler-model/wire/task-state.js';
import { sanitizeForTerminal } from '../terminal/escape-terminal.js';
import type { AllocationRow } from '../views/allocation-table.js';
import { waitsForPromotion } from '../views/deployment-view.js';
import type { EvaluationView } from '../views/shown-evaluation.js';
import { failureLines } from '../views/placement-failures.js';
import { endsByItself, isAwaited, stateOfWork, type Work, type WorkRow } from './work-outcome.js';

/** The outcome of a registration. */
export type Outcome =
  /** Everything is placed, and healthy if health is checked; batch jobs have succeeded. */
  | 'done'
  /** The canaries are healthy, and the rest waits for promotion. */
  | 'waits-for-promotion'
  | 'deployment-failed'
  /** A batch job has failed, or allocations without a deployment do not run. */
  | 'work-failed'
  /** Some allocations could not be placed. */
  | 'not-placed'
  /** The evaluation failed. */
  | 'evaluation-failed';

/** The objects of events. */
export interface EventPayload {
  readonly Evaluation?: EvaluationView;
  readonly Deployment?: Deployment;
  readonly Allocation?: WatchedAllocation;
}

type WatchedAllocation = Partial<AllocationRow> &
  WorkRow & { readonly EvalID?: string; readonly DeploymentID?: string };

/** A line about an event, and whether the event is good. */
export interface Note {
  readonly text: string;
  readonly mood: 'good' | 'bad' | 'waiting' | 'plain';
}

/** The state of a rollout. It receives events, and returns lines about relevant ones. */
export interface Rollout {
  /** Null while in progress. */
  readonly outcome: Outcome | null;
  /** The evaluation has ended without a deployment or anything left to wait for: the caller must fetch the current state. */
  readonly isUnsettled: boolean;
  /** Whether the evaluation has ended. */
  readonly isEvaluated: boolean;
  readonly deployment: Deployment | null;
  /** The first failed allocation; null if none exists. */
  readonly failed: FailedAllocation | null;
  apply(payload: EventPayload): readonly Note[];
  /** Follows an existing deployment. */
  follow(deployment: Deployment): readonly Note[];
  /** Evaluates the current state of a job without a rollout. Later events update it. */
  settle(work: Work): readonly Note[];
}

/** An allocation that failed. */
export interface FailedAllocation {
  readonly id: string;
  /** Whether one of its tasks ever started, and may have written output. */
  readonly hasStarted: boolean;
}

/** Initial data of a rollout. */
export interface RolloutStart {
  /** Empty if there is no separate evaluation. */
  readonly evalId: string;
  /** Index of the write whose effects are shown. */
  readonly index: number | bigint;
  /** Returns a shortened ID. */
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
  /** Whether a rollout has failed and the automatic reversion is followed. */
  let hasReverted = false;
  let failed: FailedAllocation | null = null;
  /** The state of a job without a rollout, and its allocations in progress; null for other jobs. */
  let work: Work | null = null;
  let awaited = new Set<string>();

  function onEvaluation(evaluation: EvaluationView): Note[] {
    // Failed allocations are evaluated again, by evaluations that the first one does not refer to.
    if (work !== null) evaluations.add(evaluation.ID);
    if (!evaluations.has(evaluation.ID)) return [];
    for (const next of [evaluation.NextEval, evaluation.BlockedEval]) if (next) evaluations.add(next);
    if (work !== null) return failuresOf(evaluation);
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
    return failuresOf(evaluation);
  }

  function failuresOf({ Status, FailedTGAllocs }: EvaluationView): Note[] {
    const failures = Status === 'complete' ? failureLines(FailedTGAllocs ?? null) : [];
    if (failures.length === 0) return [];
    hasFailures = true;
    return [note(['some allocations cannot be placed:', ...failures].join('\n'), 'bad')];
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

  /**
   * Returns lines about a deployment cancelled by the write: of the previous version, or of a stopped job. It is not a failure.
   */
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
    const reported = `deployment ${short(ID)} ${Status}: ${StatusDescription}`;
    if (Status === 'paused') return [note(reported, 'waiting')];
    if (!terminalDeployments.has(Status)) return [];
    const goesBack =
      !hasReverted && Status === 'failed' && /rolling back to job version/.test(StatusDescription);
    if (goesBack) hasReverted = true;
    else outcome = Status === 'successful' && !hasReverted ? 'done' : 'deployment-failed';
    return [note(reported, Status === 'successful' ? 'good' : 'bad')];
  }

  function onAllocation(allocation: WatchedAllocation): Note[] {
    const { ID, EvalID = '', DeploymentID = '' } = allocation;
    const isOurs =
      allocations.has(ID) ||
      evaluations.has(EvalID) ||
      awaited.has(ID) ||
      (deployment !== null && DeploymentID === deployment.ID);
    if (!isOurs) return [];
    const before = allocations.get(ID) ?? null;
    allocations.set(ID, progressOf(allocation));
    if (allocation.ClientStatus === 'failed') failed ??= { id: ID, hasStarted: hasStarted(allocation) };
    if (work !== null) {
      if (isAwaited(allocation, endsByItself(work))) awaited.add(ID);
      else awaited.delete(ID);
    }
    return allocationNotes(before, allocation, short);
  }

  return {
    get outcome() {
      return outcome;
    },
    get isUnsettled() {
      return isEvaluated && deployment === null && outcome === null && awaited.size === 0;
    },
    get isEvaluated() {
      return isEvaluated;
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
    follow: (found) => onDeployment(found, true),
    settle(found) {
      const isStopped = work !== null && (found.job === null || found.job.Stop);
      work = found;
      if (isStopped) {
        outcome = 'work-failed';
        return [note('the job was stopped', 'bad')];
      }
      const state = stateOfWork(found);
      const isBatch = endsByItself(found);
      awaited = new Set(found.allocations.filter((row) => isAwaited(row, isBatch)).map(({ ID }) => ID));
      outcome = hasFailures ? 'not-placed' : state.outcome;
      const row = found.allocations.find(({ ID }) => ID === state.failed);
      if (row !== undefined) failed = { id: row.ID, hasStarted: hasStarted(row) };
      const { deployment: last } = found;
      if (outcome !== 'deployment-failed' || last === null) return [];
      const { ID, JobVersion, StatusDescription } = last;
      return [note(`deployment ${short(ID)} of version ${JobVersion} failed: ${StatusDescription}`, 'bad')];
    },
  };
}

function hasStarted({ TaskStates }: WorkRow): boolean {
  return Object.values(TaskStates ?? {}).some((state) =>
    ((state?.Events ?? []) as readonly TaskEvent[]).some(({ Type }) => Type === 'Started'),
  );
}

/** The part of an allocation that was already shown. */
interface AllocationProgress {
  readonly status: string;
  readonly healthy: boolean | null;
  /** Time of the newest event of each task. */
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
  // Existing allocations continue in the new version; their earlier events are not part of this rollout.
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

/** Events of tasks without problems. */
const expectedEvents: ReadonlySet<string> = new Set([
  'Received',
  'Task Setup',
  'Started',
  'Killing',
  'Killed',
]);

function eventNotes(before: AllocationProgress | null, { Name = '', TaskStates }: WatchedAllocation): Note[] {
  return Object.entries(TaskStates ?? {}).flatMap(([task, state]) => {
    const reported = before?.events.get(task) ?? 0n;
    const events = ((state?.Events ?? []) as readonly TaskEvent[]).filter(
      ({ Time }) => BigInt(Time) > reported,
    );
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
    return [note(`${name}: ${group.HealthyAllocs} of ${desiredOf(group)} healthy`, 'plain')];
  });
}

function desiredOf({ DesiredCanaries, DesiredTotal, Promoted }: DeploymentGroup): string {
  return Number(DesiredCanaries) > 0 && !Promoted ? `${DesiredCanaries} canaries` : String(DesiredTotal);
}

function note(text: string, mood: Note['mood']): Note {
  return { text: text.split('\n').map(sanitizeForTerminal).join('\n'), mood };
}
