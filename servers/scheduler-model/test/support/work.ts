import type { Steps } from '@tamis/http';

/** Counts the work on data: a field that is read is one piece of it, on any machine and under any load. */
export interface Work {
  /** The same data, with counted reads; shared objects stay shared. */
  watch<T>(value: T): T;
  readonly done: number;
}

export function createWork(): Work {
  const known = new WeakMap<object, object>();
  let done = 0;

  function watchObject(value: object): object {
    const seen = known.get(value);
    if (seen !== undefined) return seen;
    const watched: object = Array.isArray(value) ? [] : {};
    known.set(value, watched);
    known.set(watched, watched);
    for (const [name, item] of Object.entries(value)) {
      const inner = watchValue(item as unknown);
      const get = (): unknown => {
        done += 1;
        return inner;
      };
      Object.defineProperty(watched, name, { get, enumerable: true, configurable: true });
    }
    return watched;
  }

  const watchValue = (value: unknown): unknown =>
    typeof value === 'object' && value !== null ? watchObject(value) : value;

  return {
    watch: <T>(value: T) => watchValue(value) as T,
    get done() {
      return done;
    },
  };
}

/** Amount of work in steps: in total, and the maximum in one turn of the event loop. */
export function measureSteps<R>(
  steps: Steps<R>,
  work: Work,
): { readonly result: R; readonly total: number; readonly max: number } {
  const start = work.done;
  let max = 0;
  for (;;) {
    const before = work.done;
    const step = steps.next();
    max = Math.max(max, work.done - before);
    if (step.done === true) return { result: step.value, total: work.done - start, max };
  }
}
