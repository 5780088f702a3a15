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
  /** Adds occurrences of a value, or removes them if `count` is negative. */
  add(value: string, count: number): void;
  /** Returns the current result. */
  finish(): FrequentValues;
  /** Whether all values are counted. If there were too many, removing values gives another result than counting again. */
  readonly isComplete: boolean;
  /** Estimated memory of the counted values, in bytes. */
  readonly bytes: number;
}

/** Maximum number of reported values. */
const maxReportedValues = 100;
/** Maximum distinct counted values. Prevents memory growth by IDs of a million rows. Later values count as others. */
const maxCounted = 10_000;
/** Maximum length of a reported value, in UTF-16 units. Prevents long responses. */
const maxLength = 256;
/** Estimated memory of a counted value without its characters, in bytes. */
const bytesPerValue = 100;

export function createValueTally(): ValueTally {
  // Changing a count in place needs one map lookup instead of two.
  const counts = new Map<string, { count: number }>();
  let all = 0;
  let isComplete = true;
  let length = 0;
  return {
    add(value, count) {
      all += count;
      const known = counts.get(value);
      if (known !== undefined) {
        known.count += count;
        if (known.count > 0) return;
        counts.delete(value);
        length -= value.length;
      } else if (value.length > maxLength) return;
      else if (counts.size < maxCounted) {
        counts.set(value, { count });
        length += value.length;
      } else isComplete = false;
    },
    finish() {
      const values: FacetValueCount[] = [];
      for (const [value, { count }] of counts) {
        const last = values.at(-1);
        const isFull = values.length === maxReportedValues;
        const found = { value, count };
        if (isFull && last !== undefined && compare(last, found) < 0) continue;
        if (isFull) values.pop();
        let at = values.length;
        while (at > 0 && compare(values[at - 1] as FacetValueCount, found) > 0) at -= 1; // 0 < at <= values.length
        values.splice(at, 0, found);
      }
      return { values, others: values.reduce((left, { count }) => left - count, all) };
    },
    get isComplete() {
      return isComplete;
    },
    get bytes() {
      return counts.size * bytesPerValue + 2 * length;
    },
  };
}

function compare(a: FacetValueCount, b: FacetValueCount): number {
  return b.count - a.count || (a.value < b.value ? -1 : 1);
}
