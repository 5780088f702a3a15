import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileFilter, list, planFilter, defineSchema, t, FilterLimitError } from '../../src/index.js';
import { explain } from '../../src/entries/explain.js';
import { compilePattern, createShared, PatternLimitError } from '../../src/language/values/pattern/index.js';
import { createTextSearch } from '../../src/language/values/pattern/text-search.js';
import { costlyTrial, outcomeOf } from './costly.js';

const mega = 1_048_576;

function limitOf(act: () => unknown): FilterLimitError {
  try {
    act();
  } catch (error) {
    if (error instanceof FilterLimitError) return error;
    throw error;
  }
  throw new Error('no limit was exceeded');
}

describe('the cost of a row', () => {
  it.each(Array.from({ length: 12 }, (_, seed) => seed + 1))(
    'ends with a result or a limit error, the same each time (seed %i)',
    (seed) => {
      const trial = costlyTrial(seed);
      const outcome = outcomeOf(trial);
      expect(outcome).toMatch(
        /^(true|false|undefined|too-many-steps|too-much-text|no-.*|kind-mismatch|find-.*|not-an?-.*)$/,
      );
      expect(outcomeOf(trial)).toBe(outcome);
    },
  );

  const text = 'a'.repeat(mega);
  const search = (count: number): string =>
    Array.from({ length: count }, (_, i) => `s contains "b${i}"`).join(' or ');

  it('holds eight searches of a megabyte, and no ninth', () => {
    expect(compileFilter(search(8)).test({ s: text })).toBe(false);
    const error = limitOf(() => compileFilter(search(9)).test({ s: text }));
    expect(error).toMatchObject({ code: 'too-much-text', limit: 8 * mega });
    expect(error.message).toContain('s contains "b0"');
  });

  it('names the clause that costs most', () => {
    const filter = compileFilter('short contains x or s matches "[ab]*a[ab]{990}$" or s contains y');
    const error = limitOf(() => filter.test({ short: 'abc'.repeat(1_000), s: 'ab'.repeat(200_000) }));
    expect(error.message).toContain('most of them for s matches');
    expect(filter.source.slice(error.span.start, error.span.end)).toMatch(/^s matches/);
  });

  it('is counted again for each row, regardless of the row before', () => {
    const filter = compileFilter(search(5));
    const rows = Array.from({ length: 6 }, () => ({ s: text }));
    expect(filter.select(rows)).toEqual([]);
    const lone = compileFilter('s contains b');
    expect([...rows, ...rows].filter(lone.test)).toEqual([]);
  });

  it('is the same error from every entry point', () => {
    const schema = defineSchema({ s: t.string, k: t.string });
    const row = { s: text, k: 'x' };
    for (const options of [{}, { schema }]) {
      const filter = compileFilter(search(9), options);
      expect(limitOf(() => filter.select([row])).code).toBe('too-much-text');
      expect(limitOf(() => filter.count(new Set([row]))).code).toBe('too-much-text');
      expect(limitOf(() => filter.page([row], 1)).code).toBe('too-much-text');
      expect(limitOf(() => list([row], { filter })).code).toBe('too-much-text');
      expect(filter.explain(row).error?.code).toBe('too-much-text');
      expect(explain(search(9), row, options).error?.code).toBe('too-much-text');
    }
    const { filter } = planFilter(`k == x and (${search(9)})`, { schema, indexes: [] });
    expect(limitOf(() => filter.test(row)).code).toBe('too-much-text');
  });

  it.each(['"x" in l', 'any l as e { e == x }', 'any l as e { any l as f { f == x } }'])(
    'looks at no more elements than there are steps: %s',
    (source) => {
      let looks = 0;
      const hole: unknown[] = [];
      hole.length = 4_294_967_295;
      const l = new Proxy(hole, {
        get(target, key) {
          if (key !== 'length') looks += 1;
          return key === 'length' ? target.length : key === 'constructor' ? Array : 'y';
        },
      });
      const filter = compileFilter(source, { limits: { maxSteps: 1_000 } });
      expect(limitOf(() => filter.test({ l })).code).toBe('too-many-steps');
      expect(looks).toBeLessThan(4 * 1_000 + 300);
    },
  );

  const letters = 'a'.repeat(1_000_000);
  const many = <T>(value: T): readonly T[] => Array.from({ length: 100_000 }, () => value);
  const limited = { limits: { maxSteps: 1_000_000_000, maxSearchedText: mega } };

  it.each<readonly [source: string, row: Readonly<Record<string, unknown>>]>([
    ['@k in l', { k: `${letters}b`, l: many(`${letters}c`) }],
    ['@k in texts', { k: `${letters}b`, texts: many(`${letters}c`) }],
    ['any l as x { x == @k }', { k: `${letters}b`, l: many(`${letters}c`) }],
    ['any l as x { x < @k }', { k: `${letters}b`, l: many(`${letters}c`) }],
    ['any l as x { x.a == @x.b }', { l: many({ a: `${letters}b`, b: `${letters}c` }) }],
    ['@time in times', { time: '2026-11-02T08:00:00Z', times: many('2026-11-01T08:00:00Z') }],
    ['any times as x { x > now }', { times: many('1999-11-01T08:00:00Z') }],
    ['any times as x { x in [now] }', { times: many('1999-11-01T08:00:00Z') }],
    ['any versions as x { x == 1.2.3 }', { versions: many(`1.2.3-${'a.'.repeat(100)}b`) }],
    [`any l as x { x == "${'É'.repeat(40)}"i }`, { l: many(`${'é'.repeat(39)}a`) }],
    [`any l as x { x in ["${'É'.repeat(40)}"i] }`, { l: many(`${'é'.repeat(39)}a`) }],
    [`any l as x { x starts with "${'É'.repeat(40)}"i }`, { l: many('é'.repeat(39)) }],
  ])('counts the texts that each element is compared with: %s', (source, row) => {
    const schema = defineSchema({
      ...{ k: t.any, l: t.any, texts: t.list(t.string) },
      ...{ time: t.time, times: t.list(t.time), versions: t.list(t.version) },
    });
    const filter = compileFilter(source, { schema, ...limited });
    expect(limitOf(() => filter.test(row)).code).toBe('too-much-text');
  });

  it.each([
    ['version == 1.0.0', { version: `1.0.0-${'a.'.repeat(100)}b` }, 4 * (207 + 16)],
    ['version != 1.0.0', { version: `1.0.0-${'a.'.repeat(100)}b` }, 4 * (207 + 16)],
    ['version in [1.0.0, 2.0.0]', { version: `1.0.0-${'a.'.repeat(100)}b` }, 4 * (207 + 16)],
    ['duration > 9999h', { duration: '.123456h'.repeat(25) }, 6 * (200 + 16)],
    ['duration == @other', { duration: '.123456h'.repeat(25), other: '1h' }, 6 * (200 + 16)],
    ['time < 1999-01-01', { time: `2026-11-01T08:00:00.${'1'.repeat(100)}Z` }, 2 * (121 + 16)],
  ])('counts long strings of instances that clauses read one by one: %s', (clause, row, characters) => {
    const schema = defineSchema({
      ...{ version: t.version, duration: t.duration, other: t.duration, time: t.time },
    });
    const source = Array.from({ length: 10 }, () => clause).join(clause.includes('!=') ? ' and ' : ' or ');
    for (const specialise of [true, false]) {
      const evaluate = (maxSearchedText: number): unknown => {
        const limits = { maxSteps: Infinity, maxSearchedText };
        const filter = compileFilter<unknown>(source, { schema, specialise, limits });
        for (let use = 0; use < 30; use += 1) filter.count(Array.from({ length: 100 }, () => ({})));
        expect(filter.select([row])).toHaveLength(Number(filter.test(row)));
        return filter.test(row);
      };
      expect(evaluate(10 * characters)).toBe(clause.includes('!='));
      expect(limitOf(() => evaluate(10 * characters - 1)).code).toBe('too-much-text');
    }
  });

  it('counts no short strings of instances that clauses read one by one', () => {
    const schema = defineSchema({ version: t.version, duration: t.duration });
    const limits = { maxSearchedText: 1 };
    const filter = compileFilter('version == 1.0.0 or duration in [1h, 2h]', { schema, limits });
    expect(filter.test({ version: `1.0.0-${'a'.repeat(58)}`, duration: '.1h'.repeat(21) })).toBe(false);
  });

  // What has to be looked at for each element, in characters: both sides where two are read.
  it.each<readonly [source: string, element: unknown, other: string, characters: number]>([
    ['any l as x { x starts with "ÉÉÉÉÉÉÉÉÉÉÉÉÉÉÉÉÉÉÉÉ"i }', `${'é'.repeat(19)}a`, '', 20 * 8],
    [`any l as x { x > "${'a'.repeat(200)}" }`, 'a'.repeat(199), '', 199],
    [`any l as x { x ends with "${'a'.repeat(200)}" }`, `b${'a'.repeat(199)}`, '', 200],
    ['any l as x { x > @k }', 'a'.repeat(199), 'a'.repeat(200), 199],
    ['@k in l', 'a'.repeat(200), 'b'.repeat(200), 200],
    ['any ips as x { x == 10.0.0.1 }', '::1', '', 2 * 16],
    ['@ip in ips', '::1', '::2', 2 * 2 * 16],
    ['any times as x { x < @time }', '2026-11-02T08:00:00Z', '2026-11-02T08:00:00Z', 2 * 2 * (20 + 16)],
    ['any versions as x { x == 1.0.0 }', `1.0.0-${'a.'.repeat(120)}b`, '', 4 * 247],
  ])('charges what looking at each element takes: %s', (source, element, other, characters) => {
    const list = many(element);
    const row = { k: other, ip: other, time: other, l: list, ips: list, times: list, versions: list };
    const schema = defineSchema({
      ...{ k: t.any, l: t.any, ip: t.ip(), ips: t.list(t.ip()), versions: t.list(t.version) },
      ...{ time: t.time, times: t.list(t.time) },
    });
    const maxSearchedText = characters * list.length - 1;
    const filter = compileFilter<unknown>(source, {
      schema,
      limits: { maxSteps: Infinity, maxSearchedText },
    });
    expect(limitOf(() => filter.test(row)).code).toBe('too-much-text');
  });

  it.each([
    'any l as x { x.a == @x.b }',
    'any l as x { x.a > @x.b }',
    'any l as x { x.time > now }',
    'any l as x { x.version in [1.2.3] }',
    `any l as x { x.b in ["${'É'.repeat(32)}"i, "${'b'.repeat(200)}"] }`,
  ])('is not carried over to later rows: %s', (source) => {
    const texts = {
      a: 'a'.repeat(300),
      b: 'b'.repeat(300),
      time: '1999-01-01T00:00:00.123456789Z',
      version: '1.2.4',
    };
    const of = { a: t.string, b: t.string, time: t.time, version: t.version };
    const schema = defineSchema({ l: t.list(t.struct(of)) });
    const rows = Array.from({ length: 200 }, () => ({ l: [texts] }));
    for (const specialise of [true, false]) {
      const limits = { maxSearchedText: 2_000 };
      const filter = compileFilter(source, { schema, specialise, limits });
      expect(filter.count(rows)).toBe(0);
      expect(rows.filter(filter.test)).toEqual([]);
    }
  });

  // A text that is not paid for is compared in the quick loop, a longer one where there is a budget.
  it.each(['==', '<', '>='])('compares texts of elements with %s, whatever their lengths', (operator) => {
    const schema = defineSchema({ l: t.list(t.struct({ a: t.string, b: t.string })), n: t.int });
    const lengths = [0, 1, 127, 128, 129, 300];
    const rows = lengths.flatMap((length) =>
      lengths.map((other) => ({ n: 1, l: [{ a: 'a'.repeat(length), b: 'a'.repeat(other) }] })),
    );
    const matches: Record<string, (a: string, b: string) => boolean> = {
      '==': (a, b) => a === b,
      '<': (a, b) => a < b,
      '>=': (a, b) => a >= b,
    };
    const expected = rows.filter(({ l: [pair] }) => matches[operator]?.(pair?.a ?? '', pair?.b ?? ''));
    for (const specialise of [true, false]) {
      for (const source of [
        `any l as x { x.a ${operator} @x.b }`,
        `n == 1 and all l as x { not (x.a != @x.a or not (x.a ${operator} @x.b)) }`,
      ]) {
        const filter = compileFilter(source, { schema, specialise });
        for (let use = 0; use < 40; use += 1) expect(filter.select(rows)).toEqual(expected);
        expect(rows.filter(filter.test)).toEqual(expected);
      }
    }
  });

  it('counts all patterns of a filter together', () => {
    const patterns = (count: number): string =>
      Array.from({ length: count }, (_, i) => `s matches "(?:.{0,30}a){30}${i}"`).join(' or ');
    expect(compileFilter(patterns(5)).test({ s: 'b' })).toBe(false);
    const error = limitOf(() => compileFilter(patterns(9)));
    expect(error).toMatchObject({ code: 'pattern-too-large', limit: 10_000 });
    const defaults = Array.from(
      { length: 300 },
      (_, i) => `Name matches "^(web|api)-[0-9]+-${i}\\\\.example$"`,
    );
    expect(compileFilter(defaults.join(' or ')).test({ Name: 'api-7-299.example' })).toBe(true);
  });
});

