import { kindDiagnostic } from '../../language/schema/semantic-diagnostics.js';
import { elementTypeOf, anyType, intType, type Type } from '../../language/schema/type.js';
import { isText, isOfKind, valueKindOf } from '../../language/schema/value-kind.js';
import type { FieldReference } from '../../language/syntax/ast.js';
import { asData, entryReader, isMap } from '../../language/values/data.js';
import { goKindName, kindOf } from '../../language/values/kind.js';
import { isOrdering, numberOrderings } from '../../language/values/ordering.js';
import { beginsWith, createTextSearch, endsIn } from '../../language/values/pattern/text-search.js';
import { operandRuleOf } from '../../language/operators/operator.js';
import { formOf } from '../../language/operators/operators.js';
import { chargeComparison, chargeDigits, searchCost } from './frame/cost-model.js';
import { createFixedArray } from './frame/fixed-array.js';
import { lazy } from './frame/lazy.js';
import { createMeasure } from './length.js';
import { pairDiagnostic } from '../../language/schema/form-diagnostics.js';
import type { CompileContext } from './frame/compile-context.js';
import type { Predicate } from './frame/predicate.js';
import { hasNoZero, isNumber, readerOf, refuseOdd, scaleOf, type Scale } from './frame/scale.js';
import { compileSelector, type CompiledSelector } from './reader.js';
import { ABSENT, isNil, isUnknownValue, UNKNOWN } from './frame/sentinels.js';
import { mismatch, refuseValue, throwMatchError, type TestContext } from './frame/test-context.js';

/** Whether the positive form of a match holds for the values of both sides. */
type PairTest = (value: unknown, other: unknown) => boolean;

/** Compiles a match that compares a value with another field of the row. The value is read before the field. */
export function compileReference(
  reference: FieldReference,
  left: CompiledSelector,
  context: TestContext,
): Predicate {
  const { compileContext, match } = context;
  const { negated } = formOf(match.operator);
  const right = compileSelector(compileContext, reference.selector);
  const sides = createSides(context, reference);
  const own = left.type ?? anyType;
  const of = right.type ?? anyType;
  const isLength = match.aspect === 'length';
  const measure = isLength ? createMeasure(context, left.type) : null;
  const measureOpen = lazy(() => createMeasure(context, null));
  const test = createPairTest(sides, isLength ? intType : own, of);
  const known = stander(compileContext);
  const testUnknown = lazy(() => createPairTest(sides, anyType, anyType));
  if (context.resultIfUnknown !== null) {
    return (row) => {
      const value = left.read(row);
      const other = right.read(row);
      if (!isDecided(value, own) || !isDecided(other, of)) return false;
      const measured = measure === null ? value : measure(value);
      return (
        (measure !== null && typeof measured === 'boolean' ? measured : test(measured, other)) !== negated
      );
    };
  }
  return (row) => {
    const value = left.read(row);
    if (value === ABSENT || isAbsent(own, value)) return negated;
    const other = right.read(row);
    if (other === ABSENT || isAbsent(of, other)) return negated;
    const isKnown = value !== UNKNOWN;
    const measured = measure === null ? known(value) : (isKnown ? measure : measureOpen())(known(value));
    if (measure !== null && typeof measured === 'boolean') return measured !== negated;
    const pair = isKnown && other !== UNKNOWN ? test : testUnknown();
    return pair(measured, known(other)) !== negated;
  };
}

/** Whether a value is present, not NaN and of its kind. */
function isDecided(value: unknown, type: Type): boolean {
  return !isUnknownValue(value) && isOfKind(value, type);
}

/** Returns a function that replaces the value of an unknown name with the configured value. */
function stander({ unknown }: CompileContext): (value: unknown) => unknown {
  const value = unknown === null ? null : asData(unknown[0]);
  return (read) => (read === UNKNOWN ? value : read);
}

/** The contexts of both sides. An error about one side names its selector. */
interface Sides {
  readonly left: TestContext;
  readonly right: TestContext;
  /** The operand of the comparison: a field or the elements of a list. */
  readonly counterpart: 'field' | 'elements';
}

function createSides(left: TestContext, { selector }: FieldReference): Sides {
  const right = { ...left, match: { ...left.match, selector, aspect: 'value' } } as const;
  return { left, right, counterpart: 'field' };
}

function createPairTest(sides: Sides, own: Type, of: Type): PairTest {
  const { operator } = sides.left;
  switch (operator.name) {
    case 'in':
      return createContainment(sides, own, of);
    case 'starts with':
    case 'ends with':
      return createTextPair(sides, own, of, affixTest(sides, operator.name));
    case '==':
    case '<':
    case '<=':
    case '>':
    case '>=':
      return createComparison(sides, own, of);
    default:
      throw new TypeError(`${operator.name} has no comparison of two fields: add it here`);
  }
}

