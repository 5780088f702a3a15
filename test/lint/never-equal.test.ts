import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diagnostics } from '../../src/entries/editor.js';
import { diagnose, explain } from '../../src/entries/explain.js';
import { check, compileFilter, defineSchema, FilterCheckError, parseSchema, t } from '../../src/index.js';
import { applySuggestion, lint, type LintFinding, type LintOptions } from '../../src/entries/lint.js';
import type { Draw } from '../support/draw.js';
import { drawn } from '../support/drawn.js';
import { drawScalar } from '../support/drawn-shape.js';
import { Values } from '../support/drawn-values.js';
import { isCounted, isInstanceKind, literalInstance } from '../support/oracle-instance.js';
import type { OracleType } from '../support/oracle-value.js';
import { scaled } from '../support/property-runs.js';

const schema = defineSchema({
  V: t.version,
  maybe: t.nullable(t.version),
  IP: t.ip,
  P: t.ip({ port: true }),
  T: t.time,
  Ts: t.time('s'),
  D: t.duration,
  Ds: t.duration('s'),
  B: t.bytes('MiB'),
  F: t.float64,
  S: t.string,
  N: t.int,
  M: t.map(t.version),
  LV: t.list(t.version),
  LIP: t.list(t.ip),
  LDs: t.list(t.duration('s')),
  none: t.nullable(t.list(t.ip)),
  G: t.list(t.struct({ V: t.version })),
});

function findings(text: string, options: LintOptions = {}): readonly LintFinding[] {
  return lint(text, { schema, ...options }).filter(({ code }) => code === 'never-equal');
}

/** A filter, and what is written instead; null where nothing can be offered. */
const corrections: readonly (readonly [filter: string, corrected: string | null])[] = [
  ['V == 1.10', 'V == 1.10.0'],
  ['V != "1.10"', 'V != "1.10.0"'],
  ['V==1', 'V==1.0.0'],
  ['V == v2', 'V == "v2.0.0"'],
  ['V == "V1.2.3"', 'V == "1.2.3"'],
  ['V == "01.2.3"', 'V == "1.2.3"'],
  ['V == "1.2-rc.1"', 'V == "1.2.0-rc.1"'],
  ['V == "1.2.3.4"', null],
  ['V == latest', null],
  ['V == ""', 'V is empty'],
  ['V!=""', 'V is not empty'],
  ['maybe == ""', 'maybe is nil'],
  ['M.k == 1.10', 'M.k == 1.10.0'],
  ['IP == "10.0.0.0/8"', 'IP in [10.0.0.0/8]'],
  ['IP != "10.0.0.0/8"', 'IP not in [10.0.0.0/8]'],
  ['IP=="fe80::/10"', 'IP in ["fe80::/10"]'],
  ['P == "10.0.0.0/8"', 'P in [10.0.0.0/8]'],
  ['IP == "10.0.0.1:80"', 'IP == "10.0.0.1"'],
  ['IP == "[::1]"', 'IP == "::1"'],
  ['IP == localhost', null],
  ['"10.0.0.0/8" in LIP', '(any LIP as x { x in [10.0.0.0/8] })'],
  ['LIP not contains "10.0.0.0/8"', 'not (any LIP as x { x in [10.0.0.0/8] })'],
  ['"10.0.0.0/8" in none', null],
  ['1.10 in LV', '1.10.0 in LV'],
  ['"1.10" not in LV', '"1.10.0" not in LV'],
  ['T == "2026-11-01 08:00:00"', 'T == "2026-11-01T08:00:00Z"'],
  ['T == "2026-11-01 08:00"', 'T == "2026-11-01T08:00:00Z"'],
  ['T == "2026-11-01T08:00"', 'T == "2026-11-01T08:00:00Z"'],
  ['T == "2026-11-01T08:00Z"', 'T == "2026-11-01T08:00:00Z"'],
  ['T == "2026-11-01T08:00:00+0100"', 'T == "2026-11-01T08:00:00+01:00"'],
  ['T == "2026-11-01 08:00:00 +0100 CET"', 'T == "2026-11-01T08:00:00+01:00"'],
  ['T == "2026-11-01 08:00:00,5 UTC"', 'T == "2026-11-01T08:00:00.5Z"'],
  ['T == "2026/11/1"', 'T == "2026-11-01"'],
  ['T == "20261101T080000Z"', 'T == "2026-11-01T08:00:00Z"'],
  ['T == "Sun, 01 Nov 2026 08:00:00 GMT"', 'T == "2026-11-01T08:00:00Z"'],
  ['T == "Nov 1, 2026"', 'T == "2026-11-01T00:00:00Z"'],
  ['T == 1793491200', 'T == 2026-11-01T00:00:00Z'],
  ['T == "1793491200000"', 'T == "2026-11-01T00:00:00Z"'],
  ['T == "2026-11-31"', null],
  ['T == "11/01/2026"', null],
  ['T == yesterday', null],
  ['T == now', null],
  ['T == "2026-11-01"i', 'T == "2026-11-01"'],
  ['D == 90', 'D == 90s'],
  ['D == "90"', 'D == "90s"'],
  ['D == "5 min"', 'D == "5m"'],
  ['D == "250 milliseconds"', 'D == "250ms"'],
  ['D == "1 hour and 30 minutes"', 'D == "1h30m"'],
  ['D == PT1H30M', 'D == 1h30m'],
  ['D == "7D"i', 'D == "7d"'],
  ['D == 0', 'D == 0s'],
  ['D == soon', null],
  ['D == 9223372036854775808', null],
  ['D == 1000000000000000000000', null],
  ['D == -9223372036854775808', null],
  ['Ds == 1.5s', null],
  ['"1.5s" in LDs', null],
  ['Ts == 2026-11-01T00:00:00.5Z', null],
  ['B == 1.5KiB', null],
  ['F == nan', null],
  ['F != "NaN"', null],
  ['any G as g { g.V == 1.10 }', 'any G as g { g.V == 1.10.0 }'],
  ['not (N == 1 and V == 1.10)', 'not (N == 1 and V == 1.10.0)'],
];

