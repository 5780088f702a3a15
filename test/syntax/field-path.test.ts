import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileFilter } from '../../src/filter/filter.js';
import { FilterError, FilterSyntaxError } from '../../src/language/diagnostics/errors.js';
import { parse, type ParseOptions } from '../../src/language/parse.js';
import type { Expression, MatchExpression } from '../../src/language/syntax/ast.js';
import {
  fieldPathText,
  parseFieldPath,
  readFieldPath,
  splitFieldNames,
} from '../../src/language/syntax/field-path.js';
import { print } from '../../src/language/syntax/print.js';

/** Names of any characters, and those that have a meaning somewhere. */
const name = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.string({ unit: fc.nat({ max: 0xffff }).map((code) => String.fromCharCode(code)), maxLength: 4 }),
  fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_/]{0,6}$/),
  fc.constantFrom(
    ...[
      '',
      '_',
      '__',
      '__proto__',
      'constructor',
      'toString',
      '0',
      '007',
      '-1',
      'a.b',
      'a,b',
      'a]b',
      '["k"]',
    ],
    ...['First Name', '@timestamp', '"', '`', '\\', '\\"', '\n', '\r\n', '\0', '\ud800', '\udc00', '😀'],
    ...['not', 'in', 'any', 'all', 'is', 'len', 'now', 'and', 'like', 'starts with', 'as', 'contains', '/a'],
  ),
);
const path = fc.array(name, { minLength: 1, maxLength: 4 });

function selectorOf(text: string): readonly string[] {
  return (parse(text).ast as MatchExpression).selector.path;
}

function errorOf(text: string, options: ParseOptions = {}): FilterError | null {
  try {
    parse(text, options);
    return null;
  } catch (error) {
    if (error instanceof FilterError) return error;
    throw error;
  }
}

describe('the text of a field path', () => {
  it('is parsed back to the same path, whatever characters its names have', () => {
    const property = fc.property(path, (parts) => {
      const text = fieldPathText(parts);
      expect(parseFieldPath(text)).toEqual(parts);
      expect(selectorOf(`${text} == 1`)).toEqual(parts);
      expect(splitFieldNames(`${text},${text}`)).toEqual([text, text]);
    });
    fc.assert(property, { numRuns: 3_000 });
  });

  it('prints and parses to the same tree in every place of a selector', () => {
    const places = [
      '$ == x',
      'not ($ == x)',
      '$ in ["a", "b"]',
      'not ($ not in ["a", "b"])',
      'not ($ contains x)',
      'a == @$',
      '$ not contains @$',
      'len($) > 3',
      'a == 1 and (any $ as x { x == 1 and x == 2 })',
      'a == 1 or $ is empty and not ($ is nil)',
    ];
    const property = fc.property(path, fc.constantFrom(...places), (parts, place) => {
      const tree = JSON.stringify(parse(place.replaceAll('$', '_any')).ast);
      const ast = JSON.parse(tree.replaceAll('["_any"]', () => JSON.stringify(parts))) as Expression;
      const printed = print(ast);
      const again = parse(printed).ast;
      expect(print(again)).toBe(printed);
      expect(withoutSpans(again)).toEqual(withoutSpans(ast));
    });
    fc.assert(property, { numRuns: 3_000 });
  });

  it.each([
    [['a'], 'a'],
    [['_id'], '_id'],
    [['a', '_b'], 'a["_b"]'],
    [['_'], '["_"]'],
    [[''], '[""]'],
    [['0'], '["0"]'],
    [['First Name', 'x', '0'], '["First Name"].x.0'],
    [['a.b'], '["a.b"]'],
    [['say "hi"'], '["say \\x22hi\\x22"]'],
    [['__proto__'], '__proto__'],
  ])('of %j is %s: brackets only where they are needed', (parts, text) => {
    expect(fieldPathText(parts)).toBe(text);
  });

  it('is refused for no parts', () => {
    expect(() => fieldPathText([])).toThrow(
      new TypeError('A selector must have at least one part, got none.'),
    );
  });
});

function withoutSpans(node: unknown): unknown {
  return JSON.parse(
    JSON.stringify(node, (key, value: unknown) => (/span|^form$/i.test(key) ? undefined : value)),
  );
}

