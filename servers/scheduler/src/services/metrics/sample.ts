/**
 * A summary of many measurements, which are not stored individually. Implemented directly, because the histograms of prom-client
 * lack minimum, maximum and deviation.
 */
export interface Sample {
  readonly Count: number;
  readonly Sum: number;
  readonly Min: number;
  readonly Max: number;
  readonly Mean: number;
  /** Sample standard deviation, with n - 1 in the denominator. */
  readonly Stddev: number;
}

export type SampleBuilder = ReturnType<typeof createSample>;

/** Creates an empty sample. Uses Welford's method, because sums of squares lose precision for values close to each other. */
export function createSample() {
  let count = 0;
  let sum = 0;
  let min = Infinity;
  let max = -Infinity;
  let mean = 0;
  let squares = 0;
  return {
    add(value: number): void {
      count += 1;
      sum += value;
      min = Math.min(min, value);
      max = Math.max(max, value);
      const distance = value - mean;
      mean += distance / count;
      squares += distance * (value - mean);
    },
    current(): Sample {
      if (count === 0) return { Count: 0, Sum: 0, Min: 0, Max: 0, Mean: 0, Stddev: 0 };
      const Stddev = count === 1 ? 0 : Math.sqrt(squares / (count - 1));
      return { Count: count, Sum: sum, Min: min, Max: max, Mean: mean, Stddev };
    },
  };
}
