import type { Readable } from 'node:stream';
import { SchedulerError } from '@tamis/scheduler-model/base/errors.js';
import type { ChangeGroup, RowChange, RowChanges } from '@tamis/scheduler-state/state/change-feed.js';
import { Audience, type EventFilterOptions } from './audience.js';
import { eventOf } from './cluster-event.js';
import { EventChannel } from './event-channel.js';
import type { EventParams } from './event-params.js';
import {
  defaultEventStreamLimits,
  EventSubscriber,
  type EventStreamLimits,
  type Subscription,
  type SubscriberContext,
} from './event-subscriber.js';

export interface EventHubDependencies extends Pick<SubscriberContext, 'feed' | 'clock' | 'slices'> {
  /** Index of the state. */
  readonly index: number;
  readonly unresolved: NonNullable<EventFilterOptions['unresolved']>;
  /** Maximum concurrent streams. Prevents clients from filling the memory with streams. */
  readonly maxStreams: number;
  /** Called with errors that prevent sending changes. */
  readonly failed: (error: unknown) => void;
  readonly limits?: EventStreamLimits;
}

export function createEventHub(dependencies: EventHubDependencies): EventHub {
  return new EventHub(dependencies);
}

/** Sends the changes of the state to subscribers. */
export class EventHub {
  /** Options of parsing and evaluating filters. */
  readonly filterOptions: EventFilterOptions;
  readonly #dependencies: EventHubDependencies;
  readonly #audience: Audience;
  readonly #channels = new Map<string, EventChannel>();
  readonly #subscribers = new Set<EventSubscriber>();
  /** Subscribers that wait for the end of the current group before they join. */
  readonly #joining = new Set<EventSubscriber>();
  readonly #unsubscribe: () => void;
  /** The index up to which everything has been sent. */
  #head: number;
  /** Number of changes of the next group that were sent already. */
  #at = 0;
  /** The channels that received a change of the current group. */
  readonly #notified = new Set<EventChannel>();
  #isDelivering = false;
  #isStopped = false;

  constructor(dependencies: EventHubDependencies) {
    const { clock, feed, index, unresolved } = dependencies;
    this.#dependencies = dependencies;
    this.filterOptions = { unresolved, now: () => new Date(clock.now()) };
    this.#audience = new Audience(this.filterOptions);
    this.#head = index;
    this.#unsubscribe = feed.subscribe((group) => this.#hear(group));
  }

