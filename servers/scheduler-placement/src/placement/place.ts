import { drain, type Steps } from '@tamis/http';
import { isTerminal } from '@tamis/scheduler-model/allocation-status.js';
import type { Allocation } from '@tamis/scheduler-model/allocation.js';
import type { Evaluation } from '@tamis/scheduler-model/evaluation.js';
import { jobKey } from '@tamis/scheduler-model/job.js';
import type { Plan } from '@tamis/scheduler-state/state/plan.js';
import { allocationsOfJob } from '@tamis/scheduler-state/state/lookups.js';
import { getRow } from 'tamis/table';
import type { Tables } from '@tamis/scheduler-state/state/tables.js';
import { findCurrentDeployment } from './current-deployment.js';
import { stopTexts, type Stop } from './decision.js';
import { stopGroups } from './desired-updates.js';
import { createPlanBuilder, type PlanBuilder } from './plan-builder.js';
import type { PlacementOptions } from './placement-options.js';
import { isPause } from './pause.js';
import { placeOnNodes } from './place-on-nodes.js';
import { placeCounts } from './place-counts.js';
import { createPlacementContext } from './placement-context.js';

/**
 * Plans an evaluation: which allocations of its job to place, change and stop. Only reads the tables. Equal tables, evaluations
 * and options give equal plans.
 */
export function place(tables: Tables, evaluation: Evaluation, options: PlacementOptions): Plan {
  return drain(placing(tables, evaluation, options));
}

/** Plans an evaluation like {@link place}, with pauses in which the caller can do other work. */
export function* placing(tables: Tables, evaluation: Evaluation, options: PlacementOptions): Steps<Plan> {
  const job = getRow(tables.jobs, jobKey({ Namespace: evaluation.Namespace, ID: evaluation.JobID }));
  const allocations: Allocation[] = [];
  for (const allocation of allocationsOfJob(tables, evaluation)) {
    if (isPause(allocations.push(allocation))) yield;
  }
  const deployment = findCurrentDeployment(tables, evaluation, job);
  const plan = createPlanBuilder(evaluation, job, options);
  plan.end(deployment.ended);
  if (job === null || job.Stop) {
    yield* stopEverything(tables, allocations, plan);
    return plan.finish(false);
  }
  yield;
  const context = createPlacementContext(tables, job, allocations, options);
  yield;
  const isOnNodes = job.Type === 'system' || job.Type === 'sysbatch';
  const hasMore = isOnNodes
    ? yield* placeOnNodes(context, allocations, plan, options)
    : yield* placeCounts(context, evaluation, allocations, deployment, plan, options);
  return plan.finish(hasMore);
}

function* stopEverything(tables: Tables, allocations: readonly Allocation[], plan: PlanBuilder): Steps<void> {
  const stops: Stop[] = [];
  for (const [at, allocation] of allocations.entries()) {
    if (isPause(at)) yield;
    if (isTerminal(allocation)) continue;
    const node = getRow(tables.nodes, allocation.NodeID);
    const isLost = node === null || node.Status === 'down';
    stops.push({ allocation, description: isLost ? stopTexts.lost : stopTexts.notNeeded, isLost });
  }
  yield* stopGroups(stops, plan);
}
