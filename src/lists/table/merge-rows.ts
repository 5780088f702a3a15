import { compareKeys, keyOf, type Key, type Order } from '../list/index.js';

interface Source<T> {
  readonly rows: Iterator<T>;
  row: T;
  key: Key;
}

/** Merges sorted rows of several sources, and yields each row once. The time per row is proportional to the number of sources. */
export function* mergeRows<T>(
  order: Order<T>,
  ranges: readonly Iterable<T>[],
  reverse: boolean,
): Generator<T, void, undefined> {
  const sources: Source<T>[] = [];
  for (const range of ranges) {
    const rows = range[Symbol.iterator]();
    const { done, value } = rows.next();
    if (done !== true) sources.push({ rows, row: value, key: keyOf(order, value) });
  }
  while (sources.length > 0) {
    const [first, ...others] = sources;
    if (first === undefined) return;
    let min = first;
    for (const source of others) {
      const distance = compareKeys(source.key, min.key);
      if (reverse ? distance > 0 : distance < 0) min = source;
    }
    const { row, key } = min;
    yield row;
    // A row may be at the front of several sources.
    for (const source of [...sources])
      if (compareKeys(source.key, key) === 0) advance(order, source, sources);
  }
}

function advance<T>(order: Order<T>, source: Source<T>, sources: Source<T>[]): void {
  const { done, value } = source.rows.next();
  if (done === true) {
    sources.splice(sources.indexOf(source), 1);
    return;
  }
  source.row = value;
  source.key = keyOf(order, value);
}
