import type { Node } from '@tamis/scheduler-model/node.js';
import { hasRegistered } from '@tamis/scheduler-state/state/node-rows.js';
import { nextDrainStep, takeDrainStep } from '@tamis/scheduler-state/state/node-drain.js';
import { scanRows, fullRange } from 'tamis/table';
import type { Tables } from '@tamis/scheduler-state/state/tables.js';
import { watchTables } from './watch-tables.js';
import type { WatcherOptions } from './watcher.js';
import { createDeadlineTimer } from './deadline-timer.js';

/** Moves allocations off draining nodes, step by step, and ends drains that are done. The function returned ends it. */
export function startDrainer({ state, clock, warn }: WatcherOptions): () => void {
  const timer = createDeadlineTimer(clock, look);
  /** Nodes whose step is being written. */
  const busy = new Set<string>();

  function look(): void {
    const { tables } = state.snapshot();
    const now = clock.now();
    let first: number | null = null;
    for (const node of drainingNodes(tables)) {
      // Who is busy looks again afterwards.
      if (!busy.has(node.ID) && hasDrainStep(tables, node, now)) step(node.ID);
      const force = Date.parse(node.DrainStrategy?.ForceDeadline ?? '');
      if (force > now && (first === null || force < first)) first = force;
    }
    timer.set(first);
  }

  function step(nodeId: string): void {
    busy.add(nodeId);
    state
      .write((transaction) => takeDrainStep(transaction, nodeId))
      .then(
        () => {
          busy.delete(nodeId);
          look();
        },
        (error: unknown) => {
          busy.delete(nodeId);
          warn('drain made no progress', { err: error, node: nodeId });
        },
      );
  }

  const end = watchTables(state, ['nodes', 'allocations'], look);
  return () => {
    end();
    timer.cancel();
  };
}

function hasDrainStep(tables: Tables, node: Node, now: number): boolean {
  const { migrate, isDone } = nextDrainStep(tables, node, now);
  return isDone || migrate.length > 0;
}

/** The draining nodes of a table of nodes, which never changes. */
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
