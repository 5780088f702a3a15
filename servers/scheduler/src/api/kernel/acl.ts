import { badRequest } from '@tamis/scheduler-model/base/errors.js';
import type { HttpContext } from './context.js';

/** Settings shared by all ACL routes. While ACLs are off, these routes respond to every request with an error. */
export const acl = {
  tag: 'acl',
  // The responses contain secrets, so proxies must not cache them.
  isSecret: true,
  /** @throws SchedulerError `bad-request` */
  requires({ access }: HttpContext): void {
    if (!access.enabled) throw badRequest('ACL support disabled');
  },
} as const;

/** The tables that define access rights. */
export const aclTables = ['acl_tokens', 'acl_policies'] as const;
