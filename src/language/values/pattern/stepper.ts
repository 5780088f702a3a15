import { type Alphabet, alphabetOf } from './alphabet.js';
import { contains, newline, wordChars } from './code-set.js';
import { isAnchored, type Node, type AssertionKind } from './node.js';
import { type Instruction, programOf } from './program.js';

/** The character adjacent to a position in the string. */
export type Adjacent = 'edge' | 'newline' | 'word' | 'other';

/** Results used instead of a state. */
export const accepted = -2;
export const rejected = -3;

/** The state of a pattern between two letters. */
export interface State {
  /** Instructions to continue from. */
  readonly kernel: readonly number[];
  readonly left: Adjacent;
}

/** The transitions of a pattern's automaton, computed on demand and not cached. */
export interface Stepper {
  readonly alphabet: Alphabet;
  /** Number of instructions. */
  readonly size: number;
  /** Number of instructions visited by the last step. */
  visited(): number;
  readonly start: State;
  /** Returns the state after a letter, or the result. A null letter is the end of the string, which always has a result. */
  step(state: State, letter: number | null): State | typeof accepted | typeof rejected;
}

/** Creates the stepper of a pattern. */
export function createStepper(node: Node): Stepper {
  const { instructions, sets, start } = programOf(node);
  const anchored = isAnchored(node);
  const hasAsserts = instructions.some((instruction) => instruction.kind === 'assert');
  const alphabet = alphabetOf(hasAsserts ? [...sets, newline, wordChars] : sets);
  const kinds = alphabet.samples.map((code) => (hasAsserts ? neighbourOf(code) : 'other'));
  // By letter, then by set: whether the set contains the letter. Computed when a letter is first read.
  const members: (Uint8Array | undefined)[] = [];
  // The round in which an instruction was last visited, and last reached.
  const seen = new Int32Array(instructions.length);
  const aimed = new Int32Array(instructions.length);
  const pending: number[] = [];
  let round = 0;
  let visits = 0;

  function visit(number: number): void {
    if (seen[number] === round) return;
    seen[number] = round;
    visits += 1;
    pending.push(number);
  }

  function membersOf(letter: number): Uint8Array {
    const sample = alphabet.samples[letter] ?? 0;
    return (members[letter] ??= Uint8Array.from(sets, (set) => Number(contains(set, sample))));
  }

  /** Returns the instructions after the letter; null if the pattern has already matched before it. */
  function advance(state: State, right: Adjacent, letter: number | null): number[] | null {
    const targets: number[] = [];
    const isMember = letter === null ? null : membersOf(letter);
    round += 1;
    visits = 0;
    pending.length = 0;
    for (const number of state.kernel) visit(number);
    for (let number = pending.pop(); number !== undefined; number = pending.pop()) {
      const instruction = instructions[number] as Instruction;
      switch (instruction.kind) {
        case 'match':
          return null;
        case 'fork':
          visit(instruction.next);
          visit(instruction.other);
          break;
        case 'assert':
          if (matches(instruction.position, state.left, right)) visit(instruction.next);
          break;
        case 'chars':
          if (isMember?.[instruction.set] !== 1) break;
          if (aimed[instruction.next] !== round) targets.push(instruction.next);
          aimed[instruction.next] = round;
      }
    }
    if (!anchored && aimed[start] !== round) targets.push(start);
    return targets;
  }

  return {
    alphabet,
    size: instructions.length,
    visited: () => visits,
    start: { kernel: [start], left: hasAsserts ? 'edge' : 'other' },
    step(state, letter) {
      const right = letter === null ? 'edge' : (kinds[letter] ?? 'other');
      const kernel = advance(state, right, letter);
      if (kernel === null) return accepted;
      return letter === null || kernel.length === 0 ? rejected : { kernel, left: right };
    },
  };
}

function neighbourOf(code: number): Adjacent {
  if (contains(wordChars, code)) return 'word';
  return contains(newline, code) ? 'newline' : 'other';
}

function matches(position: AssertionKind, left: Adjacent, right: Adjacent): boolean {
  switch (position) {
    case 'text-start':
      return left === 'edge';
    case 'text-end':
      return right === 'edge';
    case 'line-start':
      return left === 'edge' || left === 'newline';
    case 'line-end':
      return right === 'edge' || right === 'newline';
    case 'word-edge':
      return (left === 'word') !== (right === 'word');
    case 'no-word-edge':
      return (left === 'word') === (right === 'word');
  }
}
