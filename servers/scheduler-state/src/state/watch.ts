import type { Clock } from '@tamis/scheduler-model/base/clock.js';
import type { TableName } from './tables.js';
import { createNotificationQueue } from 'tamis/query';

/** A watchable topic: a table, or the allocations of one node. */
export type Topic = TableName | NodeTopic;
type NodeTopic = `node ${string}`;

/** Returns the topic of a node's allocations. Table names contain no blank. */
export function nodeTopic(nodeId: string): NodeTopic {
  return `node ${nodeId}`;
}

/** A subscriber to changes. */
export type Watches = ReturnType<typeof createWatches>;

export function createWatches(clock: Pick<Clock, 'defer'>) {
  const watchers = new Map<Topic, Set<() => void>>();
  const due = createNotificationQueue(clock);

  /** Unsubscribes. Removes a topic without subscribers, because nodes come and go. */
  function leave(topic: Topic, wake: () => void): void {
    const set = watchers.get(topic);
    set?.delete(wake);
    if (set?.size === 0) watchers.delete(topic);
  }

  function notify(changed: Iterable<Topic>): void {
    for (const topic of changed) {
      due.add(watchers.get(topic) ?? []);
      watchers.delete(topic);
    }
    due.drain();
  }

  return {
    /** Calls `wake` once, after the next change of one of the topics. The returned function unsubscribes. */
    watch(topics: readonly Topic[], wake: () => void): () => void {
      const once = (): void => {
        withdraw();
        wake();
      };
      const withdraw = (): void => {
        due.delete(once);
        for (const topic of topics) leave(topic, once);
      };
      for (const topic of topics) {
        const set = watchers.get(topic) ?? new Set();
        watchers.set(topic, set.add(once));
      }
      return withdraw;
    },
    notify,
    /** Notifies all subscribers, because everything has changed. */
    notifyAll: () => notify([...watchers.keys()]),
  };
}
