import type { FastifyRequest } from 'fastify';
import type { ReadBarrier } from '@tamis/scheduler-state/cluster/read-barrier.js';
import { anonymousPolicy } from '@tamis/scheduler-model/acl-policy.js';
import { fullAccess, type Access } from '../../services/acl/access.js';
import type { AccessResolver } from '../../services/acl/access-resolver.js';
import type { Level, NamespaceCapability } from '../../services/acl/capability.js';
import { SchedulerError } from '@tamis/scheduler-model/base/errors.js';
import type { Snapshot } from '@tamis/scheduler-state/state/snapshot.js';
import type { State } from '@tamis/scheduler-state/state/state.js';
import type { ReadQuery } from './query.js';
import { tokenHeaders } from './requests/forwarded.js';

/** The tokens and policies that determine rights. */
export interface AccessSource {
  readonly access: AccessResolver;
  readonly state: Pick<State, 'snapshot'>;
}

/**
 * Returns the rights of the sender of a request, now or in a snapshot.
 *
 * @throws SchedulerError `permission-denied` for an unknown or expired token.
 */
export function accessOf(
  request: Pick<FastifyRequest, 'headers'>,
  context: AccessSource,
  snapshot?: Snapshot,
): Access {
  const { access, state } = context;
  // Without ACLs tokens are ignored.
  if (!access.enabled) return fullAccess;
  return access.resolve(secretOf(request), snapshot ?? state.snapshot()) ?? refuse();
}

/**
 * Like `accessOf`, but checks again with the newest tokens if the local ones do not suffice. So a token that another server has
 * just created is accepted.
 */
export async function newestAccessOf(
  request: Pick<FastifyRequest, 'headers'>,
  { catchUp, ...source }: AccessSource & { readonly catchUp: ReadBarrier },
): Promise<Access> {
  const { access, state } = source;
  if (access.enabled && access.resolve(secretOf(request), state.snapshot()) === null) {
    // Without a leader there are no newer tokens.
    await catchUp(new AbortController().signal).catch(() => undefined);
  }
  return accessOf(request, source);
}

/** Returns the accessor of the request's token, for logs; empty without ACLs. */
export function accessorOf(
  request: Pick<FastifyRequest, 'headers'>,
  { access, state }: AccessSource,
): string {
  if (!access.enabled) return '';
  const secret = secretOf(request);
  if (secret === '') return anonymousPolicy;
  return access.findToken(secret, state.snapshot())?.AccessorID ?? '';
}

/** Returns the secret of a request, from its own header or a bearer token; empty if none exists. */
export function secretOf({ headers }: Pick<FastifyRequest, 'headers'>): string {
  for (const name of tokenHeaders) {
    const secret = [headers[name]].flat()[0]?.trim() ?? '';
    if (secret !== '') return secret;
  }
  const [scheme = '', token = ''] = (headers.authorization ?? '').trim().split(/ +/, 2);
  return scheme.toLowerCase() === 'bearer' ? token : '';
}

/** @throws SchedulerError `permission-denied` unless the caller has one of the capabilities in the namespace. */
export function requireCapability(
  access: Access,
  capability: NamespaceCapability | readonly NamespaceCapability[],
  namespace: string,
): void {
  if (!access.allowsNamespace(capability, namespace)) refuse();
}

/** A row of a namespace. */
export interface Namespaced {
  readonly Namespace: string;
}

/** Whether the caller can see a row. */
export type Visible = (row: Namespaced) => boolean;

/**
 * Returns a predicate for the rows of the requested namespace that the caller can see. Without a namespace, or for `*`, it
 * accepts all namespaces in which the caller has the capability.
 *
 * @throws SchedulerError `permission-denied`
 */
export function visibleAnywhere(
  access: Access,
  capability: NamespaceCapability,
  { namespace }: Pick<ReadQuery, 'namespace'> = { namespace: '*' },
): Visible {
  if (namespace !== '' && namespace !== '*') requireCapability(access, capability, namespace);
  const given = access.namespacesWith(capability) ?? refuse();
  return (row) => given(row.Namespace);
}

/** Returns a row, or null if the caller may not see it. */
export function ifVisible<T extends Namespaced>(row: T | null, isVisible: Visible): T | null {
  return row !== null && isVisible(row) ? row : null;
}

/** @throws SchedulerError `permission-denied` */
export function requireNode(access: Pick<Access, 'node'>, level: Level): void {
  if (!access.node(level)) refuse();
}

/** @throws SchedulerError `permission-denied` */
export function requireAgent(access: Pick<Access, 'agent'>, level: Level): void {
  if (!access.agent(level)) refuse();
}

/**
 * Rejects a request. There is only this error, so that it does not reveal the missing right. @throws SchedulerError
 * `permission-denied`
 */
export function refuse(): never {
  throw new SchedulerError('permission-denied', 'Permission denied');
}
