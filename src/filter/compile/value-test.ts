import { operandRuleOf } from '../../language/operators/operator.js';
import type { SemanticFault } from '../../language/diagnostics/errors.js';
import { kindDiagnostic } from '../../language/schema/semantic-diagnostics.js';
import { elementTypeOf, anyType, type Type } from '../../language/schema/type.js';
import { valueKindOf } from '../../language/schema/value-kind.js';
import { kindOf } from '../../language/values/kind.js';
import { instanceKindOf } from '../../language/values/instance/index.js';
import { print } from '../../language/syntax/print.js';
import { literalOf } from '../../language/syntax/ast.js';
import { withArticle } from '../../language/syntax/wording.js';
import { badLiteralDiagnostic, ignoreCaseDiagnostic } from '../../language/schema/form-diagnostics.js';
import { lazy } from './frame/lazy.js';
import { behaviours } from './operators/behaviours.js';
import { hasNoZero } from './frame/scale.js';
import { isNil } from './frame/sentinels.js';
import {
  takesNull,
  throwMatchError,
  refuseValue,
  type Refuse,
  type TestContext,
  type ValueTest,
} from './frame/test-context.js';

/** Creates the test for values of a declared type. Errors that depend only on the type occur for every row. */
export function createTypedTest(context: TestContext, type: Type): ValueTest {
  if (type.kind === 'any') return createDynamicTest(context);
  const present = createKindTest(context, type, (diagnostic, kind) =>
    throwMatchError(context, diagnostic, kind),
  );
  if (type.nullDepth === 0) return present;
  const nil = createNilTest(context);
  return (value) => (isNil(value) ? nil(value) : present(value));
}

/** Creates the test for values of undeclared type: their kind at run time decides. Every failure then depends on the row. */
export function createDynamicTest(ofRow: TestContext, numbers: 'float64' | 'int' = 'float64'): ValueTest {
  const context: TestContext = { ...ofRow, isDynamic: true };
  if (takesNil(context) && context.compileContext.analysis.level === 1) return isNil;
  const refuse: Refuse = (diagnostic, kind) => refuseValue(context, diagnostic, kind);
  const make = (kind: DynamicKind): ValueTest => createKindTest(context, dynamicTypes[kind], refuse);
  const text = lazy(() => make('string'));
  const number = lazy(() => make(numbers));
  const integer = lazy(() => make('int'));
  const bool = lazy(() => make('bool'));
  const list = lazy(() => make('list'));
  const map = lazy(() => make('map'));
  const nil = createNilTest(context);
  return (value) => {
    const kind = kindOf(value);
    switch (kind) {
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
        return refuse(kindDiagnostic(context.match, context.operator.refusal.code, kind), kind);
    }
  };
}

type DynamicKind = 'string' | 'float64' | 'int' | 'bool' | 'list' | 'map';

const dynamicTypes: Readonly<Record<DynamicKind, Type>> = {
  string: { kind: 'string', nullDepth: 0 },
  float64: { kind: 'float64', nullDepth: 0 },
  int: { kind: 'int', nullDepth: 0 },
  bool: { kind: 'bool', nullDepth: 0 },
  list: { kind: 'list', of: anyType, nullDepth: 0 },
  map: { kind: 'map', of: anyType, textKeys: true, integerKeys: false, nullDepth: 0 },
};

/**
 * Creates the test for values of one kind. Null and undefined count as the zero value of the kind, or as absent if it has none.
 */
function createKindTest(context: TestContext, type: Type, refuse: Refuse): ValueTest {
  const { match, operator } = context;
  const kind = valueKindOf(type);
  if (operandRuleOf(operator, kind, context.compileContext.analysis.level) !== 'refuse') {
    const fault = literalFault(context, type);
    const test =
      fault === null
        ? behaviours[operator.name].createTest(context, type, refuse)
        : (): boolean => refuse(fault, kind);
    if (takesNil(context)) return test;
    return hasNoZero(type) ? (value) => (isNil(value) ? operator.whenAbsent : test(value)) : test;
  }
  const complain = (): SemanticFault => kindDiagnostic(match, operator.refusal.code, kind);
  // A value of a nullable type that is not nil is rejected because of the row, not because of its type.
  return takesNil(context) && type.nullDepth > 0
    ? () => refuseValue(context, complain(), kind)
    : () => refuse(complain(), kind);
}

/** Returns why the literal of a match cannot be a value of the type; null if it can. Not for orderings. */
function literalFault({ match, operator }: TestContext, type: Type): SemanticFault | null {
  const literal = literalOf(match);
  if (literal === null || operator.operand.dependsOnQuotes) return null;
  const { form, ignoreCase, text } = literal;
  if (ignoreCase && !comparesTexts(type)) return ignoreCaseDiagnostic(match, literal);
  if (form !== 'typed' && form !== 'now') return null;
  const kind = instanceKindOf(elementTypeOf(type) ?? type);
  const isInstance = form === 'typed' && (kind?.parse(text) ?? null) !== null;
  return isInstance
    ? null
    : badLiteralDiagnostic(match, literal, kind?.expected ?? withArticle(valueKindOf(type)));
}

/** Whether the values, or the elements of a list, may be strings. */
function comparesTexts(type: Type): boolean {
  const of = elementTypeOf(type) ?? type;
  const kind = valueKindOf(of);
  return of.kind === 'any' || kind === 'string' || kind === 'time';
}

/** Whether nil is a valid value and not a mistake. */
function takesNil({ operator }: TestContext): boolean {
  return operator.takes.nil === 'nil';
}

function createNilTest(context: TestContext): ValueTest {
  if (takesNil(context)) return () => true;
  if (takesNull(context)) return () => context.operator.whenAbsent;
  return () => refuseValue(context, nullDiagnostic(context), 'nil');
}

/** Returns the error for a null where level 0 requires a value, with a hint how to exclude it. */
function nullDiagnostic({ match, operator, compileContext }: TestContext): SemanticFault {
  const fault = kindDiagnostic(match, operator.refusal.code, 'nil');
  const guard =
    compileContext.analysis.level === 1 ? `test ${print(match.selector)} is not nil first, or ` : '';
  return { ...fault, hint: `${guard}let null count as absent: unresolved 'absent' (--unresolved absent)` };
}
