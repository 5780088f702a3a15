import { scanRows, fullRange } from 'tamis/table';
import { capacityOf } from '@tamis/scheduler-model/node-capacity.js';
import type { PoolUse, Share } from '@tamis/scheduler-model/wire/pool-use.js';
import { usageOfNode } from './node-usage.js';
import type { Tables } from './tables.js';

/**
 * Yields the use of each node pool, in order of names. Yields null after each node, so that the caller can let other work run: a
 * cluster may have thousands of nodes.
 */
export function* usesOfPools(tables: Tables): Generator<PoolUse | null, void, undefined> {
  const pools = new Map<string, PoolUse>();
  for (const node of scanRows(tables.nodes.primary, fullRange, false)) {
    const use = pools.get(node.NodePool) ?? emptyPool(node.NodePool);
    pools.set(node.NodePool, use);
    use.Nodes += 1;
    if (node.Status === 'ready') {
      const capacity = capacityOf(node);
      const usage = usageOfNode(tables, node.ID);
      use.ReadyNodes += 1;
      use.Allocations += usage.allocations;
      add(use.CPU, usage.cpu, capacity.cpu);
      add(use.MemoryMB, usage.memory, capacity.memory);
      add(use.DiskMB, usage.disk, capacity.disk);
    }
    yield null;
  }
  yield* [...pools.values()].sort((a, b) => (a.NodePool < b.NodePool ? -1 : 1));
}

function emptyPool(NodePool: string): PoolUse {
  const nothing = (): Share => ({ Used: 0, Total: 0 });
  return {
    ...{ NodePool, Nodes: 0, ReadyNodes: 0, Allocations: 0 },
    ...{ CPU: nothing(), MemoryMB: nothing(), DiskMB: nothing() },
  };
}

function add(share: Share, used: number, total: number): void {
  share.Used += used;
  // The reserved resources of a node may exceed those of its machine.
  share.Total += Math.max(0, total);
}
