/**
 * Go's regular expressions for yes/no questions: found in the text or not, in time linear in the text, whatever the
 * pattern. Four ways, the first that will do is taken:
 *
 * - `string`: string methods. About half of the patterns that people write.
 * - `native`: the runtime's own RegExp, for patterns whose backtracking is proven to be linear. Nearly all the others.
 * - `guarded`: the same for patterns that are quadratic at worst, on texts too short for that to matter.
 * - `re2`: an automaton. It also takes over from the other ways on texts too long for them.
 *
 * The steps: `parser` reads Go's syntax into a tree (`node`) of sets of code points (`code-set`), `simplify` makes it
 * small, then `text-operation` and `gap-operation`, `proof` with `native`, and `automaton` offer their ways.
 *
 * Nanoseconds for a name of 19 characters, Node 20, beside the plain RegExp (which no hostile pattern may reach) and
 * re2js: `frontend` 12, 20, 37; `^web-[0-9]+$` 18, 18, 122; `(?i)frontend` 22, 23, 161; `^(a|b|c)$` 9, 17, 143;
 * `web-.*End` 29, 23, 50. The automaton takes 4 ns a character. Compiling takes 5 to 100 us.
 */
import { distinctSets } from './alphabet.js';
import { automatonTest } from './automaton.js';
import type { CodeSet } from './code-set.js';
import { gapOperation } from './gap-operation.js';
import { nativeRegExp } from './native.js';
import type { Node } from './node.js';
import { asOneLine } from './one-line.js';
import { parsePattern } from './parser.js';
import { PatternLimitError } from './pattern-error.js';
import { prove } from './proof.js';
import { simplify } from './simplify.js';
import { textOperation } from './text-operation.js';

/** A compiled pattern. `test` is an unanchored search, as Go's `regexp.MatchString`. */
export interface Pattern {
  readonly source: string;
  /** What runs: a string operation, a RegExp proven linear, one with a length guard, or an automaton as RE2's. */
  readonly way: 'string' | 'native' | 'guarded' | 're2';
  readonly test: (text: string) => boolean;
}

export interface PatternLimits {
  /** Longest pattern in UTF-16 units. Stops patterns that take long to read. */
  readonly maxPatternLength: number;
  /** Most automaton instructions, a class counting one more for each four of its ranges. Stops `(a{1000}){1000}`. */
  readonly maxPatternSize: number;
}

/**
 * Longest text for a native RegExp. V8's stack for backtracking ends, with an exception, at 64 MB; the proof's bound
 * of 96 open ways a character, 12 bytes each, comes to 38 MB here.
 */
const maxNativeText = 32_768;
/** Most steps that a quadratic pattern may take on one text before the automaton is the better choice. */
const maxQuadraticSteps = 100_000;
/** Patterns longer than this, which only lifted limits let in, go to the automaton as they are. */
const maxSimplified = 10_000;

/**
 * Compiles a Go (RE2) regular expression.
 * @throws PatternError for a text that Go 1.19 refuses, in its words.
 * @throws PatternLimitError for a pattern beyond the limits.
 */
export function compilePattern(source: string, limits: PatternLimits): Pattern {
  if (source.length > limits.maxPatternLength) {
    throw new PatternLimitError('pattern-too-long', limits.maxPatternLength);
  }
  const { node, size } = parsePattern(source);
  if (size + sizeOfClasses(node) > limits.maxPatternSize) {
    throw new PatternLimitError('pattern-too-large', limits.maxPatternSize);
  }
  if (source.length > maxSimplified) return { source, way: 're2', test: automatonTest(node) };
  return { source, ...chooseWay(simplify(node)) };
}

type Way = Pick<Pattern, 'way' | 'test'>;

function chooseWay(node: Node): Way {
  const search = automatonTest(node);
  const operation = textOperation(node, search) ?? gapOperation(node);
  if (operation !== null) return { way: 'string', test: operation };
  const proof = prove(node);
  const native = proof.kind === 'none' ? null : nativeRegExp(node);
  if (proof.kind === 'linear' && native !== null) return nativeWay('native', native, maxNativeText, search);
  const oneLine = oneLineWay(node, search);
  if (oneLine !== null) return oneLine;
  if (proof.kind === 'none' || native === null) return { way: 're2', test: search };
  const longest = Math.floor(Math.sqrt((2 * maxQuadraticSteps) / proof.cost));
  return nativeWay('guarded', native, longest, search);
}

function nativeWay(way: Way['way'], native: RegExp, longest: number, search: Way['test']): Way {
  return { way, test: (text) => (text.length <= longest ? native.test(text) : search(text)) };
}

/** On texts of one line much more is plain or linear: `^.*web.*$` is `web` there. Null where it is not. */
function oneLineWay(node: Node, search: Way['test']): Way | null {
  const rewritten = asOneLine(node);
  if (rewritten === node) return null;
  const simple = simplify(rewritten);
  const operation = textOperation(simple, search) ?? gapOperation(simple);
  if (operation !== null) {
    return { way: 'string', test: (text) => (text.includes('\n') ? search(text) : operation(text)) };
  }
  const native = prove(simple).kind === 'linear' ? nativeRegExp(simple) : null;
  if (native === null) return null;
  return {
    way: 'native',
    test: (text) => (text.length <= maxNativeText && !text.includes('\n') ? native.test(text) : search(text)),
  };
}

function sizeOfClasses(node: Node): number {
  const sets: CodeSet[] = [];
  collectSets(node, sets);
  return distinctSets(sets).reduce((sum, set) => sum + Math.floor(set.length / 8), 0);
}

function collectSets(node: Node, sets: CodeSet[]): void {
  switch (node.kind) {
    case 'chars':
      if (node.set.length >= 8) sets.push(node.set);
      break;
    case 'sequence':
      for (const part of node.parts) collectSets(part, sets);
      break;
    case 'choice':
      for (const option of node.options) collectSets(option, sets);
      break;
    case 'repeat':
      collectSets(node.body, sets);
  }
}
