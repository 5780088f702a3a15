import type { Access } from '../../services/acl/access.js';
import type { Level, NamespaceCapability } from '../../services/acl/capability.js';
import { defaultNamespace } from '@tamis/scheduler-model/namespace.js';
import {
  refuse,
  requireAgent,
  requireCapability,
  requireNode,
  visibleAnywhere,
  type Visible,
} from './access.js';
import type { AgentAccess } from './agent-context.js';
import type { ReadQuery } from './query.js';

/** A right with its name in the API document. */
export type NeededRight =
  | 'nothing'
  | 'a token'
  | 'management'
  | 'any right on the namespace'
  | 'the right to read what each topic shows'
  | 'node:read and namespace:read-job'
  | `namespace:${NamespaceCapability}`
  | `node:${Level}`
  | `agent:${Level}`;

/** A right that a route requires. `G` is the type of its result: a set of rows, or nothing if it only allows the request. */
export interface Right<A, I, G, C = unknown> {
  readonly name: NeededRight;
  /**
   * @param getAccess returns the rights of the caller's token. A right that does not call it ignores tokens.
   * @throws SchedulerError `permission-denied`
   */
  readonly grant: (getAccess: () => A | Promise<A>, input: I, context: C) => G | Promise<G>;
}

/**
 * The result of a right to rows: a predicate, or nothing if it only allows the request. Never a promise, because its rejection
 * would not be awaited.
 */
export type RowsGrant = ((row: never) => boolean) | null | void;

/** A right to a set of rows. Checked again after the request has waited. */
export interface RowsRight<G extends RowsGrant> {
  readonly name: NeededRight;
  /** @throws SchedulerError `permission-denied` if the caller may not see any rows. */
  readonly grant: (access: Access, query: ReadQuery, id: string) => G;
}

/** Rows granted by a right, with the caller's access. */
export interface GrantedRows<G> {
  readonly access: Access;
  readonly rows: G;
}

interface RowsInput {
  readonly query: ReadQuery;
  /** The ID in the path; absent without one. */
  readonly id?: string;
}

/** Returns a right to rows for a route. */
export function rightToRows<G extends RowsGrant>({
  name,
  grant,
}: RowsRight<G>): Right<Access, RowsInput, GrantedRows<G>> {
  return {
    name,
    async grant(getAccess, { query, id = '' }) {
      const access = await getAccess();
      return { access, rows: grant(access, query, id) };
    },
  };
}

/** The right of routes that require none. The token is ignored. */
export const noRight: Right<unknown, unknown, void> = { name: 'nothing', grant: () => undefined };

export const management: Right<Access, unknown, void> = {
  name: 'management',
  async grant(getAccess) {
    if (!(await getAccess()).management) refuse();
  },
};

/** The right to all rows, for management tokens. */
export const managementRows: RowsRight<null> = {
  name: 'management',
  grant: (access) => (access.management ? null : refuse()),
};

export function agentRight(level: Level): Right<AgentAccess, unknown, void> {
  return {
    name: `agent:${level}`,
    async grant(getAccess) {
      requireAgent(await getAccess(), level);
    },
  };
}

export function nodeRight(level: Level): Right<AgentAccess, unknown, void> {
  return {
    name: `node:${level}`,
    async grant(getAccess) {
      requireNode(await getAccess(), level);
    },
  };
}

/** Returns the right to the namespace of the input. The API document names the first capability. */
export function namespaceRight<I extends { readonly Namespace: string }>(
  ...capabilities: readonly [NamespaceCapability, ...NamespaceCapability[]]
): Right<Access, I, void> {
  return {
    name: `namespace:${capabilities[0]}`,
    async grant(getAccess, { Namespace }) {
      requireCapability(await getAccess(), capabilities, Namespace);
    },
  };
}

/** Returns the right to rows of the requested namespace; for `*` of all namespaces in which the caller has the capability. */
export function rowsOfNamespace(capability: NamespaceCapability): RowsRight<Visible | null> {
  return {
    name: `namespace:${capability}`,
    grant(access, { namespace }) {
      if (access.management) return null;
      if (namespace === '*') return visibleAnywhere(access, capability);
      requireCapability(access, capability, namespace || defaultNamespace);
      return null;
    },
  };
}

/** Returns the right to the requested namespace, for callers with one of the capabilities. */
export function withinNamespace(
  ...capabilities: readonly [NamespaceCapability, ...NamespaceCapability[]]
): RowsRight<Visible> {
  return {
    name: `namespace:${capabilities[0]}`,
    grant(access, { namespace }) {
      requireCapability(access, capabilities, namespace || defaultNamespace);
      return () => true;
    },
  };
}

/** Returns the right to objects found by ID, in any namespace in which the caller has the capability. */
export function rowsAnywhere(capability: NamespaceCapability): RowsRight<Visible> {
  return {
    name: `namespace:${capability}`,
    grant: (access, query) => visibleAnywhere(access, capability, query),
  };
}
