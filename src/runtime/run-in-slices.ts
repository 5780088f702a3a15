import type { TimeSlicer } from './time-slicer.js';

/**
 * Runs work in slices and returns its result. The work may pause between any two steps. `begin` is called at the start of each
 * slice.
 */
export async function runInSlices<R>(
  work: Generator<void, R, undefined>,
  slices: Pick<TimeSlicer, 'run'>,
  signal: AbortSignal | null,
  begin?: () => void,
): Promise<R> {
  let step: IteratorResult<void, R> = { done: false, value: undefined };
  await slices.run((shouldYield) => {
    begin?.();
    do step = work.next();
    while (step.done !== true && !shouldYield());
    return step.done === true;
  }, signal);
  return step.value as R; // the slices end when the work is done
}
