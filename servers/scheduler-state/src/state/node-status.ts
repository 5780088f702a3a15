import { createFlag, nodeRegisteredKey } from '@tamis/scheduler-model/cluster-flag.js';
import type { Node } from '@tamis/scheduler-model/node.js';
import { notFound, badRequest } from '@tamis/scheduler-model/base/errors.js';
import { evaluateNode, hasRegistered, nodeWritten, withEvent, type NodeWritten } from './node-rows.js';
import type { Transaction } from './transaction.js';
import { computedClass } from './node-class.js';
import { markCapacity } from './write-allocations.js';

/** The messages of node events. */
const nodeTexts = Object.freeze({
  missed: 'Node heartbeat missed',
  returned: 'Node reregistered by heartbeat',
});

/** Returns the stored node. @throws SchedulerError `not-found`. */
export function requireNode(transaction: Transaction, nodeId: string): Node {
  const node = transaction.get('nodes', nodeId);
  if (node === null) throw notFound('node not found');
  return node;
}

/**
 * Changes the status of a node. Evaluations are created if the node goes down, because its allocations are lost and must be
 * placed elsewhere. They are also created if it comes back, because it has capacity.
 *
 * @throws SchedulerError `not-found`.
 */
export function updateNodeStatus(transaction: Transaction, nodeId: string, status: NodeStatus): NodeWritten {
  const { index } = transaction;
  const stored = requireNode(transaction, nodeId);
  const now = Number(transaction.stamp() / 1_000_000n);
  if (stored.Status === status) return unchanged(transaction, stored);
  const changed: Node = {
    ...stored,
    Status: status,
    StatusDescription: '',
    StatusUpdatedAt: Math.floor(now / 1000),
    ModifyIndex: index,
  };
  const isLost = status === 'down' || status === 'disconnected';
  const node = isLost
    ? {
        ...changed,
        LastMissedHeartbeatIndex: index,
        Events: withEvent(changed, nodeTexts.missed, 'Cluster', now, index),
      }
    : stored.Status === 'down'
      ? { ...changed, Events: withEvent(changed, nodeTexts.returned, 'Cluster', now, index) }
      : changed;
  transaction.put('nodes', node);
  return finishNodeWrite(transaction, node, 'node-update');
}

/**
 * Records a heartbeat. Most heartbeats change nothing, so call this only if `heartbeatChanges` returns true. The first heartbeat
 * makes the node usable for placements. A node that is not ready becomes ready.
 *
 * @throws SchedulerError `not-found`.
 */
export function recordHeartbeat(transaction: Transaction, nodeId: string): NodeWritten {
  const stored = requireNode(transaction, nodeId);
  const isFirst = !hasRegistered(transaction.tables, nodeId);
  if (isFirst) transaction.put('marks', createFlag(nodeRegisteredKey(nodeId), transaction.index));
  if (stored.Status !== 'ready') return updateNodeStatus(transaction, nodeId, 'ready');
  if (isFirst) return finishNodeWrite(transaction, stored, 'node-update');
  return unchanged(transaction, stored);
}

function unchanged(transaction: Transaction, node: Node): NodeWritten {
  return { ...nodeWritten(transaction, node.ModifyIndex, []), Index: transaction.index - 1 };
}

/** Creates evaluations for a node, without changing it. @throws SchedulerError `not-found`. */
export function reevaluateNode(transaction: Transaction, nodeId: string): NodeWritten {
  const node = requireNode(transaction, nodeId);
  const evalIds = evaluateNode(transaction, node, 'node-update');
  return nodeWritten(transaction, node.ModifyIndex, evalIds);
}

/** Deletes a node; its allocations are lost. @throws SchedulerError `not-found`. */
export function purgeNode(transaction: Transaction, nodeId: string): NodeWritten {
  const node = requireNode(transaction, nodeId);
  const evalIds = evaluateNode(transaction, node, 'node-update');
  transaction.delete('nodes', nodeId);
  transaction.delete('marks', nodeRegisteredKey(nodeId));
  return nodeWritten(transaction, transaction.index, evalIds);
}

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

/** Valid statuses of a node. */
const nodeStatuses = ['initializing', 'ready', 'down', 'disconnected'] as const;
type NodeStatus = (typeof nodeStatuses)[number];

/** The fields of a node that the cluster sets. Its client reports all other fields. */
const ownedByCluster = [
  'DrainStrategy',
  'SchedulingEligibility',
  'Events',
  'LastDrain',
  'LastMissedHeartbeatIndex',
  'LastAllocUpdateIndex',
  'CreateIndex',
] as const satisfies readonly (keyof Node)[];

/**
 * Registers the client of a node, or registers it again. This counts as a heartbeat. The caller has completed the row and
 * compared the given secret with the stored one.
 */
export function registerNode(transaction: Transaction, given: Node): NodeWritten {
  const { index } = transaction;
  const stored = transaction.get('nodes', given.ID);
  const now = Number(transaction.stamp() / 1_000_000n);
  const retained =
    stored === null ? {} : Object.fromEntries(ownedByCluster.map((name) => [name, stored[name]]));
  const isNew = stored === null || !hasRegistered(transaction.tables, given.ID);
  const node: Node = {
    ...given,
    Status: given.Status === 'ready' ? 'ready' : 'initializing',
    StatusDescription: '',
    StatusUpdatedAt: Math.floor(now / 1000),
    NodePool: given.NodePool || 'default',
    SchedulingEligibility: 'eligible',
    DrainStrategy: null,
    LastDrain: null,
    ComputedClass: computedClass(given),
    CreateIndex: index,
    ...retained,
    ModifyIndex: index,
  };
  const message = isNew ? 'Node registered' : 'Node re-registered';
  const isBack = isNew || stored.Status === 'down';
  const Events = isBack ? withEvent(node, message, 'Cluster', now, index) : node.Events;
  transaction.put('nodes', { ...node, Events });
  if (isNew) transaction.put('marks', createFlag(nodeRegisteredKey(node.ID), index));
  const isChanged = isBack || stored.Status !== node.Status || stored.ComputedClass !== node.ComputedClass;
  return finishNodeWrite(transaction, node, isChanged ? 'node-update' : null);
}

/** Unblocks evaluations for nodes of this class, and evaluates what a change affects; null for no evaluations. */
export function finishNodeWrite(
  transaction: Transaction,
  node: Node,
  triggeredBy: string | null,
): NodeWritten {
  if (node.Status === 'ready' && node.SchedulingEligibility === 'eligible')
    markCapacity(transaction, node.ID);
  const evalIds = triggeredBy === null ? [] : evaluateNode(transaction, node, triggeredBy);
  return nodeWritten(transaction, node.ModifyIndex, evalIds);
}
