import { writeJson } from '@tamis/http';
import type { Rows, TableName } from '@tamis/scheduler-model/resources.js';
import type { RowChange } from '@tamis/scheduler-state/state/change-feed.js';
import type { RowVersions } from './event-types.js';
import { topicOf, type EventTopic } from './topics.js';

/** An event: a change of an object that clients can subscribe to. */
export interface ClusterEvent {
  readonly topic: EventTopic;
  readonly key: string;
  readonly filterKeys: readonly string[];
  /** Empty for objects without a namespace. */
  readonly namespace: string;
  /** The object after the change; if it was deleted, before. Filters are evaluated on this row. */
  readonly row: Rows[TableName];
  /** Returns the JSON of the event, which is built once for all receivers. */
  readonly text: () => string;
}

/** Returns the event for a change in the group with this index; null if the table has no topic. */
export function eventOf({ table, before, after }: RowChange, index: number): ClusterEvent | null {
  const topic = topicOf(table);
  const row = after ?? before;
  if (topic === null || row === null) return null;
  const key = topic.key(row);
  const filterKeys = topic.filterKeys(row);
  const namespace = topic.namespace(row);
  let text: string | null = null;
  return {
    ...{ topic, key, filterKeys, namespace, row },
    text: () =>
      (text ??= writeJson({
        Topic: topic.name,
        // Both rows belong to the table of the topic.
        Type: topic.type({ before, after } as RowVersions<Rows[TableName]>),
        Key: key,
        Namespace: namespace,
        FilterKeys: filterKeys,
        Index: index,
        Payload: { [topic.name]: topic.project(row) },
      })),
  };
}
