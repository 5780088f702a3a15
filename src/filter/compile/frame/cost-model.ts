import type {
  CollectionExpression,
  Expression,
  MatchExpression,
  Selector,
} from '../../../language/syntax/ast.js';
import { equalsFolded, foldText, foldWeight } from '../../../language/values/case-fold.js';
import { digitsOf, isShort } from '../../../language/values/instance/quantity.js';
import { createTextSearch } from '../../../language/values/pattern/text-search.js';
import type { InstanceKind } from '../../../language/values/instance/index.js';
import type { Pattern } from '../../../language/values/pattern/index.js';
import {
  charge,
  comparisonWeight,
  isLongComparison,
  longComparison,
  noBudget,
  stepsOf,
  type Budget,
  type Meter,
} from './meter.js';
import type { CompileContext } from './compile-context.js';

/** Lists up to this length are walked for nothing, where a row is walked once. */
export const freeElements = 255;
/** Longest body, in steps, that is run for nothing so often. */
const freeBody = 8;
/** Elements that `in` passes in the time of one step. */
const elementsOfStep = 4;
/** How often a walk outside of other collections runs a body of one comparison in the time of one step. */
const bodiesOfStep = 4;

/** Whether a body may be run for that many elements for nothing. */
export function isFreeBody(body: Expression): boolean {
  return stepsOf(body) <= freeBody;
}

/** How a walk over a collection pays. */
export interface WalkCost {
  /** What the whole walk pays from. */
  readonly account: Budget;
  /** Before the body runs for the element at this place. */
  readonly element: (index: number) => void;
  /** When the keys of a map have been listed. */
  readonly keys: (count: number) => void;
}

/** For walks that have a bound of their own. */
export const noCost: WalkCost = { account: noBudget, element: () => undefined, keys: () => undefined };

/** What the walk of a collection costs: a step for each comparison in its body. */
export function walkCost(node: CollectionExpression, { meter, loopVariables: cells }: CompileContext): WalkCost {
  const { steps } = meter.chargeOf(node);
  const cost = stepsOf(node.body);
  const isNested = cells.length > 0;
  const batch = ((freeElements + 1) / bodiesOfStep) * cost;
  return {
    account: isNested ? noBudget : meter.own,
    element:
      isNested || cost > freeBody
        ? () => {
            steps(isNested ? cost : cost / bodiesOfStep);
          }
        : (index) => {
            if ((index & freeElements) === freeElements) steps(batch);
          },
    keys: chargeKeys(steps, isNested),
  };
}

/** What a match costs that passes the elements of a list or the keys of a map. */
export function searchCost(node: MatchExpression, { meter, loopVariables: cells }: CompileContext): WalkCost {
  const { steps } = meter.chargeOf(node);
  const isNested = cells.length > 0;
  const last = isNested ? elementsOfStep - 1 : freeElements;
  const batch = (last + 1) / elementsOfStep;
  return {
    account: isNested ? noBudget : meter.own,
    element(index) {
      if ((index & last) === last) steps(batch);
    },
    keys: chargeKeys(steps, isNested),
  };
}

function chargeKeys(steps: (units: number) => void, isNested: boolean): (count: number) => void {
  return (count) => {
    if (isNested || count > freeElements) steps(count);
  };
}

/** Elements of a Set that are copied in the time of one step. */
const copiesOfStep = 8;

/** Before a Set is copied. Free where that is cheap and a row does it once. */
export function chargeSet(meter: Meter, isNested: boolean, selector: Selector): (size: number) => void {
  const { steps } = meter.chargeOf(selector);
  return (size) => {
    if (!isNested && size <= freeElements) return;
    charge(isNested ? noBudget : meter.own, () => {
      steps(Math.ceil(size / copiesOfStep));
    });
  };
}

/** A test of texts that pays for what it searches. */
export type TextTest = (text: string) => boolean;

/** `matches`. Where a row asks once, what costs next to nothing is free. */
export function createPaidMatcher(
  pattern: Pattern,
  node: MatchExpression,
  context: CompileContext,
): TextTest {
  const { test, search } = pattern;
  const { text: chargeBudget } = context.meter.chargeOf(node);
  if (context.loopVariables.length > 0) return (text) => search(text, chargeBudget);
  const { own } = context.meter;
  const { freeLength } = pattern;
  return (text) => {
    return text.length <= freeLength ? test(text) : charge(own, () => search(text, chargeBudget));
  };
}

/** Longest text that is searched for a word for nothing, where a row asks once. */
export const freeText = 1_024;

/** A word that is looked for in texts, or compared with them. */
export interface Word {
  readonly text: string;
  readonly ignoreCase: boolean;
}

/** `in` a text. */
export function createPaidSearch(word: Word, node: MatchExpression, context: CompileContext): TextTest {
  const { text, ignoreCase } = word;
  const { isIn, weight } = createTextSearch(ignoreCase ? foldText(text) : text);
  return ignoreCase
    ? createPaidTest((searched) => isIn(foldText(searched)), weight + foldWeight, node, context)
    : createPaidTest(isIn, weight, node, context, freeText);
}

