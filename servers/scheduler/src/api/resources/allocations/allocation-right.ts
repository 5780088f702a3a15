import type { Access } from '../../../services/acl/access.js';
import type { NamespaceCapability } from '../../../services/acl/capability.js';
import { notFound } from '@tamis/scheduler-model/base/errors.js';
import type { Allocation } from '@tamis/scheduler-model/allocation.js';
import { getRow } from 'tamis/table';
import { ifVisible, refuse } from '../../kernel/access.js';
import type { HttpContext } from '../../kernel/context.js';
import type { Right } from '../../kernel/rights.js';

/**
 * Returns the right to an allocation by any of several capabilities in its namespace. Without one, the allocation is reported as
 * missing.
 */
export function allocationRight(
  ...capabilities: readonly [NamespaceCapability, ...NamespaceCapability[]]
): Right<Access, { readonly id: string }, Allocation, HttpContext> {
  return {
    name: `namespace:${capabilities[0]}`,
    async grant(getAccess, { id }, { state }) {
      const access = await getAccess();
      const given = capabilities.flatMap((capability) => access.namespacesWith(capability) ?? []);
      if (given.length === 0) refuse();
      const row = getRow(state.snapshot().tables.allocations, id);
      const found = ifVisible(row, ({ Namespace }) => given.some((isGiven) => isGiven(Namespace)));
      if (found === null) throw notFound('alloc not found');
      return found;
    },
  };
}
