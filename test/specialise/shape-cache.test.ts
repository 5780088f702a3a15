import { describe, expect, it } from 'vitest';
import type { RunnerHandle } from '../../src/filter/compile/execution.js';
import { compileWhole } from '../../src/filter/filter.js';
import { defineSchema, t } from '../../src/index.js';
import { findCompiler, type CompileCode } from '../../src/filter/specialise/compile-code.js';
import { createShapeCache, type ShapeRequest } from '../../src/filter/specialise/shape-cache.js';
import { createSpecialise } from '../../src/filter/specialise/specialise.js';

const compile: CompileCode = findCompiler() ?? (() => expect.fail('these tests need node:vm'));

/** A compiler that counts. */
function counting(): { readonly compile: CompileCode; readonly count: () => number } {
  let count = 0;
  return {
    compile: (code, parameters) => {
      count += 1;
      return compile(code, parameters);
    },
    count: () => count,
  };
}

/** A shape whose code has so many characters. */
function shapeOf(name: string, length: number, isOwn = false): ShapeRequest {
  const code = 'return(p)=>({test:()=>true,select:()=>[],count:()=>0,scan:()=>0})'.padEnd(length);
  return { signature: name, names: [], isOwn, write: () => code };
}

const settings = { compile, now: () => 0, maxBytes: 10_000, maxShare: Infinity, rowsWorthCode: 0 };

describe('the cache of shapes', () => {
  it('keeps those that were used last, within its bytes', () => {
    const cache = createShapeCache(settings);
    // 1,000 characters come to 8,000 bytes: there is room for one.
    const loans: RunnerHandle[] = [];
    for (const name of ['a', 'b', 'c']) {
      const loan: RunnerHandle = { runner: null };
      cache.find(shapeOf(name, 1_000), 0)?.acquire([], loan);
      loans.push(loan);
    }
    expect(loans.map(({ runner }) => runner !== null)).toEqual([false, false, true]);
  });

  it('gives those another turn that are in use', () => {
    const cache = createShapeCache({ ...settings, maxBytes: 25_000 });
    // There is room for three.
    const loans = new Map<string, RunnerHandle>();
    const take = (name: string): void => {
      const shape = cache.find(shapeOf(name, 1_000), 0);
      const loan: RunnerHandle = { runner: null };
      loans.set(name, loan);
      shape?.acquire([], loan);
    };
    for (const name of ['busy', 'b', 'c']) take(name);
    for (const name of ['d', 'e', 'f', 'g', 'h']) {
      cache.find(shapeOf('busy', 1_000), 0)?.touch();
      take(name);
    }
    const cached = [...loans].filter(([, { runner }]) => runner !== null).map(([name]) => name);
    expect(cached).toContain('busy');
    expect(cached).toHaveLength(3);
  });

  it('gives single filters code of their own in half of its bytes, and takes back what rests', () => {
    let time = 0;
    const cache = createShapeCache({ ...settings, maxBytes: 48_000, now: () => time });
    const loans = new Map<string, RunnerHandle>();
    const take = (name: string, isOwn: boolean): boolean => {
      const shape = cache.find(shapeOf(name, 1_000, isOwn), 0);
      const loan: RunnerHandle = { runner: null };
      shape?.acquire([], loan);
      loans.set(name, loan);
      return shape !== null;
    };
    const has = (name: string): boolean => loans.get(name)?.runner !== null;
    // 1,000 characters come to 8,000 bytes: there is room for six, three of them for single filters.
    expect([take('shared', false), take('of 1', true), take('of 2', true), take('of 3', true)]).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(take('of 4', true)).toBe(false);
    expect([has('shared'), has('of 1'), has('of 2'), has('of 3')]).toEqual([true, true, true, true]);
    // Entries unused since then are evicted.
    time = 10_000;
    cache.find(shapeOf('of 2', 1_000, true), 0)?.touch();
    expect(take('of 4', true)).toBe(true);
    expect([has('shared'), has('of 1'), has('of 2'), has('of 3')]).toEqual([true, false, true, false]);
    // Entries in use stay, for any number of callers.
    expect(take('of 5', true)).toBe(true);
    for (const name of ['of 6', 'of 7', 'of 8']) expect(take(name, true)).toBe(false);
    expect([has('of 2'), has('of 4'), has('of 5')]).toEqual([true, true, true]);
  });

  it('refuses a shape that is larger than all of it', () => {
    expect(createShapeCache(settings).find(shapeOf('a', 2_000), 0)).toBeNull();
  });

  it('generates code only for shapes tested on many rows, by one filter or by many', () => {
    const cache = createShapeCache({ ...settings, rowsWorthCode: 1_000 });
    const expected = shapeOf('a', 100);
    expect(cache.find(expected, 0)).toBeNull();
    expect(cache.find(expected, 600)).toBeNull();
    expect(cache.find(expected, 0)).toBeNull();
    expect(cache.find(expected, 400)).not.toBeNull();
    expect(cache.find(expected, 0)).not.toBeNull();
  });

  it('spends no more than its share of the time', () => {
    let now = 0;
    const counted = counting();
    const slow: CompileCode = (code, parameters) => {
      now += 10;
      return counted.compile(code, parameters);
    };
    const cache = createShapeCache({
      ...settings,
      maxBytes: 1e9,
      compile: slow,
      now: () => now,
      maxShare: 0.05,
    });
    const flood = (from: number): void => {
      for (let shape = from; shape < from + 1_000; shape += 1) cache.find(shapeOf(`s${shape}`, 100), 1);
    };
    flood(0);
    // 20 ms are free.
    expect(counted.count()).toBe(3);
    now += 10_000;
    flood(1_000);
    expect(counted.count() * 10).toBeLessThan(20 + now * 0.05 + 20);
    expect(counted.count()).toBeGreaterThan(40);
  });

  it('leaves to the closures what the runtime refuses', () => {
    const accelerate = createSpecialise({
      rowsWorthCode: 0,
      compile: () => {
        throw new EvalError('Code generation from strings disallowed for this context');
      },
    });
    const { filter } = compileWhole('a == 1', {}, accelerate);
    expect(filter.select([{ a: 1 }, { a: 2 }])).toEqual([{ a: 1 }]);
  });

  it('is not there where the runtime has no compiler', () => {
    const hosts = [{}, { process: {} }, { process: { getBuiltinModule: () => undefined } }];
    const refusing = { compileFunction: () => () => 2 };
    for (const host of [...hosts, { process: { getBuiltinModule: () => refusing } }]) {
      expect(findCompiler(host as unknown as typeof globalThis)).toBeNull();
    }
    expect(createSpecialise({ compile: null })).toBeNull();
  });
});

