import { literalOf, type MatchExpression, type Value } from '../../src/syntax/ast.js';
import { goBool, goFloat32, goFloat64, goInt, goUint, type Parsed } from './go-number.js';
import { resolve } from './oracle-path.js';
import { compileOraclePattern } from './oracle-pattern.js';
import { OracleRefusal, type Scope } from './oracle-scope.js';
import {
  anyType,
  elementsOf,
  hasOddKeys,
  isPointer,
  keysOf,
  look,
  pointersOf,
  type Look,
  type OracleType,
  type Typed,
} from './oracle-value.js';

/** The six tests; the others are their negations. */
const negations: Readonly<Record<string, string>> = {
  '!=': '==',
  'not in': 'in',
  'is not empty': 'is empty',
  'is not nil': 'is nil',
  'not matches': 'matches',
};

/** Whether a match holds. */
export function evaluateMatch(match: MatchExpression, scope: Scope): boolean {
  const { operator, selector } = match;
  const value = literalOf(match);
  const positive = negations[operator] ?? operator;
  const negate = positive !== operator;
  const resolved = resolve(selector, scope);
  const whenAbsent = positive === 'is empty' || positive === 'is nil';
  if (resolved === null) return whenAbsent !== negate;
  const forgiven = (isNil: boolean): boolean => isNil && whenAbsent;
  return forgiving(scope, forgiven, () => test(positive, look(resolved), value, scope)) !== negate;
}

/** Runs a test. Where rows are forgiven, one that cannot be answered is answered by `forgiven`. */
function forgiving(scope: Scope, forgiven: (isNil: boolean) => boolean, run: () => boolean): boolean {
  try {
    return run();
  } catch (error) {
    const isForgiven =
      error instanceof OracleRefusal && error.forgivable && scope.options.unresolved === 'absent';
    if (!isForgiven) throw error;
    return forgiven(error.isNil);
  }
}

/** Refuses a value; it depends on the row unless the schema says what the value is. */
function refuse(code: string, { kind, type }: Look): never {
  throw new OracleRefusal(code, kind === 'nil' || type.kind === 'any', kind === 'nil');
}

function test(operator: string, seen: Look, value: Value | null, scope: Scope): boolean {
  switch (operator) {
    case '==':
      return testEqual(seen, literal(value));
    case 'in':
      return testIn(seen, literal(value), scope);
    case 'matches':
      if (seen.kind === 'nil') return refuse('panic', seen);
      if (seen.kind !== 'string') return refuse('no-match-text', seen);
      return testMatches(seen.value as string, literal(value));
    case 'is empty':
      return testEmpty(seen);
    default:
      return testNil(seen);
  }
}

function literal(value: Value | null): Value {
  if (value === null) throw new Error('a binary operator without a value');
  return value;
}

const scalarKinds = ['bool', 'int', 'uint', 'float32', 'float64'];

function testEqual(seen: Look, operand: Value): boolean {
  const { kind, value } = seen;
  if (kind === 'string') return operand.wellFormed && value === operand.text;
  if (scalarKinds.includes(kind)) return equalsScalar(kind, value, coerce(seen, operand));
  return refuse('no-comparison', seen);
}

function coerce(seen: Look, operand: Value): bigint | number | boolean {
  const parsed = coercion(seen.kind, operand.text);
  return parsed.ok ? parsed.value : refuse(`coerce-${parsed.why}`, seen);
}

function coercion(kind: string, text: string): Parsed<bigint | number | boolean> {
  switch (kind) {
    case 'bool':
      return goBool(text);
    case 'int':
      return goInt(text);
    case 'uint':
      return goUint(text);
    case 'float32':
      return goFloat32(text);
    default:
      return goFloat64(text);
  }
}

function equalsScalar(kind: string, value: unknown, operand: bigint | number | boolean): boolean {
  if (kind === 'bool') return value === operand;
  if (kind === 'int' || kind === 'uint') return BigInt(value as number | bigint) === operand;
  const float = Number(value as number | bigint);
  return (kind === 'float32' ? Math.fround(float) : float) === operand;
}

function testIn(seen: Look, operand: Value, scope: Scope): boolean {
  const { kind, type, value } = seen;
  if (kind === 'string') return operand.wellFormed && (value as string).includes(operand.text);
  if (kind === 'list' || kind === 'array') {
    return testInList(elementsOf(kind, type, value), type.of ?? anyType, operand, scope);
  }
  if (kind === 'map') {
    if (hasOddKeys(type)) return refuse('panic', seen);
    return operand.wellFormed && keysOf(value).includes(operand.text);
  }
  if (scalarKinds.includes(kind)) coerce(seen, operand);
  return refuse('no-contains', seen);
}

function testInList(elements: readonly Typed[], of: OracleType, operand: Value, scope: Scope): boolean {
  if (pointersOf(of) > 1) throw new OracleRefusal('no-comparison');
  if (of.kind !== 'any' && of.kind !== 'string' && of.kind !== 'time') {
    if (!scalarKinds.includes(of.kind)) throw new OracleRefusal('no-comparison');
    // Coerced before the list is looked at.
    const parsed = coercion(of.kind, operand.text);
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

function equalsElement(seen: Look, of: OracleType, operand: Value): boolean {
  const { kind, value } = seen;
  const isText = of.kind === 'string' || of.kind === 'time';
  // Go's text of a nil pointer to a string.
  if (isText && kind === 'nil') return operand.text === '<invalid Value>';
  if (kind === 'nil') return refuse('panic', seen);
  if (kind === 'string') return operand.wellFormed && value === operand.text;
  if (!scalarKinds.includes(kind)) return refuse('no-comparison', seen);
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

function testNil(seen: Look): boolean {
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
      // A nullable value that is there depends on the row: another one is nil.
      throw new OracleRefusal(
        seen.kind === 'array' ? 'panic' : 'no-nil',
        seen.type.kind === 'any' || isPointer(seen.type),
      );
  }
}