  /**
   * Opens a stream, which ends when it is destroyed, the rights of the caller change, or the hub is stopped.
   *
   * @throws SchedulerError `too-many-requests`, `stopping`
   */
  open(params: EventParams, subscription: Subscription): Readable {
    const { feed, clock, slices, maxStreams, limits = defaultEventStreamLimits } = this.#dependencies;
    if (this.#isStopped) throw new SchedulerError('stopping', 'The agent is stopping');
    if (this.#subscribers.size >= maxStreams) {
      throw new SchedulerError(
        'too-many-requests',
        `More than ${maxStreams} event streams are open, try later`,
      );
    }
    const channel = this.#channelOf(params, subscription);
    const subscriber = new EventSubscriber(channel, subscription, {
      ...{ feed, clock, slices, limits },
      head: () => this.#head,
      isBusyFor: (joining) => this.#at > 0 && this.#joining.add(joining).size > 0,
      left: (leaving) => this.#leave(leaving),
    });
    this.#subscribers.add(subscriber);
    channel.members.add(subscriber);
    return subscriber.stream;
  }

  /** Ends all streams with a notice to their readers. */
  stop(): void {
    this.#isStopped = true;
    this.#unsubscribe();
    const end = { Code: 'server-stopping', Message: 'The server is stopping: use another one' } as const;
    for (const subscriber of [...this.#subscribers]) subscriber.end(end);
  }

  #channelOf(params: EventParams, { permission }: Subscription): EventChannel {
    const key = channelKey(params, permission.key);
    const channel = this.#channels.get(key) ?? new EventChannel(params, permission);
    if (!this.#channels.has(key)) {
      this.#channels.set(key, channel);
      this.#audience.add(channel);
    }
    return channel;
  }

  #leave(subscriber: EventSubscriber): void {
    const { channel } = subscriber;
    this.#subscribers.delete(subscriber);
    this.#joining.delete(subscriber);
    channel.members.delete(subscriber);
    const key = channelKey(channel.params, channel.permissionKey);
    if (channel.members.size > 0 || this.#channels.get(key) !== channel) return;
    this.#channels.delete(key);
    this.#notified.delete(channel);
    this.#audience.remove(channel);
  }

  /** Called for each change of the state, before its write is acknowledged. */
  #hear(group: ChangeGroup): void {
    if (group.kind === 'reset' || group.changes.some(affectsPermissions)) {
      for (const subscriber of [...this.#subscribers]) subscriber.checkRights();
    }
    if (group.kind === 'reset') this.#reset(group.index);
    else if (this.#subscribers.size === 0 && !this.#isDelivering) this.#head = group.index;
    else this.#deliver();
  }

  #reset(index: number): void {
    this.#forgetGroup();
    this.#head = index;
    for (const subscriber of this.#subscribers) subscriber.replaced(index);
  }

  /** Sends the changes in the feed. Continues in a later turn if that takes long. */
  #deliver(): void {
    if (this.#isDelivering) return;
    const { failed, slices } = this.#dependencies;
    const work = slices.run((shouldYield) => this.#deliverUntil(shouldYield), slices.stopped);
    if (work === null) return;
    this.#isDelivering = true;
    work.then(
      () => void (this.#isDelivering = false),
      (error: unknown) => {
        if (!slices.stopped.aborted) failed(error);
        this.stop();
      },
    );
  }

  /** Sends changes until `shouldYield` returns true. Returns true when all subscribers have received everything. */
  #deliverUntil(shouldYield: () => boolean): boolean {
    const { feed } = this.#dependencies;
    for (;;) {
      const groups = feed.since(this.#head);
      if (groups === 'gone') this.#catchUp(feed.oldest());
      else if (groups.length === 0) return true;
      else if (!groups.every((group) => this.#deliverGroup(group, shouldYield))) return false;
    }
  }

  /** Handles changes that the feed dropped before they were sent. All subscribers have missed them, and will detect it. */
  #catchUp(oldest: number): void {
    const position = { index: this.#head + 1, at: 0 };
    this.#forgetGroup();
    this.#head = oldest;
    for (const subscriber of this.#subscribers) subscriber.markLagging(position);
  }

  /** Sends a group of changes. Returns false if it was interrupted to let other work run. */
  #deliverGroup({ index, changes }: RowChanges, shouldYield: () => boolean): boolean {
    while (this.#at < changes.length) {
      const change = changes[this.#at];
      if (change !== undefined) this.#deliverChange(change, index);
      this.#at += 1;
      // Each turn sends at least one change, even if there is no time.
      if (this.#at < changes.length && shouldYield()) return false;
    }
    for (const channel of this.#notified) channel.finish(index);
    this.#notified.clear();
    this.#at = 0;
    this.#head = index;
    for (const subscriber of this.#joining) subscriber.wake();
    this.#joining.clear();
    return !shouldYield();
  }

  #deliverChange(change: RowChange, index: number): void {
    const event = eventOf(change, index);
    const hearers = event === null ? null : this.#audience.hearersOf(event);
    if (event === null || hearers === null) return;
    for (const channel of hearers.channels) {
      this.#notified.add(channel);
      channel.send(event, { index, at: this.#at });
    }
    for (const [channel, error] of hearers.failed) {
      for (const subscriber of [...channel.members]) subscriber.filterFailed(error, event);
    }
  }

  #forgetGroup(): void {
    for (const channel of this.#notified) channel.reset();
    this.#notified.clear();
    this.#at = 0;
    for (const subscriber of this.#joining) subscriber.wake();
    this.#joining.clear();
  }
}

function channelKey({ key }: EventParams, permission: string): string {
  return JSON.stringify([key, permission]);
}

/** Whether a change may affect the rights of existing callers. New rows never do. */
function affectsPermissions({ table, before }: RowChange): boolean {
  return table === 'acl_policies' || (table === 'acl_tokens' && before !== null);
}
