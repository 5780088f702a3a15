import { createHash } from 'node:crypto';
import { notFound } from '@tamis/scheduler-model/base/errors.js';
import type { AclPolicy } from '@tamis/scheduler-model/acl-policy.js';
import type { Transaction } from './transaction.js';

/** Creates or changes a policy whose rules were parsed before. Returns the index of the write. */
export function writeAclPolicy(
  transaction: Transaction,
  { Name, Description, Rules }: Pick<AclPolicy, 'Name' | 'Description' | 'Rules'>,
): number {
  const { index } = transaction;
  const Hash = createHash('sha256')
    .update(JSON.stringify([Name, Description, Rules]))
    .digest('base64');
  const CreateIndex = transaction.get('acl_policies', Name)?.CreateIndex ?? index;
  transaction.put('acl_policies', { Name, Description, Rules, Hash, CreateIndex, ModifyIndex: index });
  return index;
}

/** Deletes a policy. Tokens that refer to it lose its rights. @throws SchedulerError `not-found` */
export function deleteAclPolicy(transaction: Transaction, name: string): number {
  if (transaction.get('acl_policies', name) === null) throw notFound('ACL policy not found');
  transaction.delete('acl_policies', name);
  return transaction.index;
}
