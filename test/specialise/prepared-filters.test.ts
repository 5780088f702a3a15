import { describe, expect, it } from 'vitest';
import { copyOptions } from '../../src/filter/compile/filter-options.js';
import { compileWhole, createRecall } from '../../src/filter/filter.js';
import { defineSchema, t, type Filter, type FilterOptions } from '../../src/index.js';
import { findCompiler } from '../../src/filter/specialise/compile-code.js';
import { createSpecialise } from '../../src/filter/specialise/specialise.js';
import type { Accelerate } from '../../src/filter/compile/execution.js';
import { splitLiterals } from '../../src/language/syntax/split-literals.js';

const schema = defineSchema({
  Name: t.string,
  Size: t.int,
  Tags: t.list(t.string),
  Meta: t.map(t.string),
  Groups: t.list(t.struct({ Name: t.string })),
  Made: t.time,
});
const rows = [
  {
    Name: 'web',
    Size: 5,
    Tags: ['a'],
    Meta: { os: 'x' },
    Groups: [{ Name: 'cache' }],
    Made: '2026-01-01T00:00:00Z',
  },
];

/** Code for every filter, from the first row on. */
function createEager(): Accelerate {
  return (
    createSpecialise({ rowsWorthCode: 0, maxShare: Infinity }) ?? expect.fail('these tests need node:vm')
  );
}

/** Compiles and runs a filter twice: the first owns the code of its shape, the second one is stored. */
function use(accelerate: Accelerate, source: string, options: FilterOptions = { schema }): void {
  for (let time = 0; time < 2; time += 1) compileWhole(source, options, accelerate).filter.select(rows);
}

function recall(accelerate: Accelerate, source: string, options: FilterOptions = { schema }): Filter | null {
  return createRecall(copyOptions(options))(source, accelerate)?.filter ?? null;
}

describe('a filter that differs from an earlier one only in its literals', () => {
  it.each([
    ['Name == "a"', 'Name == "web"'],
    ['Name == "a"', 'Name == "__proto__"'],
    ['Name != "a" and Size == 1', 'Name != "b" and Size == 5'],
    ['Size > 1', 'Size > 9007199254740993'],
    ['"a" in Tags', '"b" in Tags'],
    ['Name matches "^a"', 'Name matches "^we"'],
    ['Name matches "[ab]"', 'Name matches "(?i)WEB"'],
    ['Name == "a"i', 'Name == "WEB"i'],
    ['Name in ["a", "b"]', 'Name in ["web", "b"]'],
    ['Name == "a" or Name == "b"', 'Name == "c" or Name == "web"'],
    ['any Groups as g { g.Name == "a" }', 'any Groups as g { g.Name == "cache" }'],
    ['Meta["os"] == "y"', 'Meta["os"] == "x"'],
    ['Name == ""', 'Name == "/web"'],
    ['Made > "2025-01-01T00:00:00Z"', 'Made > "2026-06-01T00:00:00Z"'],
    ['len(Tags) > 0', 'len(Tags) > 5'],
  ])('is recalled: %s, %s', (source, other) => {
    const accelerate = createEager();
    use(accelerate, source);
    const filter = recall(accelerate, other);
    const alone = compileWhole(other, { schema }, null).filter;
    expect(filter?.select(rows)).toEqual(alone.select(rows));
    expect(filter?.ast).toEqual(alone.ast);
  });

  it.each([
    ['another operator', 'Name == "a"', 'Name != "a"'],
    ['another class of literals', 'Name == "a"', 'Name == 5'],
    ['another map key', 'Meta["os"] == "y"', 'Meta["arch"] == "y"'],
    ['an escape', 'Name == "a"', 'Name == "\\n"'],
    ['a literal without closing quote', 'Name == "a"', 'Name == "a'],
    ['an invalid pattern', 'Name matches "[ab]"', 'Name matches "(a"'],
    ['a pattern with another check', 'Name matches "^a"', 'Name matches "a$"'],
    ['a number out of range', 'Size == 1', 'Size == 99999999999999999999'],
    [
      'a literal that is charged',
      'any Groups as g { g.Name == "a" }',
      `any Groups as g { g.Name == "${'x'.repeat(129)}" }`,
    ],
    ['a literal of another kind', 'Made > "2025-01-01T00:00:00Z"', 'Made > "yesterday"'],
    ['repeated literals in a look-up', 'Name == "a" or Name == "b"', 'Name == "a" or Name == "a"'],
    ['the clock', 'Made > now - 7d', 'Made > now - 8d'],
  ])('is compiled alone with %s', (_, source, other) => {
    const accelerate = createEager();
    use(accelerate, source);
    expect(recall(accelerate, other)).toBeNull();
  });

  it.each<[string, FilterOptions]>([
    ['without a schema', {}],
    ['that are not checked', { schema, check: false }],
    ['of level 0', { schema, level: 0 }],
    ['of go-bexpr', { schema, dialect: 'go-bexpr' }],
    ['that deny', { schema, unresolved: 'deny' }],
    ['with a value for unknown names', { schema, unknownValue: 'a' }],
    ['without generated code', { schema, specialise: false }],
  ])('is compiled alone among filters %s', (_, options) => {
    const accelerate = createEager();
    use(accelerate, 'Name == "a"', options);
    use(accelerate, 'Name == "a"');
    expect(recall(accelerate, 'Name == "b"', options)).toBeNull();
  });

  it('is compiled alone under other options or another schema', () => {
    const accelerate = createEager();
    use(accelerate, 'Name == "a"');
    expect(recall(accelerate, 'Name == "b"', { schema, unresolved: 'absent' })).toBeNull();
    expect(recall(accelerate, 'Name == "b"', { schema, limits: { maxTerms: 5 } })).toBeNull();
    expect(recall(accelerate, 'Name == "b"', { schema: defineSchema({ Name: t.string }) })).toBeNull();
    expect(recall(accelerate, 'Name == "b"')).not.toBeNull();
  });

  it('keeps its options when the caller changes them later', () => {
    const accelerate = createEager();
    use(accelerate, 'Name == "a"');
    const options: { schema: typeof schema; check?: boolean } = { schema };
    const filter = recall(accelerate, 'Name == "b"', options);
    (options as { schema?: unknown }).schema = defineSchema({ Other: t.string });
    expect(filter?.test({ Name: 'b' })).toBe(true);
    expect(() => filter?.test({ Name: 5 })).toThrow('Name');
  });

  it('keeps its limits when the caller changes them later', () => {
    const accelerate = createEager();
    const limits = { maxSteps: 100 };
    use(accelerate, 'Name == "a"', { schema, limits });
    const filter = recall(accelerate, 'Name == "b"', { schema, limits });
    Object.assign(limits, { maxLength: 1, maxTerms: 0 });
    expect(filter?.ast.kind).toBe('match');
    expect(filter?.select([{ Name: 'b' }])).toHaveLength(1);
  });

  it.each<[string, FilterOptions]>([
    ['inherited options', Object.create({ schema }) as FilterOptions],
    ['getters', Object.create({}, { schema: { get: () => schema } }) as FilterOptions],
    [
      'a class instance',
      new (class {
        get schema() {
          return schema;
        }
      })(),
    ],
  ])('has the schema of %s', (_, options) => {
    const accelerate = createEager();
    use(accelerate, 'Name == "a"', options);
    const filter = recall(accelerate, 'Name == "b"', options);
    expect(filter?.test({ Name: 'b' })).toBe(true);
    expect(() => filter?.test({ Name: 5 })).toThrow('The row does');
    expect(filter?.ast.kind).toBe('match');
  });

  it('refers to its own source in errors', () => {
    const accelerate = createEager();
    use(accelerate, 'Size == 1 and Name == "secret"');
    const source = 'Size == 5 and Name == "mine"';
    const errorOf = (filter: Filter | null): unknown => {
      try {
        return filter?.select([{ Size: 5, Name: 7 }]);
      } catch (error) {
        return error;
      }
    };
    const error = errorOf(recall(accelerate, source));
    expect(error).toEqual(errorOf(compileWhole(source, { schema }, null).filter));
    expect(String(error)).not.toContain('secret');
  });

  it('generates no code', () => {
    let made = 0;
    const compile = findCompiler() ?? expect.fail('these tests need node:vm');
    const counting: typeof compile = (code, parameters) => {
      made += 1;
      return compile(code, parameters);
    };
    const accelerate = createSpecialise({ compile: counting, rowsWorthCode: 0, maxShare: Infinity });
    if (accelerate === null) return expect.fail('the compiler exists');
    use(accelerate, 'Name == "a"');
    for (let at = 0; at < 100; at += 1) recall(accelerate, `Name == "name ${String(at)}"`)?.select(rows);
    expect(made).toBe(1);
  });
});

