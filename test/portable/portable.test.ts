import { describe, expect, it } from 'vitest';
import { defineSchema, FilterCheckError, FilterSyntaxError, parse, t } from '../../src/index.js';
import { portable, renderClause, type UnportableCode } from '../../src/entries/portable.js';

const schema = defineSchema({
  Name: t.string,
  Priority: t.int,
  Tags: t.list(t.string),
  Mixed: t.list(t.any),
  Stop: t.bool,
  At: t.time,
  Created: t.time('ns'),
  Wait: t.duration('s'),
  Size: t.bytes('MiB'),
  Addr: t.ip,
  Version: t.version,
  Other: t.string,
  Meta: t.map(t.string),
  'First Name': t.string,
});

function textOf(source: string, options: Parameters<typeof portable>[1] = { schema }): string {
  const written = portable(source, options);
  return written.ok ? written.text : written.clauses.map(({ code }) => code).join();
}

describe('what level 0 can say', () => {
  it.each([
    ['Name in ["a", "b"]', 'Name == "a" or Name == "b"'],
    ['Name not in ["a", "b"]', 'Name != "a" and Name != "b"'],
    ['Name in ["a"]', 'Name == "a"'],
    ['not Name in ["a", "b"]', 'not (Name == "a" or Name == "b")'],
    ['Stop == true and Name in ["a", "b"]', 'Stop == "true" and (Name == "a" or Name == "b")'],
    ['Stop == true or Name not in [a, b]', 'Stop == "true" or Name != "a" and Name != "b"'],
    ['Priority in [5, 0x10, "7"]', null],
    ['Priority in [5, "7"]', 'Priority == 5 or Priority == 7'],
    ['Name in ["a"i, b]', 'Name matches "(?i)^a$" or Name == "b"'],
    ['Meta.k in ["a", "b"]', 'Meta.k == "a" or Meta.k == "b"'],
    ['"/Meta/k" in ["a"]', '"/Meta/k" == "a"'],
    ['Name starts with "web-"', 'Name matches "^web-"'],
    ['Name not starts with "a.b"', 'Name not matches "^a\\\\.b"'],
    ['Name ends with "$x"', 'Name matches "\\\\$x$"'],
    ['Name ends with "B"i', 'Name matches "(?i)B$"'],
    ['Name starts with ""', 'Name matches "^"'],
    ['Name starts with "a\\nb"', 'Name matches "^a\\nb"'],
    ['Name like "web-*"', 'Name matches "^web-"'],
    ['Name like "*-db"', 'Name matches "-db$"'],
    ['Name like "*a*"', 'Name matches "a"'],
    ['Name like "a*b?"', 'Name matches "(?s)^a.*b.$"'],
    ['Name like "?"', 'Name matches "(?s)^.$"'],
    ['Name like "*"', 'Name matches "^"'],
    ['Name like ""', 'Name matches "^$"'],
    ['Name like "a\\\\*"', 'Name matches "^a\\\\*$"'],
    ['Name not like "A*b"i', 'Name not matches "(?is)^A.*b$"'],
    ['Name == "Web"i', 'Name matches "(?i)^Web$"'],
    ['Name != "Web"i', 'Name not matches "(?i)^Web$"'],
    ['Name contains "e."i', 'Name matches "(?i)e\\\\."'],
    ['Name matches "a|b"i', 'Name matches "(?i)a|b"'],
    ['"a"i in Tags', 'any Tags as each { each matches "(?i)^a$" }'],
    ['Tags not contains "a"i', 'not (any Tags as each { each matches "(?i)^a$" })'],
    ['Created == 2026-11-01', 'Created == 1793491200000000000'],
    ['Created in ["2026-11-01", 5]', 'Created == 1793491200000000000 or Created == 5'],
    ['Wait != 1h30m', 'Wait != 5400'],
    ['Size == "1.5GiB"', 'Size == 1536'],
    ['At == 2026-11-01', 'At == "2026-11-01"'],
    ['At == "now"', 'At == "now"'],
    ['Version in [1.2.3, 1.2.4]', 'Version == "1.2.3" or Version == "1.2.4"'],
    ['any Tags as x { x starts with a }', 'any Tags as x { x matches "^a" }'],
    ['Name starts with "\\xff"', 'Name == "\\xff"'],
    ['Name==a and(Stop==true)', 'Name == "a" and Stop == "true"'],
  ])('%s', (source, text) => {
    if (text === null) expect(() => portable(source, { schema })).toThrow(FilterCheckError);
    else {
      expect(textOf(source)).toBe(text);
      expect(parse(text, { dialect: 'go-bexpr' }).relaxations).toEqual([]);
    }
  });

  it.each([
    ['x in [5, "a"]', 'x == 5 or x == "a"'],
    ['_id == 1 and ["a-b"]["c"] is empty', '"/_id" == 1 and "/a-b/c" is empty'],
    ['any _l as x { x._id == 1 }', 'any "/_l" as x { x["_id"] == 1 }'],
    ['x starts with "a" and y == "b"i', 'x matches "^a" and y matches "(?i)^b$"'],
  ])('%s, without a schema', (source, text) => expect(textOf(source, {})).toBe(text));
});

