import { describe, expect, it } from 'vitest';
import { compileFilter, defineSchema, fieldIndex, FilterLimitError, t } from '../../src/index.js';
import { createFilterSet } from '../../src/entries/filter-set.js';

// Integers of rows are as long as rows have them: arithmetic with one of 200,000 digits takes as long as a text does.
const long = 10n ** 20_000n;
const types = {
  'time in ns': t.time('ns'),
  'time in us': t.time('us'),
  'time in ms': t.time('ms'),
  'time in s': t.time('s'),
  'duration in ns': t.duration('ns'),
  'duration in s': t.duration('s'),
  'bytes in GiB': t.bytes('GiB'),
};

const numbers = { int: t.int, uint: t.uint, float64: t.float64, float32: t.float32, any: t.any };

function refusalOf(act: () => unknown): FilterLimitError {
  try {
    act();
  } catch (error) {
    expect(error).toBeInstanceOf(FilterLimitError);
    return error as FilterLimitError;
  }
  throw new Error('nothing was refused');
}

describe.each(Object.entries({ ...types, ...numbers }))('%s', (name, type) => {
  const schema = defineSchema({ V: type, W: type, L: t.list(type) });
  const many = { V: long, W: long + 1n, L: Array<bigint>(2_000).fill(long) };

  it('a few long integers of a row are compared', () => {
    const rows = { ...many, L: [long] };
    expect(compileFilter('V > 5 and V != 5 and V < @W', { schema }).test(rows)).toBe(name !== 'float32');
    expect(compileFilter('any L as e { e > 5 }', { schema }).test(rows)).toBe(true);
  });

  // A float32 has no digits.
  it.skipIf(name === 'float32')('many are charged like strings, by the evaluating clause', () => {
    const text = 'V > 5 and all L as e { e != @W or e < @W }';
    const { span, code } = refusalOf(() => compileFilter(text, { schema }).test({ ...many, W: -long }));
    expect(code).toBe('too-much-text');
    expect(text.slice(span.start, span.end)).toMatch(/^e /);
  });

  it('those of 64 bits, and somewhat more, cost what they cost', () => {
    const row = { ...many, V: 5n, W: 2n ** 200n, L: Array<bigint>(2_000).fill(2n ** 64n - 1n) };
    const filter = compileFilter('all L as e { e <= @W and e > 5 }', { schema });
    expect(filter.test(row)).toBe(true);
  });

  it('is reported without all of its digits', () => {
    const { explain } = compileFilter('V == 5', { schema });
    expect(String(explain(many))).toContain('an integer of more than 76 digits');
    expect(String(explain({ ...many, V: 2n ** 64n }))).toContain('18446744073709551616');
  });
});

it.each(Object.entries(types))('%s: many clauses about one field pay together', (_, type) => {
  const schema = defineSchema({ V: type });
  const text = Array.from({ length: 500 }, (_, at) => `V < ${at}`).join(' or ');
  refusalOf(() => compileFilter(text, { schema }).test({ V: long }));
  expect(compileFilter(text, { schema }).test({ V: 2n ** 64n })).toBe(false);
});

it('a key is an integer of 64 bits', () => {
  const schema = defineSchema({ I: t.int, U: t.uint });
  const { keysOf } = fieldIndex(schema, 'U');
  expect(keysOf({ U: 2n ** 64n - 1n })).toEqual(['18446744073709551615']);
  expect(keysOf({ U: 2n ** 64n })).toBeNull();
  const set = createFilterSet(schema);
  set.add('a', 'I == 5');
  set.add('b', 'I != 5');
  expect(set.match({ I: long, U: 0 }).ids).toEqual(['b']);
});
