import { compileFilter, t } from 'tamis';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { completeShape } from '@tamis/scheduler-model/complete-shape.js';
import { readShape } from '@tamis/scheduler-model/read-shape.js';
import { interned, base64, instant, filterSchema } from '@tamis/scheduler-model/row-type.js';

const inner = t.struct({ Name: t.string, Count: t.int });
const shape = t.struct({
  Text: t.string,
  Label: interned,
  Flag: t.bool,
  Int: t.int,
  Uint: t.uint,
  Ratio: t.float64,
  At: instant,
  Bytes: base64,
  Free: t.any,
  List: t.list(t.string),
  Map: t.map(t.string),
  Inner: inner,
  Maybe: t.nullable(inner),
  Many: t.list(inner),
  ByName: t.map(t.nullable(inner)),
  Secret: t.hidden(t.string),
});

const zero = {
  Text: '',
  Label: '',
  Flag: false,
  Int: 0,
  Uint: 0,
  Ratio: 0,
  At: null,
  Bytes: null,
  Free: null,
  List: null,
  Map: null,
  Inner: { Name: '', Count: 0 },
  Maybe: null,
  Many: null,
  ByName: null,
  Secret: '',
};

function rowOf(value: unknown): object {
  return completeShape(shape, readShape(shape, value, 'row'));
}

describe('reading and completing a row', () => {
  it.each<[what: string, value: unknown, row: object]>([
    ['nothing', {}, {}],
    ['null everywhere', Object.fromEntries(Object.keys(zero).map((name) => [name, null])), {}],
    [
      'names in any case',
      { TEXT: 'a', inT: 1, maybe: { name: 'x' } },
      { Text: 'a', Int: 1, Maybe: { Name: 'x', Count: 0 } },
    ],
    ['unknown names', { Bogus: 1, Inner: { Bogus: 2, Count: 3 } }, { Inner: { Name: '', Count: 3 } }],
    ['of two spellings the last', { text: 'a', Text: 'b' }, { Text: 'b' }],
    [
      'null in lists and maps',
      { List: [null, 'a'], Map: { k: null }, Many: [null] },
      { List: ['', 'a'], Map: { k: '' }, Many: [{ Name: '', Count: 0 }] },
    ],
    [
      'a null struct in a map',
      { ByName: { a: null, b: {} } },
      { ByName: { a: null, b: { Name: '', Count: 0 } } },
    ],
    ['bigints', { Int: -(2n ** 63n), Uint: 2n ** 64n - 1n }, { Int: -(2n ** 63n), Uint: 2n ** 64n - 1n }],
    ['empty lists and maps', { List: [], Map: {} }, { List: [], Map: {} }],
    ['the zero time', { At: '0001-01-01T00:00:00Z' }, {}],
    ['a time', { At: '2026-06-01T08:00:00.123456789+02:00' }, { At: '2026-06-01T08:00:00.123456789+02:00' }],
    ['bytes', { Bytes: 'YWI=' }, { Bytes: 'YWI=' }],
    ['no bytes', { Bytes: '' }, {}],
    ['free form', { Free: { a: [1, null] } }, { Free: { a: [1, null] } }],
    ['an unpaired surrogate', { Text: 'a\ud83dz', Label: '😀' }, { Text: 'a\ufffdz', Label: '😀' }],
    ['half a pair in a key', { Map: { 'k\ude00': 'v' } }, { Map: { 'k\ufffd': 'v' } }],
    ['a hidden field', { Secret: 'x' }, { Secret: 'x' }],
  ])('%s', (_what, value, row) => {
    expect(rowOf(value)).toStrictEqual({ ...zero, ...row });
  });

  it.each<[value: unknown, message: string]>([
    [{ Text: 5 }, 'row.Text: expected a string, found the number 5'],
    [{ text: ['x'] }, 'row.Text: expected a string, found a list'],
    [{ Flag: 'true' }, 'row.Flag: expected true or false, found the string "true"'],
    [{ Int: 1.5 }, 'row.Int: expected an integer of 64 bits, found the number 1.5'],
    [{ Int: 2n ** 63n }, 'row.Int: expected an integer of 64 bits, found the number 9223372036854775808'],
    [{ Int: 1e300 }, 'row.Int: expected an integer of 64 bits, found the number 1e+300'],
    [{ Uint: -1 }, 'row.Uint: expected an unsigned integer of 64 bits, found the number -1'],
    [
      { Uint: 2n ** 64n },
      'row.Uint: expected an unsigned integer of 64 bits, found the number 18446744073709551616',
    ],
    [{ At: 'yesterday' }, 'row.At: expected an RFC 3339 time, found the string "yesterday"'],
    [{ Bytes: '*' }, 'row.Bytes: expected base64 text, found the string "*"'],
    [{ List: 'a' }, 'row.List: expected a list, found the string "a"'],
    [{ List: ['a', 1] }, 'row.List[1]: expected a string, found the number 1'],
    [{ Map: ['a'] }, 'row.Map: expected an object, found a list'],
    [{ Map: { 'x.y': true } }, 'row.Map["x.y"]: expected a string, found true'],
    [
      { Many: [{}, { Count: 'x' }] },
      'row.Many[1].Count: expected an integer of 64 bits, found the string "x"',
    ],
    [{ ByName: { a: { name: 1 } } }, 'row.ByName["a"].Name: expected a string, found the number 1'],
    [{ Text: { a: 1 } }, 'row.Text: expected a string, found an object'],
    [{ Text: { a: 'x'.repeat(90) } }, 'row.Text: expected a string, found an object'],
    [{ Flag: 'x'.repeat(90) }, `row.Flag: expected true or false, found the string "${'x'.repeat(40)}…"`],
    [[], 'row: expected an object, found a list'],
    ['x', 'row: expected an object, found the string "x"'],
  ])('refuses %#', (value, message) => {
    expect(() => rowOf(value)).toThrow(message);
  });

  it('refuses free form that is nested without end', () => {
    let value: unknown = 1;
    for (let depth = 0; depth < 100_000; depth += 1) value = [value];
    expect(() => rowOf({ Free: value })).toThrow('row.Free: nested deeper than 64 levels');
  });

  it('ends in a row or in a ShapeError, and in rows that filters take', () => {
    const names = Object.keys(zero);
    const value = fc.dictionary(
      fc.constantFrom(...names, ...names.map((name) => name.toLowerCase())),
      fc.jsonValue(),
    );
    const filter = compileFilter(
      'Text == "a" or List is empty or Map["k"] == "v" or Int == 5 or Inner.Count != 2',
      {
        schema: filterSchema(shape),
      },
    );
    fc.assert(
      fc.property(value, (given) => {
        let row: object;
        try {
          row = rowOf(given);
        } catch (error) {
          expect(error).toMatchObject({ name: 'ShapeError' });
          return;
        }
        expect(Object.keys(row)).toEqual(names);
        filter.test(row);
      }),
    );
  });

  it('keeps map keys that every object inherits', () => {
    const row = rowOf(JSON.parse('{"Map":{"__proto__":"a","constructor":"b"}}')) as { Map: object };
    expect(Object.entries(row.Map)).toEqual([
      ['__proto__', 'a'],
      ['constructor', 'b'],
    ]);
  });
});