const innocent = [
  ...['V == 1.10.0', 'V == "v1.10.0+b"', 'V == "V1.10.0"i', 'V == @V', 'V contains 1.10', 'V matches "1.10"'],
  ...['IP == "::ffff:10.0.0.1"', 'IP in [10.0.0.0/8]', 'P == 10.0.0.1:80', '"10.0" in IP', 'IP like "10.*"'],
  ...['T == 2026-11-01', 'T == "2026-11-01t08:00:00z"', 'T in [now]', 'T > now', 'T starts with 2026-11-01'],
  ...['T == ""', 'T != ""', 'D == ""', 'D != ""'],
  ...['D == 1.5h', 'D == "1H"i', 'Ds == 90', 'Ds == 1.5m', 'B == 1.5GiB', 'F == inf', 'F < nan'],
  ...['S == 1.10', 'N == 90', '1.10.0 in LV', '90 in LDs', 'len(LV) == 0', 'V is empty'],
];

describe('a literal that no value of the kind equals', () => {
  it.each(corrections)('%s: %s', (text, corrected) => {
    expect(() => compileFilter(text, { schema })).not.toThrow();
    const [finding, ...others] = findings(text);
    expect(others).toEqual([]);
    const [first] = finding?.suggestions ?? [];
    expect(finding).toBeDefined();
    expect(first === undefined ? null : applySuggestion(text, first)).toBe(corrected);
    if (corrected === null) return;
    expect(() => compileFilter(corrected, { schema })).not.toThrow();
    expect(findings(corrected)).toEqual([]);
  });

  it.each(innocent)('is rejected: %s', (text) => {
    expect(() => compileFilter(text, { schema })).not.toThrow();
    expect(findings(text)).toEqual([]);
  });

  it('is corrected in the words of the level', () => {
    const replacements = (text: string, options: LintOptions): string[] =>
      findings(text, options).flatMap(({ suggestions }) => suggestions.map(({ replacement }) => replacement));
    for (const options of [{ level: 0 }, { dialect: 'go-bexpr' }] as const) {
      expect(replacements('V == 1.10', options)).toEqual(['"1.10.0"']);
      expect(replacements('D == 90', options)).toEqual(['"90s"']);
      expect(replacements('IP == "10.0.0.0/8"', options)).toEqual([]);
    }
  });

  it('says what follows', () => {
    const messages = (text: string): string[] => findings(text).map(({ message }) => message);
    expect(messages('V == 1.10')).toEqual(['no version equals 1.10, so this is false for every one']);
    expect(messages('D != 90')).toEqual(['no duration equals 90, so this is true for every one']);
    expect(messages('"::/0" not in LIP')).toEqual([
      'no address equals "::/0", so this is true for every list',
    ]);
    expect(messages('Ds in [1s, 1500ms]')).toEqual(['no whole number of s equals 1500ms']);
  });

  it('is reported by the editor, by explanations and by diagnoses', () => {
    const text = 'S == x and V == 1.10';
    const [finding] = findings(text);
    expect(diagnostics(text, { schema })).toEqual([{ ...finding, severity: 'warning' }]);
    const reported = explain(text, { S: 'x', V: '1.10.0' }, { schema });
    expect(reported.notes).toEqual([finding]);
    expect(String(reported)).toContain(
      '\nnote: no version equals 1.10, so this is false for every one; did you mean 1.10.0?\n',
    );
    const why = diagnose(text, [{ S: 'x', V: '1.10.1' }], { schema });
    expect(why.notes).toEqual([finding]);
    expect(why.suggestion).toEqual(finding?.suggestions[0]);
    expect(String(why)).toBe(
      'V == 1.10 matches none of 1 row, though 1 would match without it; no version equals 1.10, so this is false for every one; there are "1.10.1" (1). Did you mean 1.10.0?',
    );
    expect(explain('S == x', { S: 'x' }, { schema }).notes).toEqual([]);
  });

  it.each([
    ['10.0.0.0/8 in LIP', '(any LIP as x { x in [10.0.0.0/8] })'],
    ['LIP not contains 10.0.0.0/8', 'not (any LIP as x { x in [10.0.0.0/8] })'],
    ['10.0.0.0/8 in IP', 'IP in [10.0.0.0/8]'],
    ['10.0.0.0/8 not in IP', 'IP not in [10.0.0.0/8]'],
    ['10.0.0.0/8 in none', null],
  ])('is refused without quotes, with a correction: %s', (text, corrected) => {
    const [fault] = check(text, { schema });
    const [first] = fault?.suggestions ?? [];
    expect(fault?.hint).toContain('a block of addresses must be in a list: ');
    expect(first === undefined ? null : applySuggestion(text, first)).toBe(corrected);
    if (corrected !== null) expect(check(corrected, { schema })).toEqual([]);
    expect(findings(text)).toEqual([]);
  });

  it('is reported next to rejected ones', () => {
    expect(diagnostics('V == 1.10 and N == x', { schema }).map(({ severity }) => severity)).toEqual([
      'warning',
      'error',
    ]);
  });
});

