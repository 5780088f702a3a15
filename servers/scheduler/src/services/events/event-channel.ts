import type { ClusterEvent } from './cluster-event.js';
import type { EventPermission, EventParams, EventTest } from './event-params.js';
import { FrameBuilder, type FeedPosition, type PlacedFrame } from './frame-builder.js';

/** A receiver of events. */
export interface ChannelMember {
  /** Sends live events. */
  offer(placed: PlacedFrame): void;
  /** Called if the filter fails for an event. */
  filterFailed(error: unknown, event: ClusterEvent): void;
}

/** All subscribers with the same parameters and rights, which receive the same events. */
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

  /** Sends the event of a change in the current group. */
  send(event: ClusterEvent, position: FeedPosition): void {
    this.#offer(this.#builder.add(event, position));
  }

  /** Called when the current group has ended. */
  finish(index: number): void {
    this.#offer(this.#builder.finish(index));
  }

  /** Called when the current group is dropped. */
  reset(): void {
    this.#builder = new FrameBuilder();
  }

  #offer(placed: PlacedFrame | null): void {
    if (placed === null) return;
    for (const member of this.members) member.offer(placed);
  }
}
