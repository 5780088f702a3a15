/**
 * Rewrites a pattern into a smaller one that is found in the same strings. Two kinds of rule:
 *
 * - Rules that keep the language: nested repetitions collapse (`(a*)*`, `(a?)+`, `(a|b*)*`), alternatives of one
 *   character each become a class, alternatives share their common beginnings (`foo|bar|fob` is `fo[ob]|bar`), and
 *   what cannot match (`a^`) goes away.
 * - Rules for the open ends of a search: if any string may follow, `web-.*` is `web-`, `a+` is `a` and `x|xyz` is `x`; the same
 * at the beginning. This turns most handwritten patterns into plain strings.
 *
 * Every rule is checked by the differential tests: the automaton too runs on what this leaves.
 */
import { type CodeSet, everything, isEqualSet, notNewline, union } from './code-set.js';
import {
  chars,
  choice,
  empty,
  fail,
  mayBeEmpty,
  type Node,
  repeat,
  type Repeat,
  sequence,
  type Sequence,
} from './node.js';

/** Returns the simplest pattern that is found in the same strings. */
export function simplify(node: Node): Node {
  const trimmed = trimEnds(normalize(node));
  const unbound = withoutOpenAnchors(trimmed);
  const result = unbound === trimmed ? trimmed : trimEnds(unbound);
  // The start and the end of a string always exist, as do those of its first and last line.
  const isGiven =
    result.kind === 'assert' && result.position !== 'word-edge' && result.position !== 'no-word-edge';
  return isGiven ? empty : result;
}

/** Applies the language-preserving rules, from the leaves up. */
function normalize(node: Node): Node {
  switch (node.kind) {
    case 'sequence':
      return withoutImpossible(sequence(node.parts.map(normalize)));
    case 'choice':
      return mergeOptions(node.options.map(normalize));
    case 'repeat':
      return normalizeRepeat(normalize(node.body), node.min, node.max);
    default:
      return node;
  }
}

/** `a^` and `$a` match nothing; `^^` is `^`. */
function withoutImpossible(node: Node): Node {
  if (node.kind !== 'sequence') return node;
  const { parts } = node;
  if (!parts.some((part) => part.kind === 'assert')) return node;
  const firstSolid = parts.findIndex((part) => !mayBeEmpty(part));
  const lastSolid = parts.findLastIndex((part) => !mayBeEmpty(part));
  const isImpossible = parts.some(
    (part, i) =>
      part.kind === 'assert' &&
      ((part.position === 'text-start' && firstSolid >= 0 && firstSolid < i) ||
        (part.position === 'text-end' && i < lastSolid)),
  );
  if (isImpossible) return fail;
  return sequence(parts.filter((part, i) => !isSameAssert(part, parts[i - 1])));
}

function isSameAssert(a: Node, b: Node | undefined): boolean {
  return a.kind === 'assert' && b?.kind === 'assert' && a.position === b.position;
}

function normalizeRepeat(body: Node, min: number, max: number): Node {
  if (max === 0 || body.kind === 'empty') return empty;
  if (body.kind === 'fail') return min === 0 ? empty : fail;
  // Repeating an assertion does not change it.
  if (body.kind === 'assert') return min === 0 ? empty : body;
  if (max === Infinity && (min <= 1 || mayBeEmpty(body))) {
    const pieces = loopPieces(body);
    if (pieces !== null) return loop(mergeOptions(pieces), mayBeEmpty(body) ? 0 : min);
  }
  return body.kind === 'repeat' ? nestedRepeat(body, min, max) : repeat(body, min, max);
}

function loop(body: Node, min: number): Node {
  if (body.kind === 'fail') return empty;
  return body.kind === 'repeat' ? nestedRepeat(body, min, Infinity) : repeat(body, min, Infinity);
}

/** `(x+)?`, `(x{1,3})*`, `(x?)?` and similar ones become one repetition; others are unchanged. */
function nestedRepeat(body: Repeat, min: number, max: number): Node {
  const isUnbounded = body.max === Infinity || max === Infinity;
  const isOne = body.min <= 1 && min <= 1 && (isUnbounded || (body.max === 1 && max === 1));
  if (!isOne) return repeat(body, min, max);
  return repeat(body.body, Math.min(body.min, min), isUnbounded ? Infinity : 1);
}

/**
 * Returns what a loop repeats, as alternatives that never match the empty string: the loops `(a?b*)*` and `(a|b)*` are the same.
 * Otherwise a backtracker would try exponentially many ways. Null if an assertion prevents it.
 */
function loopPieces(node: Node): readonly Node[] | null {
  switch (node.kind) {
    case 'empty':
      return [];
    case 'assert':
      return null;
    case 'choice':
      return allPieces(node.options);
    case 'sequence':
      return mayBeEmpty(node) ? allPieces(node.parts) : [node];
    case 'repeat':
      return node.min <= 1 || mayBeEmpty(node.body) ? loopPieces(node.body) : [node];
    default:
      return [node];
  }
}

function allPieces(nodes: readonly Node[]): readonly Node[] | null {
  const all: Node[] = [];
  for (const node of nodes) {
    const pieces = loopPieces(node);
    if (pieces === null) return null;
    for (const piece of pieces) all.push(piece);
  }
  return all;
}

