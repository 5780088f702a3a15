import type { Type } from '../../../language/schema/type.js';
import { valueKindOf } from '../../../language/schema/value-kind.js';
import { literalOf } from '../../../language/syntax/ast.js';
import { numberOrderings, type Ordering } from '../../../language/values/ordering.js';
import { textComparison } from '../../../language/values/utf8-order.js';
import { chargeComparison } from '../frame/cost-model.js';
import { ABSENT } from '../frame/sentinels.js';
import type { Refuse, TestContext, ValueTest } from '../frame/test-context.js';
import { keysFrom, keysTo, type KeyRange } from '../frame/key-range.js';
import type { OperatorBehaviour, RangeRequest } from './behaviour.js';
import { chooseOrder } from './order-check.js';
import { placeLiteral, readerOf, refuseOdd, scaleOf } from '../frame/scale.js';

/** The operators `<`, `<=`, `>` and `>=`. */
export function ordering(name: Ordering): OperatorBehaviour {
  return {
    createTest: (context, type, refuse) => createOrderTest(name, context, type, refuse),
    chooseCheck: (request) => chooseOrder(request, name),
    indexKeys: () => null,
    indexRanges: (request) => rangeOf(name, request),
  };
}

/** Returns the key range of an ordering. A literal between two keys has the position directly after the lower one. */
function rangeOf(name: Ordering, { literals: [literal], boundOf }: RangeRequest): readonly KeyRange[] | null {
  const bound = literal === undefined ? null : boundOf(literal);
  if (bound === null) return null;
  if (bound === undefined) return [];
  const { key, isExact } = bound;
  switch (name) {
    case '<':
      return [keysTo(key, !isExact)];
    case '<=':
      return [keysTo(key, true)];
    case '>':
      return [keysFrom(key, false)];
    case '>=':
      return [keysFrom(key, isExact)];
  }
}

function createOrderTest(name: Ordering, context: TestContext, type: Type, refuse: Refuse): ValueTest {
  const { match, compileContext } = context;
  const scale = scaleOf(type);
  const literal = literalOf(match);
  if (scale === null || literal === null) return (value) => refuseOdd(context, null, value);
  const placed = placeLiteral(context, type, literal);
  if ('fault' in placed) return () => refuse(placed.fault, valueKindOf(type));
  const { position } = placed;
  const compare = typeof position === 'string' ? compareTexts(position) : scale.compare;
  const charge = chargeComparison(match, compileContext, 'literal');
  const matches = numberOrderings[name];
  const read = readerOf(scale, context);
  return (value) => {
    const own = read(value);
    if (own === undefined) return refuseOdd(context, scale, value);
    if (own === ABSENT || position === ABSENT) return false;
    if (typeof own === 'string') charge(Math.min(own.length, literal.text.length));
    return matches(compare(own, position), 0);
  };
}

function compareTexts(literal: string): (text: unknown, other: unknown) => number {
  const compare = textComparison([literal]);
  return (text) => compare(text as string, literal);
}
