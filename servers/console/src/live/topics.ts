import type { ClusterEvent } from './event-frames.js';

/**
 * Whether an event belongs to at least one of the topics, such as `Job` (all jobs) or `Job:web` (the job `web`). The part after
 * the colon is the ID of the object or of its parent.
 */
export function followsEvent(
  topics: readonly string[],
  { Topic, Key, FilterKeys }: Pick<ClusterEvent, 'Topic' | 'Key' | 'FilterKeys'>,
): boolean {
  return topics.some((topic) => {
    if (topic === Topic) return true;
    if (!topic.startsWith(`${Topic}:`)) return false;
    const key = topic.slice(Topic.length + 1);
    return key === Key || FilterKeys.includes(key);
  });
}

/** Whether a stream of some topics includes all events of others. */
export function covers(topics: readonly string[], others: readonly string[]): boolean {
  const known = new Set(topics);
  return others.every((topic) => known.has(topic) || known.has(topic.split(':', 1)[0] ?? ''));
}
