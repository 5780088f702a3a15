import { SchedulerError } from '@tamis/scheduler-model/base/errors.js';
import type { HttpContext } from './context.js';

/** Shared by all ACL routes: while ACLs are off, they respond with an error to every request. */
export const acl = {
  tag: 'acl',
  // The responses contain secrets, so proxies must not cache them.
  isSecret: true,
  /** @throws SchedulerError `acl-disabled` */
  requires({ access }: HttpContext): void {
    if (!access.enabled) throw new SchedulerError('acl-disabled', 'ACL support disabled');
  },
} as const;

/** The tables that define access rights. */
export const aclTables = ['acl_tokens', 'acl_policies'] as const;
