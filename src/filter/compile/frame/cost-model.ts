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

/** Maximum length of a list that is walked without charge, if a row is walked only once. */
export const freeElements = 255;
/** Maximum number of steps of a body that is evaluated without charge for lists of that length. */
const freeBody = 8;
/** Number of elements that `in` compares in the time of one step. */
const elementsOfStep = 4;
/** Number of evaluations of a one-comparison body that count as one step, in a walk that is not nested. */
const bodiesOfStep = 4;

/** Whether a body may be evaluated without charge for {@link freeElements} elements. */
export function isFreeBody(body: Expression): boolean {
  return stepsOf(body) <= freeBody;
}

/** Charges the budget for a walk over a collection. */
export interface WalkCost {
  /** The budget that the whole walk is charged to. */
  readonly budget: Budget;
  /** Called before the body is evaluated for the element at this index. */
  readonly element: (index: number) => void;
  /** Called after the keys of a map have been enumerated. */
  readonly keys: (count: number) => void;
}

/** Charges nothing, for walks that are limited in another way. */
export const noCost: WalkCost = { budget: noBudget, element: () => undefined, keys: () => undefined };

/** Returns the cost of a walk over a collection: one step per element and comparison in its body. */
export function walkCost(
  node: CollectionExpression,
  { meter, loopVariables: cells }: CompileContext,
): WalkCost {
  const { steps } = meter.chargeOf(node);
  const cost = stepsOf(node.body);
  const isNested = cells.length > 0;
  const batch = ((freeElements + 1) / bodiesOfStep) * cost;
  return {
    budget: isNested ? noBudget : meter.own,
    element:
      isNested || cost > freeBody
        ? () => {
            steps(isNested ? cost : cost / bodiesOfStep);
          }
        : (index) => {
            if ((index & freeElements) === freeElements) steps(batch);
          },
    keys: keyCharge(steps, isNested),
  };
}

/** The cost of a match that scans the elements of a list or the keys of a map. */
export function searchCost(node: MatchExpression, { meter, loopVariables: cells }: CompileContext): WalkCost {
  const { steps } = meter.chargeOf(node);
  const isNested = cells.length > 0;
  const last = isNested ? elementsOfStep - 1 : freeElements;
  const batch = (last + 1) / elementsOfStep;
  return {
    budget: isNested ? noBudget : meter.own,
    element(index) {
      if ((index & last) === last) steps(batch);
    },
    keys: keyCharge(steps, isNested),
  };
}

function keyCharge(steps: (units: number) => void, isNested: boolean): (count: number) => void {
  return (count) => {
    if (isNested || count > freeElements) steps(count);
  };
}

/** Returns a function that charges a match for enumerating the keys of a map. */
export function chargeKeys(node: MatchExpression, context: CompileContext): (count: number) => void {
  const { budget, keys } = searchCost(node, context);
  return (count) => {
    charge(budget, () => {
      keys(count);
    });
  };
}

/** Number of elements of a Set that are copied in the time of one step. */
const copiesOfStep = 8;

/** Returns a function that charges for copying a Set. Copies that are cheap and happen once per row are free. */
export function chargeSet(meter: Meter, isNested: boolean, selector: Selector): (size: number) => void {
  const { steps } = meter.chargeOf(selector);
  return (size) => {
    if (!isNested && size <= freeElements) return;
    charge(isNested ? noBudget : meter.own, () => {
      steps(Math.ceil(size / copiesOfStep));
    });
  };
}

/** Returns a function that charges text to a clause. It opens the budget of the clause, if that is the only charged one. */
export function chargeOwnText({ own, chargeOf }: Meter, node: MatchExpression): (characters: number) => void {
  const { text } = chargeOf(node);
  return (characters) => {
    charge(own, () => {
      text(characters);
    });
  };
}

/** A test of a string that first charges for the characters that it searches. */
export type TextTest = (text: string) => boolean;

