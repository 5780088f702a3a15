import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import '../support/property-seed.js';
import { dialects } from './engines.js';
import { hostileFilter } from './hostile.js';
import { testMappingOf } from './test-mapping.js';
import { seeded } from './seeded.js';

describe.each(dialects)('a statement for %s', (dialect) => {
  const { source } = testMappingOf(dialect);

  it('has nothing of a literal or a key in its text, and a mark for each value', () => {
    const cases = seeded((draw) => Array.from({ length: 20 }, () => hostileFilter(draw)));
    fc.assert(
      fc.property(cases, (filters) => {
        for (const { filter, words } of filters) {
          const { parts, values, toSQL: text, knex } = source.where(filter, { unresolved: 'absent' });
          expect(parts.strings).toHaveLength(values.length + 1);
          for (const word of words) expect(parts.strings.join('')).not.toContain(word);
          // A column here has a `?` in its name.
          expect(knex().sql.replaceAll('\\?', '').split('?')).toHaveLength(values.length + 1);
          expect(text('$', { first: 7 })).toContain(values.length === 0 ? '' : `$${values.length + 6}`);
        }
      }),
      { numRuns: 15 },
    );
  });

  it('is the same for filters of one form', () => {
    const textOf = (filter: string): string => source.where(filter, { unresolved: 'absent' }).toSQL('$');
    for (const [one, other] of [
      ['text == "a"', 'text == "\'; --"'],
      ['text in ["a", "b"]', 'text in ["c", "?"]'],
      ['meta["a"] == "b"', 'meta["\'"] == "$1"'],
      ['text ends with "a"', 'text ends with "abcdef"'],
      ['whole > 5', 'whole > 9007199254740993'],
    ] as const)
      expect(textOf(one)).toBe(textOf(other));
  });
});
