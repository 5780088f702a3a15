import { treatmentOf, type Operator } from '../operators/operator.js';
import { kindComplaint, patternComplaint } from '../schema/complaint.js';
import { anyType, type Type } from '../schema/type.js';
import { valueKindOf } from '../schema/value-kind.js';
import { emptiness, entryReader, isMap } from '../values/data.js';
import { kindOf, type ValueKind } from '../values/kind.js';
import { ownValue } from '../values/own-property.js';
import type { Pattern } from '../values/pattern/index.js';
import { createElementTest } from './element-test.js';
import { createEquality } from './equality.js';
import { createPaidEquality, createPaidMatcher, createPaidSearch, searchFareOf, type Fare } from './fare.js';
import { lazy } from './lazy.js';
import {
  coercionFailureOf,
  mismatch,
  raiseMatch,
  refuseValue,
  type Refuse,
  type TestContext,
  type ValueTest,
} from './test-context.js';

/** The test for values of a declared type. What the type alone makes impossible fails for every row. */
export function createTypedTest(context: TestContext, type: Type): ValueTest {
  if (type.kind === 'any') return createOpenTest(context);
  const present = createKindTest(context, type, (complaint, kind) => raiseMatch(context, complaint, kind));
  if (type.pointers === 0) return present;
  const nil = createNilTest(context);
  return (value) => (value === null || value === undefined ? nil(value) : present(value));
}

/** The test for values whose own kind decides. Everything that fails here depends on the row. */
export function createOpenTest(context: TestContext, numbers: 'float64' | 'int' = 'float64'): ValueTest {
  const refuse: Refuse = (complaint, kind) => refuseValue(context, complaint, kind);
  const make = (kind: OpenKind): ValueTest => createKindTest(context, openTypes[kind], refuse);
  const text = lazy(() => make('string'));
  const number = lazy(() => make(numbers));
  const integer = lazy(() => make('int'));
  const bool = lazy(() => make('bool'));
  const list = lazy(() => make('list'));
  const map = lazy(() => make('map'));
  const nil = createNilTest(context);
  return (value) => {
    switch (kindOf(value)) {
      case 'string':
        return text()(value);
      case 'float64':
        return number()(value);
      case 'int':
        return integer()(value);
      case 'bool':
        return bool()(value);
      case 'list':
        return list()(value);
      case 'map':
        return map()(value);
      case 'nil':
        return nil(value);
      default:
        return refuse(
          kindComplaint(context.match, context.operator.refusal.code, 'unsupported'),
          'unsupported',
        );
    }
  };
}

type OpenKind = 'string' | 'float64' | 'int' | 'bool' | 'list' | 'map';

const openTypes: Readonly<Record<OpenKind, Type>> = {
  string: { kind: 'string', pointers: 0 },
  float64: { kind: 'float64', pointers: 0 },
  int: { kind: 'int', pointers: 0 },
  bool: { kind: 'bool', pointers: 0 },
  list: { kind: 'list', of: anyType, pointers: 0 },
  map: { kind: 'map', of: anyType, textKeys: true, integerKeys: false, pointers: 0 },
};

/** Whether nil is an answer and not a mistake. */
function takesNil({ operator }: TestContext): boolean {
  const { takes }: Operator = operator;
  return takes.nil === 'nil';
}

function createNilTest(context: TestContext): ValueTest {
  if (takesNil(context)) return () => true;
  return () =>
    refuseValue(context, kindComplaint(context.match, context.operator.refusal.code, 'nil'), 'nil');
}

/** The test for present values of one kind; null and undefined count as the kind's zero value. */
function createKindTest(context: TestContext, type: Type, refuse: Refuse): ValueTest {
  const kind = valueKindOf(type);
  const refusal = (): boolean =>
    refuse(kindComplaint(context.match, context.operator.refusal.code, kind), kind);
  switch (treatmentOf(context.operator, kind)) {
    case 'text':
      return createTextTest(context);
    case 'coerce':
      return createCoercedTest(context, kind, refuse);
    case 'coerce-then-refuse': {
      const failure = coercionFailureOf(context, kind);
      return failure === null ? refusal : () => refuse(failure, kind);
    }
    case 'elements':
      return createElementTest(context, type, refuse);
    case 'keys':
      return createKeyTest(context, type, refuse);
    case 'size':
      return type.kind === 'array' ? () => type.length === 0 : createSizeTest(context, kind);
    case 'nil':
      // A struct that may be nil was tested before; one that may not is never nil.
      return kind === 'struct' || kind === 'pointer'
        ? () => false
        : (value) => value === null || value === undefined;
    case 'refuse':
      // A nullable value that is no nil is refused because of the row, not because of its type.
      return takesNil(context) && type.pointers > 0
        ? () => refuseValue(context, kindComplaint(context.match, context.operator.refusal.code, kind), kind)
        : refusal;
  }
}

function createTextTest(context: TestContext): ValueTest {
  const { operator, operand, pattern, match, place } = context;
  const { text } = operand;
  // No JavaScript text holds the bytes of an ill-formed literal.
  const test: (value: string) => boolean =
    operator.operand === 'pattern'
      ? createMatcher(context, pattern)
      : !operand.wellFormed
        ? () => false
        : (operator.equates === 'part' ? createPaidSearch : createPaidEquality)(text, match, place);
  return (value) => {
    if (typeof value === 'string') return test(value);
    return value === null || value === undefined ? test('') : mismatch(context, value);
  };
}

function createMatcher(context: TestContext, pattern: Pattern | string | null): (value: string) => boolean {
  if (pattern !== null && typeof pattern !== 'string')
    return createPaidMatcher(pattern, context.match, context.place);
  const complaint = patternComplaint(context.match, pattern ?? 'no pattern');
  return () => raiseMatch(context, complaint, 'string');
}

function createCoercedTest(context: TestContext, kind: ValueKind, refuse: Refuse): ValueTest {
  const failure = coercionFailureOf(context, kind);
  if (failure !== null) return () => refuse(failure, kind);
  const test = createEquality(context.operand, kind);
  return (value) => test(value) ?? mismatch(context, value);
}

function createKeyTest(context: TestContext, type: Type, refuse: Refuse): ValueTest {
  const { operand, match } = context;
  if (type.kind === 'map' && !type.textKeys)
    return () => refuse(kindComplaint(match, 'map-key-kind', 'map'), 'map');
  // As a selector reads it: what can be named is there.
  const read = entryReader(operand.text);
  return (value) => {
    if (value === null || value === undefined) return false;
    if (!isMap(value)) return mismatch(context, value);
    if (!operand.wellFormed) return false;
    const found = read(value);
    // The methods of a class are no data that its objects share.
    return typeof found === 'function' ? ownValue(value, operand.text) !== undefined : found !== undefined;
  };
}

function createSizeTest(context: TestContext, kind: ValueKind): ValueTest {
  const isText = kind === 'string' || kind === 'time';
  const fare = searchFareOf(context.match, context.place);
  return (value) => {
    if (value === null || value === undefined) return true;
    if (typeof value === 'string') return isText ? value === '' : mismatch(context, value);
    if (isText || typeof value !== 'object') return mismatch(context, value);
    if (!Array.isArray(value) && !isMap(value)) return mismatch(context, value);
    if (Array.isArray(value)) return kind === 'map' ? mismatch(context, value) : value.length === 0;
    return kind === 'map' ? hasNoKeys(value, fare) : mismatch(context, value);
  };
}

function hasNoKeys(map: object, fare: Fare): boolean {
  const { isEmpty, keys } = emptiness(map);
  fare.enter();
  fare.keys(keys);
  return isEmpty;
}
