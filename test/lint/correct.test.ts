import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FilterCheckError, FilterSyntaxError } from '../../src/language/diagnostics/errors.js';
import { applySuggestion, correct } from '../../src/tools/lint/apply-fixes.js';
import { lint } from '../../src/tools/lint/lint.js';
import { check } from '../../src/language/schema/check.js';
import { defineSchema, t } from '../../src/language/schema/define.js';
import { parse } from '../../src/language/parse.js';
import type { Dialect } from '../../src/language/syntax/dialect.js';
import { anyText, sentences } from '../support/filter-text.js';

const jobs = defineSchema({
  Status: t.oneOf('running', 'pending'),
  Name: t.string,
  Priority: t.int,
  Stop: t.bool,
  Datacenters: t.list(t.string),
  Meta: t.map(t.string),
  Memory: t.bytes('MiB'),
  Submitted: t.time,
  Timeout: t.duration,
});

/** The source, and its correction; null if the intention is unclear. */
type Row = readonly [wrong: string, right: string | null];

const slips: readonly Row[] = [
  ['a = 1', 'a == 1'],
  ['a === 1', 'a == 1'],
  ['a !== 1', 'a != 1'],
  ['a <> 1', 'a != 1'],
  ['a < 1', null],
  ['a >= "2024-01-01"', null],
  ['a between 1 and 2', '(a >= 1 and a <= 2)'],
  ['a not between (1, 2)', 'not (a >= 1 and a <= 2)'],
  ['a BETWEEN [-1.5, 2]', '(a >= -1.5 and a <= 2)'],
  ['a between \'2026-01-01\' and "2026-02-01"', '(a >= "2026-01-01" and a <= "2026-02-01")'],
  ['len(a) between 1 and 2', '(len(a) >= 1 and len(a) <= 2)'],
  ['len(a) = 3', 'len(a) == 3'],
  ['len(a)=3 and b = 1', 'len(a)==3 and b == 1'],
  ['len(a) <> 3', 'len(a) != 3'],
  ['len(a) is 3', 'len(a) == 3'],
  ['len(a) is not 3', 'len(a) != 3'],
  ['len(a) is at least 3', 'len(a) >= 3'],
  ['len(a) greater than 3', 'len(a) > 3'],
  ['len(a) ≥ 3', 'len(a) >= 3'],
  ['a contains b, c', '(a contains b and a contains c)'],
  ['a contains ["b", c]', '(a contains "b" and a contains c)'],
  ['a == 1 && b == 2', 'a == 1 and b == 2'],
  ['a == 1 || b == 2', 'a == 1 or b == 2'],
  ['a == 1, b == 2', 'a == 1 and b == 2'],
  ['a == 1;', 'a == 1'],
  ['!(a == 1)', 'not (a == 1)'],
  ['NOT (a == 1)', 'not (a == 1)'],
  ['a == 1 AND NOT b == 2', 'a == 1 and not b == 2'],
  ['ANY L as x { x == 1 }', 'any L as x { x == 1 }'],
  ["a == 'x y'", 'a == "x y"'],
  ['a == \'say "hi"\'', 'a == `say "hi"`'],
  ['a == “x”', 'a == "x"'],
  ['a == ‘x’', 'a == "x"'],
  ['a == my-pool', 'a == "my-pool"'],
  ['a == 2bar and b == c:d', 'a == "2bar" and b == "c:d"'],
  ['a == 10.0.0.1', 'a == "10.0.0.1"'],
  ['a == @x', null],
  ['a == .hidden', 'a == ".hidden"'],
  ['a == in progress', 'a == "in progress"'],
  ['a matches web-*', 'a matches "^web-"'],
  ['a matches *.example.com', 'a matches `\\.example\\.com$`'],
  ['a like "web%"', null],
  ['a LIKE "%web_1"', 'a like "*web?1"'],
  ['a not like "%x%"', null],
  ['a =~ "^x"', 'a matches "^x"'],
  ['a !~ "^x"', 'a not matches "^x"'],
  ['a starts with "1.2"', null],
  ['a.endsWith("x")', 'a ends with "x"'],
  ['a.b.includes("x")', 'a.b contains "x"'],
  ['a IN ("x", \'y\', 5, b-c)', 'a in ["x", "y", 5, "b-c"]'],
  ['a in [x]', null],
  ['a not in ["x", "y"] and b == 1', null],
  ['a contains ["x", "y"]', '(a contains "x" and a contains "y")'],
  ['a == [x, y]', 'a in [x, y]'],
  ['a==[b=c]', 'a=="b=c"'],
  ['x in (a)', 'x in [a]'],
  ['"x" in(a.b)', '"x" in a.b'],
  ['a is null', 'a is nil'],
  ['a IS NOT NULL', 'a is not nil'],
  ['a is true', 'a == true'],
  ['a is not "x"', 'a != "x"'],
  ['Meta.owner exists', '"owner" in Meta'],
  ['Meta.owner not exists', '"owner" not in Meta'],
  ['a is set', 'a is not empty'],
  ['a equals 1', 'a == 1'],
  ['a:x', 'a == x'],
  ['a == "\\d+\\.x"', 'a == `\\d+\\.x`'],
  ['a == "\\t\\d"', 'a == "\\t\\\\d"'],
  ['a == "x and b == 1', 'a == "x" and b == 1'],
  ['(a == "x)', '(a == "x")'],
  ['a["k == 1', 'a["k"] == 1'],
  ['a["k" == 1', 'a["k"] == 1'],
  ['a == "say "hi""', 'a == `say "hi"`'],
  ['(a == 1', '(a == 1)'],
  ['any L as x { x == 1', 'any L as x { x == 1 }'],
  ['a == 1)', 'a == 1'],
  ['a == 1 and', 'a == 1'],
  ['a == 1 or not', 'a == 1'],
  ['or a == 1', 'a == 1'],
  ['a == 1 and and b == 2', 'a == 1 and b == 2'],
  ['a == 1 b == 2', 'a == 1 and b == 2'],
  ['1 == a', 'a == 1'],
  ['a[0] == 1', 'a.0 == 1'],
  ["a['k'] = 'x'", 'a["k"] == "x"'],
  ['a.b-c == 1', 'a["b-c"] == 1'],
  ['a-b == 1', '"/a-b" == 1'],
  ['_a = 1', '_a == 1'],
  ['"a b" == 1', '["a b"] == 1'],
  ['[a b] == 1', '["a b"] == 1'],
  ['a', 'a is not empty'],
  ['a == 1 xor b == 2', null],
  ['a ==', null],
  ['', null],
];

