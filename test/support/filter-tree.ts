import fc from 'fast-check';
import { operatorForms, takesValue } from '../../src/operators/operators.js';
import type { Expression, Selector, Value } from '../../src/syntax/ast.js';
import * as make from '../../src/syntax/factory.js';

/** A tree without what printing does not keep: the places, and how values were written. */
export function essence(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(essence);
  if (typeof node !== 'object' || node === null) return node;
  const kept = Object.entries(node).filter(
    ([key]) => !/[sS]pans?$/.test(key) && !(key === 'form' && 'wellFormed' in node),
  );
  return Object.fromEntries(kept.map(([key, value]) => [key, essence(value)]));
}

const nowhere = make.makeSpan(0, 0);
const anyString = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.string({ unit: 'grapheme', maxLength: 8 }),
  fc.constantFrom(
    '',
    '"',
    '`',
    '\\',
    '/',
    '/a',
    '/a/b',
    '~',
    '5',
    '-1.5',
    '05',
    '\ufffd',
    '\ud800',
    '\u2028',
    '\r\n',
    'a b',
  ),
);
const names = fc.constantFrom('a', 'Meta', 'x_1', 'a/b', 'order', 'nothing');

const selectors: fc.Arbitrary<Selector> = fc.oneof(
  fc
    .tuple(names, fc.array(anyString, { maxLength: 3 }))
    .map(([first, rest]) => make.makeSelector('bexpr', [first, ...rest], [], nowhere)),
  fc
    .array(fc.constantFrom('a', '/', '~', '~1', 'é', '0', 'a.b', '𝒳'), { minLength: 1, maxLength: 3 })
    .map((path) => make.makeSelector('pointer', path, [], nowhere)),
  fc.constant(make.makeSelector('pointer', [''], [], nowhere)),
);
const values: fc.Arbitrary<Value> = fc.oneof(
  anyString.map((text) => make.makeValue(text, true, false, 'quoted', nowhere)),
  anyString.map((text) => make.makeValue(`${text}\ufffd`, false, false, 'quoted', nowhere)),
);
const operators = operatorForms().flatMap(({ name, operator }) => ('dialect' in operator ? [] : [name]));
const matches: fc.Arbitrary<Expression> = fc.oneof(
  fc
    .tuple(fc.constantFrom(...operators.filter(takesValue)), selectors, values)
    .map(([operator, selector, value]) =>
      make.makeMatch(operator, nowhere, 'value', selector, value, nowhere),
    ),
  fc
    .tuple(fc.constantFrom(...operators.filter((name) => !takesValue(name))), selectors)
    .map(([operator, selector]) => make.makeMatch(operator, nowhere, 'value', selector, null, nowhere)),
);
const bindings = fc
  .tuple(fc.constantFrom('default', 'index', 'value', 'both'), names, names)
  .map(([kind, first, second]) => {
    const [one, two] = [make.makeName(first, nowhere), make.makeName(second, nowhere)];
    if (kind === 'default') return make.makeBinding(one, null, null, nowhere);
    return make.makeBinding(null, kind === 'value' ? null : one, kind === 'index' ? null : two, nowhere);
  });

/** Trees as the parser makes them, without places, whatever their keys and values hold. */
export const trees: fc.Arbitrary<Expression> = fc.letrec<{ tree: Expression }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    matches,
    fc
      .tuple(
        fc.constantFrom('and' as const, 'or' as const),
        fc.array(tie('tree'), { minLength: 2, maxLength: 4 }),
      )
      .map(([kind, operands]) => make.makeJunction(kind, operands, nowhere)),
    tie('tree').map((operand) => make.makeNot(operand, 1, nowhere)),
    fc
      .tuple(fc.constantFrom('any' as const, 'all' as const), selectors, bindings, tie('tree'))
      .map(([kind, selector, binding, body]) => make.makeCollection(kind, selector, binding, body, nowhere)),
  ),
})).tree;
