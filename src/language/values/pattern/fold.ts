/**
 * Case folding under `(?i)`: Unicode's simple folding, as Go does it. Each code point has an orbit, the code points
 * that differ from it by case alone: `k K` and the Kelvin sign, `s S` and the long s. `ß` has `ẞ` but never `ss`.
 *
 * No table is shipped: the orbits outside ASCII come from the runtime's own single-character case mappings, worked out
 * once, when the first pattern needs them, in a few milliseconds. The mappings give Go's folding with one exception:
 * dotless i, whose capital is I, folds to nothing. (Three pairs, U+0390 and U+1FD3 among them, have no such mappings;
 * Unicode folds them since 15.1, Go 1.19 and this do not.)
 */
import { type CodeSet, contains, normalize, rangesOf, singleCode, union } from './code-set.js';

/** Blocks of code points with case, up to Unicode 17. */
const casedBlocks: readonly (readonly [first: number, last: number])[] = [
  [0x41, 0x5a],
  [0x61, 0x7a],
  [0xb5, 0x29e],
  [0x345, 0x345],
  [0x370, 0x586],
  [0x10a0, 0x10ff],
  [0x13a0, 0x13fd],
  [0x1c80, 0x1cbf],
  [0x1d79, 0x1d8e],
  [0x1e00, 0x1ffc],
  [0x2126, 0x2184],
  [0x24b6, 0x24e9],
  [0x2c00, 0x2d2d],
  [0xa640, 0xa69b],
  [0xa722, 0xa7f6],
  [0xab53, 0xabbf],
  [0xff21, 0xff5a],
  [0x10400, 0x1044f],
  [0x104b0, 0x104fb],
  [0x10570, 0x105bc],
  [0x10c80, 0x10cf2],
  [0x10d50, 0x10d85],
  [0x118a0, 0x118df],
  [0x16e40, 0x16ed3],
  [0x1e900, 0x1e943],
];

const dotlessI = 0x131;
const longS = 0x17f;
const kelvinSign = 0x212a;

/** Returns the set with everything that differs from a member only in case. */
export function foldSet(set: CodeSet): CodeSet {
  const last = set.at(-1);
  if (last === undefined) return set;
  if (last < 0x80) return singleCode(set) === null ? foldAscii(set) : foldAsciiCode(last);
  let result = folded.get(set);
  if (result === undefined) {
    result = foldAny(set);
    folded.set(set, result);
  }
  return result;
}

/** Cache for long-lived sets, such as that of `\pL`, which may occur three hundred times in a pattern. */
const folded = new WeakMap<CodeSet, CodeSet>();

/** The folded sets of single ASCII characters, which are the most common operands of `(?i)`. */
const foldedAscii: (CodeSet | undefined)[] = [];

function foldAsciiCode(code: number): CodeSet {
  return (foldedAscii[code] ??= foldAscii([code, code]));
}

function foldAscii(set: CodeSet): CodeSet {
  const added: [number, number][] = [];
  for (const [low, high] of rangesOf(set)) {
    for (let code = Math.max(low, 0x41); code <= Math.min(high, 0x7a); code += 1) {
      const other = code ^ 0x20;
      if ((code | 0x20) < 0x61 || (code | 0x20) > 0x7a) continue;
      added.push([other, other]);
      if ((code | 0x20) === 0x6b) added.push([kelvinSign, kelvinSign]);
      if ((code | 0x20) === 0x73) added.push([longS, longS]);
    }
  }
  return added.length === 0 ? set : union([set, normalize(added)]);
}

function foldAny(set: CodeSet): CodeSet {
  known ??= tableOf(findMembers());
  const { codes, orbits, reach } = known;
  const added: (readonly [number, number])[] = [];
  for (const [low, high] of rangesOf(set)) {
    let at = firstFrom(codes, low);
    while (at < codes.length && (codes[at] ?? 0) <= high) {
      const block = at % blockSize === 0 ? reach[at / blockSize] : undefined;
      // If the range contains a whole block with all its orbits, nothing needs to be added.
      if (block !== undefined && block.min >= low && block.max <= high) {
        at += blockSize;
        continue;
      }
      for (const code of orbits[at] ?? []) if (!contains(set, code)) added.push([code, code]);
      at += 1;
    }
  }
  return added.length === 0 ? set : union([set, normalize(added)]);
}

/** Returns the index of the first code that is not smaller. */
function firstFrom(codes: readonly number[], code: number): number {
  let low = 0;
  let high = codes.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((codes[middle] ?? 0) < code) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Returns the representative of a code point regardless of case: the smallest of its orbit, or itself. A code point of the basic
 * plane has its whole orbit there, so that a string keeps its length.
 */
export function foldCode(code: number): number {
  if (code < 0x80) return code >= 0x61 && code <= 0x7a ? code - 0x20 : code;
  if (smallest === undefined) {
    known ??= tableOf(findMembers());
    const { codes, orbits } = known;
    smallest = new Map(codes.map((member, at) => [member, Math.min(...(orbits[at] ?? []))]));
  }
  return smallest.get(code) ?? code;
}

/** The smallest code point of the orbit of each code point. */
let smallest: ReadonlyMap<number, number> | undefined;

type Orbit = readonly number[];

/** A code point that has an orbit. */
interface Member {
  readonly code: number;
  readonly orbit: Orbit;
}

/** The code points with an orbit, ascending, and their orbits. */
interface FoldTable {
  readonly codes: readonly number[];
  readonly orbits: readonly Orbit[];
  /**
   * The extent of the orbits of each block of {@link blockSize} code points: most ranges contain all of a block with its orbits.
   */
  readonly reach: readonly { readonly min: number; readonly max: number }[];
}

const blockSize = 32;

let known: FoldTable | undefined;

function tableOf(members: readonly Member[]): FoldTable {
  const orbits = members.map(({ orbit }) => orbit);
  const reach = Array.from({ length: Math.ceil(orbits.length / blockSize) }, (_, block) => {
    const codes = orbits.slice(block * blockSize, (block + 1) * blockSize).flat();
    return { min: Math.min(...codes), max: Math.max(...codes) };
  });
  return { codes: members.map(({ code }) => code), orbits, reach };
}

function findMembers(): readonly Member[] {
  const byKey = new Map<number, number[]>();
  for (const [first, last] of casedBlocks) {
    for (let code = first; code <= last; code += 1) {
      if (code === dotlessI) continue;
      const key = lowered(raised(code));
      const orbit = byKey.get(key);
      if (orbit === undefined) byKey.set(key, [code]);
      else orbit.push(code);
    }
  }
  const all = [...byKey.values()].filter((orbit) => orbit.length > 1);
  const members = all.flatMap((orbit) => orbit.map((code) => ({ code, orbit })));
  return members.sort((a, b) => a.code - b.code);
}

function raised(code: number): number {
  return single(String.fromCodePoint(code).toUpperCase(), code);
}

function lowered(code: number): number {
  return single(String.fromCodePoint(code).toLowerCase(), code);
}

/** Returns the code point of a string that has exactly one; simple folding has no mapping to several. */
function single(text: string, otherwise: number): number {
  const code = text.codePointAt(0) ?? otherwise;
  return text.length === (code > 0xffff ? 2 : 1) ? code : otherwise;
}
