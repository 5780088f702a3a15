import { valueKindOf } from '../../../language/schema/value-kind.js';
import type { ValueKind } from '../../../language/values/kind.js';
import { emptiness as emptinessOf, isMap } from '../../../language/values/data.js';
import { chargeKeys } from '../frame/cost-model.js';
import { emptyList, emptyMap, emptyText, type QuickCheck } from '../quick/check.js';
import { mismatch, type TestContext, type ValueTest } from '../frame/test-context.js';
import type { CheckRequest, OperatorBehaviour } from './behaviour.js';

/** `is empty`. */
export const emptiness: OperatorBehaviour = {
  createTest(context, type) {
    if (type.kind !== 'array') return createSizeTest(context, valueKindOf(type));
    // The length of an array is determined by its type, not by the row.
    const isEmpty = type.length === 0;
    return (value) =>
      context.resultIfUnknown === null || Array.isArray(value) ? isEmpty : context.resultIfUnknown;
  },
  chooseCheck,
  indexKeys: () => null,
};

function createSizeTest(context: TestContext, kind: ValueKind): ValueTest {
  const isText = kind === 'string' || kind === 'time';
  const chargeKeysOf = chargeKeys(context.match, context.compileContext);
  return (value) => {
    if (value === null || value === undefined) return true;
    if (typeof value === 'string') return isText ? value === '' : mismatch(context, value);
    if (isText || typeof value !== 'object') return mismatch(context, value);
    if (!Array.isArray(value) && !isMap(value)) return mismatch(context, value);
    if (Array.isArray(value)) return kind === 'map' ? mismatch(context, value) : value.length === 0;
    if (kind !== 'map') return mismatch(context, value);
    const { isEmpty, keys } = emptinessOf(value);
    chargeKeysOf(keys);
    return isEmpty;
  };
}

function chooseCheck({ type, compileContext, isRepeated }: CheckRequest): QuickCheck | null {
  if (type.kind === 'string') return { template: emptyText, operands: [] };
  if (type.kind === 'list') return { template: emptyList, operands: [] };
  // Enumerating the keys of a large map is slow even if only the first is needed, so it is charged if several clauses do it.
  if ((type.kind !== 'map' && type.kind !== 'any') || isRepeated || !compileContext.meter.isLone) return null;
  return { template: emptyMap, operands: [] };
}
