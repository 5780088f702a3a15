import type { CodeSet } from '../language/values/pattern/code-set.js';
import { everything, isEqualSet, rangesOf } from '../language/values/pattern/code-set.js';
import { foldSet } from '../language/values/pattern/fold.js';
import {
  assertAt,
  chars,
  childrenOf,
  choice,
  fail,
  repeat,
  sequence,
  type Node,
} from '../language/values/pattern/node.js';
import type { Glob } from '../language/values/glob.js';

/**
 * Patterns for engines, generated as sets of code points from the parsed tree. No class, flag or escape of a filter reaches an
 * engine, so results do not depend on its syntax, its locale or its Unicode version.
 */

/**
 * Maximum number of instructions of a pattern with repetitions expanded. Engines reject larger ones, or take seconds for them.
 */
const maxSize = 1_000;
/** Maximum length of a pattern for an engine, in UTF-16 units. */
const maxLength = 16_384;
/** PostgreSQL's maximum repetition count. */
const maxCount = 255;

const anyRun = repeat(chars(everything), 0, Infinity);

/** Returns a string as a pattern anchored at the given ends, ignoring case if `fold` is set. */
export function textPattern(text: string, fold: boolean, start: boolean, end: boolean): Node {
  return sequence([
    ...(start ? [assertAt('text-start')] : []),
    ...charactersOf(text, fold),
    ...(end ? [assertAt('text-end')] : []),
  ]);
}

/** Returns a glob as a pattern that matches the whole string. */
export function globPattern({ parts }: Glob, fold: boolean): Node {
  const nodes = parts.flatMap((part, at): Node[] => [
    ...(at === 0 ? [] : [anyRun]),
    ...part.flatMap((text, index): Node[] => [
      ...(index === 0 ? [] : [chars(everything)]),
      ...charactersOf(text, fold),
    ]),
  ]);
  return sequence([assertAt('text-start'), ...nodes, assertAt('text-end')]);
}

function charactersOf(text: string, fold: boolean): Node[] {
  return [...text].map((character) => {
    const code = character.codePointAt(0) ?? 0;
    return chars(fold ? foldSet([code, code]) : [code, code]);
  });
}

/**
 * Returns the pattern without code points that no stored string contains: unpaired surrogates, and U+0000 if the engine does not
 * support it.
 */
export function storable(node: Node, takesNul: boolean): Node {
  const cut = (set: CodeSet): CodeSet => {
    const ranges = [...rangesOf(set)].flatMap(([low, high]): [number, number][] => [
      [Math.max(low, takesNul ? 0 : 1), Math.min(high, 0xd7ff)],
      [Math.max(low, 0xe000), high],
    ]);
    return ranges.filter(([low, high]) => low <= high).flat();
  };
  const walk = (each: Node): Node => {
    switch (each.kind) {
      case 'chars':
        return chars(cut(each.set));
      case 'sequence':
        return sequence(each.parts.map(walk));
      case 'choice':
        return choice(each.options.map(walk));
      case 'repeat': {
        const body = walk(each.body);
        return body.kind === 'fail' && each.min > 0
          ? fail
          : repeat(body, each.min, body.kind === 'fail' ? 0 : each.max);
      }
      default:
        return each;
    }
  };
  return walk(node);
}

/** The two regular expression flavours that engines have. */
export interface Flavour {
  readonly start: string;
  readonly end: string;
  readonly code: (code: number) => string;
}

export const advancedFlavour: Flavour = {
  start: '^',
  end: '$',
  code: (code) => `\\U${code.toString(16).padStart(8, '0')}`,
};

export const re2Flavour: Flavour = {
  start: '\\A',
  end: '\\z',
  code: (code) => `\\x{${code.toString(16)}}`,
};

/** Returns the pattern in a flavour; null if engines interpret it differently or evaluate it badly. */
export function writePattern(node: Node, flavour: Flavour): string | null {
  if (sizeOf(node) > maxSize) return null;
  const text = write(node, flavour);
  return text === null || text.length > maxLength ? null : text;
}

function write(node: Node, flavour: Flavour): string | null {
  switch (node.kind) {
    case 'empty':
      return '(?:)';
    case 'chars':
      return writeSet(node.set, flavour);
    case 'assert':
      return node.position === 'text-start'
        ? flavour.start
        : node.position === 'text-end'
          ? flavour.end
          : null;
    case 'sequence':
      return joined(node.parts, '', flavour);
    case 'choice': {
      const options = joined(node.options, '|', flavour);
      return options === null ? null : `(?:${options})`;
    }
    case 'repeat': {
      const { body, min, max } = node;
      if (hasAssertion(body) || min > maxCount || (max !== Infinity && max > maxCount)) return null;
      const text = write(body, flavour);
      return text === null ? null : `(?:${text}){${min},${max === Infinity ? '' : max}}`;
    }
    default:
      return null;
  }
}

function joined(nodes: readonly Node[], between: string, flavour: Flavour): string | null {
  const texts = nodes.map((each) => write(each, flavour));
  return texts.includes(null) ? null : texts.join(between);
}