describe('parseFieldPath', () => {
  it.each<[string, readonly string[] | null]>([
    ['Name', ['Name']],
    [' Meta . owner ', ['Meta', 'owner']],
    ['Meta["a b"].0', ['Meta', 'a b', '0']],
    ['[ `First Name` ]', ['First Name']],
    ['"/Meta/a~1b"', ['Meta', 'a/b']],
    ['_id', ['_id']],
    ['Meta._id', ['Meta', '_id']],
    ['_', null],
    ['', null],
    ['First Name', null],
    ['-Age', null],
    ['a b', null],
    ['a == 1', null],
    ['[a]', null],
    ['["a"', null],
    ['["\\d"]', null],
    ['a]', null],
    ['$', null],
    ['a,b', null],
    [`["${'x'.repeat(20_000)}"]`, null],
  ])('reads %j', (text, parts) => {
    expect(parseFieldPath(text)).toEqual(parts);
    expect(readFieldPath(text)).toEqual(parts ?? [text]);
  });

  it('agrees with the selector of a filter', () => {
    const text = fc.array(
      fc.constantFrom('a', '_b', '.', '["c"]', '[`d`]', ' ', '.0', '[', ']', '"/e"', '"x"', '-'),
      {
        maxLength: 6,
      },
    );
    const property = fc.property(text, (pieces) => {
      const written = pieces.join('');
      const parsed = parseFieldPath(written);
      if (parsed === null) expect(errorOf(`${written} is nil`)).toBeInstanceOf(FilterSyntaxError);
      else expect(selectorOf(`${written} is nil`)).toEqual(parsed);
    });
    fc.assert(property, { numRuns: 2_000 });
  });
});

describe('splitFieldNames', () => {
  it.each([
    ['', ['']],
    ['a,-b', ['a', '-b']],
    [' a , b ', ['a', 'b']],
    ['["x,y"],a', ['["x,y"]', 'a']],
    ['["x\\",y"],a', ['["x\\",y"]', 'a']],
    ['[`x,"y`],a', ['[`x,"y`]', 'a']],
    ['a,,b', ['a', '', 'b']],
    ['["a,b', ['["a,b']],
  ])('splits %j at commas outside of quotes', (text, names) => {
    expect(splitFieldNames(text)).toEqual(names);
  });
});

describe('a selector that begins with a bracket or an underscore', () => {
  it.each([
    ['s == ["x"]', 's in ["x"]'],
    ['s == _x', 's == "_x"'],
    ['["x"] in a', '@["x"] in a'],
    ['_x in a', '"_x" in a'],
    ['"x" in ["Tag List"]', '["Tag List"] contains "x"'],
    ['s in [_x]', 's in ["_x"]'],
    ['s == a._x', 's == "a._x"'],
  ])('%s is refused: it is never a value', (text, corrected) => {
    const error = errorOf(text);
    expect(error).toBeInstanceOf(FilterSyntaxError);
    expect(error?.hint).toBeTruthy();
    const [suggestion] = error?.suggestions ?? [];
    const { span, replacement } = suggestion ?? { span: { start: 0, end: 0 }, replacement: '' };
    expect(text.slice(0, span.start) + replacement + text.slice(span.end)).toBe(corrected);
    parse(corrected);
  });

  it.each([
    ['not ["k"] == x', ['not', 'k']],
    ['any ["k"] == x', ['any', 'k']],
    ['in ["k"] == x', ['in', 'k']],
  ])('%s keeps the reading of level 0', (text, parts) => {
    expect(selectorOf(text)).toEqual(parts);
    expect(parse(text, { level: 0 }).ast).toEqual(parse(text).ast);
  });

  it.each([
    '_ == 1',
    'any L as _x { _x == 1 }',
    'any L as i, _x { i == 1 }',
    '["a"]["b" == 1',
    '[[["a"]]] == 1',
  ])('%s is refused', (text) => {
    expect(errorOf(text)).toBeInstanceOf(FilterSyntaxError);
  });

  it('reads names of prototypes as those of own properties only', () => {
    for (const each of ['__proto__', 'constructor', 'hasOwnProperty', 'toString']) {
      const own = JSON.parse(`{"${each}":"x","m":{"${each}":"x"}}`) as object;
      expect(compileFilter(`["${each}"] == x and m["${each}"] == x`).test(own)).toBe(true);
      expect(compileFilter(`["m"]["${each}"] is nil`).test({ m: {} })).toBe(true);
      expect(() => compileFilter(`["${each}"] == x`).test({})).toThrow(/this row has no such key/);
    }
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });

  it.each([
    ['brackets that never close', '['.repeat(10_000)],
    ['10,000 nested brackets', `${'['.repeat(10_000)}"a"${']'.repeat(10_000)} == 1`],
    ['10,000 keys without an operator', '["a"]'.repeat(10_000)],
    ['10,000 underscores with blanks', '_ '.repeat(10_000)],
    ['10,000 negations of a bracket', `${'not '.repeat(10_000)}["a"]`],
  ])('is refused in linear time for %s', (_, text) => {
    expect(errorOf(text)).toBeInstanceOf(FilterError);
    expect(parseFieldPath(text.slice(0, 16_000))).toEqual(
      text.startsWith('["a"]["a"]') ? Array.from({ length: 3_200 }, () => 'a') : null,
    );
  });

  it('reads 10,000 keys and a name of 60,000 characters', () => {
    expect(selectorOf(`${'["a b"]'.repeat(9_000)} == 1`)).toHaveLength(9_000);
    expect(selectorOf(`["${'é'.repeat(60_000)}"] == 1`)).toEqual(['é'.repeat(60_000)]);
  });
});
