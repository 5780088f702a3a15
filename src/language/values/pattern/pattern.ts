/**
 * Go's regular expressions as match tests: found in the string or not, in time linear in the string for any pattern. There are
 * four strategies; the first that is applicable is used:
 *
 * - `string`: string methods. About half of the patterns that people write.
 * - `native`: the runtime's own RegExp, for patterns whose backtracking is proven to be linear. Nearly all of the rest.
 * - `guarded`: the same for patterns that are at worst quadratic, on strings too short for that to matter.
 * - `re2`: an automaton. It also replaces the other strategies on strings too long for them.
 *
 * The steps: `parser` reads Go's syntax into a tree (`node`) of sets of code points (`code-set`), `simplify` makes it
 * small, then `string-strategy` and `substring-sequence`, `proof` with `native`, and `automaton` offer their ways.
 *
 * Nanoseconds for a name of 19 characters on Node 20, compared with the plain RegExp (which is unsafe for hostile patterns) and
 * re2js: `frontend` 12, 20, 37; `^web-[0-9]+$` 18, 18, 122; `(?i)frontend` 22, 23, 161; `^(a|b|c)$` 9, 17, 143; `web-.*End` 29,
 * 23, 50. The automaton takes 4 ns a character. Compiling takes 5 to 100 us.
 */
import { copyText } from '../../../runtime/shared-identity.js';
import { alphabetCost, distinctSets } from './alphabet.js';
import { createAutomaton, type AutomatonSearch, type StateCache } from './automaton.js';
import type { CodeSet } from './code-set.js';
import { CompileBudget } from './compile-account.js';
import { substringSequence } from './substring-sequence.js';
import { nativeRegExp } from './native.js';
import { childrenOf, empty, type Node } from './node.js';
import { asSingleLine } from './single-line.js';
import { parsePattern } from './parser.js';
import { PatternLimitError } from './pattern-error.js';
import type { ChargeFunction } from './charge-function.js';
import { prove, type Effort, type Proof } from './proof.js';
import { simplify } from './simplify.js';
import { literalOperation, stringStrategy, type StringStrategy } from './string-strategy.js';

/** A compiled pattern. `test` is an unanchored search, as Go's `regexp.MatchString`. */
export interface Pattern {
  readonly source: string;
  /** How the pattern is run: a string method, a RegExp proven linear, one with a length guard, or an automaton like RE2's. */
  readonly strategy: 'string' | 'native' | 'guarded' | 'automaton';
  /** Number of automaton instructions before simplification, which `maxPatternSize` limits. */
  readonly size: number;
  readonly test: (text: string) => boolean;
  /** Like `test`, but charged. The cost depends only on the string and the pattern, never on earlier strings. */
  readonly search: (text: string, charge: ChargeFunction) => boolean;
  /** Maximum length of a string that costs no more than a plain search of a thousand characters and is therefore not charged. */
  readonly freeLength: number;
}

export interface PatternLimits {
  /** Maximum length of a pattern in UTF-16 units. Prevents patterns that take long to parse. */
  readonly maxPatternLength: number;
  /**
   * Maximum number of automaton instructions; a class counts one more for every four of its ranges. Prevents `(a{1000}){1000}`.
   * If you compile several patterns, subtract what the others used.
   */
  readonly maxPatternSize: number;
}

/**
 * Maximum length of a string for a native RegExp. V8's backtracking stack overflows, with an exception, at 64 MB; the proof's
 * bound of 96 open ways a character, 12 bytes each, amounts to 38 MB here.
 */
const maxNativeText = 32_768;
/** Maximum number of steps of a quadratic pattern on one string before the automaton is the better choice. */
const maxQuadraticSteps = 100_000;
/** Maximum length of a pattern that is simplified. Longer ones, which need raised limits, are run by the automaton. */
const maxSimplified = 10_000;

/** State shared by the patterns of one filter: the cached automaton states, the proof steps, and the charged account. */
export interface SharedMeans extends StateCache, Effort {
  readonly account: CompileBudget;
}

/** Maximum proof steps for all patterns of a filter, about 5 ms. Typical patterns take fewer than 500. */
const maxProofSteps = 50_000;

/** @param maxCompileSteps maximum steps for compiling all patterns */
export function createShared(maxCompileSteps = Infinity): SharedMeans {
  return { cachedStates: 0, steps: maxProofSteps, account: new CompileBudget(maxCompileSteps) };
}

/** Cost of each pattern, character and proof step, in compile steps of about 10 ns. */
const patternCost = 350;
const characterCost = 18;
const proofCost = 6;
/** Cost per unit of a native RegExp, which is written here and parsed by the runtime. */
const nativeCost = 2;
/** Cost per instruction of the automaton, and per visit of an alphabet interval. */
const instructionCost = 6;
const intervalCost = 2;

