import type { Node } from '@tamis/scheduler-model/node.js';
import { hasRegistered } from '@tamis/scheduler-state/state/node-rows.js';
import { nextDrainStep, takeDrainStep } from '@tamis/scheduler-state/state/node-drain.js';
import { scanRows, fullRange } from 'tamis/table';
import type { Tables } from '@tamis/scheduler-state/state/tables.js';
import { watchTables } from './watch-tables.js';
import type { WatcherOptions } from './watcher.js';
import { createDeadlineTimer } from './deadline-timer.js';
import { createRepeatedWrites } from './repeated-writes.js';

/** Moves allocations off draining nodes step by step, and ends completed drains. Returns a function that stops it. */
export function startDrainer(options: WatcherOptions): () => void {
  const { state, clock } = options;
  const timer = createDeadlineTimer(clock, look);
  const writes = createRepeatedWrites(options, look);

  function look(): void {
    const { tables } = state.snapshot();
    const now = clock.now();
    let first: number | null = null;
    for (const node of drainingNodes(tables)) {
      if (!writes.isBusy(node.ID) && hasDrainStep(tables, node, now)) step(node.ID);
      const force = Date.parse(node.DrainStrategy?.ForceDeadline ?? '');
      if (force > now && (first === null || force < first)) first = force;
    }
    timer.set(first);
  }

  function step(nodeId: string): void {
    writes.start(nodeId, (transaction) => takeDrainStep(transaction, nodeId), 'drain made no progress');
  }

  const end = watchTables(state, ['nodes', 'allocations'], look);
  return () => {
    end();
    timer.cancel();
    writes.cancel();
  };
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
