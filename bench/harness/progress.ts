import type { WriteStream } from 'node:tty';

/** A line at the bottom of a terminal that says what is going on. Where no terminal listens, nothing is said. */
export interface Progress {
  readonly print: (text: string) => void;
  readonly clear: () => void;
}

export function createProgress(stream: WriteStream, now: () => number): Progress {
  if (!stream.isTTY) return { print: () => undefined, clear: () => undefined };
  const start = now();
  const clear = (): void => {
    stream.clearLine(0);
    stream.cursorTo(0);
  };
  const print = (text: string): void => {
    const seconds = Math.round((now() - start) / 1000);
    clear();
    stream.write(`${seconds} s  ${text}`.slice(0, Math.max(20, stream.columns - 1)));
  };
  return { print, clear };
}
