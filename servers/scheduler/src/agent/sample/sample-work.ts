import { isTerminal } from '@tamis/scheduler-model/allocation-status.js';
import { allocationShape, type Allocation } from '@tamis/scheduler-model/allocation.js';
import { completeShape } from '@tamis/scheduler-model/complete-shape.js';
import { deploymentShape, type DeploymentInput } from '@tamis/scheduler-model/deployment.js';
import { evaluationShape, type Evaluation, type EvaluationInput } from '@tamis/scheduler-model/evaluation.js';
import { exact } from '@tamis/scheduler-model/exact.js';
import type { Job } from '@tamis/scheduler-model/job.js';
import type { Node } from '@tamis/scheduler-model/node.js';
import type { PlacementMetrics } from '@tamis/scheduler-model/placement-metrics.js';
import { isStartedLater } from '@tamis/scheduler-model/started-later.js';
import type { TaskGroup } from '@tamis/scheduler-model/task-group.js';
import { allocationName } from '@tamis/scheduler-placement/placement/allocation-name.js';
import { stopTexts } from '@tamis/scheduler-placement/placement/decision.js';
import type { ClusterRows } from '@tamis/scheduler-state/cluster/cluster-rows.js';
import { deploymentTexts } from '@tamis/scheduler-state/state/write-deployment.js';
import type { SampleRandom } from './random.js';
import { unmetConstraint } from './sample-jobs.js';
import { createSamplePlaces, type SamplePlace } from './sample-places.js';
import { endedTask, instantOf, stampOf, startedTask, taskStates, type TaskEnd } from './sample-tasks.js';

/** Time from placement until an allocation runs, in ms. */
const startTime = 4_000;
/** Time from then until a service is healthy, in ms. */
const healthyTime = 10_000;

type GroupInput = NonNullable<DeploymentInput['TaskGroups']>[string];

const emptyAllocation = completeShape(allocationShape, {});

