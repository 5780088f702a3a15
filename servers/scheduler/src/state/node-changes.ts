import type { Allocation } from '../model/allocation.js';
import type { Batch } from '../storage/storage.js';
import type { Snapshot } from './snapshot.js';
import { getRow } from './table.js';

/** When the allocations of a node last changed, so that a node hears of its own and of nothing else. */
export interface NodeChanges {
  /** The index of the last change that the node must hear of. */
  lastChange(nodeId: string): number;
  /**
   * The index of the last change that the rows do not tell by their own indexes: one is gone, or has come with an index
   * of elsewhere. Who has heard of nothing since must be told which allocations there are.
   */
  lastBreak(nodeId: string): number;
  /** Takes note of what was written over these tables; returns the nodes that must hear of it. */
  note(before: Snapshot, batch: Batch): readonly string[];
  /** Takes note that all allocations are others from this index on: what was before it, nobody knows any more. */
  reset(index: number): void;
}

/** The index of the last change of an allocation that its node must hear of. Imported rows may say anything. */
export function toldIndex({ AllocModifyIndex, ModifyIndex }: Allocation): number {
  return Math.min(Number(AllocModifyIndex), Number(ModifyIndex));
}

/** Most nodes of which it is known when they changed. Stops nodes that come and go from filling the memory. */
const maxNodes = 100_000;

interface Indexes {
  change: number;
  broken: number;
}

export function createNodeChanges(most = maxNodes): NodeChanges {
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
    lastChange: (nodeId) => nodes.get(nodeId)?.change ?? first,
    lastBreak: (nodeId) => nodes.get(nodeId)?.broken ?? first,
    note({ tables, index: before }, { index, puts, deletes }) {
      const changed = new Set<string>();
      const note = (nodeId: string, isBreak: boolean): void => {
        mark(nodeId, index, isBreak);
        changed.add(nodeId);
      };
      for (const { table, key, row } of puts) {
        if (table !== 'allocations') continue;
        const stored = getRow(tables.allocations, key);
        const allocation = row as Allocation; // the rows of this table are allocations
        if (stored !== null && stored.NodeID !== allocation.NodeID) note(stored.NodeID, true);
        const told = toldIndex(allocation);
        if (stored === null || told !== toldIndex(stored)) note(allocation.NodeID, told <= before);
      }
      for (const { table, key } of deletes) {
        const stored = table === 'allocations' ? getRow(tables.allocations, key) : null;
        if (stored !== null) note(stored.NodeID, true);
      }
      if (nodes.size > most) reset(index);
      return [...changed];
    },
    reset,
  };
}
