import { SchedulerError } from '@tamis/scheduler-model/base/errors.js';
import type { HttpContext } from './context.js';

/** What all routes of access control have in common: while that is off they say so, whoever asks for whatever. */
export const acl = {
  tag: 'acl',
  // The answers hold secrets: nobody on the way is to keep them.
  isSecret: true,
  /** @throws SchedulerError `acl-disabled` */
  requires({ access }: HttpContext): void {
    if (!access.enabled) throw new SchedulerError('acl-disabled', 'ACL support disabled');
  },
} as const;

/** The tables that say who may do what. */
export const aclTables = ['acl_tokens', 'acl_policies'] as const;
