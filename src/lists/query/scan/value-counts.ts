/** How often a value occurs. */
export interface FacetValueCount<V = string> {
  readonly value: V;
  readonly count: number;
}

/** The most frequent values. */
export interface FrequentValues {
  /** Those that are as frequent in the order of their characters. */
  readonly values: readonly FacetValueCount[];
  /** The counts of all other values together. */
  readonly others: number;
}

/** Counts of values, in bounded memory. */
export interface ValueTally {
  add(value: string, count: number): void;
  /** Takes some milliseconds where there are many values. */
  finish(): FrequentValues;
}

/** Maximum number of reported values. */
const maxReportedValues = 100;
/** Most different values that are counted: IDs of a million rows must not take memory. Later ones are among the others. */
const maxCounted = 10_000;
/** Maximum length of a reported value, in UTF-16 units. Prevents long responses. */
const maxLength = 256;

export function createValueTally(): ValueTally {
  // A count that is changed in place costs one search of the map.
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
