import type { Node } from '@tamis/scheduler-model/node.js';
import { hasRegistered } from '@tamis/scheduler-state/state/node-rows.js';
import { nextDrainStep, takeDrainStep } from '@tamis/scheduler-state/state/node-drain.js';
import { scanRows, fullRange } from 'tamis/table';
import type { Tables } from '@tamis/scheduler-state/state/tables.js';
import { startWatcher, type WatcherOptions } from './watcher.js';

/** Moves allocations off draining nodes step by step, and ends completed drains. Returns a function that stops it. */
export function startDrainer(options: WatcherOptions): () => void {
  const { state, clock } = options;
  return startWatcher(options, ['nodes', 'allocations'], (writes) => {
    const { tables } = state.snapshot();
    const now = clock.now();
    let first: number | null = null;
    for (const node of drainingNodes(tables)) {
      if (!writes.isBusy(node.ID) && hasDrainStep(tables, node, now)) {
        writes.start(node.ID, (transaction) => takeDrainStep(transaction, node.ID), 'drain made no progress');
      }
      const force = Date.parse(node.DrainStrategy?.ForceDeadline ?? '');
      if (force > now && (first === null || force < first)) first = force;
    }
    return first;
  });
}

function hasDrainStep(tables: Tables, node: Node, now: number): boolean {
  const { migrate, isDone } = nextDrainStep(tables, node, now);
  return isDone || migrate.length > 0;
}

/** The draining nodes of a table of nodes. Cached by table, because tables are immutable. */
const drainingByTable = new WeakMap<Tables['nodes'], readonly Node[]>();

function drainingNodes(tables: Tables): readonly Node[] {
  let draining = drainingByTable.get(tables.nodes);
  if (draining === undefined) {
    draining = [...scanRows(tables.nodes.primary, fullRange, false)].filter(
      (node) => node.DrainStrategy !== null && hasRegistered(tables, node.ID),
    );
    drainingByTable.set(tables.nodes, draining);
  }
  return draining;
}
