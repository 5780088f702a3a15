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

/** The tokens and policies by which requests are judged. */
export interface AccessSource {
  readonly access: AccessResolver;
  readonly state: Pick<State, 'snapshot'>;
}

/**
 * Returns the rights of the sender of a request, now or in a snapshot.
 *
 * @throws SchedulerError `permission-denied` for a token that does not exist or has expired.
 */
export function accessOf(
  request: Pick<FastifyRequest, 'headers'>,
  context: AccessSource,
  snapshot?: Snapshot,
): Access {
  const { access, state } = context;
  // Without access control whatever a client sends as a token is not looked at.
  if (!access.enabled) return fullAccess;
  return access.resolve(secretOf(request), snapshot ?? state.snapshot()) ?? refuse();
}

/**
 * The same, but checks the newest tokens if the local ones do not suffice: a token that another server has just created is not
 * refused.
 */
export async function newestAccessOf(
  request: Pick<FastifyRequest, 'headers'>,
  { catchUp, ...source }: AccessSource & { readonly catchUp: ReadBarrier },
): Promise<Access> {
  const { access, state } = source;
  if (access.enabled && access.resolve(secretOf(request), state.snapshot()) === null) {
    // Without a leader there is nothing newer.
    await catchUp(new AbortController().signal).catch(() => undefined);
  }
  return accessOf(request, source);
}

/** The accessor of the request's token, for records of it; empty without ACLs. */
export function accessorOf(
  request: Pick<FastifyRequest, 'headers'>,
  { access, state }: AccessSource,
): string {
  if (!access.enabled) return '';
  const secret = secretOf(request);
  if (secret === '') return anonymousPolicy;
  return access.findToken(secret, state.snapshot())?.AccessorID ?? '';
}

/** The secret that a request carries, in a header of its own or as a bearer token; empty for none. */
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

/** Whether the caller may see a row. */
export type Visible = (row: Namespaced) => boolean;

/**
 * Which rows of the namespace that a request names the caller may see: none and `*` are all in which the capability is
 * given.
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

/** The only refusal: it does not reveal which right was missing. @throws SchedulerError `permission-denied` */
export function refuse(): never {
  throw new SchedulerError('permission-denied', 'Permission denied');
}