const openTypes: Readonly<Partial<Record<string, Type>>> = {
  string: { kind: 'string', nullDepth: 0 },
  int: { kind: 'float64', nullDepth: 0 },
  float64: { kind: 'float64', nullDepth: 0 },
  bool: { kind: 'bool', nullDepth: 0 },
};

/** Compiles `==` and the orderings. */
function createComparison(sides: Sides, own: Type, of: Type): PairTest {
  if (own.kind !== 'any' && of.kind !== 'any') return createTypedComparison(sides, own, of);
  const typeOf = (declared: Type, value: unknown): Type | null =>
    declared.kind === 'any' ? (openTypes[kindOf(value)] ?? null) : declared;
  const refused: PairTest = (value, other) => refusePair(sides, value, other);
  const testOf = (left: Type, right: Type): PairTest =>
    scaleOf(left)?.family !== scaleOf(right)?.family || isRefused(sides, left)
      ? refused
      : createTypedComparison(sides, left, right);
  // The most recent pair of types. It is the same for nearly every row and list element.
  let known: { readonly left: Type; readonly right: Type; readonly test: PairTest } | null = null;
  return (value, other) => {
    if ((own.kind === 'any' && isNil(value)) || (of.kind === 'any' && isNil(other))) return false;
    const left = typeOf(own, value);
    const right = typeOf(of, other);
    if (left === null || right === null) return refused(value, other);
    if (known?.left !== left || known.right !== right) known = { left, right, test: testOf(left, right) };
    return known.test(value, other);
  };
}

/** Handles two values whose kinds differ in this row: throws, or returns the result of the match. */
function refusePair({ left }: Sides, value: unknown, other: unknown): boolean {
  const kind = kindOf(value);
  return refuseValue(left, pairDiagnostic(left.match, goKindName(kind), goKindName(kindOf(other))), kind);
}

/** Whether the operator rejects values of the type. */
function isRefused({ left: { operator } }: Sides, type: Type): boolean {
  return operandRuleOf(operator, valueKindOf(type)) === 'refuse';
}

function createTypedComparison(sides: Sides, own: Type, of: Type): PairTest {
  const { left, right } = sides;
  const [scale, otherScale] = [scaleOf(own), scaleOf(of)];
  const kind = valueKindOf(own);
  if (scale === null || otherScale === null || scale.family !== otherScale.family) {
    const diagnostic = pairDiagnostic(left.match, goKindName(kind), goKindName(valueKindOf(of)));
    return () => throwMatchError(left, diagnostic, kind);
  }
  if (isRefused(sides, own)) {
    const diagnostic = kindDiagnostic(left.match, left.operator.refusal.code, kind);
    return () => throwMatchError(left, diagnostic, kind);
  }
  const isRepeated = sides.counterpart === 'elements';
  const [read, readOther] = [readerOf(scale, left, isRepeated), readerOf(otherScale, right, isRepeated)];
  const relates = createRelation(sides, scale);
  return (value, other) => {
    if ((own.nullDepth > 0 && isNil(value)) || (of.nullDepth > 0 && isNil(other))) return false;
    const position = read(value);
    if (position === undefined) return refuseOdd(left, scale, value);
    const operand = readOther(other);
    if (operand === undefined) return refuseOdd(right, otherScale, other);
    return position !== ABSENT && operand !== ABSENT && relates(position, operand);
  };
}

/**
 * Compiles `==` or an ordering of two positions on a scale. Strings are charged before they are read; strings of different
 * lengths are never equal.
 */
function createRelation(
  { left: { operator, match, compileContext }, counterpart }: Sides,
  { family, sort }: Scale,
): (position: unknown, other: unknown) => boolean {
  const { name } = operator;
  const matches = isOrdering(name) ? numberOrderings[name] : (sign: number) => sign === 0;
  if (family !== 'string') {
    const chargePosition = chargeDigits(match, compileContext, counterpart);
    return (position, other) => {
      if (typeof position === 'bigint') chargePosition(position);
      return matches(sort(position, other), 0);
    };
  }
  const charge = chargeComparison(match, compileContext, counterpart);
  const relates = isOrdering(name)
    ? (text: string, other: string): boolean => matches(sort(text, other), 0)
    : (text: string, other: string): boolean => text === other;
  return (position, other) => {
    const [text, word] = [position as string, other as string];
    if (!isOrdering(name) && text.length !== word.length) return false;
    charge(Math.min(text.length, word.length));
    return relates(text, word);
  };
}

