import type { Deployment } from '@tamis/scheduler-model/deployment.js';
import { exact } from '@tamis/scheduler-model/exact.js';
import type { Transaction } from './transaction.js';

/** Status descriptions of deployments. */
export const deploymentTexts = Object.freeze({
  running: 'Deployment is running',
  needsPromotion: 'Deployment is running but requires manual promotion',
  autoPromotion: 'Deployment is running pending automatic promotion',
  paused: 'Deployment is paused',
  successful: 'Deployment completed successfully',
  stoppedJob: 'Cancelled because job is stopped',
  newerJob: 'Cancelled due to newer version of job',
  unhealthy: 'Failed due to unhealthy allocations',
  progressDeadline: 'Failed due to progress deadline',
  failedByUser: 'Deployment marked as failed',
});

/** Writes a new or changed deployment at the index of the transaction. */
export function writeDeployment(transaction: Transaction, deployment: Deployment): void {
  const now = exact(transaction.stamp());
  const stored = transaction.get('deployments', deployment.ID);
  transaction.put('deployments', {
    ...deployment,
    CreateIndex: stored?.CreateIndex ?? transaction.index,
    ModifyIndex: transaction.index,
    CreateTime: stored?.CreateTime ?? now,
    ModifyTime: now,
  });
}
