import type { Slices } from './slices.js';

/** Work that pauses now and then: whoever has it done says who else may go on meanwhile. Returns what comes of it. */
export type Steps<R> = Generator<undefined, R, undefined>;

/** Does all of it at once, for callers who have nobody to give way to. */
export function finishSteps<R>(steps: Steps<R>): R {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/**
 * Lets others have their turn in its pauses. Resolves with what it returns: work under way is finished, and only the end of
 * all slices comes before.
 */
export async function runSteps<R>(slices: Slices, steps: Steps<R>): Promise<R> {
  const results: R[] = [];
  const run = slices.run((isOver) => {
    do {
      const step = steps.next();
      if (step.done !== true) continue;
      results.push(step.value);
      return true;
    } while (!isOver());
    return false;
  }, null);
  if (run !== null) await run;
  return results[0] as R; // the run ends when there is a result
}
