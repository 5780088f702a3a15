/** A value and its number of occurrences. */
export interface FacetValueCount<V = string> {
  readonly value: V;
  readonly count: number;
}

/** The most frequent values. */
export interface FrequentValues {
  /** The values, most frequent first; equally frequent values are in character order. */
  readonly values: readonly FacetValueCount[];
  /** Total count of all other values. */
  readonly others: number;
}

/** Counts values in bounded memory. */
export interface ValueTally {
  add(value: string, count: number): void;
  /** Returns the result. Takes some milliseconds if there are many values. */
  finish(): FrequentValues;
}

/** Maximum number of reported values. */
const maxReportedValues = 100;
/** Maximum distinct counted values. Prevents memory growth by IDs of a million rows. Later values count as others. */
const maxCounted = 10_000;
/** Maximum length of a reported value, in UTF-16 units. Prevents long responses. */
const maxLength = 256;

export function createValueTally(): ValueTally {
  // Changing a count in place needs one map lookup instead of two.
  const counts = new Map<string, { count: number }>();
  let all = 0;
  return {
    add(value, count) {
      all += count;
      const known = counts.get(value);
      if (known !== undefined) known.count += count;
      else if (counts.size < maxCounted && value.length <= maxLength) counts.set(value, { count });
    },
    finish() {
      const values = [...counts]
        .map(([value, { count }]) => ({ value, count }))
        .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
        .slice(0, maxReportedValues);
      return { values, others: values.reduce((left, { count }) => left - count, all) };
    },
  };
}
