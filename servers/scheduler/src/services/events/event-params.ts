import type { Filter } from 'tamis';
import type { Access } from '../acl/access.js';
import type { ClusterEvent } from './cluster-event.js';
import type { EventTopic } from './topics.js';

/** The parameters of a stream. */
export interface EventParams {
  /** Key of the parameters; equal parameters have equal keys. */
  readonly key: string;
  /** Namespace of jobs and their objects; `*` for all in which the caller can read jobs. */
  readonly namespace: string;
  /** Parameters by topic. */
  readonly topics: ReadonlyMap<EventTopic, TopicParams>;
}

/** The parameters of one topic of a stream. */
export interface TopicParams {
  /** Keys or alternative keys of the requested events; null for all events. */
  readonly keys: ReadonlySet<string> | null;
  /** Null for all. */
  readonly filter: Filter | null;
}

/** Whether the caller may receive an event. */
export type EventTest = (event: ClusterEvent) => boolean;

/** The events that the caller may receive. */
export interface EventPermission {
  readonly isPermitted: EventTest;
  /** Identifies the permission. Callers with equal keys may receive the same events. */
  readonly key: string;
  /** Expiration of the caller's token, in ms since 1970; null if it does not expire. */
  readonly expires: number | null;
}

/** Returns which of the requested events the caller may receive; null if a topic is not allowed. */
export function permittedEvents(access: Access, { namespace, topics }: EventParams): EventTest | null {
  const given = access.namespacesWith('read-job');
  const mayReadJobs = namespace === '*' ? given !== null : access.allowsNamespace('read-job', namespace);
  for (const { right } of topics.keys()) {
    if (right === 'read-job' && !mayReadJobs) return null;
    if (right === 'node' && !access.node('read')) return null;
    if (right === 'management' && !access.management) return null;
  }
  return ({ topic: { right }, namespace: own, key }) => {
    switch (right) {
      case 'read-job':
        return namespace === '*' ? given !== null && given(own) : own === namespace;
      case 'namespace':
        return access.management || access.seesNamespace(key);
      case 'node':
      case 'management':
        return true;
    }
  };
}

/**
 * Whether an event matches the parameters. The filter is evaluated last, so that it never sees events that the caller may not
 * see.
 *
 * @throws the errors of the filter for the row.
 */
export function isRequested({ topics }: EventParams, isPermitted: EventTest, event: ClusterEvent): boolean {
  const requested = topics.get(event.topic);
  if (requested === undefined || !hasKey(requested, event) || !isPermitted(event)) return false;
  return requested.filter?.test(event.row) !== false;
}

function hasKey({ keys }: TopicParams, { key, filterKeys }: ClusterEvent): boolean {
  return keys === null || keys.has(key) || filterKeys.some((each) => keys.has(each));
}
