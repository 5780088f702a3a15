import type { FilterOptions } from 'tamis';
import { createFilterSet, type FilterSet } from 'tamis/filter-set';
import type { ClusterEvent } from './cluster-event.js';
import type { EventChannel } from './event-channel.js';
import type { TopicParams } from './event-params.js';
import type { EventTopic } from './topics.js';

/** Options of filters: the clock, and the handling of missing fields. */
export type EventFilterOptions = Pick<FilterOptions, 'now' | 'unresolved'>;

/** The receivers of an event. */
export interface Hearers {
  readonly channels: ReadonlySet<EventChannel>;
  /** Channels whose filter fails for the event. */
  readonly failed: ReadonlyMap<EventChannel, unknown>;
}

/**
 * All channels, indexed by their parameters. The cost of an event depends on the number of its receivers, not on that of all
 * subscribers.
 */
export class Audience {
  readonly #options: EventFilterOptions;
  readonly #topics = new Map<EventTopic, TopicAudience>();

  constructor(options: EventFilterOptions) {
    this.#options = options;
  }

  add(channel: EventChannel): void {
    for (const [topic, requested] of channel.params.topics) {
      const audience = this.#topics.get(topic) ?? new TopicAudience(topic, this.#options);
      this.#topics.set(topic, audience);
      audience.add(channel, requested);
    }
  }

  remove(channel: EventChannel): void {
    for (const [topic, requested] of channel.params.topics)
      this.#topics.get(topic)?.remove(channel, requested);
  }

  /** Returns the receivers; null if the topic has no subscribers. */
  hearersOf(event: ClusterEvent): Hearers | null {
    return this.#topics.get(event.topic)?.hearersOf(event) ?? null;
  }
}

/** The channels of one topic with one filter, by their requested keys. */
type KeyedChannels = Map<string | null, Set<EventChannel>>;

const noFilter = '';

class TopicAudience {
  readonly #filters: FilterSet;
  readonly #channels = new Map<string, KeyedChannels>();

  constructor({ schema }: EventTopic, options: EventFilterOptions) {
    this.#filters = createFilterSet(schema, options);
  }

  add(channel: EventChannel, { filter, keys }: TopicParams): void {
    const text = filter?.source ?? noFilter;
    const keyed: KeyedChannels = this.#channels.get(text) ?? new Map();
    this.#channels.set(text, keyed);
    if (filter !== null && !this.#filters.has(text)) this.#filters.add(text, text);
    for (const key of keys ?? [null]) keyed.set(key, (keyed.get(key) ?? new Set()).add(channel));
  }

  remove(channel: EventChannel, { filter, keys }: TopicParams): void {
    const text = filter?.source ?? noFilter;
    const keyed = this.#channels.get(text);
    for (const key of keys ?? [null]) {
      keyed?.get(key)?.delete(channel);
      if (keyed?.get(key)?.size === 0) keyed.delete(key);
    }
    if (keyed?.size !== 0) return;
    this.#channels.delete(text);
    this.#filters.remove(text);
  }

  hearersOf(event: ClusterEvent): Hearers | null {
    if (this.#channels.size === 0) return null;
    const channels = new Set(this.#thoseWith(noFilter, event));
    const failed = new Map<EventChannel, unknown>();
    if (this.#filters.size === 0) return { channels, failed };
    const { ids, errors } = this.#filters.match(event.row);
    for (const text of ids) for (const channel of this.#thoseWith(text, event)) channels.add(channel);
    for (const { id, error } of errors) {
      for (const channel of this.#thoseWith(id, event)) failed.set(channel, error);
    }
    return { channels, failed };
  }

  /** Yields the channels with a filter that request a key of the event and may receive it. */
  *#thoseWith(text: string, event: ClusterEvent): Generator<EventChannel, void> {
    const keyed = this.#channels.get(text);
    if (keyed === undefined) return;
    for (const key of [null, event.key, ...event.filterKeys]) {
      for (const channel of keyed.get(key) ?? []) if (channel.isPermitted(event)) yield channel;
    }
  }
}