/** Groups alternatives by their common beginnings; their order does not matter. */
function mergeOptions(options: readonly Node[]): Node {
  const node = choice(options);
  if (node.kind !== 'choice') return node;
  const groups = new Map<string | Node, (readonly Node[])[]>();
  let hasEmpty = false;
  for (const option of node.options) {
    if (option.kind === 'empty') hasEmpty = true;
    else addByHead(groups, option.kind === 'sequence' ? option.parts : [option]);
  }
  const merged: Node[] = [];
  const sets: CodeSet[] = [];
  for (const group of groups.values()) {
    const one = mergeGroup(group);
    if (one.kind === 'chars') sets.push(one.set);
    else merged.push(one);
  }
  if (sets.length > 0) merged.push(chars(union(sets)));
  const all = choice(merged);
  return hasEmpty ? optional(all) : all;
}

function addByHead(groups: Map<string | Node, (readonly Node[])[]>, parts: readonly Node[]): void {
  // Sequences have at least one part.
  const key = keyOf(parts[0] as Node);
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [parts]);
  else group.push(parts);
}

/** Merges alternatives with an equal first part: their common beginning, then the differing rest. */
function mergeGroup(group: readonly (readonly Node[])[]): Node {
  const [first = []] = group;
  if (group.length === 1) return sequence(first);
  let shared = 1;
  while (shared < first.length && group.every((parts) => isSameAt(first, parts, shared))) shared += 1;
  const tails = group.map((parts) => sequence(parts.slice(shared)));
  return sequence([...first.slice(0, shared), mergeOptions(tails)]);
}

function isSameAt(a: readonly Node[], b: readonly Node[], index: number): boolean {
  const [one, other] = [a[index], b[index]];
  return one !== undefined && other !== undefined && keyOf(one) === keyOf(other);
}

/** Returns a key that is equal for equal nodes of common small kinds; other nodes equal only themselves. */
function keyOf(node: Node): string | Node {
  if (node.kind === 'chars' && node.set.length <= 16) return node.set.join();
  if (node.kind === 'assert') return node.position;
  if (node.kind !== 'repeat' || node.body.kind !== 'chars') return node;
  const body = keyOf(node.body);
  return typeof body === 'string' ? `${node.min}-${node.max}x${body}` : node;
}

function optional(node: Node): Node {
  const matchesAnywhere = mayBeEmpty(node, () => false);
  return matchesAnywhere ? node : normalizeRepeat(node, 0, 1);
}

function trimEnds(node: Node): Node {
  return trim(trim(node, 'start'), 'end');
}

type Side = 'start' | 'end';

/**
 * Returns the smallest pattern that matches the same strings if any string may follow on that side; the same object if there is
 * none smaller.
 */
function trim(node: Node, side: Side): Node {
  switch (node.kind) {
    case 'sequence':
      return trimSequence(node, side);
    case 'choice': {
      const options = node.options.map((option) => trim(option, side));
      if (options.every((option, i) => option === node.options[i])) return node;
      return options.some((option) => option.kind === 'empty') ? empty : mergeOptions(options);
    }
    case 'repeat':
      return trimRepeat(node, side);
    default:
      return node;
  }
}

function trimSequence(node: Sequence, side: Side): Node {
  const rest = [...node.parts];
  for (;;) {
    const outer = side === 'start' ? rest.shift() : rest.pop();
    if (outer === undefined) return empty;
    const trimmed = trim(outer, side);
    if (trimmed.kind === 'empty') continue;
    if (trimmed === outer && rest.length === node.parts.length - 1) return node;
    return sequence(side === 'start' ? [trimmed, ...rest] : [...rest, trimmed]);
  }
}

function trimRepeat(node: Repeat, side: Side): Node {
  if (node.min === 0) return empty;
  const outer = trim(node.body, side);
  if (outer.kind === 'empty') return empty;
  if (outer === node.body) return repeat(node.body, node.min, node.min);
  const others = node.min === 1 ? empty : repeat(node.body, node.min - 1, node.min - 1);
  return sequence(side === 'start' ? [outer, others] : [others, outer]);
}

/** `(?s)^.*x` is `x`, and so is `(?m)^.*x`; the same at the end. */
function withoutOpenAnchors(node: Node): Node {
  if (node.kind !== 'sequence') return node;
  let { parts } = node;
  const [first, second] = parts;
  if (isOpenAnchor(first, second, 'text-start', 'line-start')) parts = parts.slice(2);
  const [last, beforeLast] = [parts.at(-1), parts.at(-2)];
  if (isOpenAnchor(last, beforeLast, 'text-end', 'line-end')) parts = parts.slice(0, -2);
  return parts === node.parts ? node : sequence(parts);
}

function isOpenAnchor(anchor: Node | undefined, gap: Node | undefined, text: string, line: string): boolean {
  if (anchor?.kind !== 'assert' || gap?.kind !== 'repeat' || gap.min > 0 || gap.max !== Infinity)
    return false;
  if (gap.body.kind !== 'chars') return false;
  const { set } = gap.body;
  if (isEqualSet(set, everything)) return anchor.position === text || anchor.position === line;
  return isEqualSet(set, notNewline) && anchor.position === line;
}
