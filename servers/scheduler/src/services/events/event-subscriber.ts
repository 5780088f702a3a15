import type { Readable } from 'node:stream';
import {
  openBackpressuredStream,
  type Chunk,
  type BackpressuredStream,
  type Pacing,
  type TimeSlicer,
} from '@tamis/http';
import type { Clock } from '@tamis/scheduler-model/base/clock.js';
import { quote } from '@tamis/scheduler-model/quote.js';
import type { ChangeFeed, RowChanges } from '@tamis/scheduler-state/state/change-feed.js';
import { eventOf, type ClusterEvent } from './cluster-event.js';
import type { ChannelMember, EventChannel } from './event-channel.js';
import { eventFrame, type EventGap, type EventStreamEnd, type FrameFormat } from './event-frame.js';
import { isRequested, type EventPermission } from './event-params.js';
import { FrameBuilder, type FeedPosition, type PlacedFrame } from './frame-builder.js';
import { reasonOf } from '@tamis/scheduler-model/base/errors.js';

/** The pacing of event streams, and the buffer for slow readers. */
export interface EventStreamLimits extends Pacing {
  /**
   * Maximum characters of events queued per reader. Slower readers get the rest from the feed of changes, as long as it is
   * retained. Prevents stalled readers from filling the memory.
   */
  readonly maxQueued: number;
}

export const defaultEventStreamLimits: EventStreamLimits = Object.freeze({
  batchTime: 25,
  heartbeat: 10_000,
  maxQueued: 131_072,
});

/** The dependencies of a subscriber. */
export interface SubscriberContext {
  readonly feed: ChangeFeed;
  readonly clock: Pick<Clock, 'now' | 'after'>;
  readonly slices: TimeSlicer;
  readonly limits: EventStreamLimits;
  /** The index up to which live subscribers have received everything. */
  readonly head: () => number;
  /**
   * Whether a later group is being sent. If so, the subscriber is woken when that group has ended, because it cannot join in the
   * middle.
   */
  readonly isBusyFor: (subscriber: EventSubscriber) => boolean;
  readonly left: (subscriber: EventSubscriber) => void;
}

/** A subscription: its start, its format and its rights. */
export interface Subscription {
  /** The first index to send, 0 for everything in the feed; null for new events only. */
  readonly from: number | null;
  /** Whether `from` is greater than every index, because it belongs to a state that was replaced since. */
  readonly isReplaced: boolean;
  readonly format: FrameFormat;
  readonly permission: EventPermission;
  /** Checks the permission again; null if denied. */
  readonly authorise: () => EventPermission | null;
}

/**
 * One stream of events. It receives live events as they happen. If it lags, because it started in the past or is read slowly, it
 * reads from the feed of changes itself. So no event is sent twice or skipped.
 */
export class EventSubscriber implements ChannelMember {
  readonly channel: EventChannel;
  readonly #context: SubscriberContext;
  readonly #subscription: Subscription;
  readonly #paced: BackpressuredStream;
  #opening: string;
  #queue: PlacedFrame[] = [];
  #queued = 0;
  /** The first index that has not been sent yet. */
  #from: number;
  /** The events of the group at which a replay has paused. */
  #builder: FrameBuilder | null = null;
  /** The next position in the feed; null for a live subscriber. */
  #lagPosition: FeedPosition | null;
  /** The index up to which everything has been sent. */
  #deliveredIndex: number;
  /** Whether the feed has been read. Changes that were dropped before that were requested too late. */
  #hasStarted = false;
  #isReplaying = false;
  #hasEnded = false;
  #end: EventStreamEnd | null = null;

