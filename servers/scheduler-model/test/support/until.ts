import { setImmediate as nextTurn } from 'node:timers/promises';

/** Most milliseconds that a test waits for something: far more than anything takes on a busy machine, and less than the test may take. */
const timeoutMs = 120_000;

export interface UntilOptions {
  /** What is waited for, for the error; the text of the condition where it is left out. */
  readonly what?: string;
  /** What happens between two looks: a turn of the event loop, unless something else is said. */
  readonly between?: () => unknown;
}

/** Looks again and again until something is so. @throws when that takes too long, with what was waited for. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  { what = String(condition), between = () => nextTurn() }: UntilOptions = {},
): Promise<void> {
  const end = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`Waited ${timeoutMs} ms in vain for ${what}`);
    await between();
  }
}
