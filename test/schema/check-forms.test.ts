import { describe, expect, it } from 'vitest';
import { check } from '../../src/language/schema/check.js';
import { defineSchema, t } from '../../src/language/schema/define.js';
import { parse } from '../../src/language/parse.js';
import { covered } from '../support/marked.js';

const jobs = defineSchema({
  ID: t.string,
  Owner: t.string,
  Priority: t.int,
  Load: t.float64,
  Weight: t.float32,
  Count: t.uint,
  Stop: t.bool,
  Since: t.time,
  Created: t.time('ns'),
  Took: t.duration,
  Timeout: t.duration('ms'),
  Memory: t.bytes('MiB'),
  Addr: t.ip,
  Bind: t.ip({ port: true }),
  Version: t.version,
  Tags: t.list(t.string),
  Ports: t.list(t.int),
  Peers: t.list(t.ip),
  Times: t.list(t.time('s')),
  Meta: t.map(t.string),
  Config: t.any,
  Group: t.struct({ Name: t.string, Count: t.int }),
  Groups: t.list(t.struct({ Name: t.string })),
  Note: t.nullable(t.string),
});

describe('check finds nothing in', () => {
  it.each([
    'Priority > 5 and Load <= 0.5 and Weight >= -1 and ID < "b" and ID >= b and ID < now',
    'Since > 2026-11-01 and Since < "2026-11-01T08:00:00Z" and Since >= now and Since < now - 7d',
    'Created > now + 1h30m and Created < 5 and Created in [now, 2026-11-01, 5]',
    'Took > 7d and Took != 1h and Timeout < 500 and Timeout == "1m" and Timeout == 1w',
    'Memory > 1.5GiB and Memory == 512 and Memory != 0.5 and Memory in [64MiB, "1kB"]',
    'Addr > 10.0.0.1 and Addr == "::1" and Addr in [10.0.0.0/8, "fe80::/10", 10.0.0.1]',
    'Bind == 10.0.0.1:80 and Bind in ["[::1]:80", 10.0.0.0/8] and Bind starts with "10."',
    'Version >= 1.12.3 and Version == nonsense and Addr != "10.0.0.0/8"',
    'Since == now and ID == now and ID in [now, "x"i] and Addr == localhost',
    'ID == "x"i and Tags contains "x"i and "x"i in Config and Note starts with "a"i and ID matches "x"i',
    'len(Tags) > 3 and len(Meta) == 0 and len(ID) in [1, 2] and len(Config) != 1 and len(Addr) < 50',
    'len(Tags) > @Priority and Priority > @Load and Since < @Created and Took <= @Timeout',
    'ID == @Owner and @ID in Tags and Meta contains @ID and @Priority in Ports and @Addr in Peers',
    'ID starts with @Owner and Config == @ID and ID > @Config.x',
    'any Tags as x { x in ["a"] and x like "a*" and x == @ID } and "/Group/Name" in ["a"]',
    'ID in [] and Group.Count not in [1, 2,] and Note > a and ID not like "\\\\*"',
  ])('%s', (text) => {
    expect(check(parse(text), { schema: jobs })).toEqual([]);
  });
});

type Row = readonly [text: string, code: string, at: string, said: string, corrected: string | null];