describe('what level 0 cannot say', () => {
  it.each<[string, UnportableCode, string]>([
    ['Priority >= 5', 'ordering', '>='],
    ['Name == @Other', 'field-reference', '@Other'],
    ['len(Tags) == 0', 'length', 'len(Tags) '],
    ['["First Name"] == x', 'field-name', '["First Name"]'],
    ['Name in []', 'empty-list', '[]'],
    ['At in [now]', 'clock', 'now'],
    ['Addr in ["10.0.0.1", 10.0.0.0/8]', 'block', '10.0.0.0/8'],
    ['Wait == 1500ms', 'inexact', '1500ms'],
    ['"a"i in Mixed', 'ignore-case', '"a"i in Mixed'],
    ['Addr starts with ""', 'absent-value', 'Addr starts with ""'],
    [`Name starts with "${'a'.repeat(2_000)}"`, 'too-large', `Name starts with "${'a'.repeat(2_000)}"`],
  ])('%s', (source, code, position) => {
    const written = portable(source, { schema });
    if (written.ok) throw new Error(`written as ${written.text}`);
    const [clause] = written.clauses;
    expect(clause).toMatchObject({ code });
    expect(source.slice(clause?.span.start, clause?.span.end)).toBe(position);
  });

  it('is reported for all clauses, in a frame', () => {
    const written = portable('Name == a and (Priority > 5 or len(Tags) > 3)', { schema });
    if (written.ok) throw new Error(written.text);
    expect(written.clauses.map((clause) => renderClause(written.source, clause)).join('\n')).toBe(
      [
        '  1 | Name == a and (Priority > 5 or len(Tags) > 3)',
        '    |                         ^ level 0 has no equivalent comparison',
        '  hint: for a few values write one == for each',
        '  1 | Name == a and (Priority > 5 or len(Tags) > 3)',
        '    |                                          ^ level 0 has no equivalent comparison',
        '  hint: for a few values write one == for each',
      ].join('\n'),
    );
  });

  it('depends on what a field is, without a schema', () =>
    expect(textOf('"a"i in Tags', {})).toBe('unknown-kind'));

  it('may be too much of it: a long name times many values', () => {
    const values = Array.from({ length: 1_500 }, (_, at) => at).join(', ');
    expect(textOf(`${'n'.repeat(5_000)} in [${values}]`, {})).toBe('too-large');
  });
});

it('takes a parsed filter and a tree', () => {
  const text = 'Name in ["a"]';
  const parsed = parse(text);
  for (const filter of [parsed, parsed.ast])
    expect(portable(filter, { schema })).toEqual({ ok: true, text: 'Name == "a"' });
});

it('refuses what is no filter, and what the schema refuses', () => {
  expect(() => portable('Name in [')).toThrow(FilterSyntaxError);
  expect(() => portable('Nam in ["a"]', { schema })).toThrow(FilterCheckError);
  expect(() => portable('a == 1', { schma: schema } as object)).toThrow('Did you mean schema?');
});
