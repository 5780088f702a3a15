import { badRequest, notFound } from '@tamis/scheduler-model/base/errors.js';
import { completeShape } from '@tamis/scheduler-model/complete-shape.js';
import { defaultNamespace, namespaceShape, type NamespaceInput } from '@tamis/scheduler-model/namespace.js';
import { prefixRange, scanRows } from 'tamis/table';
import type { Transaction } from './transaction.js';

/** Creates or changes a namespace. Returns the index of the write. */
export function writeNamespace(
  transaction: Transaction,
  given: NamespaceInput & { readonly Name: string },
): number {
  const { index } = transaction;
  const stored = transaction.get('namespaces', given.Name);
  const written = { ...given, CreateIndex: stored?.CreateIndex ?? index, ModifyIndex: index };
  transaction.put('namespaces', completeShape(namespaceShape, written));
  return index;
}

/**
 * Deletes a namespace without running jobs. Returns the index of the write.
 *
 * @throws SchedulerError `not-found` or `bad-request`.
 */
export function deleteNamespace(transaction: Transaction, name: string): number {
  if (name === defaultNamespace) throw badRequest(`namespace ${JSON.stringify(name)} can not be deleted`);
  if (transaction.get('namespaces', name) === null) throw notFound('Namespace not found');
  for (const job of scanRows(transaction.tables.jobs.primary, prefixRange(`${name}.`), false)) {
    if (job.Status === 'dead') continue;
    throw badRequest(
      `namespace ${JSON.stringify(name)} has a job that is not dead: ${JSON.stringify(job.ID)}. Stop its jobs first`,
    );
  }
  transaction.delete('namespaces', name);
  return transaction.index;
}
