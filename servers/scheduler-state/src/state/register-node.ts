import { createFlag, nodeRegisteredKey } from '@tamis/scheduler-model/cluster-flag.js';
import type { Node } from '@tamis/scheduler-model/node.js';
import { computedClass } from './node-class.js';
import { evaluateNode, hasRegistered, nodeWritten, withEvent, type NodeWritten } from './node-rows.js';
import type { Transaction } from './transaction.js';
import { markCapacity } from './write-allocations.js';

/** Valid statuses of a node. */
export const nodeStatuses = ['initializing', 'ready', 'down', 'disconnected'] as const;
export type NodeStatus = (typeof nodeStatuses)[number];

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
