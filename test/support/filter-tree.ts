import fc from 'fast-check';
import type { OperandShape } from '../../src/language/operators/operand-shape.js';
import { operatorForms, takesLength } from '../../src/language/operators/operators.js';
import type { Expression, MatchValue, Selector, Value } from '../../src/language/syntax/ast.js';
import * as make from '../../src/language/syntax/factory.js';

/** A tree without what printing does not keep: the places, and how values were written, where that says nothing. */
export function essence(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(essence);
  if (typeof node !== 'object' || node === null) return node;
  const cached = Object.entries(node).filter(
    ([key, value]) =>
      !/[sS]pans?$/.test(key) &&
      !(key === 'form' && 'wellFormed' in node && value !== 'typed' && value !== 'now'),
  );
  return Object.fromEntries(cached.map(([key, value]) => [key, essence(value)]));
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
const names = fc.constantFrom(
  'a',
  'Meta',
  'x_1',
  'a/b',
  'order',
  'nothing',
  'in',
  'like',
  'len',
  'now',
  'starts',
);

const selectors: fc.Arbitrary<Selector> = fc.oneof(
  fc
    .tuple(names, fc.array(anyString, { maxLength: 3 }))
    .map(([first, rest]) => make.makeSelector('bexpr', [first, ...rest], [], nowhere)),
  fc
    .array(fc.constantFrom('a', '/', '~', '~1', 'é', '0', 'a.b', '𝒳'), { minLength: 1, maxLength: 3 })
    .map((path) => make.makeSelector('pointer', path, [], nowhere)),
  fc.constant(make.makeSelector('pointer', [''], [], nowhere)),
);
const texts: fc.Arbitrary<Value> = fc
  .tuple(anyString, fc.boolean(), fc.constantFrom('quoted' as const, 'raw' as const), fc.boolean())
  .map(([text, isIll, form, ignoreCase]) =>
    make.makeValue(isIll ? `${text}\ufffd` : text, !isIll, ignoreCase, form, nowhere),
  );
const plainTexts = texts.map((value): Value => ({ ...value, ignoreCase: false }));
const typedLiterals: fc.Arbitrary<Value> = fc
  .constantFrom('7d', '1e1', '010', '2026-11-01T08:00:00Z', '10.0.0.0/8', '5.', '1-')
  .map((text) => make.makeValue(text, true, false, 'typed', nowhere));
const numbers: fc.Arbitrary<Value> = fc
  .constantFrom('0', '5', '-1.5', '1000000000000000000000')
  .map((text) => make.makeValue(text, true, false, 'number', nowhere));
const clocks: fc.Arbitrary<Value> = fc.constantFrom(
  make.makeValue('now', true, false, 'bare', nowhere),
  make.makeValue('now - 7d', true, false, 'now', nowhere),
  make.makeValue('now + 1h30m', true, false, 'now', nowhere),
);
const literals = fc.oneof(texts, typedLiterals, numbers);
const references: fc.Arbitrary<MatchValue> = selectors.map((selector) =>
  make.makeReference(selector, nowhere),
);
function valuesOf({
  operands: matches,
  list,
  dependsOnQuotes,
  acceptsReference,
}: OperandShape): fc.Arbitrary<MatchValue | null> {
  if (matches === 'none') return fc.constant(null);
  const one = dependsOnQuotes ? fc.oneof(literals, clocks) : fc.oneof(plainTexts, literals);
  if (list === null) return acceptsReference ? fc.oneof(one, references) : one;
  const { count } = list;
  return fc
    .array(one, { minLength: count ?? 0, maxLength: count ?? 4 })
    .map((elements) => make.makeValueList(elements, nowhere));
}
const matches: fc.Arbitrary<Expression> = fc
  .tuple(fc.constantFrom(...operatorForms()), selectors)
  .chain(([{ name, operator }, selector]) =>
    fc
      .tuple(
        valuesOf(operator.operand),
        takesLength(name)
          ? fc.constantFrom('value' as const, 'length' as const)
          : fc.constant('value' as const),
      )
      .map(([value, aspect]) => make.makeMatch(name, nowhere, aspect, selector, value, nowhere)),
  );
/** No text has `any in as x`. */
const collections = selectors.filter(
  ({ form, path }) => form === 'pointer' || path[0] !== 'in' || path.length > 1,
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
      .tuple(fc.constantFrom('any' as const, 'all' as const), collections, bindings, tie('tree'))
      .map(([kind, selector, binding, body]) => make.makeCollection(kind, selector, binding, body, nowhere)),
  ),
})).tree;