/** Creates the history of the sample's jobs: their evaluations, allocations and deployments. Call in chronological order. */
export function createSampleWork(random: SampleRandom, rows: ClusterRows, nextIndex: () => number) {
  const places = createSamplePlaces(random, rows.nodes);

  function evaluate(job: Job, at: number, more: EvaluationInput = {}): Evaluation {
    const index = nextIndex();
    const queued = (job.TaskGroups ?? []).map(({ Name }) => [Name, 0] as const);
    const row = completeShape(evaluationShape, {
      ID: random.uuid(),
      Namespace: job.Namespace,
      Priority: job.Priority,
      Type: job.Type,
      TriggeredBy: 'job-register',
      JobID: job.ID,
      JobModifyIndex: job.JobModifyIndex,
      Status: 'complete',
      QueuedAllocations: Object.fromEntries(queued),
      SnapshotIndex: index - 1,
      CreateIndex: index,
      ModifyIndex: nextIndex(),
      CreateTime: exact(stampOf(at)),
      ModifyTime: exact(stampOf(at)),
      ...more,
    });
    rows.evaluations.push(row);
    return row;
  }

  /** Returns a running allocation placed by an evaluation. */
  function place(
    job: Job,
    name: string,
    group: string,
    by: Evaluation,
    place: SamplePlace,
    ID = random.uuid(),
  ): Allocation {
    const at = Number(by.CreateTime) / 1e6;
    const index = Number(by.ModifyIndex);
    const row: Allocation = {
      ...emptyAllocation,
      ID,
      Namespace: job.Namespace,
      EvalID: by.ID,
      Name: name,
      NodeID: place.node.ID,
      NodeName: place.node.Name,
      JobID: job.ID,
      Job: job,
      TaskGroup: group,
      AllocatedResources: place.resources,
      DesiredStatus: 'run',
      ClientStatus: 'running',
      CreateIndex: index,
      ModifyIndex: nextIndex(),
      AllocModifyIndex: index,
      CreateTime: exact(stampOf(at)),
      ModifyTime: exact(stampOf(at + startTime)),
    };
    return { ...row, TaskStates: taskStates(row, () => startedTask(at + startTime)) };
  }

  function placeGroup(job: Job, group: TaskGroup, by: Evaluation): Allocation[] {
    const { Name } = group;
    const perNode = job.Type === 'system' || job.Type === 'sysbatch';
    const found = perNode
      ? places.takeAll(job, group)
      : Array.from({ length: Number(group.Count) }, () => places.take(job, group));
    return found.map((one, at) => place(job, allocationName(job.ID, Name, perNode ? 0 : at), Name, by, one));
  }

  function end(row: Allocation, at: number, how: TaskEnd, more: Partial<Allocation> = {}): Allocation {
    return {
      ...row,
      ClientStatus: how === 'failed' ? 'failed' : 'complete',
      TaskStates: taskStates(row, (state) => endedTask(state, at, how)),
      ModifyIndex: nextIndex(),
      ModifyTime: exact(stampOf(at)),
      ...more,
    };
  }

  /** Adds a deployment. Returns a function that sets the health of an allocation in it. */
  function deploy(
    job: Job,
    at: number,
    fields: DeploymentInput,
    group: (group: TaskGroup) => GroupInput,
  ): (allocation: Allocation, isHealthy: boolean, isCanary?: boolean) => Allocation {
    const index = nextIndex();
    const TaskGroups = Object.fromEntries(
      (job.TaskGroups ?? []).map((one) => [
        one.Name,
        { ProgressDeadline: one.Update?.ProgressDeadline ?? 0, DesiredTotal: one.Count, ...group(one) },
      ]),
    );
    const row = completeShape(deploymentShape, {
      ID: random.uuid(),
      Namespace: job.Namespace,
      JobID: job.ID,
      JobVersion: job.Version,
      JobModifyIndex: job.JobModifyIndex,
      JobSpecModifyIndex: job.JobModifyIndex,
      JobCreateIndex: job.CreateIndex,
      IsMultiregion: job.Multiregion !== null,
      TaskGroups,
      EvalPriority: job.Priority,
      CreateIndex: index,
      ModifyIndex: nextIndex(),
      CreateTime: exact(stampOf(at)),
      ModifyTime: exact(stampOf(at + startTime + healthyTime)),
      ...fields,
    });
    rows.deployments.push(row);
    return (allocation, Healthy, Canary = false) => ({
      ...allocation,
      DeploymentID: row.ID,
      DeploymentStatus: {
        ...{ Healthy, Canary, ModifyIndex: allocation.ModifyIndex },
        Timestamp: instantOf(Number(allocation.ModifyTime) / 1e6 + healthyTime),
      },
    });
  }

  function block(job: Job, at: number): void {
    const isNear = ({ Status, NodePool }: Node): boolean => Status === 'ready' && NodePool === job.NodePool;
    const { length } = rows.nodes.filter(isNear);
    const { LTarget, Operand, RTarget } = unmetConstraint;
    const metrics: PlacementMetrics = {
      ...{ NodesEvaluated: length, NodesFiltered: length, NodesInPool: length, NodePool: job.NodePool },
      NodesAvailable: {},
      ClassFiltered: null,
      ConstraintFiltered: { [`${LTarget} ${Operand} ${RTarget}`]: length },
      ...{ NodesExhausted: 0, ClassExhausted: null, DimensionExhausted: null, QuotaExhausted: null },
      ...{ ResourcesExhausted: null, Scores: null, ScoreMetaData: null, AllocationTime: 60_000 },
      CoalescedFailures: 0,
    };
    const groups = job.TaskGroups ?? [];
    const found: EvaluationInput = {
      FailedTGAllocs: Object.fromEntries(
        groups.map(({ Name, Count }) => [Name, { ...metrics, CoalescedFailures: Number(Count) - 1 }]),
      ),
      QueuedAllocations: Object.fromEntries(groups.map(({ Name, Count }) => [Name, Count])),
    };
    const BlockedEval = random.uuid();
    const { ID: PreviousEval } = evaluate(job, at, { ...found, BlockedEval });
    evaluate(job, at, {
      ...found,
      ...{ ID: BlockedEval, PreviousEval, TriggeredBy: 'queued-allocs', Status: 'blocked' },
      StatusDescription: 'created to place remaining allocations',
    });
  }

  return {
    /** Excludes nodes from further placements. */
    close: (isClosed: (node: Node) => boolean) => places.close(isClosed),
    /** Runs a job at a time in ms since 1970. */
    run(job: Job, at: number): void {
      if (isStartedLater(job)) return;
      if (job.Status === 'pending') {
        block(job, at);
        return;
      }
      const by = evaluate(job, at);
      const placed = (job.TaskGroups ?? []).flatMap((group) => placeGroup(job, group, by));
      const deployed =
        job.Type === 'service'
          ? deploy(
              job,
              at,
              { Status: 'successful', StatusDescription: deploymentTexts.successful },
              ({ Count }) => ({ PlacedAllocs: Count, HealthyAllocs: Count }),
            )
          : null;
      const healthy = placed.map((row) => deployed?.(row, true) ?? row);
      const isOver = job.Status === 'dead';
      const stop = { DesiredStatus: 'stop', DesiredDescription: stopTexts.notNeeded };
      const endTime = at + startTime + random.int(11_000, 20_000);
      for (const row of healthy)
        rows.allocations.push(
          isOver ? end(row, endTime, job.Stop ? 'killed' : 'completed', job.Stop ? stop : {}) : row,
        );
    },
    /** Starts the rollout of a version while the previous one keeps running. */
    rollOut(job: Job, previous: Job, at: number, outcome: 'waits' | 'fails'): void {
      const waits = outcome === 'waits';
      const by = evaluate(job, at);
      const ids = new Map((job.TaskGroups ?? []).map(({ Name }) => [Name, random.uuid()]));
      const fields = waits
        ? { Status: 'running', StatusDescription: deploymentTexts.needsPromotion }
        : { Status: 'failed', StatusDescription: deploymentTexts.unhealthy };
      const deployed = deploy(job, at, fields, ({ Name }) => ({
        PlacedAllocs: 1,
        ...(waits
          ? { HealthyAllocs: 1, DesiredCanaries: 1, PlacedCanaries: [ids.get(Name) ?? ''] }
          : { UnhealthyAllocs: 1 }),
      }));
      for (const group of job.TaskGroups ?? []) {
        const name = allocationName(job.ID, group.Name, 0);
        const next = place(job, name, group.Name, by, places.take(job, group), ids.get(group.Name));
        if (waits) {
          rows.allocations.push(deployed(next, true, true));
          continue;
        }
        replace(
          (row) => row.JobID === job.ID && row.Name === name && row.Job === previous,
          (row) =>
            end(row, at + startTime, 'killed', {
              ...{ DesiredStatus: 'stop', DesiredDescription: stopTexts.updating, NextAllocation: next.ID },
            }),
        );
        const failed = end(next, at + startTime + healthyTime, 'failed');
        const previousId = rows.allocations.find((row) => row.NextAllocation === next.ID)?.ID ?? '';
        rows.allocations.push(deployed({ ...failed, PreviousAllocation: previousId }, false));
      }
    },
    /** Marks a node as lost. Its allocations are placed elsewhere. */
    lose(node: Node, at: number): void {
      places.close((one) => one === node);
      const index = nextIndex();
      rows.nodes[rows.nodes.indexOf(node)] = {
        ...node,
        ...{ Status: 'down', StatusUpdatedAt: Math.floor(at / 1000), LastMissedHeartbeatIndex: index },
        ModifyIndex: index,
      };
      const lost = rows.allocations.filter((row) => row.NodeID === node.ID && !isTerminal(row));
      for (const row of lost) {
        const job = row.Job;
        const group = job?.TaskGroups?.find(({ Name }) => Name === row.TaskGroup);
        if (job === null || group === undefined) continue;
        const by = evaluate(job, at, { TriggeredBy: 'node-update', NodeID: node.ID, NodeModifyIndex: index });
        const next =
          job.Type === 'system' ? null : place(job, row.Name, row.TaskGroup, by, places.take(job, group));
        replace(
          ({ ID }) => ID === row.ID,
          () => ({
            ...row,
            ...{ DesiredStatus: 'stop', DesiredDescription: stopTexts.lost, ClientStatus: 'lost' },
            ...{ NextAllocation: next?.ID ?? '', ModifyIndex: nextIndex(), ModifyTime: exact(stampOf(at)) },
          }),
        );
        if (next === null) continue;
        const { DeploymentID, DeploymentStatus } = row;
        rows.allocations.push({ ...next, PreviousAllocation: row.ID, DeploymentID, DeploymentStatus });
      }
    },
  };

  function replace(isMeant: (row: Allocation) => boolean, change: (row: Allocation) => Allocation): void {
    const at = rows.allocations.findIndex(isMeant);
    const row = rows.allocations[at];
    if (row !== undefined) rows.allocations[at] = change(row);
  }
}
