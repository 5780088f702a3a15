import { createFlag, nodeRegisteredKey } from '@tamis/scheduler-model/cluster-flag.js';
import type { Node } from '@tamis/scheduler-model/node.js';
import { notFound } from '@tamis/scheduler-model/base/errors.js';
import { evaluateNode, hasRegistered, nodeWritten, withEvent, type NodeWritten } from './node-rows.js';
import { finishNodeWrite, type NodeStatus } from './register-node.js';
import type { Transaction } from './transaction.js';

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
  return { ...nodeWritten(transaction, node.ModifyIndex, []), index: transaction.index - 1 };
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
