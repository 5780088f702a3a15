import { describe, expect, it } from 'vitest';
import { compileWhole } from '../../src/filter/filter.js';
import { defineSchema, t, type FilterOptions } from '../../src/index.js';
import { eager } from './eager.js';

const ways = [
  ['closures', null],
  ['code', eager],
] as const;

describe.each(ways)('%s', (_, accelerate) => {
  const compile = (text: string, options: FilterOptions = {}) =>
    compileWhole(text, options, accelerate).filter;

  it('skip the holes of an array, for any result on undefined', () => {
    const rows: unknown[] = [];
    rows[3] = { s: 'b', size: 1, l: ['b'] };
    for (const text of ['size != 5', 'l.0 != a', 'name != a', 'not (size == 5) and s != a']) {
      const filter = compile(text, { unresolved: 'absent' });
      expect(filter.select(rows)).toEqual([rows[3]]);
      expect(filter.count(rows)).toBe(1);
    }
  });

  it('fail with words of the filter where a key is missing on the way to a name', () => {
    const filter = compile('x.name == a');
    expect(() => filter.select([{ x: { name: 'a' } }, {}])).toThrow('x: this row has no such key');
    expect(() => filter.count([{ x: null }])).toThrow('has no parts');
  });

  it('read nothing of a row again because another one fails', () => {
    let reads = 0;
    const row = {
      get s() {
        reads += 1;
        return 'a';
      },
    };
    expect(() => compile('s == a').select([row, row, {}, row])).toThrow('s: this row has no such key');
    expect(reads).toBe(accelerate === null ? 3 : 2);
  });

  it('fail with the error that a getter throws, even if it would not throw again', () => {
    let reads = 0;
    const row = {
      get s() {
        reads += 1;
        if (reads === 1) throw new Error('not yet');
        return 'a';
      },
    };
    expect(() => compile('s == a').select([row])).toThrow('not yet');
  });

  it('fail at the first row that fails, whichever clause it is', () => {
    const rows = [{ a: 'x', b: 'x' }, { a: 'x' }, { b: 'x' }];
    expect(() => compile('a == x and b == x').select(rows)).toThrow('b: this row has no such key');
    expect(compile('a == x and b == x').page(rows, 0).nextItem).toBe(rows[0]);
  });

  it('open a budget for every row, also for guarded names and for Maps', () => {
    const text = 'a'.repeat(3_000_000);
    const filter = compile('name contains b or s contains c or source contains b');
    const rows = Array.from({ length: 6 }, (_, at) =>
      at % 2 === 0
        ? { name: text, s: '', source: '' }
        : new Map(Object.entries({ name: '', s: text, source: '' })),
    );
    expect(filter.count(rows)).toBe(0);
    expect(filter.select(rows)).toEqual([]);
  });

  it('find what was added to a list, a Map, a Set, a Date or a function', () => {
    const schema = defineSchema({ s: t.string });
    for (const host of [[], new Map(), new Set(), new Date(0), () => 1, /a/, new Uint8Array(1)]) {
      const row = Object.assign(host, { s: 'a' });
      expect(compile('s == a').count([row])).toBe(1);
      expect(compile('s == a').test(row)).toBe(true);
      expect(compile('s == a', { schema }).count([row])).toBe(1);
      expect(compile('v.s == a').count([{ v: row }])).toBe(1);
      expect(compile('v.s == a').test({ v: row })).toBe(true);
    }
  });

  it('find entries of a Map under the names of its methods', () => {
    const row = new Map([
      ['values', 'a'],
      ['get', 'b'],
    ]);
    expect(compile('values == a and get == b').count([row])).toBe(1);
    expect(compile('values == a and get == b').test(row)).toBe(true);
  });

  it('take no key that every object inherits for an entry of a map', () => {
    const everyObject = Object.prototype;
    Object.defineProperty(everyObject, 'inherited', {
      value: 1,
      enumerable: true,
      configurable: true,
      writable: true,
    });
    try {
      const filter = compile('m is empty');
      const rows = [{ m: {} }, { m: { key: 1 } }, { m: { inherited: 1 } }, { m: { key: undefined } }];
      expect(rows.map(filter.test)).toEqual([true, false, false, true]);
      expect(filter.count(rows)).toBe(2);
    } finally {
      Reflect.deleteProperty(everyObject, 'inherited');
    }
  });

  it('return early correctly in nested junctions, negations and walks', () => {
    const rows = [0, 1, 2, 3].flatMap((bits) => [
      { a: bits & 1 ? 'x' : 'y', l: bits & 2 ? [{ n: 'p' }, { n: 'q' }] : [{ n: 'q' }], s: ['x', 'z'] },
      { a: bits & 1 ? 'x' : 'y', l: [], s: bits & 2 ? ['z'] : [] },
    ]);
    for (const [text, expected] of nested) {
      const filter = compile(text);
      const matches = rows.map((row) =>
        expected(
          row.a === 'x',
          row.l.some(({ n }) => n === 'p'),
          row.s.includes('x'),
        ),
      );
      expect(rows.map(filter.test), text).toEqual(matches);
      expect(filter.select(rows), text).toEqual(rows.filter((_row, at) => matches[at]));
      expect(filter.count(rows), text).toBe(matches.filter(Boolean).length);
    }
  });
});

const any = 'any l as e { e.n == p }';
const none = 'all l as e { not (e.n == p) }';
const nested: readonly (readonly [string, (a: boolean, p: boolean, x: boolean) => boolean])[] = [
  [`a == x and (${any} or x in s)`, (a, p, x) => a && (p || x)],
  [`a == x or (${any} and x in s)`, (a, p, x) => a || (p && x)],
  [`not (a == x or ${any}) or not (x in s)`, (a, p, x) => !(a || p) || !x],
  [`not (${none} and x not in s) and a != x`, (a, p, x) => !(!p && !x) && !a],
  [`(${none} or a == x) and (x in s or ${any})`, (a, p, x) => (!p || a) && (x || p)],
  [`x not in s or not (${any}) and a == x`, (a, p, x) => !x || (!p && a)],
];