/** Longest text that is tested for nothing where a row asks once and each character has a weight. */
export function freeTextOf(weight: number): number {
  return weight === 0 ? Infinity : Math.floor(freeText / weight);
}

/** A test of whole texts of which each character has a weight. Where a row asks once, short texts are free. */
export function createPaidTest(
  test: TextTest,
  weight: number,
  node: MatchExpression,
  context: CompileContext,
  freeLength = freeTextOf(weight),
): TextTest {
  if (weight === 0) return test;
  const { text: chargeBudget } = context.meter.chargeOf(node);
  if (context.loopVariables.length > 0) {
    return (text) => {
      chargeBudget(text.length * weight);
      return test(text);
    };
  }
  const { own } = context.meter;
  return (text) => {
    if (text.length > freeLength) {
      charge(own, () => {
        chargeBudget(text.length * weight);
      });
    }
    return test(text);
  };
}

/** `==` for texts. */
export function createPaidEquality(word: Word, node: MatchExpression, context: CompileContext): TextTest {
  // All words of a filter together are no longer than the filter.
  return context.loopVariables.length === 0
    ? equalityWith(word)
    : createPaidElementEquality(word, node, context);
}

/** `==` for texts of which a row may have many. It looks at them only where their lengths are equal. */
export function createPaidElementEquality(
  word: Word,
  node: MatchExpression,
  context: CompileContext,
): TextTest {
  const equals = equalityWith(word);
  if (!isLongComparison(word)) return equals;
  const { length } = word.text;
  const { text: charge } = context.meter.chargeOf(node);
  const weight = comparisonWeight(word);
  return (text) => {
    if (text.length !== length) return false;
    charge(length * weight);
    return equals(text);
  };
}

function equalityWith({ text: word, ignoreCase }: Word): TextTest {
  if (!ignoreCase) return (text) => text === word;
  const folded = foldText(word);
  return (text) => equalsFolded(text, folded);
}

/** What a text is compared with: a literal, another field, or the elements of a list, for which an account is open. */
export type Opposite = 'literal' | 'field' | 'elements';

/**
 * Before two texts are compared, of which the shorter one has so many characters. With a literal a row that asks once
 * compares for nothing. `weight`: what a character costs.
 */
export function chargeComparison(
  node: MatchExpression,
  { meter, loopVariables }: CompileContext,
  counterpart: Opposite,
  weight = 1,
): (length: number) => void {
  const { text: chargeBudget } = meter.chargeOf(node);
  if (loopVariables.length > 0 || counterpart === 'elements') {
    return (length) => {
      if (length * weight > longComparison) chargeBudget(length * weight);
    };
  }
  if (counterpart === 'literal') return () => undefined;
  return (length) => {
    if (length > freeText) {
      charge(meter.own, () => {
        chargeBudget(length);
      });
    }
  };
}

/** What arithmetic with an integer costs for each of its digits, in characters. */
const digitWeight = 2;

function priceOfDigits(value: unknown): number {
  return typeof value !== 'bigint' || isShort(value) ? 0 : digitsOf(value) * digitWeight;
}

/** Before two numbers of a row are compared, of which one may have any number of digits. */
export function chargeDigits(
  node: MatchExpression,
  { meter, loopVariables }: CompileContext,
  counterpart: Opposite,
): (number: unknown) => void {
  const { text: chargeBudget } = meter.chargeOf(node);
  const account = loopVariables.length > 0 || counterpart === 'elements' ? noBudget : meter.own;
  return (number) => {
    const price = priceOfDigits(number);
    if (price === 0) return;
    charge(account, () => {
      chargeBudget(price);
    });
  };
}

/** What reading an instance costs beside its characters, in characters. */
const readingBase = 16;

/** Longest text that is read as an instance for nothing, where a row asks once: longer than those that anybody writes. */
export const freeInstance = 64;

/** Before a value is read as an instance of a kind. `isRepeated`: one of many of a row. */
export function chargeReading(
  { isText, readWeight }: InstanceKind,
  node: MatchExpression,
  { meter }: CompileContext,
  isRepeated: boolean,
): (value: unknown) => void {
  const { text: chargeBudget } = meter.chargeOf(node);
  const priceOf = (value: unknown): number => {
    if (!isText) return priceOfDigits(value);
    return typeof value === 'string' ? (readingBase + value.length) * readWeight : 0;
  };
  if (isRepeated) {
    return (value) => {
      chargeBudget(priceOf(value) + (isText ? 0 : readWeight));
    };
  }
  const { own } = meter;
  return (value) => {
    if (isText ? typeof value !== 'string' || value.length <= freeInstance : typeof value !== 'bigint')
      return;
    const price = priceOf(value);
    if (price === 0) return;
    charge(own, () => {
      chargeBudget(price);
    });
  };
}
