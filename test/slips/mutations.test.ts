import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { check, defineSchema, parse, print, t } from '../../src/index.js';
import { correct } from '../../src/entries/lint.js';
import { scaled } from '../support/property-runs.js';

// A filter that is right, one slip in it, and the correction: where only one is offered it must mean what was meant.

const name = fc.stringMatching(/^[A-Z][a-z]{4,8}$/);
const word = fc
  .stringMatching(/^[a-z]{4,8}$/)
  .filter((text) => !/^(?:empty|none|null|true|false)$/.test(text));

interface Filter {
  readonly parts: readonly string[];
  readonly joiner: 'and' | 'or';
}

const world = fc
  .uniqueArray(name, { minLength: 4, maxLength: 4, selector: (each) => each.toLowerCase() })
  .map(([text = '', number = '', flag = '', list = '']) => ({
    text,
    number,
    flag,
    list,
    schema: defineSchema({ [text]: t.string, [number]: t.int, [flag]: t.bool, [list]: t.list(t.string) }),
  }));

const cases = world.chain((fields) => {
  const comparison = fc.oneof(
    word.map((value) => `${fields.text} == "${value}"`),
    word.map((value) => `${fields.text} != "${value}"`),
    word.map((value) => `${fields.text} matches "^${value}"`),
    word.map((value) => `${fields.text} starts with "${value}"`),
    fc.nat(9_999).map((value) => `${fields.number} >= ${value}`),
    word.map((value) => `${fields.list} contains "${value}"`),
    fc.nat(9_999).map((value) => `${fields.number} == ${value}`),
    fc.boolean().map((value) => `${fields.flag} == ${String(value)}`),
    fc.constant(`${fields.list} is not empty`),
  );
  const joiner = fc.constantFrom<'and' | 'or'>('and', 'or');
  return fc
    .record({ parts: fc.array(comparison, { minLength: 1, maxLength: 3 }), joiner })
    .map((filter) => ({ fields, filter }));
});

const text = ({ parts, joiner }: Filter): string => parts.join(` ${joiner} `);
const inParts = (filter: Filter, change: (part: string) => string): string =>
  text({ ...filter, parts: filter.parts.map(change) });

/** Slips that change the whole of a filter. */
const slips: readonly ((filter: Filter) => string)[] = [
  (filter) => inParts(filter, (part) => part.replace('==', '=')),
  (filter) => inParts(filter, (part) => part.replace('==', '===')),
  (filter) => inParts(filter, (part) => part.replace('!=', '<>')),
  (filter) => inParts(filter, (part) => part.replace(/"(.*)"/, "'$1'")),
  (filter) => inParts(filter, (part) => part.replace(/"(.*)"/, '“$1”')),
  (filter) => inParts(filter, (part) => part.replace(/"(.*)"/, '„$1“')),
  (filter) => inParts(filter, (part) => part.replace(/"(.*)"/, '\\"$1\\"')),
  (filter) => text(filter).replaceAll(' and ', ' && ').replaceAll(' or ', ' || '),
  (filter) => text(filter).replaceAll(' and ', ' AND ').replaceAll(' or ', ' OR '),
  (filter) => text(filter).replaceAll(' ', '\u00a0'),
  (filter) => `(${text(filter)}`,
  (filter) => `${text(filter)})`,
  (filter) => `where ${text(filter)}`,
  (filter) => `SELECT * FROM rows WHERE ${text(filter)}`,
  (filter) => `${text(filter)};`,
  (filter) => `${text(filter)} -- a note`,
  (filter) => `row => ${inParts(filter, (part) => `row.${part}`)}`,
  (filter) => `rows.filter(row => ${inParts(filter, (part) => `row.${part}`)})`,
  (filter) => `.[] | select(${inParts(filter, (part) => `.${part}`)})`,
  (filter) => inParts(filter, (part) => part.replace(/^(\w+) contains (".*")$/, '$1.includes($2)')),
  (filter) => inParts(filter, (part) => part.replace(/^(\w+) contains (".*")$/, 'contains($1, $2)')),
  (filter) => inParts(filter, (part) => part.replace(/^(\w+) starts with (".*")$/, '$1.startsWith($2)')),
  (filter) => inParts(filter, (part) => part.replace(/^(\w+) starts with (".*")$/, 'startsWith($1, $2)')),
  (filter) => inParts(filter, (part) => part.replace(/^(\w+) matches "(.*)"$/, '$1 =~ /$2/')),
  (filter) => inParts(filter, (part) => part.replace('>=', '=>')),
  (filter) => inParts(filter, (part) => part.replace(/^(\w+) == (".*")$/, '"$1" = $2')),
  (filter) => inParts(filter, (part) => part.replace(/^(\w+) == (\d+)$/, '$2 == $1')),
];

describe('a filter with a slip in it', () => {
  it('becomes what it was, where only one correction is offered', () => {
    let certain = 0;
    fc.assert(
      fc.property(cases, fc.nat(slips.length - 1), ({ fields: { schema }, filter }, at) => {
        const right = text(filter);
        const wrong = slips[at]?.(filter) ?? right;
        for (const known of [undefined, schema]) {
          const correction = correct(wrong, { schema: known });
          if (correction === null || !correction.isOnlyOne) continue;
          certain += 1;
          expect(check(parse(correction.source), { schema: known })).toEqual([]);
          expect(print(parse(correction.source).ast)).toBe(print(parse(right).ast));
        }
      }),
      { numRuns: 1_500 },
    );
    expect(certain).toBeGreaterThan(scaled(300));
  });

  it('is never made into something that is refused', () => {
    const signs = fc.constantFrom(
      '',
      ' ',
      '"',
      "'",
      '(',
      ')',
      '[',
      ']',
      '=',
      '!',
      '&&',
      ',',
      '.',
      '/',
      '$',
      '*',
      'not',
      '“',
      '\u200b',
    );
    fc.assert(
      fc.property(cases, signs, fc.nat(), fc.nat(3), ({ fields: { schema }, filter }, sign, position, cut) => {
        const right = text(filter);
        const at = position % (right.length + 1);
        const wrong = right.slice(0, at) + sign + right.slice(at + cut);
        for (const known of [undefined, schema]) {
          const correction = correct(wrong, { schema: known });
          if (correction !== null) expect(check(parse(correction.source), { schema: known })).toEqual([]);
        }
      }),
      { numRuns: 1_500 },
    );
  });
});
