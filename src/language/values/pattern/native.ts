/**
 * The translation of a simplified pattern to a native RegExp, character by character and without trust in names that
 * the two languages share:
 *
 * - Always with the `u` flag and no other: one code point is one character, a lone surrogate is one, `^` and `$` are the ends of
 * the string and `\b` is ASCII. Measured, the flag costs nothing.
 * - Classes are written as explicit ranges, and case folding is already in the ranges: the native `i` folds otherwise.
 * - `(?m)` becomes a look at the neighbour, because native lines also end at `\r`, U+2028 and U+2029.
 * - V8 also begins attempts between the halves of a surrogate pair. Nothing can be read there, but an empty match is
 *   found; patterns for which that can happen (`\B`, `(?m)^$`) are left to the automaton.
 * - Groups do not capture, repetitions are greedy.
 */
import { type CodeSet, complement, rangesOf, singleCode } from './code-set.js';
import { mayBeEmpty, type AssertionKind, type Node, type Repeat } from './node.js';

/** Maximum UTF-16 units of classes in a translation. `\pL` has 11,000; compiling such a class takes V8 about 0.2 ms. */
const maxSource = 30_000;

/** Returns the RegExp; null if the two languages differ, the translation is too long, or the runtime rejects it. */
export function nativeRegExp(node: Node): RegExp | null {
  if (mayBeEmpty(node, (position) => insidePair.has(position))) return null;
  const source = createWriter()(node);
  if (source === null) return null;
  try {
    return new RegExp(source, 'u');
  } catch {
    // A runtime without lookbehind (Safari before 16.4) uses the automaton.
    return null;
  }
}

/** The assertions that may hold between the halves of a surrogate pair. */
const insidePair: ReadonlySet<AssertionKind> = new Set(['no-word-edge', 'line-start', 'line-end']);

const positions: Readonly<Record<AssertionKind, string>> = {
  'text-start': '^',
  'text-end': '$',
  'line-start': '(?<![^\\n])',
  'line-end': '(?![^\\n])',
  'word-edge': '\\b',
  'no-word-edge': '\\B',
};

/**
 * Returns a function that writes nodes; null once the classes are too long in total. Each class is written once, because a class
 * such as `\pL` may occur 300 times in a pattern.
 */
function createWriter(): (node: Node) => string | null {
  const classes = new Map<CodeSet, string>();
  let length = 0;

  function classOf(set: CodeSet): string {
    const text = classes.get(set) ?? (length > maxSource ? '[]' : writeClass(set));
    classes.set(set, text);
    length += text.length;
    return text;
  }

  function repeated({ body, min, max }: Repeat): string {
    const inner = body.kind === 'chars' ? classOf(body.set) : `(?:${write(body)})`;
    if (max === Infinity) return min === 0 ? `${inner}*` : min === 1 ? `${inner}+` : `${inner}{${min},}`;
    if (min === 0 && max === 1) return `${inner}?`;
    return min === max ? `${inner}{${min}}` : `${inner}{${min},${max}}`;
  }

  function write(node: Node): string {
    switch (node.kind) {
      case 'fail':
        return '[]';
      case 'empty':
        return '(?:)';
      case 'chars':
        return classOf(node.set);
      case 'assert':
        return positions[node.position];
      case 'sequence':
        return node.parts
          .map((part) => (part.kind === 'choice' ? `(?:${write(part)})` : write(part)))
          .join('');
      case 'choice':
        return node.options.map(write).join('|');
      case 'repeat':
        return repeated(node);
    }
  }

  return (node) => {
    const source = write(node);
    return length > maxSource ? null : source;
  };
}

function writeClass(set: CodeSet): string {
  const single = singleCode(set);
  if (single !== null) return escaped(single);
  const others = complement(set);
  const isNegated = others.length < set.length;
  const ranges = [...rangesOf(isNegated ? others : set)].map(([low, high]) =>
    low === high ? escaped(low) : `${escaped(low)}-${escaped(high)}`,
  );
  return `[${isNegated ? '^' : ''}${ranges.join('')}]`;
}

function escaped(code: number): string {
  const isPlain =
    (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);
  return isPlain ? String.fromCharCode(code) : `\\u{${code.toString(16)}}`;
}
