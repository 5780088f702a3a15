import type { MatchExpression, MatchValue, Value } from '../../src/language/syntax/ast.js';
import { testExtension } from './oracle-extension.js';
import { isInstanceKind } from './oracle-instance.js';
import { resolve } from './oracle-path.js';
import { compileOraclePattern } from './oracle-pattern.js';
import { coercion, equalsScalar, forgiving, refuse, scalarKinds } from './oracle-scalar.js';
import { OracleRefusal, type Scope } from './oracle-scope.js';
import {
  anyType,
  elementsOf,
  fits,
  hasOddKeys,
  isMissing,
  isPointer,
  keysOf,
  look,
  pointersOf,
  type Look,
  type OracleType,
  type Typed,
} from './oracle-value.js';

/** The tests; the others are their negations. */
const negations: Readonly<Record<string, string>> = {
  '!=': '==',
  'not in': 'in',
  'is not empty': 'is empty',
  'is not nil': 'is nil',
  'not matches': 'matches',
  'not in [..]': 'in [..]',
  'not starts with': 'starts with',
  'not ends with': 'ends with',
  'not like': 'like',
};

/** Whether a match holds. */
export function evaluateMatch(match: MatchExpression, scope: Scope): boolean {
  const { operator, selector, value } = match;
  const positive = negations[operator] ?? operator;
  const negate = positive !== operator;
  // An empty list is false for every row.
  if (value?.kind === 'list' && value.elements.length === 0) return negate;
  const resolved = resolve(selector, scope);
  const whenAbsent = positive === 'is empty' || positive === 'is nil';
  // A value that is not nullable is never null: level 0 rejects the test.
  const isAbsent = resolved === null || (positive !== 'is nil' && isMissing(resolved));
  if (isAbsent) return whenAbsent !== negate;
  const forgiven = (isNil: boolean): boolean => isNil && whenAbsent;
  const result = (): boolean => {
    if (seeksInstance(positive, resolved, value)) return searchKind(resolved, match, scope);
    return testExtension(positive, resolved, match, scope) ?? test(positive, look(resolved), value, scope);
  };
  return forgiving(scope, forgiven, result) !== negate;
}

/** Whether a literal is looked for among elements that are more than texts and numbers. */
function seeksInstance(operator: string, resolved: Typed, value: MatchValue | null): boolean {
  const { kind, type } = look(resolved);
  const of = type.of ?? anyType;
  if (operator !== 'in' || value?.kind !== 'value' || (kind !== 'list' && kind !== 'array')) return false;
  return isInstanceKind(of) && pointersOf(of) < 2;
}

/** `x in L` compares each element as `==` does. */
function searchKind(resolved: Typed, match: MatchExpression, scope: Scope): boolean {
  const seen = look(resolved);
  expectFit(seen);
  return elementsOf(seen.kind, seen.type, seen.value).some((element) => {
    if (isMissing(element)) return false;
    return forgiving(
      scope,
      () => false,
      () =>
        testExtension('==', element, { ...match, operator: '==' }, scope) ??
        testEqual(look(element), literal(match.value)),
    );
  });
}

function test(operator: string, seen: Look, value: MatchValue | null, scope: Scope): boolean {
  switch (operator) {
    case '==':
      return testEqual(seen, literal(value));
    case 'in':
      return testIn(seen, literal(value), scope);
    case 'matches':
      if (seen.kind === 'nil') return refuse('panic', seen);
      if (seen.kind !== 'string') return refuse('no-match-text', seen);
      expectFit(seen);
      return testMatches(seen.value as string, literal(value));
    case 'is empty':
      return testEmpty(seen);
    default:
      return testNil(seen, scope.options.level ?? 1);
  }
}

function literal(value: MatchValue | null): Value {
  if (value?.kind !== 'value') throw new Error('a binary operator without a literal');
  return value;
}

function testEqual(seen: Look, operand: Value): boolean {
  const { kind, value } = seen;
  if (kind === 'string') {
    expectFit(seen);
    return operand.wellFormed && value === operand.text;
  }
  if (!scalarKinds.includes(kind)) return refuse('no-comparison', seen);
  const coerced = coerce(seen, operand);
  expectFit(seen);
  return equalsScalar(kind, value, coerced);
}