describe('check reports', () => {
  it.each<Row>([
    // Orderings.
    ['Stop > true', 'no-ordering', 'Stop', 'len(...)', null],
    ['Tags > 3', 'no-ordering', 'Tags', 'len(...)', 'len(Tags) > 3'],
    ['Meta <= 3', 'no-ordering', 'Meta', 'len(...)', 'len(Meta) <= 3'],
    ['Tags > b', 'no-ordering', 'Tags', 'any', null],
    ['Group > 3', 'no-ordering', 'Group', 'any', null],
    ['now > Since', 'find-no-field', 'now', 'Since < now', 'Since < now'],
    ['now <= Created', 'find-no-field', 'now', 'Created >= now', 'Created >= now'],
    ['now > ID', 'find-no-field', 'now', 'the fields here are', null],
    ['Count > x', 'coerce-syntax', 'x', 'not a uint', null],
    ['Priority > high', 'coerce-syntax', 'high', 'whole number', null],
    ['Priority > "1,000"', 'coerce-syntax', '"1,000"', 'whole number', 'Priority > "1000"'],
    ['Priority > now', 'coerce-syntax', 'now', 'whole number', null],
    ['ID > "b"i', 'no-ignore-case', '"b"i', 'remove the i', 'ID > "b"'],
    // Typed literals.
    ['ID > 7d', 'bad-literal', '7d', 'not a string', 'ID > "7d"'],
    ['ID == 10.0.0.1', 'bad-literal', '10.0.0.1', 'not a string', 'ID == "10.0.0.1"'],
    ['ID starts with 10.0.', 'bad-literal', '10.0.', 'not a string', 'ID starts with "10.0."'],
    ['Priority == 5x', 'bad-literal', '5x', 'not an int', null],
    ['Priority == 1_000', 'bad-literal', '1_000', 'not an int', 'Priority == 1000'],
    ['Load > 1e1', 'bad-literal', '1e1', 'not a float64', 'Load > "1e1"'],
    ['Stop == 1d', 'bad-literal', '1d', 'not a bool', null],
    ['Tags contains 7d', 'bad-literal', '7d', 'not a string', 'Tags contains "7d"'],
    ['Meta contains 7d', 'bad-literal', '7d', 'not a map', 'Meta contains "7d"'],
    ['ID matches 7d', 'bad-literal', '7d', 'not a string', 'ID matches "7d"'],
    ['Config == 7d', 'bad-literal', '7d', 'not a number', 'Config == "7d"'],
    ['Priority in [1, 5x]', 'bad-literal', '5x', 'not an int', null],
    ['len(Tags) > 7d', 'bad-literal', '7d', 'not an int', null],
    // What is no instance.
    ['Since > yesterday', 'bad-literal', 'yesterday', '2026-11-01T08:00:00Z', null],
    ['Since > 5', 'bad-literal', '5', 'or a date', null],
    ['Since > 7d', 'bad-literal', '7d', 'so long ago', 'Since > now - 7d'],
    ['Created < "1h30m"', 'bad-literal', '"1h30m"', 'so long ago', 'Created < now - 1h30m'],
    ['Since > "-7d"', 'bad-literal', '"-7d"', 'so long ahead', 'Since > now + 7d'],
    ['Since > "+7d"', 'bad-literal', '"+7d"', 'so long ago', 'Since > now - 7d'],
    ['Since > "now - 7d"', 'bad-literal', '"now - 7d"', 'write now - 7d', 'Since > now - 7d'],
    ['Created <= "now"', 'bad-literal', '"now"', 'write now', 'Created <= now'],
    ['Since > "7\u00b5s"', 'bad-literal', '"7\u00b5s"', 'or a date', null],
    // A search in a number is one for an equal number, where the literal can be one.
    ['Timeout contains 90s', 'no-contains', 'Timeout', 'int64', 'Timeout == 90s'],
    ['Timeout not contains soon', 'no-contains', 'Timeout', 'int64', null],
    ['now in Created', 'no-contains', 'Created', 'int64', null],
    ['Priority contains high', 'no-contains', 'Priority', 'int', null],
    ['Stop contains "x"', 'no-contains', 'Stop', 'bool', null],
    ['Since == 7d', 'bad-literal', '7d', 'or a date', null],
    [
      'Since > "2026-11-01 08:00:00"',
      'bad-literal',
      '"2026-11-01 08:00:00"',
      'an instant',
      'Since > "2026-11-01T08:00:00Z"',
    ],
    ['Since > "2026/11/01"', 'bad-literal', '"2026/11/01"', 'an instant', 'Since > "2026-11-01"'],
    ['Since > 2026-02-30', 'bad-literal', '2026-02-30', 'an instant', null],
    ['Since in [2026-11-01, soon]', 'bad-literal', 'soon', 'an instant', null],
    ['Created == soon', 'bad-literal', 'soon', '(in ns since 1970)', null],
    ['Took > 5', 'bad-literal', '5', '1h30m', null],
    ['Took > 5min', 'bad-literal', '5min', '1h30m', 'Took > "5m"'],
    ['Timeout == "2 days"', 'bad-literal', '"2 days"', '(in ms)', 'Timeout == "2d"'],
    ['Memory > 512mb', 'bad-literal', '512mb', '512MiB', 'Memory > "512MB"'],
    ['Memory == "1.5g"', 'bad-literal', '"1.5g"', '512MiB', 'Memory == "1.5GiB"'],
    ['Version > 1.12', 'bad-literal', '1.12', '1.12.3', 'Version > "1.12.0"'],
    ['Addr > localhost', 'bad-literal', 'localhost', '10.0.0.1', null],
    ['Addr == 10.0.0.0/8', 'bad-literal', '10.0.0.0/8', 'must be in a list', 'Addr in [10.0.0.0/8]'],
    ['Addr!=10.0.0.0/8', 'bad-literal', '10.0.0.0/8', 'must be in a list', 'Addr not in [10.0.0.0/8]'],
    ['Addr < 10.0.0.0/8', 'bad-literal', '10.0.0.0/8', 'must be in a list', null],
    ['Addr in [10.0.0.0/33]', 'bad-literal', '10.0.0.0/33', 'or a block', null],
    // The clock.
    ['ID > now - 7d', 'bad-literal', 'now - 7d', 'as a time in the schema', null],
    ['Took > now - 7d', 'bad-literal', 'now - 7d', 'as a time in the schema', null],
    ['Config > now', 'bad-literal', 'now', 'as a time in the schema', null],
    ['Config in [now]', 'bad-literal', 'now', 'as a time in the schema', null],
    ['Priority in [now - 1h]', 'bad-literal', 'now - 1h', 'as a time in the schema', null],
    // Case.
    ['Priority == "5"i', 'no-ignore-case', '"5"i', 'remove the i', 'Priority == 5'],
    ['Ports contains "5"i', 'no-ignore-case', '"5"i', 'remove the i', 'Ports contains 5'],
    ['"k"i in Meta', 'no-ignore-case', '"k"i', 'remove the i', '"k" in Meta'],
    ['Priority in [1, "5"i]', 'no-ignore-case', '"5"i', 'remove the i', 'Priority in [1, 5]'],
    ['Addr in ["::1"i]', 'no-ignore-case', '"::1"i', 'remove the i', 'Addr in ["::1"]'],
    ['len(Tags) == "5"i', 'no-ignore-case', '"5"i', 'remove the i', 'len(Tags) == 5'],
    ['Stop == "maybe"i', 'no-ignore-case', '"maybe"i', 'remove the i', null],
    // Lists of values.
    ['Tags in ["a"]', 'no-membership', 'Tags', 'any', '(any Tags as x { x in ["a"] })'],
    ['Tags not in ["a"]', 'no-membership', 'Tags', 'any', 'not (any Tags as x { x in ["a"] })'],
    ['Ports in [a]', 'no-membership', 'Ports', 'any', null],
    ['Meta in ["a"]', 'no-membership', 'Meta', 'any', null],
    ['Groups in ["a"]', 'no-membership', 'Groups', 'any', null],
    ['Stop in [true]', 'no-membership', 'Stop', 'compares strings and numbers', null],
    // Affixes and globs.
    ['Priority starts with 5', 'no-affix', 'Priority', 'strings only', null],
    ['Memory ends with 5', 'no-affix', 'Memory', 'strings only', null],
    ['Created like "5*"', 'no-glob', 'Created', 'strings only', null],
    ['Tags starts with a', 'no-affix', 'Tags', 'strings only', '(any Tags as x { x starts with "a" })'],
    ['Tags not like "a*"', 'no-glob', 'Tags', 'strings only', 'not (any Tags as x { x like "a*" })'],
    ['ID like "a\\\\"', 'bad-glob', '"a\\\\"', 'a literal backslash as two', 'ID like "a\\\\\\\\"'],
    // Lengths.
    ['len(Priority) > 3', 'no-length', 'Priority', 'counts the elements', 'Priority > 3'],
    ['len(Memory) > 3', 'no-length', 'Memory', 'counts the elements', null],
    ['len(Stop) > 3', 'no-length', 'Stop', 'counts the elements', null],
    ['len(Group) == 3', 'no-length', 'Group', 'counts the elements', null],
    ['len(Tags) > many', 'coerce-syntax', 'many', 'whole number', null],
    ['len(Tags) in [1, x]', 'coerce-syntax', 'x', 'whole number', null],
    // References.
    ['ID == @Owenr', 'find-no-field', 'Owenr', 'no such field', 'ID == @Owner'],
    // Of the element, not of the row.
    [
      'any Groups as i, g { Name == x }',
      'find-no-field',
      'Name',
      'g.Name',
      'any Groups as i, g { g.Name == x }',
    ],
    ['all Groups as g { Nmae == x }', 'find-no-field', 'Nmae', 'the fields here', null],
    ['ID == @Priority', 'no-reference', 'ID == @Priority', 'string and int', null],
    ['Since < @Took', 'no-reference', 'Since < @Took', 'time and duration', null],
    ['Took < @Priority', 'no-reference', 'Took < @Priority', 'duration and int', null],
    ['Timeout < @Memory', 'no-reference', 'Timeout < @Memory', 'duration in ms and bytes in MiB', null],
    ['ID == @Tags', 'no-reference', 'ID == @Tags', 'string and list', null],
    ['len(Tags) > @ID', 'no-reference', 'len(Tags) > @ID', 'int and string', null],
    ['Ports contains @ID', 'no-reference', 'Ports contains @ID', 'elements of kind int and string', null],
    ['@Priority in Meta', 'no-reference', '@Priority in Meta', 'map and int', null],
    ['ID starts with @Priority', 'no-reference', 'ID starts with @Priority', 'string and int', null],
    ['Stop < @Stop', 'no-ordering', 'Stop', 'orderings compare', null],
    ['Tags == @Tags', 'no-comparison', 'Tags', 'use in', null],
  ])('%s', (text, code, at, said, corrected) => {
    const found = check(parse(text), { schema: jobs });
    expect(found.map((each) => [each.code, covered(text, each.span)])).toEqual([[code, at]]);
    const [diagnostic] = found;
    const words = [diagnostic?.message, diagnostic?.goMessage, diagnostic?.label, diagnostic?.hint].join(
      '\n',
    );
    expect(words).toContain(said);
    const [suggestion] = diagnostic?.suggestions ?? [];
    if (corrected === null) {
      expect(suggestion).toBeUndefined();
      return;
    }
    const { start, end } = suggestion?.span ?? { start: 0, end: 0 };
    expect(text.slice(0, start) + (suggestion?.replacement ?? '') + text.slice(end)).toBe(corrected);
    expect(check(parse(corrected), { schema: jobs })).toEqual([]);
  });

  it('every element that is wrong, each at its place', () => {
    const text = 'Priority in [1, a, 2, "x", 7d] and Addr in ["::1", "::g", 10.0.0.0/64]';
    const found = check(parse(text), { schema: jobs });
    expect(found.map(({ span }) => covered(text, span))).toEqual(['a', '"x"', '7d', '"::g"', '10.0.0.0/64']);
  });
});

describe('check without a schema', () => {
  it.each<[string, string[]]>([
    ['a > 5 and a > b and a in [1, "x", "y"i] and a like "x*" and len(a) > 3 and a == @b', []],
    ['a > 7d', ['7d']],
    ['a in [1, 10.0.0.1]', ['10.0.0.1']],
    ['a == 1.2.3', ['1.2.3']],
    ['a > now', ['now']],
    ['a == now and a == "now" and a > "now"', []],
    ['a in [now]', ['now']],
    ['a > now - 7d', ['now - 7d']],
    ['a > "b"i', ['"b"i']],
    ['a like "\\\\"', ['"\\\\"']],
    ['len(a) > "x"', ['"x"']],
  ])('%s', (text, expected) => {
    expect(check(parse(text)).map(({ span }) => covered(text, span))).toEqual(expected);
  });
});
