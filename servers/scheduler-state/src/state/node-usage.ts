import { claimOf } from '@tamis/scheduler-model/allocated-resources.js';
import { isTerminal } from '@tamis/scheduler-model/allocation-status.js';
import type { ClusterFlag } from '@tamis/scheduler-model/cluster-flag.js';
import { usageOf, type NodeUsage } from '@tamis/scheduler-model/node-capacity.js';
import { allocationsOnNode } from './lookups.js';
import { getRow } from 'tamis/table';
import type { Tables } from './tables.js';

/** Cached sums by the flag of the node, which every change on the node replaces. */
const usages = new WeakMap<ClusterFlag, NodeUsage>();

/** Returns the resources used by a node's allocations. Cached until the next change on the node; must not be modified. */
export function usageOfNode(tables: Tables, nodeId: string): NodeUsage {
  const flag = getRow(tables.load_marks, nodeId);
  const known = flag === null ? undefined : usages.get(flag);
  if (known !== undefined) return known;
  const running = [...allocationsOnNode(tables, nodeId)].filter((row) => !isTerminal(row));
  const usage = usageOf(running.map(claimOf));
  if (flag !== null) usages.set(flag, usage);
  return usage;
}
