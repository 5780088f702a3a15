import { describe, expect, it } from 'vitest';
import { check } from '../../src/language/schema/check.js';
import { defineSchema, t } from '../../src/language/schema/define.js';
import { parseSchema } from '../../src/language/schema/parse-schema.js';
import { parse } from '../../src/language/parse.js';
import { covered } from '../support/marked.js';

const jobs = defineSchema({
  ID: t.string,
  Status: t.string,
  Priority: t.int,
  Version: t.uint,
  Load: t.float64,
  Stop: t.bool,
  Since: t.time,
  Datacenters: t.list(t.string),
  Ports: t.list(t.int),
  Pair: t.array(t.int, 2),
  Meta: t.map(t.string),
  Limits: t.map(t.int),
  Config: t.any,
  Groups: t.list(t.struct({ Name: t.string, Count: t.int, Meta: t.map(t.string) })),
  Periodic: t.nullable(t.struct({ Enabled: t.bool, Spec: t.string })),
  Note: t.nullable(t.string),
  Secret: t.hidden(t.string),
});

describe('check finds nothing in', () => {
  it.each([
    'Status == running',
    'Priority == "0x10" and Version == 5 and Load == "1e3" and Stop == T',
    'Since == "2026-01-01T00:00:00Z"',
    'dc1 in Datacenters and Ports contains 80',
    'Meta["cpu.arch"] == arm64 and Meta.x is empty',
    'Config.whatever.0 == 5 or Config is empty or Config matches x',
    'Groups.0.Name == web',
    'any Groups as g { g.Name == web and g.Meta.k == v }',
    'any Groups as i, g { i == 0 and g.Count != 5 }',
    'all Meta as k, v { k matches "^x" and v is not empty }',
    'any Meta as k { k == "a" }',
    'Periodic is nil or Periodic.Enabled == true',
    'Note is nil or Note == "x"',
    'any Groups as Status { Status.Name == x }',
    'Groups is nil or Datacenters is empty or ID is empty',
    '"/Meta/cpu.arch" == x',
  ])('%s', (text) => {
    expect(check(parse(text), { schema: jobs })).toEqual([]);
  });
});