/** After the operator and the literal, which no row can make better, a value that is not of its declared kind. */
function expectFit(seen: Look): void {
  if (!fits(seen)) throw new OracleRefusal('kind-mismatch', true);
}

function coerce(seen: Look, operand: Value): bigint | number | boolean {
  const parsed = coercion(seen.kind, operand.text);
  return parsed.ok ? parsed.value : refuse(`coerce-${parsed.why}`, seen);
}

function testIn(seen: Look, operand: Value, scope: Scope): boolean {
  const { kind, type, value } = seen;
  if (kind === 'string') {
    expectFit(seen);
    return operand.wellFormed && (value as string).includes(operand.text);
  }
  if (kind === 'list' || kind === 'array') {
    return testInList(elementsOf(kind, type, value), type.of ?? anyType, operand, scope);
  }
  if (kind === 'map') {
    if (hasOddKeys(type)) return refuse('panic', seen);
    expectFit(seen);
    return operand.wellFormed && keysOf(value).includes(operand.text);
  }
  if (scalarKinds.includes(kind)) coerce(seen, operand);
  return refuse('no-contains', seen);
}

function testInList(elements: readonly Typed[], of: OracleType, operand: Value, scope: Scope): boolean {
  if (pointersOf(of) > 1) throw new OracleRefusal('no-comparison');
  const kind = kindWithin(of);
  if (kind !== 'any' && kind !== 'string') {
    if (!scalarKinds.includes(kind)) throw new OracleRefusal('no-comparison');
    // Coerced before the list is looked at.
    const parsed = coercion(kind, operand.text);
    if (!parsed.ok) throw new OracleRefusal(`coerce-${parsed.why}`);
  }
  return elements.some((element) =>
    forgiving(
      scope,
      () => false,
      () => equalsElement(look(element), of, operand),
    ),
  );
}

/** The kind of what a type points to. */
function kindWithin(type: OracleType): string {
  return type.kind === 'any'
    ? 'any'
    : look({ type: { ...type, nullable: false, pointers: 0 }, value: null }).kind;
}

function equalsElement(seen: Look, of: OracleType, operand: Value): boolean {
  const { kind, value } = seen;
  const isText = kindWithin(of) === 'string';
  // Go's text of a nil pointer to a string.
  if (isText && kind === 'nil') return operand.text === '<invalid Value>';
  if (kind === 'nil') return refuse('panic', seen);
  if (kind === 'string') {
    if (!fits(seen)) throw new OracleRefusal('no-comparison', true);
    return operand.wellFormed && value === operand.text;
  }
  if (!scalarKinds.includes(kind)) return refuse('no-comparison', seen);
  if (!fits(seen)) throw new OracleRefusal('no-comparison', true);
  const parsed = coercion(kind, operand.text);
  if (parsed.ok) return equalsScalar(kind, value, parsed.value);
  return parsed.why === 'range' ? refuse('coerce-range-any-list', seen) : false;
}

function testMatches(text: string, pattern: Value): boolean {
  const matches = pattern.wellFormed ? compileOraclePattern(pattern.text) : null;
  if (matches === null) throw new OracleRefusal('bad-regexp');
  return matches(text);
}

function testEmpty(seen: Look): boolean {
  const { kind, type, value } = seen;
  if (['string', 'list', 'array', 'map'].includes(kind)) expectFit(seen);
  switch (kind) {
    case 'string':
      return value === '';
    case 'list':
    case 'array':
      return elementsOf(kind, type, value).length === 0;
    case 'map':
      return keysOf(value).length === 0;
    default:
      return refuse('no-empty', seen);
  }
}

function testNil(seen: Look, level: 0 | 1): boolean {
  switch (seen.kind) {
    case 'nil':
      return true;
    case 'struct':
    case 'pointer':
      return false;
    case 'list':
    case 'map':
      return seen.value === null;
    default:
      if (level === 1) return false;
      // A nullable value that is there depends on the row: another one is nil.
      throw new OracleRefusal(
        seen.kind === 'array' ? 'panic' : 'no-nil',
        seen.type.kind === 'any' || isPointer(seen.type),
      );
  }
}