/**
 * Compiles a Go (RE2) regular expression. Patterns that are used together share a budget.
 * @throws PatternError, with Go's message, if Go 1.19 rejects the pattern.
 * @throws PatternLimitError for a pattern beyond the limits.
 */
export function compilePattern(source: string, limits: PatternLimits, shared = createShared()): Pattern {
  if (source.length > limits.maxPatternLength) {
    throw new PatternLimitError('pattern-too-long', limits.maxPatternLength);
  }
  const plan = recallPlan(source, limits, shared) ?? makePlan(source, limits, shared);
  return { source, size: plan.size, ...chooseStrategy(plan, shared) };
}

function checkSize(size: number, { maxPatternSize }: PatternLimits): void {
  if (size > maxPatternSize) throw new PatternLimitError('pattern-too-large', maxPatternSize);
}

type Search = Pick<Pattern, 'strategy' | 'test' | 'search' | 'freeLength'>;

/** What is determined by the pattern alone, independent of its filter. */
interface Plan {
  readonly source: string;
  readonly size: number;
  readonly node: Node;
  /** Whether the automaton runs it without simplification. */
  readonly isHuge: boolean;
  readonly byString: StringStrategy | null;
  readonly proof: Proof;
  readonly native: RegExp | null;
  /** Number of steps of its proof. */
  readonly effort: number;
  /** The charged cost, except for class names, and these names. */
  readonly cost: number;
  readonly names: ReadonlySet<string>;
}

/**
 * Plans of short patterns that were used twice: filters often repeat the same few. The least recently used one is evicted.
 * Patterns used once are remembered by their source alone, because keeping plans takes longer than making most.
 */
const plans = new Map<string, Plan>();
const maxPlans = 256;
const metOnce = new Set<string>();
const maxSeenOnce = 1_024;
const maxCachedLength = 128;
const maxCachedPlanSize = 1_000;

/**
 * Returns the plan of a known pattern, charged as if it were created again; null if it does not fit into the limits. Creating it
 * then throws the ordinary error, so that errors do not reveal which patterns other filters have used.
 */
function recallPlan(source: string, limits: PatternLimits, shared: SharedMeans): Plan | null {
  const plan = plans.get(source);
  if (plan === undefined || plan.effort >= shared.steps || plan.size > limits.maxPatternSize) return null;
  if (!shared.account.allows(plan.cost, plan.names)) return null;
  for (const name of plan.names) shared.account.chargeName(name);
  shared.account.charge(plan.cost);
  shared.steps -= plan.effort;
  plans.delete(source);
  plans.set(plan.source, plan);
  return plan;
}

function makePlan(text: string, limits: PatternLimits, shared: SharedMeans): Plan {
  // The plan contains slices of the source, too.
  const source = text.length <= maxCachedLength ? copyText(text) : text;
  const { account, steps } = shared;
  const { work } = account;
  account.charge(patternCost + characterCost * source.length);
  const word = plainText.exec(source)?.[1];
  if (word !== undefined) return planWord(word, source, limits, account, work);
  const { node: parsed, size: instructions, names } = parsePattern(source, account);
  const size = instructions + sizeOfClasses(setsOf(parsed));
  checkSize(size, limits);
  account.charge(instructionCost * size);
  const plan = planOf(parsed, source.length > maxSimplified, shared);
  const effort = steps - shared.steps;
  account.charge(proofCost * effort + nativeCost * (plan.native?.source.length ?? 0));
  const made = { ...plan, source, size, effort, names, cost: account.work - work };
  // A pattern that used up its filter's steps may get a better plan in another filter.
  if (source.length <= maxCachedLength && size <= maxCachedPlanSize && shared.steps > 0)
    cachePlan(source, made);
  return made;
}

/** Matches a text without special characters, or such a prefix. Neither needs a tree. */
const plainText = /^\^?([A-Za-z0-9_/:@ -]{1,1000})$/;

function planWord(
  word: string,
  source: string,
  limits: PatternLimits,
  account: CompileBudget,
  work: number,
): Plan {
  const { length: size } = source;
  checkSize(size, limits);
  account.charge(instructionCost * size);
  const byString = literalOperation(word, size > word.length, false);
  const cost = account.work - work;
  const plan = { source, size, node: empty, isHuge: false, byString, proof: noProof, native: null };
  return { ...plan, effort: 0, cost, names: new Set() };
}

function cachePlan(source: string, plan: Plan): void {
  if (!metOnce.delete(source)) {
    if (metOnce.size >= maxSeenOnce) metOnce.clear();
    metOnce.add(source);
    return;
  }
  const [oldest] = plans.size < maxPlans ? [] : plans.keys();
  if (oldest !== undefined) plans.delete(oldest);
  plans.set(source, plan);
}

const noProof: Proof = { kind: 'none' };

