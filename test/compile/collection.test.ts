import { describe, expect, it } from 'vitest';
import { compileNode } from '../../src/filter/compile/compile-node.js';
import type { CompileContext } from '../../src/filter/compile/frame/compile-context.js';
import { defineSchema, FilterError, parse, t } from '../../src/index.js';
import { placeOf } from './place.js';

const schema = defineSchema({
  Tags: t.list(t.string),
  Pair: t.array(t.string, 2),
  Meta: t.map(t.string),
  Name: t.string,
  Open: t.any,
  Groups: t.list(t.struct({ Name: t.string, Tags: t.list(t.string) })),
});

/** The result of a collection for a row, or the code of the error. */
function evaluate(text: string, row: unknown, more: Partial<CompileContext> = {}): boolean | string {
  const { ast } = parse(text);
  try {
    return compileNode(ast, placeOf(text, ast, schema, more))(row);
  } catch (error) {
    if (error instanceof FilterError) return error.code;
    throw error;
  }
}

describe('a collection', () => {
  it.each<[text: string, row: unknown, result: boolean | string]>([
    ['any Tags as x { x == a }', { Tags: ['b', 'a'] }, true],
    ['any Tags as x { x == a }', { Tags: new Set(['b', 'a']) }, true],
    ['any Tags as x { x == a }', { Tags: [] }, false],
    ['any Tags as x { x == a }', {}, false],
    ['all Tags as x { x == a }', { Tags: ['a', 'b'] }, false],
    ['all Tags as x { x == a }', { Tags: null }, true],
    ['any Tags as x { x == "" }', { Tags: [null] }, true],
    ['any Tags as x { x == a }', { Tags: 5 }, 'not-a-collection'],
    ['any Tags as x { x == a }', { Tags: { a: 'a' } }, 'not-a-collection'],
    ['any Tags as i, x { i == 1 and x == a }', { Tags: ['b', 'a'] }, true],
    ['any Tags as i, x { i == 0 and x == a }', { Tags: ['b', 'a'] }, false],
    ['any Pair as x { x == "" }', {}, true],
    ['all Meta as k { k matches "^[ab]$" }', { Meta: { a: '1', b: '2' } }, true],
    ['any Meta as k, v { k == b and v == 2 }', { Meta: new Map([['b', '2']]) }, true],
    ['any Meta as k { k == a }', { Meta: { a: undefined } }, false],
    ['any Meta as k { k == a }', { Meta: ['a'] }, 'not-a-collection'],
    ['any Name as x { x == a }', { Name: 'a' }, 'not-a-collection'],
    ['any Open as x { x == a }', { Open: ['a'] }, true],
    ['any Open as x { x == a }', { Open: { a: 1 } }, true],
    ['any Open as k, x { k == 0 and x == a }', { Open: ['a'] }, true],
    ['any Open as x { x.n == 1 }', { Open: [{ n: 1 }] }, true],
    ['any Open as x { x.n == 1 }', { Open: { k: { n: 1 } } }, 'binding-path'],
    ['any Open as x { x == a }', { Open: 5 }, 'not-a-collection'],
    ['any Open.a as x { x == a }', { Open: {} }, false],
    ['all Open.a as x { x == a }', { Open: {} }, true],
    ['any Tags as x, x { x == a }', { Tags: [] }, false],
    ['any Tags as x, x { x == a }', { Tags: ['a'] }, 'binding-clash'],
    [
      'any Groups as g { all g.Tags as x { x == a and g.Name == a } }',
      { Groups: [{ Name: 'a', Tags: ['a'] }] },
      true,
    ],
    ['any Groups as g { any g.Tags as g { g == a } }', { Groups: [{ Name: 'b', Tags: ['a'] }] }, true],
  ])('%s of %j: %s', (text, row, result) => expect(evaluate(text, row)).toBe(result));

  it('of another kind is empty where what does not fit is absent', () => {
    const absent = { policy: { source: '', unresolved: 'absent' } } as const;
    expect(evaluate('any Tags as x { x == a }', { Tags: 5 }, absent)).toBe(false);
    expect(evaluate('all Open as x { x == a }', { Open: 5 }, absent)).toBe(true);
  });

  it('walks the replacement value of an unknown name, for any declaration', () => {
    // Its elements replace unknown names too.
    expect(evaluate('any Tgas as x { a in x }', {}, { unknown: [['a']] })).toBe(true);
    expect(evaluate('any Tgas as k, x { k == 0 }', {}, { unknown: [['a']] })).toBe(true);
    expect(evaluate('any Meta.k as x { x == a }', {}, { unknown: [{ a: 1 }] })).toBe(true);
  });
});
