import { kindDiagnostic } from '../../../language/schema/semantic-diagnostics.js';
import type { Type } from '../../../language/schema/type.js';
import { valueKindOf } from '../../../language/schema/value-kind.js';
import { literalOf } from '../../../language/syntax/ast.js';
import { foldText, foldWeight } from '../../../language/values/case-fold.js';
import { createTextSearch } from '../../../language/values/pattern/text-search.js';
import { entryReader, isMap } from '../../../language/values/data.js';
import { internText } from '../../../language/values/intern.js';
import { ownValue } from '../../../language/values/own-property.js';
import { createChargedSearch, freeElements, freeText, freeTextOf } from '../frame/cost-model.js';
import { substringTest, textInList, textTest, type QuickCheck } from '../quick/check.js';
import {
  coercionFailureOf,
  mismatch,
  type Refuse,
  type TestContext,
  type ValueTest,
} from '../frame/test-context.js';
import type { CheckRequest, OperatorBehaviour } from './behaviour.js';
import { createElementSearch } from './element-search.js';
import { comparesText } from './equality.js';
import { createLiteralTest } from './text-test.js';

/** `in`. */
export const containment: OperatorBehaviour = {
  createTest(context, type, refuse) {
    switch (valueKindOf(type)) {
      case 'string':
      case 'time':
        return createLiteralTest(context, createChargedSearch);
      case 'list':
      case 'array':
        return createElementSearch(context, type, refuse);
      case 'map':
        return createKeyTest(context, type, refuse);
      default:
        return createRefusal(context, type, refuse);
    }
  },
  chooseCheck,
  indexKeys: ({ literals, isMultiple, keyOf }) =>
    isMultiple ? literals.map(keyOf).filter((key) => key !== null) : null,
};

/**
 * Creates the test for a scalar, which has no elements, so that `in` is an error. If the literal does not fit the type either,
 * that error is reported first.
 */
function createRefusal(context: TestContext, type: Type, refuse: Refuse): ValueTest {
  const kind = valueKindOf(type);
  const failure = coercionFailureOf(context, kind);
  return () => refuse(failure ?? kindDiagnostic(context.match, context.operator.refusal.code, kind), kind);
}

function createKeyTest(context: TestContext, type: Type, refuse: Refuse): ValueTest {
  const { operand, match } = context;
  if (type.kind === 'map' && !type.textKeys)
    return () => refuse(kindDiagnostic(match, 'map-key-kind', 'map'), 'map');
  // Reads the entry like a selector: an entry exists if a selector could name it.
  const read = entryReader(operand.text);
  return (value) => {
    if (value === null || value === undefined) return false;
    if (!isMap(value)) return mismatch(context, value);
    if (!operand.wellFormed) return false;
    const found = read(value);
    // Methods of a class are not data of its objects.
    return typeof found === 'function' ? ownValue(value, operand.text) !== undefined : found !== undefined;
  };
}

/** Creates a case-insensitive search. */
function chooseFolded(text: string): QuickCheck {
  const { isIn, weight } = createTextSearch(foldText(text));
  const maxLength = freeTextOf(weight + foldWeight);
  return { template: textTest, operands: [(value: string) => isIn(foldText(value)), maxLength] };
}

function chooseCheck({ type, operand, isRepeated, node }: CheckRequest): QuickCheck | null {
  const literal = literalOf(node);
  if (isRepeated || literal?.form === 'typed' || literal?.form === 'now') return null;
  const isText = valueKindOf(type) === 'string' || valueKindOf(type) === 'time';
  if (literal?.ignoreCase === true) return isText ? chooseFolded(operand.text) : null;
  if (isText) return { template: substringTest, operands: [operand.text, freeText] };
  const of = type.kind === 'list' ? type.of : type;
  if (of.nullDepth > 0 || (of.kind !== 'any' && !comparesText(of, node))) return null;
  return { template: textInList, operands: [internText(operand.text), freeElements] };
}
