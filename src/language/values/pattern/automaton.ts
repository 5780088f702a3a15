/**
 * The strategy for every pattern: an automaton that reads each character once and never goes back, whatever the pattern.
 *
 * It is a deterministic automaton built while it runs. A state is the set of instructions that may come next; when a letter is
 * first read in a state, the transition is computed and cached, afterwards it is one table look-up (about 4 ns a character).
 * Assertions depend on the next letter, so a state also records the character to its left.
 *
 * Cached states have a budget. When it is used up, all are discarded and matching continues from the current state; if they have
 * not been used long enough to pay off, they are kept, and the rest of the string is matched without caching: each character then
 * costs at most the size of the pattern. So time is bounded by pattern size times string length, and memory by the budget, for
 * all patterns and strings; the search is charged for the transitions that are computed.
 */
import type { Node } from './node.js';
import type { ChargeFunction } from './charge-function.js';
import { countInstructions } from './program.js';
import { accepted, createStepper, rejected, type Adjacent, type State, type Stepper } from './stepper.js';

/** Maximum bytes of cached states of one pattern. Prevents patterns with exponentially many states from filling the memory. */
const maxCachedSize = 65_536;
/** Approximate size of a state in addition to its row and its key, in bytes. */
const stateOverhead = 100;
/** Maximum bytes of cached states of all patterns of one filter. Bounds the memory, and what one row can fill. */
const maxShelf = 8 * maxCachedSize;
/** Minimum average number of characters that a state must serve to be worth caching. */
const minUses = 32;
/** Maximum size of a state, in instructions, that is cached for short strings: caching larger ones does not pay off for them. */
const maxShortKernel = 64;

/** The prefix of a state's key encodes the character to its left. */
const neighbours: readonly Adjacent[] = ['edge', 'newline', 'word', 'other'];

/** The table entry of a transition that has not been computed. */
const unknown = -1;

/**
 * Maximum length of strings that use states cached by earlier strings. Their cost then depends on those, so they are charged the
 * maximum. Longer strings start without cached states and are charged their actual cost.
 */
const longText = 1_024;
/** Cost of computing one transition, in units of 6 ns, in addition to each instruction visited; and of caching a state. */
const stepCost = 40;
const visitCost = 4;
const cacheCost = 250;
const cacheInstructionCost = 30;
/** Cost of discarding all states. */
const forgetCost = 500;
/** Cost of caching states per character of a short string, for the current `minUses`. */
const shortCost = 40;
/** Cost of a letter beyond ASCII, which is looked up among ranges. */
const foreignCost = 4;
/** Number of units that are charged together. */
const portion = 4_096;

/** The search for a pattern in strings, charged or not. */
export interface AutomatonSearch {
  readonly test: (text: string) => boolean;
  readonly search: (text: string, charge: ChargeFunction) => boolean;
  /** Maximum cost of a character of a short string. */
  readonly shortWeight: number;
}

/** Creates the searches of a pattern. Everything is built at the first one. */
export function createAutomaton(node: Node, stateCache: StateCache = { cachedStates: 0 }): AutomatonSearch {
  let automaton: Automaton | undefined;
  const search = (text: string, charge: ChargeFunction): boolean => {
    automaton ??= new Automaton(node, stateCache);
    return automaton.search(text, charge);
  };
  return { test: (text) => search(text, free), search, shortWeight: shortWeightOf(countInstructions(node)) };
}

const free: ChargeFunction = () => undefined;

/** Maximum cost of a character of a short string: every instruction is visited, and nothing is cached. */
function shortWeightOf(instructions: number): number {
  return shortCost + visitCost * instructions;
}

/** Total size of the cached states, in bytes. Shared by the automata of a filter. */
export interface StateCache {
  cachedStates: number;
}

/** The cached states. Lives as long as its pattern; its memory is bounded. */
class Automaton {
  private readonly stepper: Stepper;
  private readonly width: number;
  private readonly shortWeight: number;
  /** One row for each state: by letter, the row of the next state, or a result. The last column is the end of the string. */
  private table = new Int32Array(0);
  /** The states in the order of their rows, as keys: 2 bytes for each instruction. */
  private keys: string[] = [];
  private rows = new Map<string, number>();
  private cachedStates = 0;
  /** Approximate number of characters served by the current states. */
  private served = 0;

  constructor(
    node: Node,
    private readonly stateCache: StateCache,
  ) {
    this.stepper = createStepper(node);
    this.width = this.stepper.alphabet.size + 1;
    this.shortWeight = shortWeightOf(this.stepper.size);
    this.forget();
  }

  search(text: string, charge: ChargeFunction): boolean {
    if (text.length > longText) {
      const account = new StepBudget(charge);
      const found = this.walk(text, account);
      account.settle();
      return found;
    }
    charge(text.length * this.shortWeight);
    return this.walk(text, null);
  }