/** The same where level 0 is read, and what is a filter only above it. */
const plainSlips: readonly Row[] = [
  ['a < 1', null],
  ['a between 1 and 2', null],
  ['a > now - 7d', null],
  ['a == @x', null],
  ['a == 7d', 'a == "7d"'],
  ['a LIKE "%web_1"', 'a matches "web.1$"'],
  ['a like "web-*"', 'a matches "^web-"'],
  ['a not like "w?b*.com"i', 'a not matches `(?is)^w.b.*\\.com$`'],
  ['a like `x`', 'a matches "^x$"'],
  ['a like "\\x"', null],
  ['a == "web"i and b == "x"', 'a matches "(?i)^web$" and b == "x"'],
  ['a!="w.b"i', 'a not matches `(?i)^w\\.b$`'],
  ['a like "*"', null],
  ['a == ""i', null],
  ['a contains "x"i', null],
  ['a starts with "1.2"', 'a matches `^1\\.2`'],
  ['a not ends with "x"', 'a not matches "x$"'],
  ['a.endsWith("x")', 'a matches "x$"'],
  ['a IN ("x", \'y\', 5, b-c)', '(a == "x" or a == "y" or a == 5 or a == "b-c")'],
  ['a in [x]', 'a == x'],
  ['a not in ["x", "y"] and b == 1', '(a != "x" and a != "y") and b == 1'],
  ['a in []', null],
  ['a == [x, y]', '(a == x or a == y)'],
  ['len(a) > 0', 'a is not empty'],
  ['len(a) == 0', 'a is empty'],
  ['len(a) > 1', null],
];

const meanings: readonly Row[] = [
  ['Stauts == running', 'Status == running'],
  ['Datacenters == "dc1"', 'Datacenters contains "dc1"'],
  ['Datacenters!="dc1"and Stop == true', 'Datacenters not contains "dc1"and Stop == true'],
  ['5 in Priority', 'Priority == 5'],
  ['Priority not contains 5', 'Priority != 5'],
  ['Priority contains 5.0', 'Priority == 5'],
  ['Priority contains high', null],
  ['Datacenters matches "^dc"', '(any Datacenters as x { x matches "^dc" })'],
  ['Datacenters not matches "^dc"', 'not (any Datacenters as x { x matches "^dc" })'],
  ['Name is nil', 'Name is empty'],
  ['Name is not nil', 'Name is not empty'],
  ['Stop', 'Stop == true'],
  ['!Stop', 'not Stop == true'],
  ['Stop == yes', 'Stop == true'],
  ['Stop == "Off"', 'Stop == "false"'],
  ['Priority == "1,000"', 'Priority == "1000"'],
  ['Priority == 50.0', 'Priority == 50'],
  ['Name matches "*-web"', 'Name matches "-web$"'],
  ['Memory > 512 MB and Stop == true', 'Memory > 512MB and Stop == true'],
  ['Memory in [512 mib, 1.5 gigabytes]', 'Memory in [512MiB, 1.5GB]'],
  ['Memory between 512 MB and 1 GiB', '(Memory >= 512MB and Memory <= 1GiB)'],
  ['Timeout < 5 minutes', 'Timeout < 5m'],
  ['not Timeout < 90 s', 'not Timeout < 90s'],
  ['Submitted > now - 7 days', 'Submitted > now - 7d'],
  ['Submitted < now()', 'Submitted < now'],
  ['Submitted > NOW() - 7d', 'Submitted > now - 7d'],
  ['Submitted >= Date.now( )', 'Submitted >= now'],
  ['Submitted > ago("7d")', 'Submitted > now - 7d'],
  ['Submitted == now()', null],
  [
    'Submitted between 2026-01-01 and 2026-02-01T00:00:00Z',
    '(Submitted >= 2026-01-01 and Submitted <= 2026-02-01T00:00:00Z)',
  ],
  ['Submitted between now() - 7 days and now()', '(Submitted >= now - 7d and Submitted <= now)'],
  ['Priority == high', null],
  ['Nothing == 1', null],
];

