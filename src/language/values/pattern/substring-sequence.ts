/**
 * Strings in order with anything between: `web-.*-prod`, `^a.+b.*c$`, where the dot matches everything (under `(?s)`, or in
 * strings of one line). The earliest match of each string leaves the most for the next. So one search each is enough, and no
 * character is read twice: linear, while a backtracker would try all positions.
 */
import { createTextSearch } from './text-search.js';
import { everything, isEqualSet } from './code-set.js';
import type { Node, Repeat } from './node.js';
import { isAssertion, onlyWord, type StringStrategy } from './string-strategy.js';

/** A string to find after at least that many code points. */
interface Step {
  readonly skip: number;
  readonly word: string;
}

interface Route {
  /** The prefix of the string. */
  readonly head: string;
  readonly steps: readonly Step[];
  /** Its suffix; null if any end is allowed. */
  readonly tail: Step | null;
}

/** Returns the string test; null if the pattern has another form. */
export function substringSequence(node: Node): StringStrategy | null {
  const route = routeOf(node);
  if (route === null) return null;
  const { head, tail } = route;
  const steps = route.steps.map(({ skip, word }) => ({ skip, word, search: createTextSearch(word) }));
  const weight = steps.reduce((max, { search }) => Math.max(max, search.weight), 1);
  const test = (text: string): boolean => {
    if (!text.startsWith(head)) return false;
    let at = head.length;
    for (const { skip, word, search } of steps) {
      const from = skipped(text, at, skip);
      const found = from > text.length ? -1 : search.find(text, from);
      if (found < 0) return false;
      at = found + word.length;
    }
    if (tail === null) return true;
    return text.length - tail.word.length >= skipped(text, at, tail.skip) && text.endsWith(tail.word);
  };
  return { test, weight };
}

/** The index after the given number of code points; beyond the end of the string if there are fewer. */
function skipped(text: string, from: number, count: number): number {
  let at = from;
  for (let i = 0; i < count && at <= text.length; i += 1) {
    at += at < text.length && (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  }
  return at;
}

function routeOf(node: Node): Route | null {
  if (node.kind !== 'sequence') return null;
  const fromStart = isAssertion(node.parts[0], 'text-start');
  const toEnd = isAssertion(node.parts.at(-1), 'text-end');
  const inner = node.parts.slice(fromStart ? 1 : 0, toEnd ? -1 : undefined);
  const found = stepsOf(inner);
  // A single step has no gaps, and a single string method tests it.
  if (found === null || found.length < 2) return null;
  const [first, ...rest] = found;
  const head = fromStart ? (first?.word ?? '') : '';
  const steps = fromStart ? rest : found;
  if (!toEnd) return { head, steps: steps.filter((step) => step.skip > 0 || step.word !== ''), tail: null };
  return { head, steps: steps.slice(0, -1), tail: steps.at(-1) ?? null };
}

/** Returns the words, each with the gap before it; the first has none. Null if the parts have another form. */
function stepsOf(parts: readonly Node[]): readonly Step[] | null {
  const steps: Step[] = [];
  let skip = 0;
  let start = 0;
  for (let i = 0; i <= parts.length; i += 1) {
    const part = parts[i];
    if (part !== undefined && !isGap(part)) continue;
    const word = onlyWord(parts.slice(start, i));
    if (word === null) return null;
    steps.push({ skip, word });
    skip = part === undefined ? 0 : part.min;
    start = i + 1;
  }
  return steps;
}

function isGap(node: Node): node is Repeat {
  return (
    node.kind === 'repeat' &&
    node.max === Infinity &&
    node.body.kind === 'chars' &&
    isEqualSet(node.body.set, everything)
  );
}
