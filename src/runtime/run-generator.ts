import type { TimeSlicer } from './time-slicer.js';

/** Work as a generator: it yields at points where the caller may run other work, and returns its result. */
export type Steps<R> = Generator<undefined, R, undefined>;

/** Runs a generator to its end and returns its result, for callers without other work. */
export function drain<R>(steps: Steps<R>): R {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/**
 * Runs a generator in time slices and resolves with its result. Started work is finished unless all slices are stopped.
 */
export async function runGenerator<R>(slices: TimeSlicer, steps: Steps<R>): Promise<R> {
  const results: R[] = [];
  const run = slices.run((shouldYield) => {
    do {
      const step = steps.next();
      if (step.done !== true) continue;
      results.push(step.value);
      return true;
    } while (!shouldYield());
    return false;
  }, null);
  if (run !== null) await run;
  return results[0] as R; // the run ends when there is a result
}