  /** Runs the automaton. `account` is null for a string that is already charged. */
  private walk(text: string, account: StepBudget | null): boolean {
    // Only with raised limits can a pattern have states that cannot be encoded as keys.
    if (this.stepper.size > 0xffff) return this.simulate(this.stepper.start, text, 0, account);
    const { ascii } = this.stepper.alphabet;
    if (account !== null) {
      account.add(text.length + forgetCost + this.width);
      this.forget();
    }
    let { table } = this;
    // The initial state is cached first.
    let row = 0;
    let position = 0;
    this.served += text.length;
    while (position < text.length) {
      const start = position;
      const unit = text.charCodeAt(position);
      position += unit >= 0xd800 && isPair(text, start) ? 2 : 1;
      // Both tables have an entry for each letter. No `??`, because this is the inner loop.
      const letter = unit < 128 ? (ascii[unit] as number) : this.letterAt(text, start);
      if (unit >= 128) account?.add(foreignCost);
      let next = table[row + letter] as number;
      if (next === unknown) {
        const learned = this.learn(row, letter, account);
        if (learned === null) return this.simulate(this.stateAt(row), text, start, account);
        next = learned;
        table = this.table;
      }
      if (next < 0) return next === accepted;
      row = next;
    }
    return this.endsWell(row);
  }

  /** Returns the result at the end of the string. */
  private endsWell(row: number): boolean {
    const column = row + this.width - 1;
    if (this.table[column] === unknown) this.table[column] = this.resultAtEnd(this.stateAt(row));
    return this.table[column] === accepted;
  }

  private resultAtEnd(state: State): number {
    return this.stepper.step(state, null) === accepted ? accepted : rejected;
  }

  private letterAt(text: string, position: number): number {
    return this.stepper.alphabet.letterOf(text.codePointAt(position) ?? 0);
  }

  /** Computes one transition: the row or the result it leads to. Null if caching it is not worth the memory. */
  private learn(row: number, letter: number, account: StepBudget | null): number | null {
    const result = this.stepper.step(this.stateAt(row), letter);
    account?.add(stepCost + visitCost * this.stepper.visited());
    if (typeof result !== 'number') {
      if (account === null && result.kernel.length > maxShortKernel) return null;
      account?.add(cacheCost + this.width + cacheInstructionCost * result.kernel.length);
    }
    if (
      typeof result !== 'number' &&
      (this.cachedStates > maxCachedSize || this.stateCache.cachedStates > maxShelf)
    ) {
      if (this.served < this.keys.length * minUses) return null;
      this.forget();
      return this.cacheState(result);
    }
    const next = typeof result === 'number' ? result : this.cacheState(result);
    this.table[row + letter] = next;
    return next;
  }

  private stateAt(row: number): State {
    const key = this.keys[row / this.width] ?? '';
    const left = neighbours[key.charCodeAt(0)] ?? 'other';
    return { left, kernel: Array.from({ length: key.length - 1 }, (_, i) => key.charCodeAt(i + 1)) };
  }

  private cacheState({ kernel, left }: State): number {
    const sorted = [...kernel].sort((a, b) => a - b);
    const key = [neighbours.indexOf(left), ...sorted].map((part) => String.fromCharCode(part)).join('');
    const known = this.rows.get(key);
    if (known !== undefined) return known;
    const row = (this.keys.push(key) - 1) * this.width;
    this.rows.set(key, row);
    const bytes = 4 * this.width + 2 * key.length + stateOverhead;
    this.cachedStates += bytes;
    this.stateCache.cachedStates += bytes;
    if (row + this.width > this.table.length) {
      const larger = new Int32Array(2 * (row + this.width)).fill(unknown);
      larger.set(this.table);
      this.table = larger;
    }
    return row;
  }

  private forget(): void {
    this.table = new Int32Array(this.width * 4).fill(unknown);
    this.keys = [];
    this.rows = new Map();
    this.stateCache.cachedStates -= this.cachedStates;
    this.cachedStates = 0;
    this.served = 0;
    this.cacheState(this.stepper.start);
  }

  /** Matches the rest of the string step by step, without caching. */
  private simulate(from: State, text: string, start: number, account: StepBudget | null): boolean {
    let state = from;
    for (let position = start; position < text.length; position += 1) {
      const result = this.stepper.step(state, this.letterAt(text, position));
      account?.add(stepCost + visitCost * this.stepper.visited());
      if (typeof result === 'number') return result === accepted;
      state = result;
      if (isPair(text, position)) position += 1;
    }
    return this.resultAtEnd(state) === accepted;
  }
}

/** Charges in portions, because a call for each character would cost as much as the character. */
class StepBudget {
  private owed = 0;

  constructor(private readonly charge: ChargeFunction) {}

  add(units: number): void {
    this.owed += units;
    if (this.owed >= portion) this.settle();
  }

  settle(): void {
    this.charge(this.owed);
    this.owed = 0;
  }
}

/** Whether one code point takes the two units at the position. */
function isPair(text: string, position: number): boolean {
  return (text.codePointAt(position) ?? 0) > 0xffff;
}