  constructor(channel: EventChannel, subscription: Subscription, context: SubscriberContext) {
    const { clock, feed, limits, head } = context;
    this.channel = channel;
    this.#context = context;
    this.#subscription = subscription;
    this.#opening = subscription.format.opening;
    this.#from = subscription.from === 0 ? feed.oldest() + 1 : (subscription.from ?? head() + 1);
    this.#deliveredIndex = this.#from - 1;
    this.#lagPosition = { index: this.#from, at: 0 };
    // The first frame contains the opening of the stream.
    if (subscription.isReplaced) this.#skipTo(head(), 'state-replaced');
    else this.#enqueue({ frame: eventFrame(this.#deliveredIndex), start: this.#lagPosition, size: 0 });
    this.#paced = openBackpressuredStream(
      {
        take: () => this.#take(),
        heartbeatPiece: () => this.#heartbeat(),
        close: () => context.left(this),
      },
      limits,
      clock.after,
    );
  }

  get stream(): Readable {
    return this.#paced.stream;
  }

  /** Called when the condition that the subscriber waits for may be met. */
  wake(): void {
    this.#paced.wake();
  }

  /** Sends a live event. If the queue is full, the subscriber falls back to the feed. */
  offer(placed: PlacedFrame): void {
    if (this.#lagPosition !== null || this.#end !== null || placed.start.index < this.#from) return;
    if (this.#queue.length > 0 && this.#queued + placed.size > this.#context.limits.maxQueued) {
      this.#lagPosition = placed.start;
    } else {
      this.#enqueue(placed);
      this.wake();
    }
  }

  /** Called when the feed has moved on without anything to send. */
  markLagging(position: FeedPosition): void {
    this.#lagPosition ??= position;
    this.wake();
  }

  /** Called when all contents were replaced, so that queued events are obsolete. They are reported as missing. */
  replaced(index: number): void {
    this.#drop();
    this.#lagPosition = null;
    this.#skipTo(index, 'state-replaced');
    this.wake();
  }

  /** Ends the stream if the caller's rights have changed or been revoked since its start. */
  checkRights(): void {
    const { permission, authorise } = this.#subscription;
    const now = authorise();
    if (now === null)
      this.end({ Code: 'token-ended', Message: 'The token does not allow this any more' }, true);
    else if (now.key !== permission.key) {
      this.end(
        { Code: 'rights-changed', Message: 'The rights of the token have changed: send the request again' },
        true,
      );
    }
  }

  /** Ends the stream with a reason, after the queued events unless these are to be dropped. */
  end(end: EventStreamEnd, dropsQueue = false): void {
    if (this.#end !== null) return;
    this.#end = end;
    if (dropsQueue) this.#drop();
    this.#context.left(this);
    this.#paced.flush();
  }

  filterFailed(error: unknown, { topic, key }: ClusterEvent): void {
    const reason = reasonOf(error);
    this.end({
      Code: 'filter-failed',
      Message: `The filter of topic ${topic.name} fails for ${quote(key)}: ${reason}`,
    });
  }

  #drop(): void {
    this.#queue = [];
    this.#queued = 0;
  }

  #enqueue(placed: PlacedFrame | null): void {
    if (placed === null) return;
    this.#queue.push(placed);
    this.#queued += placed.size;
  }

  #take(): Chunk | null {
    this.#checkToken();
    if (this.#queue.length === 0 && this.#lagPosition !== null && this.#end === null) this.#replay();
    if (this.#queue.length > 0) {
      const frames = this.#queue.map(({ frame }) => frame);
      this.#deliveredIndex = frames.at(-1)?.index ?? this.#deliveredIndex;
      this.#drop();
      const { format } = this.#subscription;
      const opening = Buffer.from(this.#opening);
      this.#opening = '';
      return Buffer.concat([opening, ...frames.map(({ bytes }) => bytes(format))]);
    }
    return this.#takeEnd();
  }

  #takeEnd(): Chunk | null {
    const end = this.#end;
    if (end === null || this.#hasEnded) return null;
    this.#hasEnded = true;
    this.#paced.end();
    return eventFrame(this.#deliveredIndex, [], { End: end }).bytes(this.#subscription.format);
  }

  /** Sends the position of the stream, so that it can be resumed there even after a long idle time. */
  #heartbeat(): Chunk | null {
    this.#checkToken();
    if (this.#end !== null) return null;
    const { format } = this.#subscription;
    const head = this.#context.head();
    if (this.#lagPosition !== null || this.#queue.length > 0 || head <= this.#deliveredIndex)
      return format.heartbeatPiece;
    this.#deliveredIndex = head;
    return eventFrame(head).bytes(format);
  }

  #checkToken(): void {
    const { expires } = this.#subscription.permission;
    if (expires === null || this.#context.clock.now() < expires) return;
    this.end({ Code: 'token-ended', Message: 'The token has expired' }, true);
  }

  /** Reads events from the feed until there are enough to send, or no more; long work continues in a later turn. */
  #replay(): void {
    if (this.#isReplaying) return;
    const { slices } = this.#context;
    const work = slices.run((shouldYield) => this.#lookOn(shouldYield), slices.stopped, 'further');
    this.#hasStarted = true;
    if (work === null) return;
    this.#isReplaying = true;
    const goOn = (): void => {
      this.#isReplaying = false;
      this.wake();
    };
    // Slices stopped with the server have already ended the stream.
    work.then(goOn, goOn);
  }

  /** Reads the feed. Returns true when it is time to send, or if nothing is left to read. */
  #lookOn(shouldYield: () => boolean): boolean {
    const { feed, head, isBusyFor } = this.#context;
    while (this.#lagPosition !== null && this.#end === null) {
      const groups = feed.since(this.#lagPosition.index - 1);
      if (groups === 'gone') {
        this.#skipTo(Math.max(head(), feed.oldest()), this.#hasStarted ? 'reader-too-slow' : 'index-gone');
        continue;
      }
      for (const group of groups) {
        if (group.index > head()) break;
        this.#lookAt(group, shouldYield);
        if (this.#isFull()) return true;
        if (shouldYield()) return false;
      }
      if (isBusyFor(this)) return true;
      this.#lagPosition = null;
    }
    return true;
  }

  #isFull(): boolean {
    return this.#queued >= this.#context.limits.maxQueued || this.#end !== null;
  }

  /** Reads the rest of one group, until the queue is full or the turn ends. */
  #lookAt({ index, changes }: RowChanges, shouldYield: () => boolean): void {
    const first = this.#lagPosition?.index === index ? this.#lagPosition.at : 0;
    // A frame is completed by later changes of the same group, so that only full frames split a group.
    const builder = this.#builder ?? new FrameBuilder(first);
    this.#builder = null;
    for (let at = first; at < changes.length; at += 1) {
      if (at > first && (this.#isFull() || shouldYield())) {
        this.#lagPosition = { index, at };
        this.#builder = builder;
        return;
      }
      const change = changes[at];
      const event = change === undefined ? null : eventOf(change, index);
      if (event !== null && this.#isRequested(event)) this.#enqueue(builder.add(event, { index, at }));
    }
    this.#enqueue(builder.finish(index));
    this.#lagPosition = { index: index + 1, at: 0 };
  }

  #isRequested(event: ClusterEvent): boolean {
    const { isPermitted, params } = this.channel;
    try {
      return isRequested(params, isPermitted, event);
    } catch (error) {
      this.filterFailed(error, event);
      return false;
    }
  }

  /** Continues after an index, and reports what may be missing. */
  #skipTo(index: number, code: EventGap['Code']): void {
    this.#builder = null;
    const gap = {
      From: Math.min(this.#lagPosition?.index ?? this.#deliveredIndex + 1, index),
      To: index,
      Code: code,
    };
    const notice = { Gap: { ...gap, Message: gapMessages[code] } };
    this.#lagPosition = { index: index + 1, at: 0 };
    this.#from = index + 1;
    this.#enqueue({ frame: eventFrame(index, [], notice), start: this.#lagPosition, size: 0 });
  }
}

const advice = 'read the lists again, and go on from here';

const gapMessages: Readonly<Record<EventGap['Code'], string>> = {
  'index-gone': `These changes are no longer held: ${advice}`,
  'reader-too-slow': `This stream is read too slowly, and these changes are no longer held: ${advice}`,
  'state-replaced': `The state has been replaced: ${advice}`,
};
