import { describe, expect, it } from 'vitest';
import { ABSENT, UNKNOWN } from '../../src/filter/compile/frame/sentinels.js';
import type { CompileContext } from '../../src/filter/compile/frame/compile-context.js';
import { compileSelector } from '../../src/filter/compile/reader.js';
import { defineSchema, FilterError, parse, t } from '../../src/index.js';
import { placeOf } from './place.js';

const schema = defineSchema({
  Name: t.string,
  Tags: t.list(t.string),
  Pair: t.array(t.string, 2),
  Meta: t.map(t.string),
  Inner: t.struct({ Name: t.string, Meta: t.map(t.string) }),
  Maybe: t.nullable(t.struct({ Name: t.string })),
  Open: t.any,
});

/** What a selector reads of a row: a value, or the code of the error. */
function read(
  selector: string,
  row: unknown,
  declared: typeof schema | null,
  more: Partial<CompileContext> = {},
): unknown {
  const { ast } = parse(`${selector} == x`);
  if (ast.kind !== 'match') throw new TypeError('not a match');
  const position = placeOf(`${selector} == x`, ast, declared, more);
  try {
    return compileSelector(position, ast.selector, ast).read(row);
  } catch (error) {
    if (error instanceof FilterError) return error.code;
    throw error;
  }
}

const absent = { policy: { source: '', unresolved: 'absent' } } as const;

describe('a selector of a declared row reads', () => {
  it.each<[selector: string, row: unknown, value: unknown]>([
    ['Name', { Name: 'a' }, 'a'],
    ['Name', {}, undefined],
    ['Name', null, undefined],
    ['Name', 5, 'find-invalid-kind'],
    ['Tags.1', { Tags: ['a', 'b'] }, 'b'],
    ['Tags["0x1"]', { Tags: ['a', 'b'] }, 'b'],
    ['Tags.1', { Tags: new Set(['a', 'b']) }, 'b'],
    ['Tags.1', { Tags: ['a'] }, 'find-out-of-range'],
    ['Tags.0', {}, 'find-out-of-range'],
    ['Tags.0', { Tags: 5 }, 'find-invalid-kind'],
    ['Meta.k', { Meta: { k: 'a' } }, 'a'],
    ['Meta.k', { Meta: new Map([['k', 'a']]) }, 'a'],
    ['Meta.k', { Meta: {} }, ABSENT],
    ['Meta.k', {}, ABSENT],
    ['Meta.toString', { Meta: {} }, ABSENT],
    ['Inner.Name', { Inner: null }, undefined],
    ['Inner.Meta.k', {}, ABSENT],
    ['Maybe.Name', { Maybe: { Name: 'a' } }, 'a'],
    ['Maybe.Name', { Maybe: null }, 'find-invalid-kind'],
    ['Open.a.0', { Open: { a: [7] } }, 7],
    ['Open.a', { Open: {} }, ABSENT],
    ['Open.a.b', { Open: {} }, 'find-no-key'],
    ['Open.a', { Open: [1] }, 'find-bad-index'],
    ['Open.a', { Open: 5 }, 'find-invalid-kind'],
    ['Nmae', { Nmae: 1 }, 'find-no-field'],
    ['Pair.2', { Pair: ['a', 'b'] }, 'find-out-of-range'],
  ])('%s of %j: %s', (selector, row, value) => expect(read(selector, row, schema)).toBe(value));
});

describe('a selector of an undeclared row reads', () => {
  it.each<[selector: string, row: unknown, value: unknown]>([
    ['a', { a: 1 }, 1],
    ['a', {}, 'find-no-key'],
    ['a', null, 'find-invalid-kind'],
    ['a.b', { a: {} }, ABSENT],
    ['a.0', { a: ['x'] }, 'x'],
  ])('%s of %j: %s', (selector, row, value) => expect(read(selector, row, null)).toBe(value));
});

describe('where a row does not fit, a selector reads', () => {
  it.each<[selector: string, row: unknown, value: unknown]>([
    ['Tags.1', { Tags: ['a'] }, ABSENT],
    ['Maybe.Name', { Maybe: null }, ABSENT],
    ['Open.a.b', { Open: {} }, ABSENT],
    // What no row can have is a mistake of the filter.
    ['Nmae', {}, 'find-no-field'],
  ])('%s of %j: %s', (selector, row, value) => expect(read(selector, row, schema, absent)).toBe(value));

  it.each<[selector: string, row: unknown, value: unknown]>([
    ['Nmae', {}, UNKNOWN],
    ['Meta.k', {}, UNKNOWN],
    ['Open.a.b', { Open: {} }, UNKNOWN],
    ['Tags.1', { Tags: ['a'] }, 'find-out-of-range'],
  ])('%s of %j with a value for unknown names: %s', (selector, row, value) =>
    expect(read(selector, row, schema, { unknown: [1] })).toBe(value),
  );
});
