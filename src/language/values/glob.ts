/**
 * Globs that match whole strings: `*` is any run of characters, including an empty one, `?` one code point, and `\` makes the
 * next character literal. There are no classes and no alternatives.
 *
 * A glob is split at its stars. The first part must match at the beginning of the string and the last one at the end; those
 * between are searched for in order, each at its earliest match, which leaves the most for the others. There is no backtracking,
 * so matching is linear in the string; a part with a `?` is compared at each index, so its length counts for each character.
 */
import { foldText, foldWeight } from './case-fold.js';
import { nextCodePoint, previousCodePoint } from './code-points.js';
import { createTextSearch } from './pattern/text-search.js';

/** A parsed glob. */
export interface Glob {
  /** The parts before, between and after the stars; a single part if there is no star. */
  readonly parts: readonly GlobPart[];
}

/** Strings with one `?` between each two of them. */
export type GlobPart = readonly [first: string, ...rest: string[]];

/** Parses a glob; null if it ends in an incomplete escape. */
export function parseGlob(source: string): Glob | null {
  const parts: [string, ...string[]][] = [['']];
  for (let at = 0; at < source.length; at += 1) {
    const part = parts[parts.length - 1] as [string, ...string[]]; // Neither the source nor a part is empty here
    const sign = source.charAt(at);
    if (sign === '*') parts.push(['']);
    else if (sign === '?') part.push('');
    else if (sign !== '\\') part[part.length - 1] += sign;
    else if (at + 1 === source.length) return null;
    else {
      at += 1;
      part[part.length - 1] += source.charAt(at);
    }
  }
  // Adjacent stars are equivalent to one.
  return { parts: parts.filter((part, at) => at === 0 || at === parts.length - 1 || part.join('?') !== '') };
}

/** A test of whole strings; `weight` is its maximum cost per character, in units of 6 ns. */
export interface GlobTest {
  readonly test: (text: string) => boolean;
  readonly weight: number;
}

/** Returns the test of a glob. `ignoreCase`: both sides are compared by simple case folding. */
export function compileGlob(glob: Glob, ignoreCase: boolean): GlobTest {
  if (!ignoreCase) return compileParts(glob.parts);
  const { test, weight } = compileParts(glob.parts.map((part) => part.map(foldText) as unknown as GlobPart));
  return { test: (text) => test(foldText(text)), weight: weight + foldWeight };
}

function compileParts(parts: readonly GlobPart[]): GlobTest {
  const [head = [''] as const, ...rest] = parts;
  const tail = rest.pop();
  const [start] = head;
  const startsAt = matcherAt(head);
  if (tail === undefined) {
    // The strings of a glob together are no longer than the glob, which limits the cost of the comparison.
    return head.length === 1
      ? { test: (text) => text === start, weight: 0 }
      : { test: (text) => startsAt(text, 0) === text.length, weight: 0 };
  }
  const [end] = tail;
  if (rest.length === 0 && head.length === 1 && tail.length === 1) {
    const minLength = start.length + end.length;
    return {
      test: (text) => text.length >= minLength && text.startsWith(start) && text.endsWith(end),
      weight: 0,
    };
  }
  const endsAt = matcherAt(tail);
  const finders = rest.map(finderOf);
  return {
    test(text) {
      let at = startsAt(text, 0);
      if (at < 0) return false;
      const last = startOfTail(text, tail, at);
      if (last < 0 || endsAt(text, last) !== text.length) return false;
      for (const { find } of finders) {
        at = find(text, at, last);
        if (at < 0) return false;
      }
      return true;
    },
    weight: finders.reduce((max, { weight }) => Math.max(max, weight), 0),
  };
}

/** Returns the index after a part that begins at the given index; -1 if it does not match there. */
type MatchAt = (text: string, at: number) => number;

function matcherAt([first, ...rest]: GlobPart): MatchAt {
  if (rest.length === 0) return (text, at) => (text.startsWith(first, at) ? at + first.length : -1);
  return (text, start) => {
    if (!text.startsWith(first, start)) return -1;
    let at = start + first.length;
    for (const each of rest) {
      if (at >= text.length) return -1;
      at = nextCodePoint(text, at);
      if (!text.startsWith(each, at)) return -1;
      at += each.length;
    }
    return at;
  };
}

/** Returns the index at which a part must begin so that it ends with the string; -1 if that is before the minimum. */
function startOfTail(text: string, texts: GlobPart, minLength: number): number {
  let at = text.length;
  for (let index = texts.length - 1; index >= 0; index -= 1) {
    at -= (texts[index] as string).length;
    if (index > 0 && at > minLength) at = previousCodePoint(text, at);
    else if (index > 0) return -1;
    if (at < minLength) return -1;
  }
  return at;
}

/** Searches for a part between two indexes. Returns the index after the first match, or -1. */
interface Finder {
  readonly find: (text: string, from: number, to: number) => number;
  readonly weight: number;
}

function finderOf(part: GlobPart): Finder {
  const [only] = part;
  if (part.length === 1) {
    const { find, weight } = createTextSearch(only);
    return {
      find(text, from, to) {
        const found = find(text, from);
        return found < 0 || found + only.length > to ? -1 : found + only.length;
      },
      weight,
    };
  }
  const matchAt = matcherAt(part);
  return {
    find(text, from, to) {
      for (let at = from; at <= to; at = nextCodePoint(text, at)) {
        const end = matchAt(text, at);
        if (end > to) return -1;
        if (end >= 0) return end;
      }
      return -1;
    },
    weight: part.join('?').length,
  };
}
