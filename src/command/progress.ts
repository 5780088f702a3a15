import type { Io } from './io.js';
import { number, rowsText } from './numbers.js';

/** The progress of a run so far. */
export interface Tally {
  rows: number;
  matched: number;
  skipped: number;
  bytes: number;
}

export interface Progress {
  /** Paints the tally, if enough time has passed since the last update. */
  update(tally: Tally): Promise<void>;
  /** Removes the line, and prints a summary if the line was ever painted. */
  readonly end: (tally: Tally) => Promise<void>;
}

/** Minimum time between two updates, in ms. */
const interval = 150;

const clearLine = '\r\u001b[K';

/** A line on standard error that is overwritten at intervals. */
export class StatusLine {
  private last: number;
  private isPainted = false;

  constructor(private readonly io: Io) {
    this.last = io.now();
  }

  /** Paints a text, if enough time has passed since the last one. */
  async paint(text: (now: number) => string): Promise<void> {
    const now = this.io.now();
    if (now - this.last < interval) return;
    this.last = now;
    this.isPainted = true;
    await this.io.stderr.write(clearLine + text(now));
  }

  /** Replaces the line with a last text, if it was ever painted. */
  async end(text: () => string): Promise<void> {
    if (this.isPainted) await this.io.stderr.write(clearLine + text());
  }
}

/** Creates a progress line on standard error: only on a terminal, and only if rows are not written to the same one. */
export function createProgress(io: Io, isQuiet: boolean): Progress {
  if (isQuiet || !io.stderr.isTerminal || io.stdout.isTerminal) return silentProgress;
  const start = io.now();
  const line = new StatusLine(io);
  return {
    update: (tally) => line.paint((now) => describeTally(tally, now - start)),
    end: (tally) => line.end(() => `${describeTally(tally, io.now() - start)}\n`),
  };
}

const silentProgress: Progress = { update: () => Promise.resolve(), end: () => Promise.resolve() };

/** Returns a summary: `226,000 rows, 22,600 matched, 1.2 s, 85 MB/s` */
function describeTally({ rows, matched, skipped, bytes }: Tally, milliseconds: number): string {
  const seconds = milliseconds / 1000;
  const speed = seconds > 0 ? `, ${number.format(Math.round(bytes / 1e6 / seconds))} MB/s` : '';
  const skips = skipped === 0 ? '' : `, ${number.format(skipped)} skipped`;
  return `${rowsText(rows)}, ${number.format(matched)} matched${skips}, ${seconds.toFixed(1)} s${speed}`;
}
