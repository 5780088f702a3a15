/**
 * The way for every pattern: an automaton that reads each character once and never goes back, whatever the pattern.
 *
 * It is a deterministic automaton built while it runs. A state is the set of instructions that may come next; the
 * first time a letter is met in a state, the step is worked out and kept, afterwards it is one table look-up (about
 * 2 ns a character). Assertions are decided with the next letter in hand, so a state also knows what stands to its left.
 *
 * The kept states have a budget. When it is used up they are all forgotten and the work goes on from where it stands;
 * when that happens too often in one text, nothing more is kept for the rest of it: each character then costs at most
 * the size of the pattern. So time is bounded by size times text, and memory by the budget, for all patterns and texts.
 */
import { alphabetOf } from './alphabet.js';
import { contains, newline, wordChars } from './code-set.js';
import { isAnchored, type Node, type Place } from './node.js';
import { type Instruction, programOf } from './program.js';

/** Most numbers kept for the states of one pattern, 4 bytes each. Stops patterns with exponentially many states. */
const maxKept = 32_768;
/** Characters that a state must serve, on average, before it is worth being kept. */
const minUses = 8;

/** What stands beside a place in the text. */
type Neighbour = 'edge' | 'newline' | 'word' | 'other';

/** Answers kept in place of a state's number. */
const unknown = -1;
const accepted = -2;
const rejected = -3;

interface State {
  /** Instructions to go on from. */
  readonly kernel: readonly number[];
  readonly left: Neighbour;
}

/** The search of the pattern in a text. Everything is built at the first call. */
export function automatonTest(node: Node): (text: string) => boolean {
  let search: ((text: string) => boolean) | undefined;
  return (text) => {
    search ??= buildSearch(node);
    return search(text);
  };
}

function buildSearch(node: Node): (text: string) => boolean {
  const stepper = createStepper(node);
  const { alphabet } = stepper;
  // The column behind the letters stands for the end of the text.
  const end = alphabet.size;
  const width = alphabet.size + 1;
  let states: State[] = [];
  let numbers = new Map<string, number>();
  let table = new Int32Array(width * 8).fill(unknown);
  let kept = 0;

  function keep(state: State): number {
    const key = `${state.left} ${[...state.kernel].sort((a, b) => a - b).join()}`;
    const known = numbers.get(key);
    if (known !== undefined) return known;
    const number = states.push(state) - 1;
    numbers.set(key, number);
    kept += width + state.kernel.length;
    if (states.length * width > table.length) {
      const larger = new Int32Array(table.length * 2).fill(unknown);
      larger.set(table);
      table = larger;
    }
    return number;
  }

  function forget(): void {
    states = [];
    numbers = new Map();
    table = new Int32Array(width * 8).fill(unknown);
    kept = 0;
  }

  /** Works out one step and keeps it; the number of the state it leads to, or the answer. */
  function learn(from: number, letter: number): number {
    // States are numbered as they are pushed.
    const result = stepper.step(states[from] as State, letter === end ? null : letter);
    const to = typeof result === 'number' ? result : keep(result);
    table[from * width + letter] = to;
    return to;
  }

  return (text) => {
    if (kept > maxKept) forget();
    let state = keep(stepper.start);
    let learnedSince = 0;
    let position = 0;
    while (position <= text.length) {
      const code = text.codePointAt(position);
      const letter = code === undefined ? end : alphabet.letterOf(code);
      let next = table[state * width + letter] ?? unknown;
      if (next === unknown) {
        if (kept > maxKept) {
          const current = states[state] as State;
          if (position - learnedSince < states.length * minUses)
            return simulate(stepper, current, text, position);
          learnedSince = position;
          forget();
          state = keep(current);
        }
        next = learn(state, letter);
      }
      if (next < 0) return next === accepted;
      state = next;
      position += code !== undefined && code > 0xffff ? 2 : 1;
    }
    // The step over the end always answers.
    return false;
  };
}

/** The rest of the text step by step, nothing kept. */
function simulate(stepper: Stepper, from: State, text: string, start: number): boolean {
  let state = from;
  let position = start;
  for (;;) {
    const code = text.codePointAt(position);
    const result = stepper.step(state, code === undefined ? null : stepper.alphabet.letterOf(code));
    if (typeof result === 'number') return result === accepted;
    state = result;
    position += code !== undefined && code > 0xffff ? 2 : 1;
  }
}

interface Stepper {
  readonly alphabet: ReturnType<typeof alphabetOf>;
  readonly start: State;
  /** The state behind a letter, or the answer. Null is the end of the text, which always has an answer. */
  step(state: State, letter: number | null): State | typeof accepted | typeof rejected;
}

function createStepper(node: Node): Stepper {
  const { instructions, sets, start } = programOf(node);
  const anchored = isAnchored(node);
  const hasAsserts = instructions.some((instruction) => instruction.kind === 'assert');
  const alphabet = alphabetOf(hasAsserts ? [...sets, newline, wordChars] : sets);
  const neighbours = alphabet.samples.map((code) => (hasAsserts ? neighbourOf(code) : 'other'));
  // By letter, then by set: whether the letter lies in the set. Filled as letters are met.
  const members: (Uint8Array | undefined)[] = [];
  // The round in which an instruction was last come by, and last led to.
  const seen = new Int32Array(instructions.length);
  const aimed = new Int32Array(instructions.length);
  const pending: number[] = [];
  let round = 0;

  function visit(number: number): void {
    if (seen[number] === round) return;
    seen[number] = round;
    pending.push(number);
  }

  function membersOf(letter: number): Uint8Array {
    const sample = alphabet.samples[letter] ?? 0;
    return (members[letter] ??= Uint8Array.from(sets, (set) => Number(contains(set, sample))));
  }

  /** Where the letter leads from the state; null as soon as the pattern has matched before it. */
  function advance(state: State, right: Neighbour, letter: number | null): number[] | null {
    const targets: number[] = [];
    const isMember = letter === null ? null : membersOf(letter);
    round += 1;
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
          if (holds(instruction.place, state.left, right)) visit(instruction.next);
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
    start: { kernel: [start], left: hasAsserts ? 'edge' : 'other' },
    step(state, letter) {
      const right = letter === null ? 'edge' : (neighbours[letter] ?? 'other');
      const kernel = advance(state, right, letter);
      if (kernel === null) return accepted;
      return letter === null || kernel.length === 0 ? rejected : { kernel, left: right };
    },
  };
}

function neighbourOf(code: number): Neighbour {
  if (contains(wordChars, code)) return 'word';
  return contains(newline, code) ? 'newline' : 'other';
}

function holds(place: Place, left: Neighbour, right: Neighbour): boolean {
  switch (place) {
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