describe('the charge for a pattern', () => {
  const limits = { maxPatternLength: 1_000, maxPatternSize: 10_000 };

  it('depends on pattern and text alone', () => {
    const source = '[ab]*a[ab]{30}$';
    const chargeOf = (pattern: ReturnType<typeof compilePattern>, text: string): number => {
      let charge = 0;
      pattern.search(text, (units) => (charge += units));
      return charge;
    };
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 3_000 }), { maxLength: 6 }),
        (texts) => {
          const used = compilePattern(source, limits);
          for (const text of texts) {
            expect(chargeOf(used, text)).toBe(chargeOf(compilePattern(source, limits), text));
          }
        },
      ),
      { numRuns: 30 },
    );
  });

  it('is at least the length of a text that is searched', () => {
    const long = 'ab'.repeat(20_000);
    for (const source of ['bb', 'x.*y', '(?s)x.*y', '[ab]{20}c', '\\pL+1', '(?i)foo|bar']) {
      let charge = 0;
      compilePattern(source, limits).search(long, (units) => (charge += units));
      expect(charge).toBeGreaterThanOrEqual(long.length);
    }
  });
});

describe('the search for a word', () => {
  it('finds what indexOf finds', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'é'), maxLength: 8 });
    const words = fc
      .tuple(letters, fc.nat(400), letters)
      .map(([a, count, b]) => a.repeat(count).slice(0, 2_000) + b);
    fc.assert(
      fc.property(words, words, words, fc.nat(2_500), (word, before, after, from) => {
        for (const text of [before + after, before + word + after]) {
          expect(createTextSearch(word).find(text, Math.min(from, text.length))).toBe(
            text.indexOf(word, Math.min(from, text.length)),
          );
          expect(createTextSearch(word).isIn(text)).toBe(text.includes(word));
        }
      }),
    );
  });

  it('finds a long word that is in a text of nearly the same', () => {
    const word = `${'a'.repeat(15_000)}b${'a'.repeat(15_000)}`;
    const text = 'a'.repeat(100_000);
    const search = createTextSearch(word);
    expect(search.find(text, 0)).toBe(-1);
    expect(search.find(text + word.slice(15_000), 0)).toBe(85_000);
    expect(createTextSearch('aba').find(text + 'aba', 0)).toBe(99_999 + 1);
  });
});

