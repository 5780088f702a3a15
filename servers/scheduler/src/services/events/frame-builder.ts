import type { ClusterEvent } from './cluster-event.js';
import { eventFrame, type EventFrame } from './event-frame.js';

/** A position in the feed: before change `at` of the group with this index, or of the next later group. */
export interface FeedPosition {
  readonly index: number;
  readonly at: number;
}

/** A frame of events with its position in the feed. */
export interface PlacedFrame {
  readonly frame: EventFrame;
  /** Position at which a reader that skips the frame must continue. */
  readonly start: FeedPosition;
  /** Number of characters of its events. */
  readonly size: number;
}

/** Number of characters from which a frame is sent before the end of its group. */
const frameLength = 65_536;

/** Collects the events of groups into frames: one per group, or several for a large one. */
export class FrameBuilder {
  #events: ClusterEvent[] = [];
  #size = 0;
  #at: number;

  /** @param at first change of the first group. */
  constructor(at = 0) {
    this.#at = at;
  }

  /** Adds the event of a change. Returns the frame if it is full. */
  add(event: ClusterEvent, { index, at }: FeedPosition): PlacedFrame | null {
    this.#events.push(event);
    this.#size += event.text().length;
    // After this frame, the reader has not received the whole group.
    return this.#size < frameLength ? null : this.#take(index, index - 1, at + 1);
  }

  /** Ends a group. Returns its last frame, or null if earlier frames contain all its events. */
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
