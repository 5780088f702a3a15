import { defineSchema, t } from '../../src/index.js';
import { describe, expect, it } from 'vitest';
import { createFilterCache } from '../../src/lists/query/request/filter-cache.js';

const schema = defineSchema({ ID: t.string });

describe('the filter cache', () => {
  it('compiles a text once while it is in use', () => {
    const cache = createFilterCache(
      { schema, indexes: [] },
      { maxEntries: 2, maxTextLength: 100, maxTotalLength: 100 },
    );
    const a = cache.plan('ID == a');
    const b = cache.plan('ID == b');
    expect(cache.plan('ID == a')).toBe(a);
    cache.plan('ID == c');
    expect(cache.size).toBe(2);
    expect(cache.plan('ID == a')).toBe(a);
    expect(cache.plan('ID == b')).not.toBe(b);
  });

  it('does not keep long texts, nor those that are no filters', () => {
    const cache = createFilterCache(
      { schema, indexes: [] },
      { maxEntries: 2, maxTextLength: 20, maxTotalLength: 100 },
    );
    const long = `ID == ${'x'.repeat(20)}`;
    expect(cache.plan(long)).not.toBe(cache.plan(long));
    expect(() => cache.plan('ID ==')).toThrow(
      expect.objectContaining({ name: 'FilterSyntaxError' }) as Error,
    );
    expect(() => cache.plan('Bogus == 1')).toThrow(
      expect.objectContaining({ name: 'FilterCheckError' }) as Error,
    );
    expect(cache.size).toBe(0);
  });

  it('keeps long texts too, as many as fit into its bytes, those that are in use rather than others', () => {
    const limits = { maxEntries: 100, maxTextLength: 1_000, maxTotalLength: 1_000 };
    const cache = createFilterCache({ schema, indexes: [] }, limits);
    const text = (letter: string): string => `ID == ${letter.repeat(300)}`;
    const [a, b] = ['a', 'b', 'c'].map((letter) => cache.plan(text(letter)));
    expect([cache.size, cache.plan(text('a'))]).toEqual([3, a]);
    cache.plan(text('d'));
    expect([cache.size, cache.has(text('b')), cache.has(text('a'))]).toEqual([3, false, true]);
    expect(cache.plan(text('a'))).toBe(a);
    expect(cache.plan(text('b'))).not.toBe(b);
    // Where one has to go, no more than that goes.
    expect(cache.size).toBe(3);
  });

  it('can be switched off', () => {
    const cache = createFilterCache(
      { schema, indexes: [] },
      { maxEntries: 0, maxTextLength: 20, maxTotalLength: 100 },
    );
    expect(cache.plan('ID == a')).not.toBe(cache.plan('ID == a'));
  });
});
