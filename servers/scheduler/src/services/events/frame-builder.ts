import type { ClusterEvent } from './cluster-event.js';
import { eventFrame, type EventFrame } from './event-frame.js';

/** A place in the feed of changes: before the change `at` of the group with this index, or of the first one after it. */
export interface FeedPosition {
  readonly index: number;
  readonly at: number;
}

/** A frame of events, with its place in the feed. */
export interface PlacedFrame {
  readonly frame: EventFrame;
  /** Where a reader that does not take it must continue. */
  readonly start: FeedPosition;
  /** Characters of its events. */
  readonly size: number;
}

/** Characters of events from which a frame is sent, though there may be more of its group. */
const frameLength = 65_536;

/** Puts the events of groups of changes into frames: one for each group, or several for a large one. */
export class FrameBuilder {
  #events: ClusterEvent[] = [];
  #size = 0;
  #at: number;

  /** @param at the change of the first group with which it begins. */
  constructor(at = 0) {
    this.#at = at;
  }

  /** Adds the event of a change; returns the frame that is full with it. */
  add(event: ClusterEvent, { index, at }: FeedPosition): PlacedFrame | null {
    this.#events.push(event);
    this.#size += event.text().length;
    // A reader of this frame has not read all of the group.
    return this.#size < frameLength ? null : this.#take(index, index - 1, at + 1);
  }

  /** Ends a group; returns its last frame, or null if the previous frames contain all its events. */
  finish(index: number): PlacedFrame | null {
    const frame = this.#events.length === 0 ? null : this.#take(index, index, 0);
    this.#at = 0;
    return frame;
  }

  #take(index: number, deliveredIndex: number, next: number): PlacedFrame {
    const placed = {
      frame: eventFrame(deliveredIndex, this.#events),
      start: { index, at: this.#at },
      size: this.#size,
    };
    this.#events = [];
    this.#size = 0;
    this.#at = next;
    return placed;
  }
}