describe('the cache of prepared filters', () => {
  it('evicts the oldest filters of a schema when they exceed its bytes', () => {
    const accelerate = createEager();
    const sourceOf = (at: number): string => `Meta["${'k'.repeat(4_000)}${String(at)}"] == "a"`;
    for (let at = 0; at < 8; at += 1) use(accelerate, sourceOf(at));
    const recalled = Array.from({ length: 8 }, (_, at) => recall(accelerate, sourceOf(at)) !== null);
    expect(recalled).toEqual([false, false, false, false, false, true, true, true]);
  });

  it('stores no filter that is larger than its bytes', () => {
    const accelerate = createEager();
    const source = `Meta["${'k'.repeat(20_000)}"] == "a"`;
    use(accelerate, source);
    expect(recall(accelerate, source)).toBeNull();
  });
});

describe('splitLiterals', () => {
  it.each([
    ['a == "x" and b != "y"', 'a == `" and b != `"', ['x', 'y']],
    ['a == 5 or b > -1.5 or c == 1.5', 'a == `0 or b > -1.5 or c == `0', ['5', '1.5']],
    ['a == ""', 'a == `/', ['']],
    ['a == "/b/c"', 'a == `/', ['/b/c']],
    ['m["k"] == "x"', 'm["k"] == `"', ['x']],
    ['a in ["k"]', 'a in [`"]', ['k']],
    ['a in [1,2, 3]', 'a in [`0,`0, `0]', ['1', '2', '3']],
    ['a1.0 == 7d', 'a1.0 == 7d', []],
    ['a > 2026-11-01 or b == 05', 'a > 2026-11-01 or b == 05', []],
    ['a == "x"i', 'a == `"i', ['x']],
  ])('cuts the literals from %s', (source, rest, literals) => {
    expect(splitLiterals(source)?.rest).toBe(rest);
    expect(splitLiterals(source)?.literals.map(({ text }) => text)).toEqual(literals);
  });

  it.each(['a == `x`', 'a == "\\""', 'a == "x\ny"', 'a == "x'])('returns null for %j', (source) => {
    expect(splitLiterals(source)).toBeNull();
  });
});
