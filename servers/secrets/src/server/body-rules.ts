import { maxBodyLength } from '../api/endpoint-table.js';
import type { AuthMount } from '../auth/method-type.js';
import type { BodyRule } from '../http/body-budget.js';
import { maxPolicyBodyLength } from '../routes/policy-routes.js';
import { maxStatusBodyBytes, statusWrites } from '../routes/status-routes.js';

const defaults: BodyRule = { maxLength: maxBodyLength, isOpen: false };
const policy: BodyRule = { maxLength: maxPolicyBodyLength, isOpen: false };
const status: BodyRule = { maxLength: maxStatusBodyBytes, isOpen: true };

/**
 * Returns the body limits by path below `/v1/`. They do not depend on the store, because a standby has no endpoint tables but
 * must apply the limits of the active server.
 */
export function createBodyRules(
  mounts: readonly Pick<AuthMount, 'path' | 'login'>[],
): (path: string) => BodyRule {
  const logins = mounts.map(({ path, login }) => ({
    path: `auth/${path}/login`,
    rule: { maxLength: login.maxBodyLength, isOpen: true },
  }));
  return (path) => {
    if (statusWrites.has(path)) return status;
    if (path.startsWith('sys/policies/acl/') || path.startsWith('sys/policy/')) return policy;
    const login = logins.find((each) => path === each.path || path.startsWith(`${each.path}/`));
    return login?.rule ?? defaults;
  };
}