describe('filters of one shape', () => {
  const schema = defineSchema({ Colour: t.string, Weight: t.int });

  it('share code, until one of them is evaluated on very many rows, and again later', () => {
    const counted = counting();
    let time = 0;
    const accelerate = createSpecialise({
      ...{ rowsWorthCode: 0, maxShare: Infinity, compile: counted.compile },
      now: () => time,
    });
    const rows = Array.from({ length: 30_000 }, (_, at) => ({ Colour: `c${at % 7}`, Weight: at }));
    const few = rows.slice(0, 100);
    const filters = Array.from({ length: 50 }, (_, at) => {
      const { filter } = compileWhole(`Colour == c${at} and Weight != ${at}`, { schema }, accelerate);
      expect(filter.select(few)).toEqual(
        few.filter(({ Colour, Weight }) => Colour === `c${at}` && Weight !== at),
      );
      return filter;
    });
    expect(counted.count()).toBe(1);
    const busy = filters[3];
    for (let use = 0; use < 3; use += 1) expect(busy?.count(rows)).toBe(4_285);
    expect(counted.count()).toBe(1);
    time = 50;
    expect(busy?.count(rows)).toBe(4_285);
    expect(counted.count()).toBe(2);
  });

  it('have different code for rows of different kinds', () => {
    const counted = counting();
    const accelerate = createSpecialise({ rowsWorthCode: 0, maxShare: Infinity, compile: counted.compile });
    const other = defineSchema({ Colour: t.string });
    for (const each of [schema, other, schema]) {
      compileWhole('Colour == red', { schema: each }, accelerate).filter.select([{ Colour: 'red' }]);
    }
    expect(counted.count()).toBe(2);
  });

  it('never make code with `specialise: false`', () => {
    const counted = counting();
    const accelerate = createSpecialise({ rowsWorthCode: 0, maxShare: Infinity, compile: counted.compile });
    const { filter } = compileWhole('Colour == red', { schema, specialise: false }, accelerate);
    expect(filter.select([{ Colour: 'red' }])).toHaveLength(1);
    expect(counted.count()).toBe(0);
  });

  it('release their code with their shape, also in a retained predicate', () => {
    const accelerate = createSpecialise({ rowsWorthCode: 0, maxShare: Infinity, maxBytes: 40_000 });
    const { filter } = compileWhole('Colour == red', { schema }, accelerate);
    const { test } = filter;
    const rows = Array.from({ length: 2_500 }, (_, at) => ({
      Colour: at % 2 === 0 ? 'red' : 'blue',
      Weight: at,
    }));
    expect(rows.filter(test)).toHaveLength(1_250);
    for (let shape = 0; shape < 40; shape += 1) {
      const text = Array.from({ length: 1 + (shape % 20) }, (_, at) => `Weight != ${at}`).join(' or ');
      expect(compileWhole(text, { schema }, accelerate).filter.count(rows)).toBeGreaterThan(0);
    }
    expect(rows.filter(test)).toHaveLength(1_250);
  });
});
