import { chunkWords, type PageBits } from '../table/page-bits.js';
import { limit, type RowChunk, type RowPage } from '../table/sorted-rows.js';

/** Where the rows of a page stood on another one. */
export interface PageMove {
  /** For each chunk the one that it was, or was made of; -1 for none. */
  readonly chunks: readonly number[];
  /** Of those that are not what they were, for each place in the chunk that in the old one; -1 for a row that was not there. */
  readonly changed: ReadonlyMap<number, Int16Array>;
  /** The places of rows that were not there. */
  readonly fresh: PageBits;
  /** Whether number and positions of the chunks are unchanged. */
  readonly isInPlace: boolean;
}

/** The way from one page to another that has most of its rows; null where it has not. */
export function movePage<T>(from: RowPage<T>, to: RowPage<T>): PageMove | null {
  const chunks = pairChunks(from, to);
  const changed = new Map<number, Int16Array>();
  const fresh = new Int32Array(to.length * chunkWords);
  let lost = 0;
  for (const [at, chunk] of to.entries()) {
    const old = chunks[at] ?? -1;
    const before = from[old];
    if (before === chunk) continue;
    const places = pairRows(before ?? [], chunk);
    for (let place = 0; place < chunk.length; place += 1) {
      if ((places[place] ?? -1) >= 0) continue;
      const word = at * chunkWords + (place >> 5);
      fresh[word] = (fresh[word] ?? 0) | (1 << (place & 31));
      lost += 1;
    }
    changed.set(at, places);
  }
  // After a split, half of a page is still valid; a page with mostly different rows is better read again.
  if (lost * 2 > to.length * limit) return null;
  const isInPlace = from.length === to.length && chunks.every((old, at) => old === at);
  return { chunks, changed, fresh, isInPlace };
}

function pairChunks<T>(from: RowPage<T>, to: RowPage<T>): readonly number[] {
  const [least, most] = [Math.min(from.length, to.length), to.length - from.length];
  let first = 0;
  while (first < least && from[first] === to[first]) first += 1;
  let last = 0;
  while (last < least - first && from[from.length - 1 - last] === to[to.length - 1 - last]) last += 1;
  const known = most === 0 ? null : new Map(from.map((chunk, at): [RowChunk<T>, number] => [chunk, at]));
  return to.map((chunk, at) => {
    if (at < first) return at;
    if (at >= to.length - last) return at - most;
    if (known === null) return at;
    // One that has been cut begins and ends where the old one did.
    return known.get(chunk) ?? (at === first ? first : at === first + most ? first : -1);
  });
}

function pairRows<T>(from: RowChunk<T>, to: RowChunk<T>): Int16Array {
  const places = new Int16Array(limit).fill(-1);
  const least = Math.min(from.length, to.length);
  let first = 0;
  for (; first < least && from[first] === to[first]; first += 1) places[first] = first;
  const distance = to.length - from.length;
  for (let at = to.length - 1; at - distance >= first && at >= first; at -= 1) {
    if (to[at] !== from[at - distance]) break;
    places[at] = at - distance;
  }
  if (distance === 0) {
    for (let at = first; at < to.length; at += 1) if (to[at] === from[at]) places[at] = at;
  } else if (to.some((_, at) => places[at] === -1 && at > first)) {
    const known = new Map(from.map((row, at): [T, number] => [row, at]));
    for (let at = first; at < to.length; at += 1) places[at] = known.get(to[at] as T) ?? -1; // at < to.length
  }
  return places;
}

/** Returns the bits of the rows at their new positions. */
export function moveBits(bits: PageBits, { chunks, changed }: PageMove): PageBits {
  const moved = new Int32Array(chunks.length * chunkWords);
  for (const [at, old] of chunks.entries()) {
    if (old < 0) continue;
    const places = changed.get(at);
    const [from, to] = [old * chunkWords, at * chunkWords];
    if (places === undefined) {
      for (let word = 0; word < chunkWords; word += 1) moved[to + word] = bits[from + word] ?? 0;
      continue;
    }
    for (let place = 0; place < limit; place += 1) {
      const was = places[place] ?? -1;
      if (was < 0 || ((bits[from + (was >> 5)] ?? 0) & (1 << (was & 31))) === 0) continue;
      const word = to + (place >> 5);
      moved[word] = (moved[word] ?? 0) | (1 << (place & 31));
    }
  }
  return moved;
}

/** The same for numbers of the rows, one for each place. Fresh rows have 0. */
export function moveNumbers<A extends Uint8Array | Uint16Array | Float64Array>(
  numbers: A,
  make: (length: number) => A,
  { chunks, changed, isInPlace }: PageMove,
): A {
  const moved = isInPlace ? numbers : make(chunks.length * limit);
  const taken = new Map<number, A>();
  // In place a chunk is taken out before others are put there.
  if (isInPlace) {
    for (const at of changed.keys()) taken.set(at, numbers.slice(at * limit, (at + 1) * limit) as A);
  }
  for (const [at, old] of chunks.entries()) {
    const places = changed.get(at);
    if (places === undefined) {
      if (!isInPlace && old >= 0) moved.set(numbers.subarray(old * limit, (old + 1) * limit), at * limit);
      continue;
    }
    const source = taken.get(at);
    for (let place = 0; place < limit; place += 1) {
      const was = old < 0 ? -1 : (places[place] ?? -1);
      moved[at * limit + place] =
        was < 0 ? 0 : source !== undefined ? (source[was] ?? 0) : (numbers[old * limit + was] ?? 0);
    }
  }
  return moved;
}

/** The rows for which nothing is known: those of before, where they are now, and those that are new. */
export function joinBits(unsure: PageBits | null, move: PageMove): PageBits {
  if (unsure === null) return move.fresh;
  const moved = moveBits(unsure, move);
  for (let word = 0; word < moved.length; word += 1) {
    moved[word] = (moved[word] ?? 0) | (move.fresh[word] ?? 0);
  }
  return moved;
}
