import { reportedIndexOf } from '@tamis/scheduler-model/reported-index.js';
import type { ChangeGroup } from './change-feed.js';

/** Index of the last allocation change by node, so that each node is notified only of its own changes. */
export type NodeChanges = ReturnType<typeof createNodeChanges>;

/** Maximum number of nodes with a recorded index. Prevents short-lived nodes from filling the memory. */
const maxNodes = 100_000;

interface Indexes {
  change: number;
  broken: number;
}

export function createNodeChanges(maxCount = maxNodes) {
  const nodes = new Map<string, Indexes>();
  let first = 0;

  function indexesOf(nodeId: string): Indexes {
    const known = nodes.get(nodeId);
    if (known !== undefined) return known;
    const indexes = { change: first, broken: first };
    nodes.set(nodeId, indexes);
    return indexes;
  }

  function reset(index: number): void {
    nodes.clear();
    first = index;
  }

  function mark(nodeId: string, index: number, isBreak: boolean): void {
    const indexes = indexesOf(nodeId);
    indexes.change = index;
    if (isBreak) indexes.broken = index;
  }

  return {
    /** Returns the index of the last change that the node must receive. */
    lastChange: (nodeId: string): number => nodes.get(nodeId)?.change ?? first,
    /**
     * Returns the index of the last change that the indexes of rows do not show: a row was deleted, or imported with its own index.
     * A client with an older index needs the full list of allocations.
     */
    lastBreak: (nodeId: string): number => nodes.get(nodeId)?.broken ?? first,
    /** Records the changes after an index. Returns the affected nodes, or null for all. */
    note(known: number, group: ChangeGroup): readonly string[] {
      const { index } = group;
      // At this index all allocations were replaced, so earlier changes are unknown.
      if (group.kind === 'reset') {
        reset(index);
        return [];
      }
      const changed = new Set<string>();
      const note = (nodeId: string, isBreak: boolean): void => {
        mark(nodeId, index, isBreak);
        changed.add(nodeId);
      };
      for (const { table, before, after } of group.changes) {
        if (table !== 'allocations') continue;
        if (before !== null && before.NodeID !== after?.NodeID) note(before.NodeID, true);
        if (after === null) continue;
        const reported = reportedIndexOf(after);
        if (before === null || reported !== reportedIndexOf(before)) note(after.NodeID, reported <= known);
      }
      if (nodes.size > maxCount) reset(index);
      return [...changed];
    },
  };
}