function planOf(
  parsed: Node,
  isHuge: boolean,
  shared: SharedMeans,
): Omit<Plan, 'source' | 'size' | 'effort' | 'cost' | 'names'> {
  const node = isHuge ? parsed : simplify(parsed);
  const byString = isHuge ? null : (stringStrategy(node) ?? substringSequence(node));
  if (byString !== null) return { node, isHuge, byString, proof: noProof, native: null };
  shared.account.charge(intervalCost * alphabetCost(setsOf(node)));
  const proof = isHuge ? noProof : prove(node, shared);
  return { node, isHuge, byString, proof, native: proof.kind === 'none' ? null : nativeRegExp(node) };
}

function chooseStrategy({ node, isHuge, byString, proof, native }: Plan, shared: SharedMeans): Search {
  if (byString !== null) return searchByString(byString);
  const automaton = createAutomaton(node, shared);
  if (isHuge) return searchByAutomaton(automaton);
  if (proof.kind === 'linear' && native !== null) return searchNatively(native, proof.cost, automaton);
  const singleLine = searchLineByLine(node, automaton, shared);
  if (singleLine !== null) return singleLine;
  if (proof.kind === 'none' || native === null) return searchByAutomaton(automaton);
  return searchGuarded(native, proof.cost, automaton);
}

/** Maximum cost that is not charged, in units. */
const freeUnits = 1_024;
/** Number of proof steps that V8 takes in one unit: measured, at most 2 ns each. */
const stepsOfUnit = 3;

function freeLengthOf(weight: number): number {
  return weight === 0 ? Infinity : Math.floor(freeUnits / weight);
}

function searchByString({ test, weight }: StringStrategy): Search {
  const search: Pattern['search'] = (text, charge) => {
    charge(text.length * weight);
    return test(text);
  };
  return { strategy: 'string', test, search, freeLength: freeLengthOf(weight) };
}

function searchByAutomaton({ test, search, shortWeight }: AutomatonSearch): Search {
  return { strategy: 'automaton', test, search, freeLength: freeLengthOf(shortWeight) };
}

function searchNatively(native: RegExp, cost: number, automaton: AutomatonSearch): Search {
  const weight = Math.ceil(cost / stepsOfUnit);
  return {
    strategy: 'native',
    test: (text) => (text.length <= maxNativeText ? native.test(text) : automaton.test(text)),
    search(text, charge) {
      if (text.length > maxNativeText) return automaton.search(text, charge);
      charge(text.length * weight);
      return native.test(text);
    },
    freeLength: freeLengthOf(weight),
  };
}

function searchGuarded(native: RegExp, cost: number, automaton: AutomatonSearch): Search {
  const maxLength = Math.floor(Math.sqrt((2 * maxQuadraticSteps) / cost));
  return {
    strategy: 'guarded',
    test: (text) => (text.length <= maxLength ? native.test(text) : automaton.test(text)),
    search(text, charge) {
      if (text.length > maxLength) return automaton.search(text, charge);
      charge(Math.ceil((cost * text.length * text.length) / (2 * stepsOfUnit)));
      return native.test(text);
    },
    freeLength: Math.min(maxLength, Math.floor(Math.sqrt((2 * stepsOfUnit * freeUnits) / cost))),
  };
}

/**
 * Creates a search for strings of one line, in which many more patterns are plain or linear: `^.*web.*$` is `web` there. Null if
 * this pattern is not.
 */
function searchLineByLine(node: Node, automaton: AutomatonSearch, shared: SharedMeans): Search | null {
  const rewritten = asSingleLine(node);
  if (rewritten === node) return null;
  const simple = simplify(rewritten);
  const byString = stringStrategy(simple) ?? substringSequence(simple);
  if (byString !== null) return byLines(searchByString(byString), automaton);
  const proof = prove(simple, shared);
  const native = proof.kind === 'linear' ? nativeRegExp(simple) : null;
  return native === null || proof.kind !== 'linear'
    ? null
    : byLines(searchNatively(native, proof.cost, automaton), automaton);
}

/**
 * Uses the strategy for strings of one line and the automaton for others. Searching for the end of a line costs less than a unit.
 */
function byLines(search: Search, automaton: AutomatonSearch): Search {
  return {
    strategy: search.strategy,
    test: (text) => (text.includes('\n') ? automaton.test(text) : search.test(text)),
    search(text, charge) {
      charge(text.length);
      return text.includes('\n') ? automaton.search(text, charge) : search.search(text, charge);
    },
    freeLength: Math.min(search.freeLength, freeLengthOf(automaton.shortWeight)),
  };
}

function sizeOfClasses(sets: readonly CodeSet[]): number {
  const large = distinctSets(sets.filter((set) => set.length >= 8));
  return large.reduce((sum, set) => sum + Math.floor(set.length / 8), 0);
}

function setsOf(node: Node): readonly CodeSet[] {
  return node.kind === 'chars' ? [node.set] : childrenOf(node).flatMap(setsOf);
}
