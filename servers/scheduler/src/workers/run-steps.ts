import type { Slices } from '@tamis/http';

/** Work under way is finished: only the end of the agent, which ends all slices, comes before. */
const untilDone = new AbortController().signal;

/** Runs work that pauses now and then, and lets others have their turn in its pauses. Resolves with what it returns. */
export async function runSteps<R>(slices: Slices, steps: Generator<undefined, R, undefined>): Promise<R> {
  const results: R[] = [];
  const run = slices.run((isOver) => {
    do {
      const step = steps.next();
      if (step.done !== true) continue;
      results.push(step.value);
      return true;
    } while (!isOver());
    return false;
  }, untilDone);
  if (run !== null) await run;
  return results[0] as R; // the run ends when there is a result
}
