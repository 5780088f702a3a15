import type { CompileContext } from '../compile/frame/compile-context.js';
import { compileMatch } from '../compile/match.js';
import { hasNoZero } from '../compile/frame/scale.js';
import { compileSelector, type Reader } from '../compile/reader.js';
import { ABSENT, UNKNOWN } from '../compile/frame/sentinels.js';
import { createTestContext, type TestContext } from '../compile/frame/test-context.js';
import { FilterError } from '../../language/diagnostics/errors.js';
import { requiresOrder } from '../../language/operators/operator.js';
import { formOf } from '../../language/operators/operators.js';
import { intType, type Type, elementTypeOf } from '../../language/schema/type.js';
import { literalOf, type Expression, type MatchExpression, type Value } from '../../language/syntax/ast.js';
import { print } from '../../language/syntax/print.js';
import { asData } from '../../language/values/data.js';
import { instanceKindOf } from '../../language/values/instance/index.js';
import type { Explanation, MatchExplanation, ComparedLiteral } from './explanation.js';
import { absentValue, describeObserved, type ObservedValue, quoteText } from './observed-value.js';
import {
  comparedType,
  findElement,
  instanceLiteral,
  lengthOf,
  relateToLiteral,
  relateToValue,
} from './relation.js';
import { coercibleKindOf, valueKindOf } from '../../language/schema/value-kind.js';
import type { ValueKind } from '../../language/values/kind.js';
import { coerceBool, coerceNumber, type CoercibleKind } from '../../language/values/operand.js';

/** The comparison part of an explanation. */
type Relation = Pick<MatchExplanation, 'length' | 'literal' | 'other' | 'order' | 'among'>;

/** The relation if nothing was compared. */
export const unrelated: Relation = { length: null, literal: null, other: null, order: null, among: null };

/** Returns an observer that reports the value of a match and its relation to the operand. */
export function observeMatch(node: MatchExpression, context: CompileContext): (row: unknown) => Explanation {
  const test = compileMatch(node, context);
  const { read, type, isIndex } = compileSelector(context, node.selector, node);
  const base = { ...describe(node, context), isNeeded: true };
  const { operator } = node;
  const selector = print(node.selector);
  const relate = createRelation(node, context, type, isIndex);
  const standIn = createStandIn(node, type);
  return (row) => {
    const found = follow(read, row);
    const observed = found === null ? null : standIn(meet(found.value, type, context));
    const result = attempt(() => test(row));
    const relation =
      found === null || observed === null ? unrelated : relate({ value: found.value, observed, row, result });
    return { kind: 'match', ...base, ...result, operator, selector, observed, ...relation };
  };
}

/** Creates a function that replaces an absent value by the one that it counts as, such as the zero time. */
function createStandIn(node: MatchExpression, type: Type | null): (observed: ObservedValue) => ObservedValue {
  if (type === null || node.aspect === 'length') return (observed) => observed;
  if (hasNoZero(type)) return (observed) => (observed.isZero ? absentValue : observed);
  const { operand, equates } = formOf(node.operator).operator;
  const literal = equates === 'value' ? literalOf(node) : null;
  const isInstance = literal !== null && instanceLiteral(literal, type) !== null;
  const needsInstance = operand.dependsOnQuotes || isInstance;
  const zero = needsInstance ? (instanceKindOf(type)?.zeroText ?? null) : null;
  return (observed) => (observed.isZero && zero !== null ? { ...observed, text: zero } : observed);
}

/** The values whose relation is described. */
interface Findings {
  /** The value that the selector resolved to. */
  readonly value: unknown;
  readonly observed: ObservedValue;
  readonly row: unknown;
  readonly result: Pick<Explanation, 'matches' | 'error'>;
}

function createRelation(
  node: MatchExpression,
  context: CompileContext,
  type: Type | null,
  isIndex: boolean,
): (findings: Findings) => Relation {
  const { operator } = formOf(node.operator);
  const { value: operand } = node;
  const isLength = node.aspect === 'length';
  const isDynamic = !isLength && (type === null || type.kind === 'any');
  const testContext: TestContext = { ...createTestContext(node, operator, null, context), isDynamic };
  const other = operand?.kind === 'reference' ? compileSelector(context, operand.selector) : null;
  const otherText = operand?.kind === 'reference' ? print(operand.selector) : '';
  const literal = literalOf(node);
  return ({ value, observed, row, result }) => {
    if (observed.kind === 'absent' || observed.kind === 'nil') return unrelated;
    const read = known(value, context);
    const length = isLength ? lengthOf(read ?? [], type) : null;
    const [compared, own] = isLength ? [length, intType] : [read, comparedType(read, type)];
    const isDecided = result.error === null;
    if (other !== null) {
      const found = isDecided ? follow(other.read, row) : null;
      if (found === null) return { ...unrelated, length };
      const side = { selector: otherText, observed: meet(found.value, other.type, context) };
      const orders = requiresOrder(operator) && found.value !== ABSENT;
      const otherValue = known(found.value, context);
      const order = orders
        ? relateToValue(compared, isLength ? intType : type, otherValue, other.type)
        : null;
      return { ...unrelated, length, other: side, order };
    }
    if (operand?.kind === 'list' && operator.equates === 'value') {
      if (!isDecided || own === null) return { ...unrelated, length };
      const index = findElement(testContext, compared, own);
      const each = index === null ? null : (operand.elements[index] ?? null);
      const { source } = context.policy;
      const equal = each === null ? null : source.slice(each.span.start, each.span.end);
      return { ...unrelated, length, among: { size: operand.elements.length, equal } };
    }
    if (literal !== null && requiresOrder(operator)) {
      const relation =
        isDecided && own !== null ? relateToLiteral(testContext, literal, compared, own) : null;
      return { ...unrelated, length, ...relation };
    }
    const seen = isLength ? describeObserved(length, intType) : observed;
    return { ...unrelated, length, literal: comparedLiteral(node, seen, isLength ? intType : type, isIndex) };
  };
}

