import { isActiveDeployment } from '@tamis/scheduler-model/deployment-status.js';
import { failOverdue, progressDeadline } from '@tamis/scheduler-state/state/deployment-failure.js';
import type { Key } from 'tamis';
import { scanRows, getRow } from 'tamis/table';
import { importedIndex } from './evaluation-feed.js';
import { watchTables } from './watch-tables.js';
import type { WatcherOptions } from './watcher.js';
import { createDeadlineTimer } from './deadline-timer.js';
import { createRepeatedWrites } from './repeated-writes.js';

/** Fails deployments whose groups miss their progress deadline. Returns a function that stops it. */
export function startDeploymentWatcher(options: WatcherOptions): () => void {
  const { state, clock } = options;
  const active = new Set<string>();
  let last: Key = { index: importedIndex(state.snapshot().tables), text: '\udfff' };
  const timer = createDeadlineTimer(clock, look);
  const writes = createRepeatedWrites(options, look);

  function look(): void {
    const { deployments } = state.snapshot().tables;
    for (const one of scanRows(deployments.listed, { from: last, to: null }, false)) {
      last = { index: one.CreateIndex, text: one.ID };
      active.add(one.ID);
    }
    let first: number | null = null;
    for (const id of active) {
      const deployment = getRow(deployments, id);
      if (deployment === null || !isActiveDeployment(deployment)) {
        active.delete(id);
        continue;
      }
      const due = deployment.Status === 'paused' ? null : progressDeadline(deployment);
      if (due === null || writes.isBusy(id)) continue;
      if (due <= clock.now()) fail(id);
      else if (first === null || due < first) first = due;
    }
    timer.set(first);
  }

  function fail(id: string): void {
    writes.start(id, (transaction) => failOverdue(transaction, id, clock.now()), 'deployment was not failed');
  }

  const end = watchTables(state, ['deployments'], look);
  return () => {
    end();
    timer.cancel();
    writes.cancel();
  };
}
