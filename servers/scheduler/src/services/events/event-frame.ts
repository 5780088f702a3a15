import { writeJson } from '@tamis/http';
import type { ClusterEvent } from './cluster-event.js';

/** Reports that events were not sent, with the reason. */
export interface EventGap {
  /** The first and the last index whose events may be missing. */
  readonly From: number;
  readonly To: number;
  readonly Code: 'index-gone' | 'reader-too-slow' | 'state-replaced';
  readonly Message: string;
}

/** Reports the end of a stream, with the reason. */
export interface EventStreamEnd {
  readonly Code: 'rights-changed' | 'token-ended' | 'filter-failed' | 'server-stopping';
  readonly Message: string;
}

/** A notice between events. */
export type EventNotice = { readonly Gap: EventGap } | { readonly End: EventStreamEnd };

/** A unit of sending: the events of one group of changes, part of these events, or a notice. */
export interface EventFrame {
  /** Index up to which everything has been sent after this frame. */
  readonly index: number;
  readonly events: readonly ClusterEvent[];
  readonly notice: EventNotice | null;
  /** The frame as it is sent, serialised once for all receivers. */
  readonly bytes: (format: FrameFormat) => Buffer;
}

export function eventFrame(
  index: number,
  events: readonly ClusterEvent[] = [],
  notice: EventNotice | null = null,
): EventFrame {
  const written = new Map<FrameFormat, Buffer>();
  const frame: EventFrame = {
    ...{ index, events, notice },
    bytes(format) {
      const bytes = written.get(format) ?? Buffer.from(format.write(frame));
      written.set(format, bytes);
      return bytes;
    },
  };
  return frame;
}

/** An output format for frames. */
export interface FrameFormat {
  readonly type: string;
  /** The start of a stream. */
  readonly opening: string;
  readonly write: (frame: Pick<EventFrame, 'index' | 'events' | 'notice'>) => string;
  readonly heartbeatPiece: string;
}

/** Writes one JSON object per line. */
export const jsonLines: FrameFormat = {
  type: 'application/json',
  opening: '',
  write({ index, events, notice }) {
    const rest = notice === null ? '' : `,${writeJson(notice).slice(1, -1)}`;
    return `{"Index":${index},"Events":[${events.map(({ text }) => text()).join(',')}]${rest}}\n`;
  },
  heartbeatPiece: '{}\n',
};

/** Reconnect delay of browsers that have lost the stream, in ms. */
const retryTime = 3_000;

/** Server-sent events. The ID of the last event of a frame is the index of the frame. */
export const serverSentEvents: FrameFormat = {
  type: 'text/event-stream',
  opening: `retry: ${retryTime}\n\n`,
  write({ index, events, notice }) {
    const all = events.map(({ topic, text }) => `event: ${topic.name}\ndata: ${text()}\n`);
    for (const [name, about] of Object.entries(notice ?? {})) {
      all.push(`event: ${name}\ndata: ${writeJson(about)}\n`);
    }
    // Without data a browser dispatches no event, but it remembers the ID for reconnecting.
    if (all.length === 0) all.push('');
    const last = all.pop() ?? '';
    return `${all.map((each) => `${each}\n`).join('')}${last}id: ${index}\n\n`;
  },
  heartbeatPiece: ':\n\n',
};
