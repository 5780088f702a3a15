import { sleep } from '@tamis/http';
import { Readable } from 'node:stream';
import type { Clock } from '@tamis/scheduler-model/base/clock.js';
import { printFrame, heartbeat } from '@tamis/scheduler-model/host/file-frame.js';
import type { FileReader } from './file-reader.js';

/** The output format of a stream. */
export interface FileStreamOptions {
  /** Whether to send raw bytes instead of frames. */
  readonly plain: boolean;
  /** Whether the first frame contains the start position, even if there is no data. */
  readonly sendsPosition: boolean;
  readonly clock: Pick<Clock, 'after'>;
  /** Aborted when the reader disconnects. */
  readonly signal: AbortSignal;
}

/** Polling interval in ms. Data written meanwhile is sent in one frame. */
const pause = 200;
/** Number of polls without data, in total a second, after which a heartbeat is sent. */
const quietLooks = 5;

/** Streams the data at the pace of the consumer. The file reader is closed at the end and when the stream is destroyed. */
export function openFileStream(reader: FileReader, options: FileStreamOptions): Readable {
  const leaving = new AbortController();
  const signal = AbortSignal.any([options.signal, leaving.signal]);
  const pieces = piecesOf(reader, { ...options, signal });
  return new Readable({
    read() {
      pieces.next().then(
        ({ done, value }) => void (this.destroyed || this.push(done === true ? null : value)),
        (error: unknown) => this.destroy(error as Error),
      );
    },
    destroy(error, done) {
      leaving.abort();
      // A pending read is awaited: it may still open a file.
      pieces
        .return()
        .then(() => reader.close())
        .then(() => done(error), done);
    },
  });
}

async function* piecesOf(
  reader: FileReader,
  { clock, plain, signal, sendsPosition }: FileStreamOptions,
): AsyncGenerator<Buffer, void, undefined> {
  let quiet = 0;
  if (sendsPosition && !plain) yield printFrame(reader.place);
  while (!signal.aborted) {
    const piece = await reader.next();
    if (piece === 'end') return;
    if (piece !== 'wait') {
      quiet = 0;
      if (!plain) yield printFrame(piece);
      else if (piece.data.length > 0) yield piece.data;
      continue;
    }
    quiet += 1;
    if (quiet % quietLooks === 0 && !plain) yield heartbeat;
    if (!signal.aborted) await sleep(clock, pause, signal);
  }
}