describe('correct', () => {
  it.each(slips)('makes of %s: %s', (wrong, right) => {
    expect(correct(wrong)?.source ?? null).toBe(right);
  });

  it.each(plainSlips)('makes of %s at level 0: %s', (wrong, right) => {
    expect(correct(wrong, { level: 0 })?.source ?? null).toBe(right);
    expect(correct(wrong, { dialect: 'go-bexpr' })?.source ?? null).toBe(right);
  });

  it.each(meanings)('knowing the fields, makes of %s: %s', (wrong, right) => {
    const source = correct(wrong, { schema: jobs })?.source ?? null;
    expect(source).toBe(right);
    if (source !== null) expect(check(parse(source), { schema: jobs })).toEqual([]);
  });

  it('rejects a source with too many mistakes to be slips', () => {
    const slips = (count: number): string =>
      Array.from({ length: count }, () => 'Stauts == running').join(' and ');
    expect(correct(slips(15), { schema: jobs })?.applied).toHaveLength(15);
    expect(correct(slips(65), { schema: jobs })).toBeNull();
    expect(correct(slips(1_900), { schema: jobs })).toBeNull();
  });

  it('leaves alone what is right', () => expect(correct('a == 1')).toBeNull());

  it('reports whether there was a choice', () => {
    expect(correct('a = 1 && b = 2')).toMatchObject({ isOnlyOne: true, applied: { length: 3 } });
    expect(correct('a')).toMatchObject({ isOnlyOne: false });
    // Neither keeps the meaning for certain.
    expect(correct('Name is nil', { schema: jobs })).toMatchObject({
      source: 'Name is empty',
      isOnlyOne: false,
    });
    expect(correct('Groups.Name == x', { schema: jobs })).toMatchObject({
      source: 'Name == x',
      isOnlyOne: false,
    });
    expect(correct('job.Name == x', { schema: jobs })).toMatchObject({
      source: 'Name == x',
      isOnlyOne: true,
    });
    expect(correct('a == 1 b == 2')).toMatchObject({ isOnlyOne: false });
  });
});

const slipTexts = slips.map(([wrong]) => wrong);

/** Slips on their own, several in a row, and cut off, and texts of the language with something changed. */
const nearFilters = fc.oneof(
  anyText('standard'),
  anyText('go-bexpr'),
  fc
    .tuple(fc.array(fc.constantFrom(...slipTexts), { minLength: 1, maxLength: 3 }), fc.nat(40))
    .map(([texts, cut]) => texts.join(' and ').slice(0, cut)),
);

const dialects = fc.constantFrom<Dialect>('standard', 'go-bexpr');

describe('every suggestion', () => {
  it('of a syntax error lets the text be read beyond it', () => {
    fc.assert(
      fc.property(nearFilters, dialects, (source, dialect) => {
        try {
          parse(source, { dialect });
        } catch (error) {
          if (!(error instanceof FilterSyntaxError)) return;
          for (const each of error.suggestions) {
            const corrected = applySuggestion(source, each);
            const end = each.span.start + each.replacement.length;
            expect(placeOfMistake(corrected, dialect)).toBeGreaterThanOrEqual(end);
          }
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('of lint gives a filter', () => {
    fc.assert(
      fc.property(fc.oneof(sentences('standard'), sentences('go-bexpr')), dialects, (source, dialect) => {
        if (placeOfMistake(source, dialect) !== Infinity) return;
        for (const { suggestions } of lint(source, { dialect })) {
          for (const each of suggestions)
            expect(() => parse(applySuggestion(source, each), { dialect })).not.toThrow();
        }
      }),
      { numRuns: 500 },
    );
  });

  it('of a check gives a filter', () => {
    for (const [wrong] of meanings) {
      if (placeOfMistake(wrong, 'standard') !== Infinity) continue;
      for (const { suggestions } of check(parse(wrong), { schema: jobs })) {
        for (const each of suggestions)
          expect(() => parse(applySuggestion(wrong, each))).not.toThrow(FilterCheckError);
      }
    }
  });
});

function placeOfMistake(source: string, dialect: Dialect): number {
  try {
    parse(source, { dialect });
    return Infinity;
  } catch (error) {
    return error instanceof FilterSyntaxError ? error.span.start : -1;
  }
}