describe('a pattern that is met again', () => {
  const sources = [
    '^web-[0-9]+$',
    '(?i)frontend',
    'web',
    'a.*b',
    '(a|b)*c{3}',
    '[ab]*a[ab]{30}$',
    '^.*(x+x+)+y$',
  ];

  it.each(sources)('is the pattern that it was: %s', (source) => {
    const limits = { maxPatternLength: 1_000, maxPatternSize: 10_000 };
    const used = (text: string): readonly unknown[] => {
      const pattern = compilePattern(source, limits);
      let charge = 0;
      const found = pattern.search(text, (units) => (charge += units));
      return [pattern.strategy, pattern.size, pattern.freeLength, found, pattern.test(text), charge];
    };
    for (const text of ['web-12', 'a frontend', 'ab'.repeat(2_000), 'xxxxy\nb', '']) {
      const [first, ...others] = [used(text), used(text), used(text)];
      expect(others).toEqual([first, first]);
    }
    const { size } = compilePattern(source, limits);
    expect(() => compilePattern(source, { ...limits, maxPatternSize: size - 1 })).toThrow(PatternLimitError);
  });

  it('takes as many steps from its filter as when it was met first', () => {
    const limits = { maxPatternLength: 1_000, maxPatternSize: 10_000 };
    const left = Array.from({ length: 4 }, () => {
      const shared = createShared();
      compilePattern('^(web|api)-[a-z]+[0-9]*$', limits, shared);
      return shared.steps;
    });
    expect(new Set(left).size).toBe(1);
    const none = { ...createShared(), steps: 0 };
    expect(compilePattern('^(web|api)-[a-z]+[0-9]*$', limits, none).strategy).toBe('automaton');
  });
});
