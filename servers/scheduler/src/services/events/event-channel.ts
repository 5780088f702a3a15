import type { ClusterEvent } from './cluster-event.js';
import type { EventPermission, EventParams, EventTest } from './event-params.js';
import { FrameBuilder, type FeedPosition, type PlacedFrame } from './frame-builder.js';

/** Who is told of events. */
export interface ChannelMember {
  /** Tells what happens. */
  offer(placed: PlacedFrame): void;
  /** The filter fails for an event. */
  filterFailed(error: unknown, event: ClusterEvent): void;
}

/** All who ask the same question with the same rights, and so are told the same. */
export class EventChannel {
  readonly params: EventParams;
  readonly isPermitted: EventTest;
  readonly permissionKey: string;
  readonly members = new Set<ChannelMember>();
  #builder = new FrameBuilder();

  constructor(params: EventParams, { isPermitted, key }: EventPermission) {
    this.params = params;
    this.isPermitted = isPermitted;
    this.permissionKey = key;
  }

  /** Tells the event of a change of the group under way. */
  send(event: ClusterEvent, position: FeedPosition): void {
    this.#offer(this.#builder.add(event, position));
  }

  /** The group under way has ended. */
  finish(index: number): void {
    this.#offer(this.#builder.finish(index));
  }

  /** The group under way has gone. */
  reset(): void {
    this.#builder = new FrameBuilder();
  }

  #offer(placed: PlacedFrame | null): void {
    if (placed === null) return;
    for (const member of this.members) member.offer(placed);
  }
}
