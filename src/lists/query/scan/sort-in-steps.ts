/** Number of rows sorted before other work gets a turn. */
const sortedAtOnce = 256;

/** Sorts stably, in steps. Prevents the sorting of a hundred thousand rows from blocking other requests. */
export function* sortInSteps<E>(
  items: readonly E[],
  compare: (a: E, b: E) => number,
): Generator<void, readonly E[], undefined> {
  let runs: (readonly E[])[] = [];
  for (let at = 0; at < items.length; at += sortedAtOnce) {
    runs.push(items.slice(at, at + sortedAtOnce).sort(compare));
    yield;
  }
  while (runs.length > 1) {
    const merged: (readonly E[])[] = [];
    for (let at = 0; at < runs.length; at += 2) {
      const [one = [], other] = [runs[at], runs[at + 1]];
      merged.push(other === undefined ? one : yield* merge(one, other, compare));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

function* merge<E>(
  one: readonly E[],
  other: readonly E[],
  compare: (a: E, b: E) => number,
): Generator<void, readonly E[], undefined> {
  const made: E[] = [];
  let [left, right] = [0, 0];
  while (left < one.length && right < other.length) {
    const [a, b] = [one[left] as E, other[right] as E]; // Both indexes are within their lists
    if (compare(a, b) <= 0) {
      made.push(a);
      left += 1;
    } else {
      made.push(b);
      right += 1;
    }
    if (made.length % sortedAtOnce === 0) yield;
  }
  for (const [list, from] of [
    [one, left],
    [other, right],
  ] as const) {
    for (let at = from; at < list.length; at += 1) {
      made.push(list[at] as E);
      if (made.length % sortedAtOnce === 0) yield;
    }
  }
  return made;
}