interface Sample {
  readonly type: OracleType;
  readonly literal: string;
  readonly rows: readonly unknown[];
  readonly isList: boolean;
}

/** A kind that is more than texts and numbers, values of it, and a literal. */
const samples = drawn((draw: Draw): Sample => {
  let type: OracleType = drawScalar(draw);
  while (!isInstanceKind(type)) type = draw.below(2) === 0 ? { kind: 'time' } : { kind: 'version' };
  const values = new Values(draw);
  const other = draw.oneIn(3) ? String(values.scalar(drawScalar(draw))) : values.literal(type);
  const literal = (draw.oneIn(5) ? `${other}${draw.pick(['0', ' ', 'Z', '.0'])}` : other).replace(
    /\p{Surrogate}/gu,
    '',
  );
  return { type, literal, rows: draw.list(1, 4, () => values.scalar(type)), isList: draw.oneIn(3) };
});

it('is reported exactly if the result is the same for every value of the kind', () => {
  const reported = { unequal: 0, equal: 0 };
  fc.assert(
    fc.property(samples, ({ type, literal, rows, isList }) => {
      const of = isList ? { kind: 'list', of: type } : type;
      const options = { schema: parseSchema({ root: 'R', structs: { R: { fields: { a: of } } } }) };
      const quoted = JSON.stringify(literal).replace(/\\b/g, '\\x08').replace(/\\f/g, '\\x0c');
      const filterText = isList ? `${quoted} in a` : `a == ${quoted}`;
      const note = inspect({ type, literal, rows, isList });
      const filter = (() => {
        try {
          return compileFilter(filterText, options);
        } catch (error) {
          if (error instanceof FilterCheckError) return null;
          throw error;
        }
      })();
      if (filter === null) return;
      const found = lint(filterText, options).filter(({ code }) => code === 'never-equal');
      // The v of a version is not in the page's words for literals.
      const text = type.kind === 'version' ? literal.replace(/^v/, '') : literal;
      // What a row lacks is the empty text of a time or a duration, and absent elsewhere.
      const findsMissing = literal === '' && !isList && (type.kind === 'time' || type.kind === 'duration');
      const isUnequal = literalInstance(type, text) === null && !findsMissing;
      if (!isCounted(type)) expect(found.length, note).toBe(isUnequal ? 1 : 0);
      reported[found.length > 0 ? 'unequal' : 'equal'] += 1;
      for (const { suggestions } of found) {
        for (const suggestion of suggestions)
          expect(() => compileFilter(applySuggestion(filterText, suggestion), options), note).not.toThrow();
      }
      // A duration that is written 0 equals that text.
      const fitting = rows
        .filter((value) => value !== literal)
        .map((value) => ({ a: isList ? [value] : value }));
      if (found.length > 0) expect(filter.select(fitting), note).toEqual([]);
    }),
    { numRuns: 2_000 },
  );
  expect(reported.unequal).toBeGreaterThan(scaled(200));
  expect(reported.equal).toBeGreaterThan(scaled(200));
});