/** Replaces the value of an unknown name with the configured value. */
function known(value: unknown, { unknown }: CompileContext): unknown {
  return value === UNKNOWN ? asData(unknown?.[0]) : value;
}

/** Returns the value that a path resolves to; null if it fails to resolve. */
export function follow(read: Reader, row: unknown): { readonly value: unknown } | null {
  try {
    return { value: read(row) };
  } catch (error) {
    if (error instanceof FilterError) return null;
    throw error;
  }
}

/** Describes the value at the end of a path. */
export function meet(value: unknown, type: Type | null, { unknown }: CompileContext): ObservedValue {
  if (value === ABSENT) return absentValue;
  return value === UNKNOWN ? describeObserved(unknown?.[0], null) : describeObserved(value, type);
}

/** Returns the result of a test, or the error that it threw. */
export function attempt(test: () => boolean): Pick<Explanation, 'matches' | 'error'> {
  try {
    return { matches: test(), error: null };
  } catch (error) {
    if (error instanceof FilterError) return { matches: null, error };
    throw error;
  }
}

/** Returns the source of a part. In the normal form, parts are not always as written. */
export function describe(node: Expression, { policy }: CompileContext): Pick<Explanation, 'text' | 'span'> {
  const { source, unresolved } = policy;
  const text = unresolved === 'deny' ? print(node) : source.slice(node.span.start, node.span.end);
  return { text, span: node.span };
}

/**
 * Returns the literal of a match as it is compared with the value; null if none exists or nothing was compared. `type` is the
 * declared type of the value, or null.
 */
function comparedLiteral(
  match: MatchExpression,
  observed: ObservedValue,
  type: Type | null,
  isIndex: boolean,
): ComparedLiteral | null {
  const value = literalOf(match);
  if (value === null || observed.kind === 'absent') return null;
  const { ignoreCase } = value;
  const { operand, equates } = formOf(match.operator).operator;
  if (operand.language !== null) return { kind: operand.language, text: quoteText(value.text), ignoreCase };
  if (observed.kind === 'list' || observed.kind === 'array') {
    const of = elementTypeOf(type);
    return of === null || of.kind === 'any'
      ? { kind: 'any', text: quoteText(value.text), ignoreCase }
      : (asInstance(value, of) ?? inKind(value, valueKindOf(of)));
  }
  const instance = type === null || equates !== 'value' ? null : asInstance(value, type);
  if (instance !== null) return instance;
  if (observed.kind === 'map') return { kind: 'string', text: quoteText(value.text), ignoreCase };
  return inKind(value, isIndex && observed.kind === 'float64' ? 'int' : observed.kind);
}

/**
 * Returns the instance that a literal denotes. Null for a plain integer if rows contain integers, because these are compared as
 * integers.
 */
function asInstance(value: Value, type: Type): ComparedLiteral | null {
  const isPlain = valueKindOf(type) === 'int' && typeof coerceNumber(value, 'int') !== 'string';
  return isPlain ? null : instanceLiteral(value, type);
}

function inKind(value: Value, kind: ValueKind): ComparedLiteral | null {
  if (kind === 'string' || kind === 'time')
    return { kind, text: quoteText(value.text), ignoreCase: value.ignoreCase };
  const coercible = coercibleKindOf(kind);
  const text = coercible === null ? null : coercedText(value, coercible);
  return coercible === null || text === null ? null : { kind: coercible, text, ignoreCase: false };
}

/** Returns the literal converted to the kind: `70` for `0x46`; null if it cannot be converted. */
function coercedText(value: Value, kind: CoercibleKind): string | null {
  if (kind === 'bool') {
    const bool = coerceBool(value);
    return typeof bool === 'boolean' ? String(bool) : null;
  }
  const number = coerceNumber(value, kind);
  return typeof number === 'string' ? null : String(number.integer ?? number.double);
}