/** Creates the test for `matches`. Cheap searches that happen once per row are free. */
export function createChargedMatcher(
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

/** Maximum length of a string that is searched without charge, if it is searched once per row. */
export const freeText = 1_024;

/** A literal that is searched for in strings or compared with them. */
export interface StringLiteral {
  readonly text: string;
  readonly ignoreCase: boolean;
}

/** Creates the test for `in` on a string. */
export function createChargedSearch(
  literal: StringLiteral,
  node: MatchExpression,
  context: CompileContext,
): TextTest {
  const { text, ignoreCase } = literal;
  const { isIn, weight } = createTextSearch(ignoreCase ? foldText(text) : text);
  return ignoreCase
    ? createChargedTest((searched) => isIn(foldText(searched)), weight + foldWeight, node, context)
    : createChargedTest(isIn, weight, node, context, freeText);
}

/**
 * Returns the maximum length of a string that is tested without charge, if it is tested once per row. `weight` is the cost per
 * character.
 */
export function freeTextOf(weight: number): number {
  return weight === 0 ? Infinity : Math.floor(freeText / weight);
}

/** Creates a test of whole strings that charges for each character. Short strings that are tested once per row are free. */
export function createChargedTest(
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
  const chargeOwn = chargeOwnText(context.meter, node);
  return (text) => {
    if (text.length > freeLength) chargeOwn(text.length * weight);
    return test(text);
  };
}

/** Creates the test for `==` on strings. */
export function createChargedEquality(
  literal: StringLiteral,
  node: MatchExpression,
  context: CompileContext,
): TextTest {
  // The literals of a filter together are no longer than the filter itself, which has a maximum length.
  return context.loopVariables.length === 0
    ? equalityWith(literal)
    : createChargedElementEquality(literal, node, context);
}

/** Creates the test for `==` on strings, if a row may have many of them. Reads only strings with the length of the literal. */
export function createChargedElementEquality(
  literal: StringLiteral,
  node: MatchExpression,
  context: CompileContext,
): TextTest {
  const equals = equalityWith(literal);
  if (!isLongComparison(literal)) return equals;
  const { length } = literal.text;
  const { text: charge } = context.meter.chargeOf(node);
  const weight = comparisonWeight(literal);
  return (text) => {
    if (text.length !== length) return false;
    charge(length * weight);
    return equals(text);
  };
}

function equalityWith({ text: literal, ignoreCase }: StringLiteral): TextTest {
  if (!ignoreCase) return (text) => text === literal;
  const folded = foldText(literal);
  return (text) => equalsFolded(text, folded);
}

/** The operand of a string comparison: a literal, another field, or the elements of a list, whose budget is already open. */
export type Opposite = 'literal' | 'field' | 'elements';

/**
 * Returns a function that charges for a comparison of two strings, given the length of the shorter one. One comparison with a
 * literal per row is free. `weight` is the cost per character.
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
  const chargeOwn = chargeOwnText(meter, node);
  return (length) => {
    if (length > freeText) chargeOwn(length);
  };
}

/** Cost of integer arithmetic per digit, in characters. */
const digitWeight = 2;

function costOfDigits(value: unknown): number {
  return typeof value !== 'bigint' || isShort(value) ? 0 : digitsOf(value) * digitWeight;
}

/** Returns a function that charges for a comparison of two numbers of a row. One of them may have any number of digits. */
export function chargeDigits(
  node: MatchExpression,
  { meter, loopVariables }: CompileContext,
  counterpart: Opposite,
): (number: unknown) => void {
  const isRepeated = loopVariables.length > 0 || counterpart === 'elements';
  const chargeText = isRepeated ? meter.chargeOf(node).text : chargeOwnText(meter, node);
  return (number) => {
    const cost = costOfDigits(number);
    if (cost > 0) chargeText(cost);
  };
}

/** Base cost of parsing an instance, in characters. */
const readingBase = 16;

/**
 * Maximum length of a string that is parsed as an instance without charge, if it is parsed once per row. All realistic values are
 * shorter.
 */
export const freeInstance = 64;

/** Returns a function that charges for parsing a value as an instance. `isRepeated`: a row may have many such values. */
export function chargeReading(
  { isText, readWeight }: InstanceKind,
  node: MatchExpression,
  { meter }: CompileContext,
  isRepeated: boolean,
): (value: unknown) => void {
  const { text: chargeBudget } = meter.chargeOf(node);
  const costOf = (value: unknown): number => {
    if (!isText) return costOfDigits(value);
    return typeof value === 'string' ? (readingBase + value.length) * readWeight : 0;
  };
  if (isRepeated) {
    return (value) => {
      chargeBudget(costOf(value) + (isText ? 0 : readWeight));
    };
  }
  const chargeOwn = chargeOwnText(meter, node);
  return (value) => {
    if (isText ? typeof value !== 'string' || value.length <= freeInstance : typeof value !== 'bigint')
      return;
    const cost = costOf(value);
    if (cost > 0) chargeOwn(cost);
  };
}
