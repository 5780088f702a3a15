/** Counts by state at one time. */
export interface CountSample {
  /** Time in ms since 1970. */
  readonly at: number;
  readonly counts: ReadonlyMap<string, number>;
}

/** The counts of the last minutes. Old samples are dropped, so a page left open does not grow. */
export type CountHistory = ReturnType<typeof createCountHistory>;

/** Sampling interval in ms, and maximum number of samples: ten minutes. */
export const sampleInterval = 5_000;
export const maxSamples = 120;

export function createCountHistory() {
  let samples: readonly CountSample[] = [];
  return {
    get samples(): readonly CountSample[] {
      return samples;
    },
    /** Adds a sample, or replaces the last one if that is recent. */
    add(sample: CountSample): void {
      const before = samples.at(-2);
      const isNew = before === undefined || sample.at - before.at >= 1.5 * sampleInterval;
      const retained = isNew || samples.length < 2 ? samples : samples.slice(0, -1);
      samples = [...retained, sample]
        .filter(({ at }) => sample.at - at <= maxSamples * sampleInterval)
        .slice(-maxSamples);
    },
  };
}

/** Returns all states that occurred, the currently most frequent first. */
export function statesOf(samples: readonly CountSample[]): readonly string[] {
  const last = samples.at(-1)?.counts ?? new Map<string, number>();
  const names = new Set(samples.flatMap(({ counts }) => [...counts.keys()]));
  return [...names].sort((a, b) => (last.get(b) ?? 0) - (last.get(a) ?? 0) || (a < b ? -1 : 1));
}