describe('filterSchema', () => {
  const schema = filterSchema(shape);

  it('hides what is hidden, also from hints', () => {
    for (const text of ['Secret == "x"', 'Secre == "x"']) {
      let frame = '';
      try {
        compileFilter(text, { schema });
      } catch (error) {
        frame = (error as { frame: string }).frame;
      }
      expect(frame).toContain('there is no such field');
      expect(frame.replace(text, '')).not.toContain('Secret');
    }
  });

  it.each<[filter: string, row: unknown, response: boolean]>([
    ['Int == 9223372036854775807', { Int: 2n ** 63n - 1n }, true],
    ['Int == 9223372036854775806', { Int: 2n ** 63n - 1n }, false],
    ['Uint == 0x10', { Uint: 16 }, true],
    ['Maybe is nil', {}, true],
    ['Maybe.Count == 1', { Maybe: { Count: 1 } }, true],
    ['List is empty', {}, true],
    ['List is nil', { List: [] }, false],
    ['"a" in List', { List: ['a'] }, true],
    ['Map.nope == x', {}, false],
    ['Map.nope != x', {}, true],
    ['k in Map', { Map: { k: '' } }, true],
    ['Free.a.0 == 7', { Free: { a: ['7'] } }, true],
    ['any Many as m { m.Count == 2 }', { Many: [{ Count: 1 }, { Count: 2 }] }, true],
  ])('%s', (text, given, response) => {
    expect(compileFilter(text.replace('0x10', '"0x10"'), { schema }).test(rowOf(given))).toBe(response);
  });
});

describe('base64 text', () => {
  const groupsOfFour = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
  const accepts = (Bytes: string): boolean => {
    try {
      readShape(shape, { Bytes }, 'row');
      return true;
    } catch {
      return false;
    }
  };

  it('comes in groups of four, the last one filled up', () => {
    const text = fc.string({
      unit: fc.constantFrom('A', 'z', '9', '+', '/', '=', '=', '-', ' ', '\n'),
      maxLength: 9,
    });
    fc.assert(
      fc.property(text, (one) => {
        expect(accepts(one)).toBe(groupsOfFour.test(one));
      }),
    );
    fc.assert(
      fc.property(fc.base64String(), (one) => {
        expect(accepts(one)).toBe(true);
      }),
    );
  });
});
