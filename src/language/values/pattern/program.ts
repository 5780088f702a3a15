/**
 * A pattern as instructions of a nondeterministic automaton, with repetitions expanded. Built backwards, so that each part knows
 * its successor and only loops need patching.
 */
import type { CodeSet } from './code-set.js';
import type { Node, AssertionKind, Repeat } from './node.js';

export type Instruction =
  | { readonly kind: 'match' }
  | { readonly kind: 'chars'; readonly set: number; readonly next: number }
  | { readonly kind: 'assert'; readonly position: AssertionKind; readonly next: number }
  | { readonly kind: 'fork'; readonly next: number; readonly other: number };

export interface Program {
  readonly instructions: readonly Instruction[];
  /** The character sets that `set` of an instruction indexes. */
  readonly sets: readonly CodeSet[];
  readonly start: number;
}

interface Draft {
  readonly instructions: Instruction[];
  /** From a set to its index. */
  readonly sets: Map<CodeSet, number>;
}

export function programOf(node: Node): Program {
  const draft: Draft = { instructions: [{ kind: 'match' }], sets: new Map() };
  const start = emit(draft, node, 0);
  return { instructions: draft.instructions, sets: [...draft.sets.keys()], start };
}

/** Adds the instructions of the node, which continue at `next`. Returns the number of the first. */
function emit(draft: Draft, node: Node, next: number): number {
  switch (node.kind) {
    case 'fail':
      // An empty set: nothing matches.
      return add(draft, { kind: 'chars', set: setNumber(draft, []), next });
    case 'empty':
      return next;
    case 'chars':
      return add(draft, { kind: 'chars', set: setNumber(draft, node.set), next });
    case 'assert':
      return add(draft, { kind: 'assert', position: node.position, next });
    case 'sequence':
      return node.parts.reduceRight((after, part) => emit(draft, part, after), next);
    case 'choice':
      return node.options
        .map((option) => emit(draft, option, next))
        .reduceRight((other, first) => add(draft, { kind: 'fork', next: first, other }));
    case 'repeat':
      return emitRepeat(draft, node, next);
  }
}

function add(draft: Draft, instruction: Instruction): number {
  return draft.instructions.push(instruction) - 1;
}

function setNumber({ sets }: Draft, set: CodeSet): number {
  const known = sets.get(set);
  if (known !== undefined) return known;
  sets.set(set, sets.size);
  return sets.size - 1;
}

/** x{2,} is xx+, x{2,5} is xx(x(x(x)?)?)?. */
function emitRepeat(draft: Draft, { body, min, max }: Repeat, next: number): number {
  let start = next;
  let copies = min;
  if (max === Infinity) {
    const loop = { kind: 'fork' as const, next, other: next };
    const again = add(draft, loop);
    loop.other = emit(draft, body, again);
    start = min === 0 ? again : loop.other;
    copies = Math.max(min - 1, 0);
  } else {
    for (let i = min; i < max; i += 1)
      start = add(draft, { kind: 'fork', next: emit(draft, body, start), other: next });
  }
  for (let i = 0; i < copies; i += 1) start = emit(draft, body, start);
  return start;
}

/** Returns an upper bound of the instructions that `programOf` creates, without creating them. */
export function countInstructions(node: Node): number {
  return 1 + count(node);
}

function count(node: Node): number {
  switch (node.kind) {
    case 'empty':
      return 0;
    case 'fail':
    case 'chars':
    case 'assert':
      return 1;
    case 'sequence':
      return node.parts.reduce((sum, part) => sum + count(part), 0);
    case 'choice':
      return node.options.reduce((sum, option) => sum + count(option) + 1, 0);
    case 'repeat':
      return (count(node.body) + 1) * (node.max === Infinity ? Math.max(node.min, 1) : node.max);
  }
}