/** Creates a test of two strings. Kinds that rows store as strings are compared as strings. */
function createTextPair(
  { left, right }: Sides,
  own: Type,
  of: Type,
  test: (text: string, word: string) => boolean,
): PairTest {
  const misfit = [own, of].find((type) => type.kind !== 'any' && !isText(type));
  if (misfit !== undefined) {
    const diagnostic = pairDiagnostic(left.match, goKindName(valueKindOf(own)), goKindName(valueKindOf(of)));
    return () => throwMatchError(left, diagnostic, valueKindOf(misfit));
  }
  return (value, other) => {
    if (isAbsent(own, value) || isAbsent(of, other)) return false;
    if (!isNil(value) && typeof value !== 'string') return mismatch(left, value);
    if (!isNil(other) && typeof other !== 'string') return mismatch(right, other);
    return test(value ?? '', other ?? '');
  };
}

function isAbsent(type: Type, value: unknown): boolean {
  return isNil(value) && (type.kind === 'any' || type.nullDepth > 0 || hasNoZero(type));
}

function affixTest(
  { left }: Sides,
  name: 'starts with' | 'ends with',
): (text: string, word: string) => boolean {
  const charge = chargeComparison(left.match, left.compileContext, 'field');
  const test = name === 'starts with' ? beginsWith : endsIn;
  return (text, word) => {
    if (word.length > text.length) return false;
    charge(word.length);
    return test(text, word);
  };
}

/** Compiles `in`: a substring, an element of a list, or a key of a map. */
function createContainment(sides: Sides, own: Type, of: Type): PairTest {
  const inText = createTextPair(sides, own, of, containsTest(sides));
  const inList = createElementTest(sides, own, of);
  const inMap = createKeyTest(sides, own, of);
  if (own.nullDepth <= 1) {
    if (own.kind === 'map') return inMap;
    if (own.kind === 'list' || own.kind === 'array') return inList;
  }
  if (own.kind !== 'any') return inText;
  return (value, other) => {
    if (isNil(value)) return false;
    if (Array.isArray(value)) return inList(value, other);
    if (isMap(value)) return inMap(value, other);
    return typeof value === 'string' ? inText(value, other) : refusePair(sides, value, other);
  };
}

function containsTest({ left }: Sides): (text: string, word: string) => boolean {
  const { match, compileContext } = left;
  const charge = chargeComparison(match, compileContext, 'field');
  return (text, word) => {
    if (word.length > text.length) return false;
    const { isIn, weight } = createTextSearch(word);
    charge(text.length * weight);
    return isIn(text);
  };
}

function createElementTest(sides: Sides, own: Type, of: Type): PairTest {
  const { left } = sides;
  const declared = elementTypeOf(own) ?? anyType;
  const equals = createComparison({ ...sides, counterpart: 'elements' }, declared, of);
  const { budget, element } = searchCost(left.match, left.compileContext);
  const isDynamic = declared.kind === 'any';
  const fix = own.kind === 'array' ? createFixedArray(own) : (value: unknown): unknown => value;
  return (value, other) => {
    const list: unknown = fix(value);
    if (isNil(list) || isAbsent(of, other)) return false;
    if (!Array.isArray(list)) return mismatch(left, list);
    const { length } = list;
    const outer = budget.open();
    try {
      for (let index = 0; index < length; index += 1) {
        element(index);
        const each = asData(list[index]);
        if (left.resultIfUnknown !== null && !isScalarValue(each)) {
          if (left.resultIfUnknown) return true;
          continue;
        }
        // An element of a different kind is not an error if elements may be of any kind.
        if (isDynamic && !isComparable(each, other)) continue;
        if (equals(each, other)) return true;
      }
      return false;
    } finally {
      budget.close(outer);
    }
  };
}

/** Whether an element can be compared: a string, a boolean or a number other than NaN. */
function isScalarValue(element: unknown): boolean {
  return !isUnknownValue(element) && typeof element !== 'object' && typeof element !== 'function';
}

function isComparable(element: unknown, other: unknown): boolean {
  return typeof element === typeof other || (isNumber(element) && isNumber(other));
}

function createKeyTest({ left, right }: Sides, own: Type, of: Type): PairTest {
  if (own.kind === 'map' && !own.textKeys) {
    const diagnostic = kindDiagnostic(left.match, 'map-key-kind', 'map');
    return () => throwMatchError(left, diagnostic, 'map');
  }
  return (value, other) => {
    if (isNil(value) || isAbsent(of, other)) return false;
    if (!isMap(value)) return mismatch(left, value);
    if (!isNil(other) && typeof other !== 'string') return mismatch(right, other);
    const found = entryReader(other ?? '')(value);
    return found !== undefined && typeof found !== 'function';
  };
}
