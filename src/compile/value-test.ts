import { treatmentOf } from '../operators/operator.js';
import { kindComplaint, type MeaningComplaint } from '../schema/complaint.js';
import { anyType, type Type } from '../schema/type.js';
import { valueKindOf } from '../schema/value-kind.js';
import { kindOf } from '../values/kind.js';
import { lazy } from './lazy.js';
import { behaviours } from './operators/behaviours.js';
import { raiseMatch, refuseValue, type Refuse, type TestContext, type ValueTest } from './test-context.js';

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

/** The test for present values of one kind; null and undefined count as the kind's zero value. */
function createKindTest(context: TestContext, type: Type, refuse: Refuse): ValueTest {
  const { match, operator } = context;
  const kind = valueKindOf(type);
  if (treatmentOf(operator, kind) !== 'refuse')
    return behaviours[operator.name].createTest(context, type, refuse);
  const complain = (): MeaningComplaint => kindComplaint(match, operator.refusal.code, kind);
  // A nullable value that is no nil is refused because of the row, not because of its type.
  return takesNil(context) && type.pointers > 0
    ? () => refuseValue(context, complain(), kind)
    : () => refuse(complain(), kind);
}

/** Whether nil is an answer and not a mistake. */
function takesNil({ operator }: TestContext): boolean {
  return operator.takes.nil === 'nil';
}

function createNilTest(context: TestContext): ValueTest {
  if (takesNil(context)) return () => true;
  return () =>
    refuseValue(context, kindComplaint(context.match, context.operator.refusal.code, 'nil'), 'nil');
}