describe('check reports', () => {
  it.each<[text: string, code: string, at: string, message: string]>([
    [
      'Stauts == x',
      'find-no-field',
      'Stauts',
      'at part 0: couldn\'t find key: struct field with name "Stauts"',
    ],
    ['Secret == x', 'find-no-field', 'Secret', 'struct field with name "Secret"'],
    [
      'Groups.0.Nmae == x',
      'find-no-field',
      'Nmae',
      'at part 2: couldn\'t find key: struct field with name "Nmae"',
    ],
    [
      '"/Groups/0/Nmae" == x',
      'find-no-field',
      'Nmae',
      'error finding value in datum: /Groups/0/Nmae at part 2',
    ],
    ['any Groups as g { g.Nmae == x }', 'find-no-field', 'Nmae', 'struct field with name "Nmae"'],
    ['Groups.Name == x', 'find-bad-index', 'Name', 'couldn\'t convert value "Name" to type int'],
    ['Groups["-1"].Name == x', 'find-out-of-range', '"-1"', 'index -1 is out of range'],
    ['Pair.2 == 1', 'find-out-of-range', '2', 'index 2 is out of range (length = 2)'],
    ['Status.x == 1', 'find-invalid-kind', 'x', '/Status/x: at part 1, invalid value kind: string'],
    ['Priority == high', 'coerce-syntax', 'high', 'strconv.ParseInt: parsing "high": invalid syntax'],
    ['Priority == 9223372036854775808', 'coerce-range', '9223372036854775808', 'value out of range'],
    ['Version == -1', 'coerce-syntax', '-1', 'strconv.ParseUint'],
    ['Stop == yes', 'coerce-syntax', 'yes', 'strconv.ParseBool'],
    ['x in Ports', 'coerce-syntax', 'x', 'strconv.ParseInt'],
    ['5 in Priority', 'no-contains', 'Priority', 'cannot perform in/contains operations on type int64'],
    ['Datacenters == dc1', 'no-comparison', 'Datacenters', 'unable to find suitable primitive comparison'],
    ['Meta != x', 'no-comparison', 'Meta', 'unable to find suitable primitive comparison'],
    ['web in Groups', 'no-comparison', 'Groups', 'for "in" comparison'],
    [
      'Priority is empty',
      'no-empty',
      'Priority',
      'cannot perform is-empty operations on type int64 for selector: "Priority"',
    ],
    ['Status is nil', 'no-nil', 'Status', 'cannot perform is-nil operations on type string'],
    ['Priority matches x', 'no-match-text', 'Priority', 'is not convertible to []byte'],
    ['Status matches "("', 'bad-regexp', '"("', 'failed to compile regular expression "("'],
    ['any Status as s { s == x }', 'not-a-collection', 'Status', 'Status is not a list or a map'],
    ['any Periodic as p { p == x }', 'not-a-collection', 'Periodic', 'Periodic is not a list or a map'],
    ['any Groups as x, x { x.Name == y }', 'binding-clash', 'x, x', 'cannot be used as a placeholder'],
    ['any Meta as k { k.a == 1 }', 'binding-path', 'a', '/k references a string so /k/a is invalid'],
    ['any Groups as i, g { i.a == 1 }', 'binding-path', 'a', '/i references a int so /i/a is invalid'],
  ])('%s', (text, code, at, message) => {
    const [first, ...others] = check(parse(text), { schema: jobs });
    expect(others).toEqual([]);
    expect(first).toMatchObject({ code });
    expect(first?.goMessage).toContain(message);
    expect(covered(text, first?.span ?? { start: 0, end: 0 })).toBe(at);
  });

  it('everything at once, in source order', () => {
    const found = check(parse('Stauts == x and Priority == high and any Nope as n { n.Foo == 1 }'), {
      schema: jobs,
    });
    expect(found.map(({ code }) => code)).toEqual(['find-no-field', 'coerce-syntax', 'find-no-field']);
  });

  it('a near name as a ready correction', () => {
    const text = 'Groups.0.Nmae == x';
    const [found] = check(parse(text), { schema: jobs });
    expect(found?.hint).toBe('did you mean Name?');
    const [{ span, replacement } = { span: { start: 0, end: 0 }, replacement: '' }] =
      found?.suggestions ?? [];
    expect(text.slice(0, span.start) + replacement + text.slice(span.end)).toBe('Groups.0.Name == x');
  });

  it.each([
    ['Groups["0"]["Nmae"] == x', 'Groups["0"]["Name"] == x'],
    ['"/Groups/0/Nmae" == x', '"/Groups/0/Name" == x'],
    ['Stauts == x', 'Status == x'],
  ])('a correction of %s that can be applied', (text, corrected) => {
    const [found] = check(parse(text), { schema: jobs });
    const [{ span, replacement } = { span: { start: 0, end: 0 }, replacement: '' }] =
      found?.suggestions ?? [];
    expect(text.slice(0, span.start) + replacement + text.slice(span.end)).toBe(corrected);
  });

  it('never suggests a hidden field', () => {
    const [found] = check(parse('Secrt == x'), { schema: jobs });
    expect(JSON.stringify(found)).not.toContain('Secret');
  });

  it('lists the fields where no name is near', () => {
    const [found] = check(parse('any Groups as g { g.Zzz == 1 }'), { schema: jobs });
    expect(found?.hint).toBe('the fields here are Name, Count, Meta');
  });

  it('patterns, clashes and parts of an index without a schema', () => {
    expect(check(parse('a.b matches "("'))).toMatchObject([{ code: 'bad-regexp' }]);
    expect(check(parse('any l as x, x { x == 1 }'))).toMatchObject([{ code: 'binding-clash' }]);
    expect(check(parse('any l as i, _ { i.a == 1 }'))).toMatchObject([{ code: 'binding-path' }]);
    expect(check(parse('a.b == x and c is empty'))).toEqual([]);
  });
});

it('maps whose keys are no plain text can be looked up, not searched', () => {
  const schema = parseSchema({
    root: 'R',
    structs: {
      R: {
        fields: {
          ByNumber: { kind: 'map', key: 'int', of: { kind: 'string' } },
          ByStatus: { kind: 'map', keyNamed: 'Status', of: { kind: 'string' } },
        },
      },
    },
  });
  expect(check(parse('ByNumber["0x1"] == a and ByStatus.up == b'), { schema })).toEqual([]);
  expect(check(parse('1 in ByNumber'), { schema })).toMatchObject([{ code: 'map-key-kind' }]);
  expect(check(parse('up in ByStatus'), { schema })).toMatchObject([{ code: 'map-key-kind' }]);
  expect(check(parse('any ByNumber as k { k == 1 }'), { schema })).toMatchObject([{ code: 'map-key-kind' }]);
  expect(check(parse('ByNumber.x == a'), { schema })).toMatchObject([{ code: 'find-bad-index' }]);
});

it('stops after four thousand findings', () => {
  const list = (count: number): string =>
    `Since in [${Array.from({ length: count }, () => '"x"').join(', ')}]`;
  const wrong = [list(1_999), list(2_000), 'Gone == 1', 'Missing == 1'];
  const found = check(wrong.join(' or '), { schema: jobs });
  expect(found).toHaveLength(4_000);
  expect(found.at(-1)).toMatchObject({ code: 'find-no-field' });
});