function writeSet(set: CodeSet, { code }: Flavour): string {
  const ranges = [...rangesOf(set)].map(([low, high]) =>
    low === high ? code(low) : `${code(low)}-${code(high)}`,
  );
  return `[${ranges.join('')}]`;
}

function hasAssertion(node: Node): boolean {
  return node.kind === 'assert' || childrenOf(node).some(hasAssertion);
}

function sizeOf(node: Node): number {
  switch (node.kind) {
    case 'chars':
      return 1 + Math.floor(node.set.length / 8);
    case 'sequence':
      return node.parts.reduce((sum, each) => sum + sizeOf(each), 0);
    case 'choice':
      return node.options.reduce((sum, each) => sum + 1 + sizeOf(each), 0);
    case 'repeat':
      return 1 + sizeOf(node.body) * (node.max === Infinity ? node.min + 1 : node.max);
    default:
      return 1;
  }
}

/** Returns the pattern for `GLOB` of SQLite, which supports sets of one code point and runs of any; null for other patterns. */
export function writeGlob(node: Node): string | null {
  if (sizeOf(node) > maxSize) return null;
  const parts = node.kind === 'sequence' ? node.parts : [node];
  let text = '';
  let isOpen = true;
  for (const [at, part] of parts.entries()) {
    if (part.kind === 'assert') {
      const isStart = part.position === 'text-start' && at === 0;
      if (!isStart && (part.position !== 'text-end' || at !== parts.length - 1)) return null;
      if (isStart) isOpen = false;
    } else {
      if (at === 0) text += '*';
      const written = isRun(part)
        ? '*'
        : part.kind === 'chars'
          ? globSet(part.set)
          : part.kind === 'empty'
            ? ''
            : null;
      if (written === null) return null;
      text += written;
    }
  }
  const last = parts.at(-1);
  if (!(last?.kind === 'assert' && last.position === 'text-end')) text += '*';
  const written = (isOpen && !text.startsWith('*') ? `*${text}` : text).replace(/\*\*+/g, '*');
  return written.length > maxLength ? null : written;
}

/** Whether a pattern matches any string. */
export function isRun(node: Node): boolean {
  return (
    node.kind === 'repeat' &&
    node.min === 0 &&
    node.max === Infinity &&
    node.body.kind === 'chars' &&
    containsAll(node.body.set)
  );
}

/** Whether a set contains every code point that a string can have, except U+0000. */
function containsAll(set: CodeSet): boolean {
  if (isEqualSet(set, everything)) return true;
  const [low, high, next, last] = set;
  if (low === undefined || low > 1) return false;
  return high === 0xd7ff && next === 0xe000 && last === 0x10ffff && set.length === 4;
}

const closing = 0x5d;
const caret = 0x5e;
const dash = 0x2d;
/** SQLite reads each of these three code points as the first of them. */
const replaced = [0xfffd, 0xfffe, 0xffff] as const;

function globSet(set: CodeSet): string | null {
  if (containsAll(set)) return '?';
  const matches = (code: number): boolean =>
    [...rangesOf(set)].some(([low, high]) => low <= code && code <= high);
  const [first, ...others] = replaced;
  if (others.some((each) => matches(each) !== matches(first))) return null;
  const [only, same] = set;
  if (set.length === 2 && only !== undefined && only === same) {
    const character = String.fromCodePoint(only);
    return '*?['.includes(character) ? `[${character}]` : character;
  }
  // These characters are special in brackets, except in certain positions.
  const special = [closing, caret, dash].filter(matches);
  const ranges = [...rangesOf(set)].flatMap((range) => withoutSpecial(range));
  const written = ranges
    .map(([low, high]) =>
      low === high ? String.fromCodePoint(low) : `${String.fromCodePoint(low)}-${String.fromCodePoint(high)}`,
    )
    .join('');
  const hasClosing = special.includes(closing);
  const hasCaret = special.includes(caret);
  const hasDash = special.includes(dash);
  if (!hasClosing && written === '') return hasDash ? '[-^]' : null;
  return `[${hasClosing ? ']' : ''}${written}${hasCaret ? '^' : ''}${hasDash ? '-' : ''}]`;
}

function withoutSpecial([low, high]: readonly [number, number]): [number, number][] {
  let ranges: [number, number][] = [[low, high]];
  for (const code of [closing, caret, dash]) {
    ranges = ranges.flatMap(([from, to]): [number, number][] =>
      code < from || code > to
        ? [[from, to]]
        : (
            [
              [from, code - 1],
              [code + 1, to],
            ] as [number, number][]
          ).filter(([a, b]) => a <= b),
    );
  }
  return ranges;
}

/** Returns the longest string that every match of the pattern contains; empty if none is known. */
export function requiredText(node: Node): string {
  const parts = node.kind === 'sequence' ? node.parts : [node];
  let required = '';
  let run = '';
  for (const part of parts) {
    const [low, high] = part.kind === 'chars' ? part.set : [];
    const single = part.kind === 'chars' && part.set.length === 2 && low !== undefined && low === high;
    run = single ? run + String.fromCodePoint(low) : '';
    if (run.length > required.length) required = run;
  }
  return required;
}
