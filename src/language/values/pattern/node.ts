/**
 * The tree of a pattern, reduced to what a match test needs: groups do not capture, repetitions are neither greedy nor lazy, and
 * every character, literal or class, case folded or not, is a set of code points.
 */
import type { CodeSet } from './code-set.js';

export type Node = Fail | Empty | Chars | Assert | Sequence | Choice | Repeat;

/** Matches nothing: `[^\x00-\x{10FFFF}]`. */
export interface Fail {
  readonly kind: 'fail';
}

/** Matches the empty string. */
export interface Empty {
  readonly kind: 'empty';
}

/** Matches one code point of the set. The set is never empty. */
export interface Chars {
  readonly kind: 'chars';
  readonly set: CodeSet;
}

export type AssertionKind =
  'text-start' | 'text-end' | 'line-start' | 'line-end' | 'word-edge' | 'no-word-edge';

/** Matches the empty string at a position: `^ $ \A \z \b \B`, and `^ $` under `(?m)`. */
export interface Assert {
  readonly kind: 'assert';
  readonly position: AssertionKind;
}

export interface Sequence {
  readonly kind: 'sequence';
  /** Two or more. */
  readonly parts: readonly Node[];
}

export interface Choice {
  readonly kind: 'choice';
  /** Two or more. The order does not matter: a match test has no preferred alternative. */
  readonly options: readonly Node[];
}

export interface Repeat {
  readonly kind: 'repeat';
  readonly body: Node;
  readonly min: number;
  /** `Infinity` if there is no upper bound. */
  readonly max: number;
}

export const fail: Fail = Object.freeze({ kind: 'fail' });
export const empty: Empty = Object.freeze({ kind: 'empty' });

export function chars(set: CodeSet): Chars | Fail {
  return set.length === 0 ? fail : { kind: 'chars', set };
}

export function assertAt(position: AssertionKind): Assert {
  return { kind: 'assert', position };
}

/** Returns the parts in sequence, flattened one level, without empty ones. */
export function sequence(parts: readonly Node[]): Node {
  const flat: Node[] = [];
  for (const part of parts) {
    if (part.kind === 'fail') return fail;
    if (part.kind === 'sequence') for (const inner of part.parts) flat.push(inner);
    else if (part.kind !== 'empty') flat.push(part);
  }
  const [only] = flat;
  if (only === undefined) return empty;
  return flat.length === 1 ? only : { kind: 'sequence', parts: flat };
}

/** Returns a choice of the options, flattened one level, without those that match nothing. */
export function choice(options: readonly Node[]): Node {
  const flat: Node[] = [];
  for (const option of options) {
    if (option.kind === 'choice') for (const inner of option.options) flat.push(inner);
    else if (option.kind !== 'fail') flat.push(option);
  }
  const [only] = flat;
  if (only === undefined) return fail;
  return flat.length === 1 ? only : { kind: 'choice', options: flat };
}

export function repeat(body: Node, min: number, max: number): Node {
  if (max === 0) return empty;
  if (min === 1 && max === 1) return body;
  return { kind: 'repeat', body, min, max };
}

/** Returns the nodes directly below a node, in order. */
export function childrenOf(node: Node): readonly Node[] {
  switch (node.kind) {
    case 'sequence':
      return node.parts;
    case 'choice':
      return node.options;
    case 'repeat':
      return [node.body];
    default:
      return [];
  }
}

/** Whether the empty string may match if the assertions that `matches` accepts do; by default, all of them. */
export function mayBeEmpty(node: Node, matches: (position: AssertionKind) => boolean = () => true): boolean {
  switch (node.kind) {
    case 'fail':
    case 'chars':
      return false;
    case 'empty':
      return true;
    case 'assert':
      return matches(node.position);
    case 'sequence':
      return node.parts.every((part) => mayBeEmpty(part, matches));
    case 'choice':
      return node.options.some((option) => mayBeEmpty(option, matches));
    case 'repeat':
      return node.min === 0 || mayBeEmpty(node.body, matches);
  }
}

/** Whether every match begins at the start of the string. */
export function isAnchored(node: Node): boolean {
  switch (node.kind) {
    case 'assert':
      return node.position === 'text-start';
    case 'sequence': {
      const first = node.parts.find((part) => part.kind !== 'assert' || part.position === 'text-start');
      return first !== undefined && isAnchored(first);
    }
    case 'choice':
      return node.options.every(isAnchored);
    default:
      return false;
  }
}
