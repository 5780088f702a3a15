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
  private readonly start: number;
  private last: number;
  private isPainted = false;

  constructor(private readonly io: Io) {
    this.start = this.last = io.now();
  }

  /** Paints a text, if enough time has passed since the last one. `elapsed` is the time since the start, in ms. */
  async paint(text: (elapsed: number) => string): Promise<void> {
    const now = this.io.now();
    if (now - this.last < interval) return;
    this.last = now;
    this.isPainted = true;
    await this.io.stderr.write(clearLine + text(now - this.start));
  }

  /** Replaces the line with a last text, if it was ever painted. */
  async end(text: (elapsed: number) => string): Promise<void> {
    if (this.isPainted) await this.io.stderr.write(clearLine + text(this.io.now() - this.start));
  }
}

/** Creates a progress line on standard error: only on a terminal, and only if rows are not written to the same one. */
export function createProgress(io: Io, isQuiet: boolean): Progress {
  if (isQuiet || !io.stderr.isTerminal || io.stdout.isTerminal) return silentProgress;
  const line = new StatusLine(io);
  return {
    update: (tally) => line.paint((elapsed) => describeTally(tally, elapsed)),
    end: (tally) => line.end((elapsed) => `${describeTally(tally, elapsed)}\n`),
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
