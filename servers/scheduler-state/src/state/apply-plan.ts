import { claimOf } from '@tamis/scheduler-model/allocated-resources.js';
import { isCanary, isFinished, isTerminal } from '@tamis/scheduler-model/allocation-status.js';
import type { Allocation } from '@tamis/scheduler-model/allocation.js';
import { isActiveDeployment } from '@tamis/scheduler-model/deployment-status.js';
import type { EvaluationInput } from '@tamis/scheduler-model/evaluation.js';
import {
  capacityOf,
  copyUsage,
  giveBack,
  lacking,
  take,
  type NodeUsage,
} from '@tamis/scheduler-model/node-capacity.js';
import { followDeployments } from './deployment-progress.js';
import { exact } from '@tamis/scheduler-model/exact.js';
import { writeEvaluation } from './evaluation-writes.js';
import { hasRegistered, isReady } from './node-rows.js';
import type { AllocationChange, DeploymentChange, Plan } from './plan.js';
import { usageOfNode } from './node-usage.js';
import { getRow } from 'tamis/table';
import type { Tables } from './tables.js';
import type { Transaction } from './transaction.js';
import { writeAllocations } from './write-allocations.js';
import { writeDeployment } from './write-deployment.js';

/** The outcome of a plan. */
export interface AppliedPlan {
  /** Number of placements and changes that were dropped because they no longer fit. */
  readonly refused: number;
  readonly accepted: number;
}

/**
 * Writes the parts of a plan that still fit. The snapshot of the plan may be outdated, so each node is checked again. Nothing is
 * placed on a node that is ineligible or full.
 */
export function applyPlan(transaction: Transaction, plan: Plan): AppliedPlan {
  const stamp = exact(transaction.stamp());
  const fits = createFitCheck(transaction.tables);
  const outcomes = plan.changes.map((change) => changedRow(transaction, change, stamp, fits));
  const changed = outcomes.filter((outcome) => typeof outcome === 'object');
  const accepted = plan.placed.filter((row) => fits.place(row));
  const placedIds = new Set(accepted.map(({ ID }) => ID));
  const refusedIds = new Set(plan.placed.map(({ ID }) => ID).filter((id) => !placedIds.has(id)));
  const rows = changed.map((row) =>
    refusedIds.has(row.NextAllocation) ? { ...row, NextAllocation: '' } : row,
  );
  if (plan.deployment !== null) writeDeployment(transaction, plan.deployment);
  for (const change of plan.deploymentChanges) endDeployment(transaction, change);
  writeAllocations(transaction, [
    ...rows,
    ...accepted.map((row) => ({ ...row, AllocModifyIndex: transaction.index })),
  ]);
  noteCanaries(transaction, accepted);
  followDeployments(transaction, [...rows, ...accepted]);
  writeLater(transaction, plan);
  const retained = outcomes.filter((outcome) => outcome === 'refused').length;
  return { refused: retained + plan.placed.length - accepted.length, accepted: accepted.length };
}

/**
 * Returns a stored allocation with the changes of a plan. `gone` if it no longer exists or has ended; `refused` if the changes no
 * longer fit.
 */
function changedRow(
  transaction: Transaction,
  { id, fields }: AllocationChange,
  stamp: number | bigint,
  fits: FitCheck,
): Allocation | 'gone' | 'refused' {
  const stored = transaction.get('allocations', id);
  if (stored === null) return 'gone';
  const isUpdate = fields.AllocatedResources !== undefined;
  if (isUpdate && isTerminal(stored)) return 'gone';
  const { ClientStatus, ...rest } = fields;
  const row: Allocation = {
    ...stored,
    ...rest,
    ...(ClientStatus === undefined || isFinished(stored) ? {} : { ClientStatus }),
    AllocModifyIndex: transaction.index,
    ModifyTime: stamp,
  };
  return fits.replace(stored, row) ? row : 'refused';
}

/** Sums the resources requested per node. */
type FitCheck = ReturnType<typeof createFitCheck>;

function createFitCheck(tables: Tables) {
  const usages = new Map<string, NodeUsage>();

  function usageOn(nodeId: string): NodeUsage {
    let usage = usages.get(nodeId);
    if (usage === undefined) usages.set(nodeId, (usage = copyUsage(usageOfNode(tables, nodeId))));
    return usage;
  }

  function fit(row: Allocation): boolean {
    const node = getRow(tables.nodes, row.NodeID);
    if (node === null || lacking(capacityOf(node), usageOn(row.NodeID), claimOf(row)) !== null) return false;
    take(usageOn(row.NodeID), claimOf(row));
    return true;
  }

  return {
    /** Returns whether a changed allocation still fits on its node, and counts it if so. */
    replace(stored: Allocation, row: Allocation): boolean {
      if (isTerminal(stored)) return true;
      const usage = usageOn(stored.NodeID);
      giveBack(usage, claimOf(stored));
      if (isTerminal(row)) return true;
      // An allocation that does not grow needs no capacity check.
      if (row.AllocatedResources !== stored.AllocatedResources && fit(row)) return true;
      take(usage, claimOf(stored));
      return row.AllocatedResources === stored.AllocatedResources;
    },
    /** Returns whether a new allocation fits, and counts it if so. */
    place(row: Allocation): boolean {
      const node = getRow(tables.nodes, row.NodeID);
      return node !== null && isReady(node) && hasRegistered(tables, node.ID) && fit(row);
    },
  };
}

/** Ends a deployment of another version, unless it has already ended. */
function endDeployment(transaction: Transaction, { id, status, description }: DeploymentChange): void {
  const stored = transaction.get('deployments', id);
  if (stored === null || !isActiveDeployment(stored)) return;
  writeDeployment(transaction, { ...stored, Status: status, StatusDescription: description });
}

/** Records new canaries in their deployments. */
function noteCanaries(transaction: Transaction, placed: readonly Allocation[]): void {
  for (const { ID, DeploymentID, TaskGroup } of placed.filter(isCanary)) {
    const stored = transaction.get('deployments', DeploymentID);
    const group = stored?.TaskGroups?.[TaskGroup] ?? null;
    if (stored === null || group === null) continue;
    const changed = { ...group, PlacedCanaries: [...(group.PlacedCanaries ?? []), ID] };
    const TaskGroups = { ...stored.TaskGroups, [TaskGroup]: changed };
    writeDeployment(transaction, { ...stored, TaskGroups });
  }
}

/** Writes the follow-up evaluations of a plan. */
function writeLater(transaction: Transaction, plan: Plan): void {
  const { job, evaluation, followUps, nextStep } = plan;
  if (job === null) return;
  const write = (triggeredBy: string, at: number, more: EvaluationInput): void => {
    const WaitUntil = new Date(at).toISOString();
    const cause = {
      triggeredBy,
      priority: evaluation.Priority,
      more: { PreviousEval: evaluation.ID, WaitUntil, ...more },
    };
    writeEvaluation(transaction, job, cause);
  };
  for (const { id, at } of followUps) {
    write('alloc-failure', at, { ID: id, StatusDescription: 'created for delayed rescheduling' });
  }
  if (nextStep !== null) write('rolling-update', nextStep, {});
}
