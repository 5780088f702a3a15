import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { check, compileFilter, defineSchema, parse, t } from '../../src/index.js';
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
  .uniqueArray(name, { minLength: 5, maxLength: 5, selector: (each) => each.toLowerCase() })
  .map(([text = '', number = '', flag = '', list = '', owner = '']) => ({
    text,
    number,
    flag,
    list,
    owner,
    schema: defineSchema({
      [text]: t.string,
      [number]: t.int,
      [flag]: t.bool,
      [list]: t.list(t.string),
      [owner]: t.nullable(t.string),
    }),
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
    fc.constantFrom(`${fields.owner} is nil`, `${fields.owner} is not nil`),
    fc
      .tuple(fc.constantFrom('in', 'not in'), fc.array(word, { minLength: 1, maxLength: 3 }))
      .map(
        ([operator, values]) =>
          `${fields.text} ${operator} [${values.map((each) => `"${each}"`).join(', ')}]`,
      ),
    word.map((value) => `(${fields.owner} in ["${value}"] or ${fields.owner} is nil)`),
    word.map((value) => `(${fields.owner} not in ["${value}"] and ${fields.owner} is not nil)`),
  );
  const joiner = fc.constantFrom<'and' | 'or'>('and', 'or');
  return fc
    .record({ parts: fc.array(comparison, { minLength: 1, maxLength: 3 }), joiner })
    .map((filter) => ({ fields, filter }));
});

const text = ({ parts, joiner }: Filter): string => parts.join(` ${joiner} `);
const inParts = (filter: Filter, change: (part: string) => string): string =>
  text({ ...filter, parts: filter.parts.map(change) });

type Fields = typeof world extends fc.Arbitrary<infer T> ? T : never;

/** Whether a filter matches each of a few rows that have the values of another filter. */
function matchesOf(
  filter: string,
  { schema, text: name, number, flag, list, owner }: Fields,
  right: string,
): boolean[] {
  const words = ['', 'zzzz', 'false', ...[...right.matchAll(/"\^?(\w+)"/g)].map(([, value = '']) => value)];
  const numbers = [
    -1,
    ...[...right.matchAll(/\b\d+\b/g)].flatMap(([value]) => [Number(value), Number(value) + 1]),
  ];
  const compiled = compileFilter(filter, { schema });
  return words.flatMap((value, at) =>
    [null, ...words].map((of, index) =>
      compiled.test({
        [name]: value,
        [number]: numbers[(at + index) % numbers.length],
        [flag]: index % 2 === 0,
        [list]: at % 3 === 0 ? [] : [value],
        [owner]: of,
      }),
    ),
  );
}

/** Slips that change the whole of a filter. */
const slips: readonly ((filter: Filter) => string)[] = [
  (filter) => inParts(filter, (part) => part.replace('==', '=')),
  (filter) => inParts(filter, (part) => part.replace('==', '===')),
  (filter) => inParts(filter, (part) => part.replace('!=', '<>')),
  (filter) => inParts(filter, (part) => part.replace(/"([^"]*)"/g, "'$1'")),
  (filter) => inParts(filter, (part) => part.replace(/"([^"]*)"/g, '“$1”')),
  (filter) => inParts(filter, (part) => part.replace(/"([^"]*)"/g, '„$1“')),
  (filter) => inParts(filter, (part) => part.replace(/"([^"]*)"/g, '\\"$1\\"')),
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
  (filter) =>
    inParts(filter, (part) => part.replace('is nil', 'IS NULL').replace('is not nil', 'IS NOT NULL')),
  (filter) => inParts(filter, (part) => part.replace(/nil$/, 'null')),
  (filter) => inParts(filter, (part) => part.replace(/^(\w+ (?:not )?in) \[(.*)\]$/, '$1 ($2)')),
  (filter) =>
    inParts(filter, (part) =>
      part.replace(/^(\w+ (?:not )?in) \[(.*)\]$/, (all) => all.replace(/["[\]]/g, '')),
    ),
  (filter) => inParts(filter, (part) => part.replace(/^(\w+ (?:not )?in) \["(\w+)"\]$/, '$1 ($2)')),
  (filter) =>
    inParts(filter, (part) => part.replace(/^\((\w+) in \["(\w+)"\] or .* is nil\)$/, "$1 in ('$2', null)")),
  (filter) =>
    inParts(filter, (part) =>
      part.replace(/^\((\w+) not in \["(\w+)"\] and .* is not nil\)$/, "$1 NOT IN ('$2', NULL)"),
    ),
  (filter) => inParts(filter, (part) => part.replace(/^(\w+) in \[(.*)\]$/, '$1 IN ($2)')),
  (filter) => inParts(filter, (part) => part.replace(/\]$/, '')),
];

describe('a filter with a slip in it', () => {
  it('becomes what it was, where only one correction is offered', () => {
    let certain = 0;
    fc.assert(
      fc.property(cases, fc.nat(slips.length - 1), ({ fields, filter }, at) => {
        const { schema } = fields;
        const right = text(filter);
        const wrong = slips[at]?.(filter) ?? right;
        for (const known of [undefined, schema]) {
          const correction = correct(wrong, { schema: known });
          if (correction === null || !correction.isOnlyOne) continue;
          certain += 1;
          expect(check(parse(correction.source), { schema: known })).toEqual([]);
          expect(matchesOf(correction.source, fields, right), correction.source).toEqual(
            matchesOf(right, fields, right),
          );
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
      fc.property(
        cases,
        signs,
        fc.nat(),
        fc.nat(3),
        ({ fields: { schema }, filter }, sign, position, cut) => {
          const right = text(filter);
          const at = position % (right.length + 1);
          const wrong = right.slice(0, at) + sign + right.slice(at + cut);
          for (const known of [undefined, schema]) {
            const correction = correct(wrong, { schema: known });
            if (correction !== null) expect(check(parse(correction.source), { schema: known })).toEqual([]);
          }
        },
      ),
      { numRuns: 1_500 },
    );
  });
});
