import { describe, expect, it } from 'vitest';
import { compileFilter, FilterError, FilterLimitError, FilterSyntaxError, parse } from '../../src/index.js';
import { cyclicRow, deepRow } from './random-row.js';

const noLimits = {
  maxLength: Infinity,
  maxDepth: Infinity,
  maxTerms: Infinity,
  maxPatternLength: Infinity,
  maxPatternSize: Infinity,
};

function refusalOf(act: () => unknown): FilterError {
  try {
    act();
  } catch (error) {
    if (error instanceof FilterError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('texts that are too large', () => {
  const deep = 100_000;
  const texts: readonly (readonly [string, string])[] = [
    ['parentheses', '('.repeat(deep) + 'a == 1' + ')'.repeat(deep)],
    ['parentheses never closed', '('.repeat(deep)],
    ['parentheses never opened', 'a == 1' + ')'.repeat(deep)],
    ['not', 'not '.repeat(deep) + 'a == 1'],
    ['not in', 'not in '.repeat(deep) + 'a'],
    ['not with parentheses', 'not ('.repeat(deep) + 'a == 1' + ')'.repeat(deep)],
    ['collections', 'any l as x { '.repeat(deep) + 'x == 1' + ' }'.repeat(deep)],
    ['collections never closed', 'any l as x { '.repeat(deep)],
    ['alternating', 'a == 1 or (b == 2 and ('.repeat(deep / 2) + 'c == 3' + '))'.repeat(deep / 2)],
    ['index brackets', 'a' + '["k"]'.repeat(deep) + ' == 1'],
    ['opening brackets', 'a' + '['.repeat(deep)],
    ['terms', Array.from({ length: deep }, () => 'a == 1').join(' or ')],
    ['ten megabytes of a name', `${'a'.repeat(10_000_000)} == 1`],
    ['ten megabytes of text', `a == "${'x'.repeat(10_000_000)}"`],
    ['ten megabytes of blanks', `a ==${' '.repeat(10_000_000)}1`],
    ['ten megabytes of digits', `a == ${'1'.repeat(10_000_000)}`],
    ['ten megabytes of quotes', '"'.repeat(10_000_000)],
    ['ten megabytes of an unclosed text', '`'.padEnd(10_000_000, 'x')],
    ['ten megabytes of lines', '\n'.repeat(10_000_000)],
    ['ten megabytes of nonsense', '%'.repeat(10_000_000)],
  ];

  it.each(texts)('%s: refused within the limits', (_, text) => {
    for (const dialect of ['standard', 'go-bexpr'] as const) {
      const refusal = refusalOf(() => parse(text, { dialect }));
      expect(refusal).toBeInstanceOf(FilterLimitError);
      expect(refusal.toString().length).toBeLessThan(2_000);
    }
  });

  it.each(texts.filter(([name]) => !name.startsWith('ten')))('%s: no crash without limits', (_, text) => {
    try {
      const filter = compileFilter(text, { limits: noLimits });
      expect(filter.test({ a: 1, b: 2, c: 3, l: [], not: 'x' })).toBeTypeOf('boolean');
    } catch (error) {
      expect(error).toBeInstanceOf(FilterError);
    }
  });

  it.each(texts.filter(([name]) => name.startsWith('ten')))('%s: no crash without limits', (_, text) => {
    try {
      const { ast } = parse(text, { limits: noLimits });
      expect(ast.kind).toBe('match');
    } catch (error) {
      expect(error).toBeInstanceOf(FilterSyntaxError);
      expect(String(error).length).toBeLessThan(30_000_000);
    }
  });
});

describe('collections within collections', () => {
  const nested = 'any l as x { '.repeat(50) + 'x == b' + ' }'.repeat(50);

  it('cost a bounded number of steps a row', () => {
    const filter = compileFilter(nested);
    const refusal = refusalOf(() => filter.test({ l: ['a', 'a'] }));
    expect(refusal).toBeInstanceOf(FilterLimitError);
    expect(refusal.code).toBe('too-many-steps');
    // The next row has a budget of its own.
    expect(filter.test({ l: ['b'] })).toBe(true);
  });

  it('compile in time when unknown names have a value', () => {
    const filter = compileFilter(nested, { unknownValue: ['b'] });
    expect(refusalOf(() => filter.test({})).code).toBe('no-comparison');
  });

  it('do not repeat a costly pattern without end', () => {
    const filter = compileFilter('any l as x { any l as y { s matches `^(a+)+$` } }');
    const refusal = refusalOf(() => filter.test({ l: Array.from({ length: 1_000 }, () => 'a'), s: 'ab' }));
    expect(refusal.code).toBe('too-many-steps');
  });
});

describe('patterns that are too costly', () => {
  const megabyte = 'a'.repeat(1_000_000);
  const cases: readonly (readonly [string, string, boolean])[] = [
    ['^(a+)+$', `${megabyte}!`, false],
    ['^(a+)+$', megabyte, true],
    ['^(a|a)*$', `${megabyte}!`, false],
    ['^(a|aa)+$', `${megabyte}!`, false],
    ['(.*a){10}', megabyte, true],
    ['(x+x+)+y', 'x'.repeat(1_000_000), false],
    ['^(([a-z])+.)+[A-Z]([a-z])+$', megabyte, false],
    ['(?i)(a?){20}a{20}$', megabyte, true],
  ];

  it.each(cases)('%s takes linear time', (pattern, text, expected) => {
    const filter = compileFilter(`s matches \`${pattern}\``);
    expect(filter.test({ s: text })).toBe(expected);
  });

  it.each([
    '(((a{100}){100}){100})',
    'a{1000}{1000}',
    `${'('.repeat(400)}a${')'.repeat(400)}`,
    'a'.repeat(2_000),
    'a|'.repeat(499),
    '(a?){1000}a{1000}',
  ])('%.30s is refused or compiled at once', (pattern) => {
    try {
      expect(compileFilter(`s matches \`${pattern}\``).test({ s: 'b' })).toBeTypeOf('boolean');
    } catch (error) {
      expect(error).toBeInstanceOf(FilterError);
    }
  });
});

/** The outcome of a filter for a row: the result or the class of the error. */
function evaluate(text: string, row: unknown, unresolved: 'error' | 'absent' = 'error'): boolean | string {
  try {
    return compileFilter(text, { unresolved }).test(row);
  } catch (error) {
    if (error instanceof FilterError) return error.code;
    throw error;
  }
}

class BudgetReport {
  readonly name = 'ada';
  get getter(): string {
    return 'read';
  }
  reset(): void {
    throw new Error('must not be called');
  }
}

describe('rows that are not plain data', () => {
  const deep = deepRow(100_000);
  const path = `m${'.m'.repeat(2_000)}`;

  const cases: readonly (readonly [string, unknown, boolean | string])[] = [
    // Own properties only.
    ['toString is empty', {}, 'find-no-key'],
    ['constructor.name == Object', {}, 'find-no-key'],
    ['m.constructor is nil', { m: {} }, true],
    ['m["__proto__"] is nil', { m: {} }, true],
    ['"/__proto__/polluted" is nil', {}, 'find-no-key'],
    ['m.hasOwnProperty == x', { m: {} }, false],
    ['toString in m', { m: {} }, false],
    ['"__proto__" in m', { m: JSON.parse('{"__proto__":1}') as unknown }, true],
    ['m["__proto__"] == 1', { m: JSON.parse('{"__proto__":1}') as unknown }, true],
    ['m["__proto__"].k == v', { m: JSON.parse('{"__proto__":{"k":"v"}}') as unknown }, true],
    ['any m as k { k == inherited }', { m: Object.create({ inherited: 1 }) as unknown }, false],
    ['m is empty', { m: Object.create({ inherited: 1 }) as unknown }, true],
    ['inherited in m', { m: Object.create({ inherited: 1 }) as unknown }, true],
    ['m.k == v', { m: Object.assign(Object.create(null) as object, { k: 'v' }) }, true],
    ['l.length == 1', { l: ['a'] }, 'find-bad-index'],
    ['s.length == 1', { s: 'a' }, 'find-invalid-kind'],
    // An instance is a map of its own properties; in addition, the getters of its class can be read by name.
    ['name == ada', new BudgetReport(), true],
    ['m.getter == read', { m: new BudgetReport() }, true],
    ['getter in m', { m: new BudgetReport() }, true],
    ['reset in m', { m: new BudgetReport() }, false],
    ['any m as k { k == getter }', { m: new BudgetReport() }, false],
    ['m.reset == x', { m: new BudgetReport() }, 'no-comparison'],
    // A Date is a text, a Map a map.
    ['m.getTime == x', { m: new Date(0) }, 'find-invalid-kind'],
    ['m is empty', { m: new Date(0) }, false],
    ['m is empty', { m: new Map([['k', 'v']]) }, false],
    ['m.k is nil', { m: new Map([['k', 'v']]) }, false],
    ['k in m', { m: new Map([['k', 'v']]) }, true],
    ['m.0 == 1', { m: new Uint8Array([1]) }, 'find-invalid-kind'],
    // Functions and symbols are no data.
    ['f == x', { f: () => 1 }, 'no-comparison'],
    ['f.k == x', { f: () => 1 }, 'find-invalid-kind'],
    ['f is nil', { f: Symbol('f') }, false],
    ['x in l', { l: [() => 1] }, 'no-comparison'],
    // Absent values.
    ['a is nil', { a: undefined }, 'find-no-key'],
    ['m.a is nil', { m: { a: undefined } }, true],
    ['m is empty', { m: { a: undefined } }, true],
    ['a in m', { m: { a: undefined } }, false],
    ['any m as k { k == a }', { m: { a: undefined } }, false],
    ['l.0 is nil', { l: new Array(1) }, true],
    ['any l as x { x is nil }', { l: new Array(1) }, true],
    // Rows that are no objects.
    ['a == 1', null, 'find-invalid-kind'],
    ['a == 1', undefined, 'find-invalid-kind'],
    ['a == 1', 5, 'find-invalid-kind'],
    ['a == 1', 'a', 'find-invalid-kind'],
    ['"/0" == a', ['a'], true],
    ['a == 1', ['a'], 'find-bad-index'],
    ['a == 1', new Proxy({ a: 1 }, {}), true],
    ['l.1 == b', { l: new Proxy(['a', 'b'], {}) }, true],
    ['any l as x { x == b }', { l: new Proxy(['a', 'b'], {}) }, true],
    // Cycles and depth cost only what the filter reads.
    ['m.m.m.m.a == 1', cyclicRow(), true],
    ['any l as x { any l as y { x.a == 1 and y.a == 1 } }', cyclicRow(), true],
    [`${path}.k == v`, deep, false],
    [`${path} is not empty`, deep, true],
    ['m is nil', deep, false],
  ];

  it.each(cases)('%s', (text, row, expected) => {
    expect(evaluate(text, row)).toBe(expected);
  });

  it('can be followed to any depth of a filter within the limits', () => {
    const parts = 20_000;
    const text = `m${'.m'.repeat(parts - 1)} is nil or x.${'m.'.repeat(parts / 3)}m == 1`;
    expect(evaluate(text, { m: deepRow(parts), x: {} })).toBe('find-no-key');
    expect(evaluate(`m${'.m'.repeat(parts - 1)}.k == v`, { m: deepRow(parts - 1) })).toBe(true);
  });

  it('does not pollute, freeze or change anything', () => {
    const row = { m: JSON.parse('{"__proto__":{"polluted":1}}') as unknown };
    const before = JSON.stringify(row);
    expect(evaluate('any m as k, v { v.polluted == 1 }', row)).toBe(true);
    expect(JSON.stringify(row)).toBe(before);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(Object.isFrozen(row)).toBe(false);
  });

  it('propagates what a getter throws, and continues to work', () => {
    const filter = compileFilter('any l as x { x == a } and a == 1');
    const row = {
      l: ['a'],
      get a(): number {
        throw new TypeError('from the getter');
      },
    };
    expect(() => filter.test(row)).toThrow('from the getter');
    expect(filter.test({ l: ['a'], a: 1 })).toBe(true);
  });

  it('can be used from within itself', () => {
    const filter = compileFilter('any l as x { x.a == 1 and any x.l as y { y.b == 2 } }');
    const inner = { l: [{ a: 1, l: [{ b: 2 }] }] };
    const row = {
      l: [
        {
          get a() {
            return filter.test(inner) ? 1 : 0;
          },
          l: [{ b: 3 }, { b: 2 }],
        },
      ],
    };
    expect(filter.test(row)).toBe(true);
  });

  it('does not see what others added to the prototype of all objects', () => {
    const prototype = Object.prototype as Record<string, unknown>;
    prototype.k = 'polluted';
    try {
      const filter = compileFilter(
        'm.k is nil and (any l as x { x.k is nil }) and k not in m and m is empty',
      );
      expect(filter.test({ m: {}, l: [{}] })).toBe(true);
    } finally {
      delete prototype.k;
    }
  });
});
