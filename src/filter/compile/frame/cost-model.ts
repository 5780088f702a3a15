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

/** Maximum length of lists that are walked free of charge if a row is walked once. */
export const freeElements = 255;
/** Maximum length of a body, in steps, that is run free of charge for lists of that length. */
const freeBody = 8;
/** Elements that `in` passes in the time of one step. */
const elementsOfStep = 4;
/** How many runs of a one-comparison body count as one step in a walk outside of other collections. */
const bodiesOfStep = 4;

/** Whether a body may be run for that many elements for nothing. */
export function isFreeBody(body: Expression): boolean {
  return stepsOf(body) <= freeBody;
}

/** How a walk over a collection is charged. */
export interface WalkCost {
  /** The account that the whole walk is charged to. */
  readonly account: Budget;
  /** Before the body runs for the element at this place. */
  readonly element: (index: number) => void;
  /** When the keys of a map have been listed. */
  readonly keys: (count: number) => void;
}

/** For walks that have a bound of their own. */
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

/** Elements of a Set that are copied in the time of one step. */
const copiesOfStep = 8;

/** Charges for copying a Set. Free if that is cheap and happens once per row. */
export function chargeSet(meter: Meter, isNested: boolean, selector: Selector): (size: number) => void {
  const { steps } = meter.chargeOf(selector);
  return (size) => {
    if (!isNested && size <= freeElements) return;
    charge(isNested ? noBudget : meter.own, () => {
      steps(Math.ceil(size / copiesOfStep));
    });
  };
}

/** A test of strings that charges for what it searches. */
export type TextTest = (text: string) => boolean;

/** `matches`. Searches that cost next to nothing are free if they happen once per row. */
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

/** Maximum length of a string that is searched for a word free of charge, if that happens once per row. */
export const freeText = 1_024;

/** A word that strings are searched for, or compared with. */
export interface Word {
  readonly text: string;
  readonly ignoreCase: boolean;
}

/** `in` a string. */
export function createPaidSearch(word: Word, node: MatchExpression, context: CompileContext): TextTest {
  const { text, ignoreCase } = word;
  const { isIn, weight } = createTextSearch(ignoreCase ? foldText(text) : text);
  return ignoreCase
    ? createPaidTest((searched) => isIn(foldText(searched)), weight + foldWeight, node, context)
    : createPaidTest(isIn, weight, node, context, freeText);
}

/** Maximum length of a string that is tested free of charge if that happens once per row and each character has a weight. */
export function freeTextOf(weight: number): number {
  return weight === 0 ? Infinity : Math.floor(freeText / weight);
}

/** A test of whole strings in which each character has a weight. Short strings are free if the test happens once per row. */
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

/** `==` for strings. */
export function createPaidEquality(word: Word, node: MatchExpression, context: CompileContext): TextTest {
  // All words of a filter together are no longer than the filter.
  return context.loopVariables.length === 0
    ? equalityWith(word)
    : createPaidElementEquality(word, node, context);
}

/** `==` for strings, of which a row may have many. Reads them only if their lengths are equal. */
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

/** What a string is compared with: a literal, another field, or the elements of a list, for which an account is open. */
export type Opposite = 'literal' | 'field' | 'elements';

/**
 * Charges before two strings are compared; the argument is the length of the shorter one. Comparing with a literal once per row
 * is free. `weight`: cost per character.
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

/** Cost of reading an instance in addition to its characters, in characters. */
const readingBase = 16;

/**
 * Maximum length of a string that is read as an instance free of charge, if that happens once per row: longer than any realistic
 * value.
 */
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
