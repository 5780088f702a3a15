import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mayExceed, mayFail } from '../../src/filter/compile/can-fail.js';
import { defaultLimits } from '../../src/language/diagnostics/limits.js';
import {
  check,
  compileFilter,
  defineSchema,
  FilterLimitError,
  parse,
  parseSchema,
  print,
  t,
  type Expression,
  type Schema,
} from '../../src/index.js';
import { analyse } from '../../src/language/schema/analysis.js';
import { expressionArbitrary } from '../support/arbitraries.js';
import { interpret } from '../support/interpreter.js';
import { rowArbitrary } from '../support/row-arbitraries.js';
import { schemaArbitrary } from '../support/shapes.js';
import { scaled } from '../support/property-runs.js';

const schema = defineSchema({
  Name: t.string,
  Since: t.time,
  Count: t.int,
  Stop: t.bool,
  Note: t.nullable(t.string),
  Tags: t.list(t.string),
  Notes: t.list(t.nullable(t.string)),
  Pair: t.array(t.string, 2),
  Meta: t.map(t.string),
  Numbers: t.map(t.list(t.int)),
  Inner: t.struct({ Name: t.string, Meta: t.map(t.string) }),
  Maybe: t.nullable(t.struct({ Name: t.string })),
  Groups: t.list(t.struct({ Name: t.string, Tags: t.list(t.string), Open: t.any })),
  Open: t.any,
});

function passes(ast: Expression, declared: Schema): boolean {
  try {
    return check(print(ast), { schema: declared }).length === 0;
  } catch (error) {
    if (error instanceof FilterLimitError) return false;
    throw error;
  }
}

describe('a row that fits the schema', () => {
  it.each([
    'Name == a',
    'Name != a or not Count == 5',
    'a in Name and Name matches "^a"',
    'Name is empty and Since is empty',
    'Maybe is not nil',
    'a in Tags',
    'Tags is empty or Tags is nil',
    'Meta.k == a',
    'k in Meta and Meta is not empty',
    'Inner.Name == a',
    'Inner.Meta.k == a',
    'Numbers.k is empty',
    'any Tags as x { x == a }',
    'any Tags as i, x { i == 0 and x == a }',
    'all Meta as k { k == a }',
    'all Meta as k, v { k == v }',
    'any Groups as g { g.Name == a and Name == b }',
    'any Groups as g { any g.Tags as x { x == a and g.Name == b } }',
    'any Numbers as k, l { any l as n { n == 1 } }',
  ])('cannot fail %s', (text) => {
    expect(check(text, { schema })).toEqual([]);
    expect(mayFail(parse(text).ast, analyse(schema.root))).toBe(false);
  });

  it.each<[text: string, row: object]>([
    ['Note == a', { Note: null }],
    ['Note is empty', { Note: null }],
    ['Tags.0 == a', { Tags: [] }],
    ['Maybe.Name == a', { Maybe: null }],
    ['Numbers.k.0 == 1', { Numbers: { k: [] } }],
    ['Open == a', { Open: [] }],
    ['Open.a == a', { Open: 5 }],
    ['any Open as x { x == a }', { Open: 5 }],
    ['any Groups as g { g.Open == a }', { Groups: [{ Open: [] }] }],
    ['any Groups as g { g.Tags.0 == a }', { Groups: [{ Tags: [] }] }],
    ['any Groups as g { any g.Open as x { x == a } }', { Groups: [{ Open: 5 }] }],
    ['Name == a or Note == a', { Note: null }],
    ['Name == a and not (Name == b or Note == a)', { Name: 'a', Note: null }],
  ])('can fail %s', (text, row) => {
    expect(mayFail(parse(text).ast, analyse(schema.root))).toBe(true);
    expect(() => compileFilter(text, { schema }).test(row)).toThrow();
  });

  it('gets a result of the interpreter if it cannot fail', () => {
    let safe = 0;
    const cases = schemaArbitrary.chain((shape) =>
      fc.tuple(fc.constant(shape), expressionArbitrary(shape), rowArbitrary(shape)),
    );
    fc.assert(
      fc.property(cases, ([shape, expression, row]) => {
        const { ast } = parse(print(expression));
        const declared = parseSchema(shape);
        if (!passes(ast, declared) || mayFail(ast, analyse(declared.root))) return;
        safe += 1;
        const note = inspect({ ast, row, shape }, { depth: 12 });
        expect(typeof interpret(ast, row, { schema: shape }), note).toBe('boolean');
      }),
      { numRuns: 2_000 },
    );
    expect(safe).toBeGreaterThan(scaled(20));
  });
});

describe('a row of any size', () => {
  const texts = Array.from({ length: 2_000 }, (_, at) => `text ${at}`);
  const entries = Object.fromEntries(texts.map((text) => [text, text]));
  const long = texts.join(' ');
  const huge = {
    Name: long,
    Note: long,
    Tags: texts,
    Meta: { ...entries, k: long },
    Numbers: { k: new Set(texts.keys()) },
    Inner: { Name: long, Meta: entries },
    Groups: texts.map((Name) => ({ Name, Tags: [] })),
    Open: new Set(texts),
  };
  const limits = { maxSteps: 1, maxSearchedText: 1 };

  it.each<[text: string, exceeds: boolean, row?: object]>([
    ['Name == zz', false],
    ['Name is empty', false],
    ['Name != a and Count == 0 and Stop == false', false],
    ['Maybe is not nil', false],
    ['zz in Name', true],
    ['Name matches "zz"', true],
    ['Inner.Name == a or not (zz in Inner.Name)', true],
    ['Meta.k == zz', false],
    ['zz in Meta.k', true],
    ['zz in Meta', false],
    ['Meta is nil', false],
    ['Meta is empty', true],
    ['zz in Tags', true],
    ['Tags is empty', true, { Tags: new Set(texts) }],
    ['Tags is nil', true, { Tags: new Set(texts) }],
    ['Numbers.k is empty', true],
    ['Open is nil', true],
    ['any Tags as x { x == zz }', true],
    ['any Meta as k { k == zz }', true],
  ])('%s may cost too much: %s', (text, exceeds, row) => {
    expect(mayExceed(parse(text).ast, analyse(schema.root), { ...defaultLimits, ...limits })).toBe(exceeds);
    const filter = compileFilter(text, { schema, limits });
    const evaluate = (): unknown => filter.test({ ...huge, ...row } as never);
    if (exceeds) expect(evaluate).toThrow(FilterLimitError);
    else expect(evaluate).not.toThrow();
  });

  it('costs what it likes without limits', () => {
    const ast = parse('zz in Name and zz in Tags and Meta is empty and (any Tags as x { x == zz })').ast;
    const costLimits = { maxSteps: Infinity, maxSearchedText: Infinity };
    expect(mayExceed(ast, analyse(schema.root), costLimits)).toBe(false);
    const text = parse('zz in Name').ast;
    expect(mayExceed(text, analyse(schema.root), { ...costLimits, maxSteps: 1 })).toBe(false);
    expect(mayExceed(text, analyse(schema.root), { ...costLimits, maxSearchedText: 1 })).toBe(true);
  });
});
