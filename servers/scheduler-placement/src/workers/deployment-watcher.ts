import { isActiveDeployment } from '@tamis/scheduler-model/deployment-status.js';
import { failOverdue, progressDeadline } from '@tamis/scheduler-state/state/deployment-failure.js';
import type { Transaction } from '@tamis/scheduler-state/state/transaction.js';
import type { Key } from 'tamis';
import { scanRows, getRow } from 'tamis/table';
import { importedIndex } from './evaluation-feed.js';
import { startWatcher, type WatcherOptions } from './watcher.js';

/** Fails deployments whose groups miss their progress deadline. Returns a function that stops it. */
export function startDeploymentWatcher(options: WatcherOptions): () => void {
  const { state, clock } = options;
  const active = new Set<string>();
  let last: Key = { index: importedIndex(state.snapshot().tables), text: '\udfff' };
  return startWatcher(options, ['deployments'], (writes) => {
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
      if (due <= clock.now()) {
        const fail = (transaction: Transaction): unknown => failOverdue(transaction, id, clock.now());
        writes.start(id, fail, 'deployment was not failed');
      } else if (first === null || due < first) first = due;
    }
    return first;
  });
}
