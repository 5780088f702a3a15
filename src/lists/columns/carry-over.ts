import { chunkWords, type PageBits } from '../table/page-bits.js';
import { limit, type RowChunk, type RowPage } from '../table/sorted-rows.js';

/** Maps the rows of a page to their positions on an earlier page. */
export interface PageDiff {
  /** For each chunk, the index of the old chunk that it equals or was made from; -1 for none. */
  readonly chunks: readonly number[];
  /** For each changed chunk: the old position of each row within its old chunk, or -1 for a new row. */
  readonly changed: ReadonlyMap<number, Int16Array>;
  /** The positions of new rows. */
  readonly fresh: PageBits;
  /** Whether the chunks have the same number and the same positions as before. */
  readonly isInPlace: boolean;
}

/** Returns how rows moved from one version of a page to the next; null if the two share too few rows. */
export function movePage<T>(from: RowPage<T>, to: RowPage<T>): PageDiff | null {
  const chunks = pairChunks(from, to);
  const changed = new Map<number, Int16Array>();
  const fresh = new Int32Array(to.length * chunkWords);
  let lost = 0;
  for (const [at, chunk] of to.entries()) {
    const old = chunks[at] ?? -1;
    const before = from[old];
    if (before === chunk) continue;
    const rowIndexes = pairRows(before ?? [], chunk);
    for (let rowIndex = 0; rowIndex < chunk.length; rowIndex += 1) {
      if ((rowIndexes[rowIndex] ?? -1) >= 0) continue;
      const word = at * chunkWords + (rowIndex >> 5);
      fresh[word] = (fresh[word] ?? 0) | (1 << (rowIndex & 31));
      lost += 1;
    }
    changed.set(at, rowIndexes);
  }
  // After a split, half of the rows are still known. If most rows are new, reading the page from scratch is cheaper.
  if (lost * 2 > to.length * limit) return null;
  const isInPlace = from.length === to.length && chunks.every((old, at) => old === at);
  return { chunks, changed, fresh, isInPlace };
}

function pairChunks<T>(from: RowPage<T>, to: RowPage<T>): readonly number[] {
  const [min, max] = [Math.min(from.length, to.length), to.length - from.length];
  let first = 0;
  while (first < min && from[first] === to[first]) first += 1;
  let last = 0;
  while (last < min - first && from[from.length - 1 - last] === to[to.length - 1 - last]) last += 1;
  const known = max === 0 ? null : new Map(from.map((chunk, at): [RowChunk<T>, number] => [chunk, at]));
  return to.map((chunk, at) => {
    if (at < first) return at;
    if (at >= to.length - last) return at - max;
    if (known === null) return at;
    // A split chunk starts or ends with the same row as the old one.
    return known.get(chunk) ?? (at === first ? first : at === first + max ? first : -1);
  });
}

function pairRows<T>(from: RowChunk<T>, to: RowChunk<T>): Int16Array {
  const rowIndexes = new Int16Array(limit).fill(-1);
  const min = Math.min(from.length, to.length);
  let first = 0;
  for (; first < min && from[first] === to[first]; first += 1) rowIndexes[first] = first;
  const distance = to.length - from.length;
  for (let at = to.length - 1; at - distance >= first && at >= first; at -= 1) {
    if (to[at] !== from[at - distance]) break;
    rowIndexes[at] = at - distance;
  }
  if (distance === 0) {
    for (let at = first; at < to.length; at += 1) if (to[at] === from[at]) rowIndexes[at] = at;
  } else if (to.some((_, at) => rowIndexes[at] === -1 && at > first)) {
    const known = new Map(from.map((row, at): [T, number] => [row, at]));
    for (let at = first; at < to.length; at += 1) rowIndexes[at] = known.get(to[at] as T) ?? -1; // at < to.length
  }
  return rowIndexes;
}

/** Returns the bits of the rows at their new positions. */
export function carryOverBits(bits: PageBits, { chunks, changed }: PageDiff): PageBits {
  const moved = new Int32Array(chunks.length * chunkWords);
  for (const [at, old] of chunks.entries()) {
    if (old < 0) continue;
    const rowIndexes = changed.get(at);
    const [from, to] = [old * chunkWords, at * chunkWords];
    if (rowIndexes === undefined) {
      for (let word = 0; word < chunkWords; word += 1) moved[to + word] = bits[from + word] ?? 0;
      continue;
    }
    for (let rowIndex = 0; rowIndex < limit; rowIndex += 1) {
      const was = rowIndexes[rowIndex] ?? -1;
      if (was < 0 || ((bits[from + (was >> 5)] ?? 0) & (1 << (was & 31))) === 0) continue;
      const word = to + (rowIndex >> 5);
      moved[word] = (moved[word] ?? 0) | (1 << (rowIndex & 31));
    }
  }
  return moved;
}

/** Returns numbers (one per row) at the new positions of the rows. New rows have 0. */
export function moveNumbers<A extends Uint8Array | Uint16Array | Float64Array>(
  numbers: A,
  make: (length: number) => A,
  { chunks, changed, isInPlace }: PageDiff,
): A {
  const moved = isInPlace ? numbers : make(chunks.length * limit);
  const taken = new Map<number, A>();
  // If the copy happens in place, an old chunk must be saved before another chunk overwrites it.
  if (isInPlace) {
    for (const at of changed.keys()) taken.set(at, numbers.slice(at * limit, (at + 1) * limit) as A);
  }
  for (const [at, old] of chunks.entries()) {
    const rowIndexes = changed.get(at);
    if (rowIndexes === undefined) {
      if (!isInPlace && old >= 0) moved.set(numbers.subarray(old * limit, (old + 1) * limit), at * limit);
      continue;
    }
    const source = taken.get(at);
    for (let rowIndex = 0; rowIndex < limit; rowIndex += 1) {
      const was = old < 0 ? -1 : (rowIndexes[rowIndex] ?? -1);
      moved[at * limit + rowIndex] =
        was < 0 ? 0 : source !== undefined ? (source[was] ?? 0) : (numbers[old * limit + was] ?? 0);
    }
  }
  return moved;
}

/** Returns the uncertain rows of the new page: the old ones at their new positions, plus all new rows. */
export function joinBits(uncertain: PageBits | null, move: PageDiff): PageBits {
  if (uncertain === null) return move.fresh;
  const moved = carryOverBits(uncertain, move);
  for (let word = 0; word < moved.length; word += 1) {
    moved[word] = (moved[word] ?? 0) | (move.fresh[word] ?? 0);
  }
  return moved;
}
