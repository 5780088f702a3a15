import { badRequest } from '@tamis/scheduler-model/base/errors.js';
import { withEvent, type NodeWritten } from './node-rows.js';
import { requireNode } from './node-status.js';
import { finishNodeWrite } from './register-node.js';
import type { Transaction } from './transaction.js';

/**
 * Sets whether a node accepts new allocations. A node that becomes eligible is evaluated.
 *
 * @throws SchedulerError `not-found`, or `bad-request` for an invalid value or a draining node.
 */
export function setEligibility(transaction: Transaction, nodeId: string, eligibility: string): NodeWritten {
  if (eligibility !== 'eligible' && eligibility !== 'ineligible') {
    throw badRequest(`invalid scheduling eligibility ${JSON.stringify(eligibility)}`);
  }
  const stored = requireNode(transaction, nodeId);
  if (stored.DrainStrategy !== null && eligibility === 'eligible') {
    throw badRequest("can not set node's scheduling eligibility to eligible while it is draining");
  }
  const { index } = transaction;
  const isChanged = stored.SchedulingEligibility !== eligibility;
  const now = Number(transaction.stamp() / 1_000_000n);
  const message = `Node marked as ${eligibility} for scheduling`;
  const node = {
    ...stored,
    SchedulingEligibility: eligibility,
    Events: isChanged ? withEvent(stored, message, 'Cluster', now, index) : stored.Events,
    ModifyIndex: index,
  };
  transaction.put('nodes', node);
  const isRenewed = isChanged && eligibility === 'eligible';
  return finishNodeWrite(transaction, node, isRenewed ? 'node-update' : null);
}
