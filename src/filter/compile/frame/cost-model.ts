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

/** Maximum length of lists that are walked without charge if a row is walked once. */
export const freeElements = 255;
/** Maximum steps of a body that is evaluated without charge for lists of that length. */
const freeBody = 8;
/** Number of elements that `in` compares in the time of one step. */
const elementsOfStep = 4;
/** How many runs of a one-comparison body count as one step in a walk outside of other collections. */
const bodiesOfStep = 4;

/** Whether a body may be evaluated for that many elements without charge. */
export function isFreeBody(body: Expression): boolean {
  return stepsOf(body) <= freeBody;
}

/** How a walk over a collection is charged. */
export interface WalkCost {
  /** The account that the whole walk is charged to. */
  readonly account: Budget;
  /** Called before the body is evaluated for the element at this index. */
  readonly element: (index: number) => void;
  /** Called after the keys of a map have been enumerated. */
  readonly keys: (count: number) => void;
}

/** The cost of walks that are limited in another way. */
export const noCost: WalkCost = { account: noBudget, element: () => undefined, keys: () => undefined };

/** The cost of walking a collection: one step for each comparison in its body. */
export function walkCost(
  node: CollectionExpression,
  { meter, loopVariables: cells }: CompileContext,
): WalkCost {
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

/** The cost of a match that scans the elements of a list or the keys of a map. */
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

/** Number of elements of a Set that are copied in the time of one step. */
const copiesOfStep = 8;

/** Charges for copying a Set. Not charged if that is cheap and happens once per row. */
export function chargeSet(meter: Meter, isNested: boolean, selector: Selector): (size: number) => void {
  const { steps } = meter.chargeOf(selector);
  return (size) => {
    if (!isNested && size <= freeElements) return;
    charge(isNested ? noBudget : meter.own, () => {
      steps(Math.ceil(size / copiesOfStep));
    });
  };
}

/** A string test that charges for the characters it searches. */
export type TextTest = (text: string) => boolean;

/** Creates the test for `matches`. Cheap searches are not charged if they happen once per row. */
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

/** Maximum length of a string that is searched without charge, if that happens once per row. */
export const freeText = 1_024;

/** A word to search for in strings, or to compare with. */
export interface Word {
  readonly text: string;
  readonly ignoreCase: boolean;
}

/** Creates the test for `in` on a string. */
export function createPaidSearch(word: Word, node: MatchExpression, context: CompileContext): TextTest {
  const { text, ignoreCase } = word;
  const { isIn, weight } = createTextSearch(ignoreCase ? foldText(text) : text);
  return ignoreCase
    ? createPaidTest((searched) => isIn(foldText(searched)), weight + foldWeight, node, context)
    : createPaidTest(isIn, weight, node, context, freeText);
}

/**
 * Returns the maximum length of a string that is tested without charge, if that happens once per row. `weight`: cost per
 * character.
 */
export function freeTextOf(weight: number): number {
  return weight === 0 ? Infinity : Math.floor(freeText / weight);
}

/**
 * Creates a test of whole strings in which each character has a cost. Short strings are not charged if the test happens once per
 * row.
 */
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

/** Creates the test for `==` on strings. */
export function createPaidEquality(word: Word, node: MatchExpression, context: CompileContext): TextTest {
  // All words of a filter together are no longer than the filter.
  return context.loopVariables.length === 0
    ? equalityWith(word)
    : createPaidElementEquality(word, node, context);
}

/** Creates the test for `==` on strings of which a row may have many. Reads only strings of equal length. */
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

/** The operand of a string comparison: a literal, another field, or the elements of a list, whose account is already open. */
export type Opposite = 'literal' | 'field' | 'elements';

/**
 * Charges before two strings are compared; the argument is the length of the shorter one. One comparison with a literal per row
 * is not charged. `weight`: cost per character.
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

/** Cost of integer arithmetic per digit, in characters. */
const digitWeight = 2;

function priceOfDigits(value: unknown): number {
  return typeof value !== 'bigint' || isShort(value) ? 0 : digitsOf(value) * digitWeight;
}

/** Charges before two numbers of a row are compared, one of which may have any number of digits. */
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

/** Cost of reading an instance in addition to its characters, in characters. */
const readingBase = 16;

/**
 * Maximum length of a string that is parsed as an instance without charge, if that happens once per row. Longer than any
 * realistic value.
 */
export const freeInstance = 64;

/** Charges before a value is parsed as an instance of a kind. `isRepeated`: the row may have many such values. */
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
