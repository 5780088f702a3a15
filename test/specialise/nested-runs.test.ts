import { describe, expect, it } from 'vitest';
import { compileWhole } from '../../src/filter/filter.js';
import { FilterLimitError, type Filter, type FilterOptions } from '../../src/index.js';
import { eager } from './eager.js';

/** Both ways to run a filter: by closures alone, and by code that is made for it at once. */
const ways: readonly [name: string, compile: (text: string, options: FilterOptions) => Filter][] = [
  ['closures', (text, options) => compileWhole(text, options, null).filter],
  ['code', (text, options) => compileWhole(text, options, eager).filter],
];

/** The entry points for one row. */
const evaluations: readonly [name: string, evaluate: (filter: Filter, row: unknown) => boolean][] = [
  ['test', (filter, row) => filter.test(row)],
  ['select', (filter, row) => filter.select([row]).length === 1],
  ['count', (filter, row) => filter.count([row]) === 1],
  ['page', (filter, row) => filter.page([row], 1).items.length === 1],
  ['scan', (filter, row) => filter.scan([row], [], {}) === 1],
];

const cases = ways.flatMap(([way, compile]) =>
  evaluations.map(([name, evaluate]) => [way, name, compile, evaluate] as const),
);

function limitErrorOf(run: () => unknown): FilterLimitError {
  try {
    run();
  } catch (error) {
    if (error instanceof FilterLimitError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

const long = (length: number, last = 'z'): string[] => [...Array<string>(length - 1).fill('y'), last];

describe.each(cases)('%s, %s: a row that calls the filter itself', (_way, _name, compile, evaluate) => {
  it('pays for all of its clauses together, whatever the inner row pays', () => {
    const filter = compile('z in A and z in B', { limits: { maxSteps: 200 } });
    // 96 steps for A, then 32 for B.
    const row = {
      A: long(768),
      get B(): readonly string[] {
        expect(filter.test({ A: long(512), B: ['z'] })).toBe(true);
        return long(256);
      },
    };
    const { message } = limitErrorOf(() => evaluate(filter, row));
    expect(message).toContain('exceeds 200 steps, most of them for z in A');
    expect(evaluate(filter, { A: long(256), B: long(512) })).toBe(true);
  });

  it('does not charge the inner row for what the outer one has paid', () => {
    const filter = compile('z in A and z in B', { limits: { maxSteps: 200 } });
    const inner = { A: long(512), B: long(256) };
    const row = {
      A: long(768),
      get B(): readonly string[] {
        return evaluate(filter, inner) ? ['z'] : [];
      },
    };
    expect(evaluate(filter, row)).toBe(true);
  });

  it('pays on where it stopped when the inner row fails', () => {
    const filter = compile('z in A and z in B', { limits: { maxSteps: 200 } });
    const row = {
      A: long(768),
      get B(): readonly string[] {
        limitErrorOf(() => filter.test({ A: long(512), B: long(512) }));
        return long(256);
      },
    };
    expect(limitErrorOf(() => evaluate(filter, row)).message).toContain('for z in A');
  });

  it('pays for a walk to its end, where only the walk pays', () => {
    const filter = compile('any L as x { x.n == 1 }', { limits: { maxSteps: 50 } });
    const element = {
      get n(): number {
        expect(filter.test({ L: [] })).toBe(false);
        return 0;
      },
    };
    expect(limitErrorOf(() => evaluate(filter, { L: Array<unknown>(1_024).fill(element) })).limit).toBe(50);
    expect(evaluate(filter, { L: Array<unknown>(300).fill({ n: 1 }) })).toBe(true);
  });

  it('pays for a walk to its end, where the inner row has a Set', () => {
    const filter = compile('any L as x { x.n == 1 }', { limits: { maxSteps: 100 } });
    // Its copy is paid for, and its first element ends the walk.
    const set = new Set(Array.from({ length: 256 }, () => ({ n: 1 })));
    const element = {
      get n(): number {
        expect(filter.test({ L: set })).toBe(true);
        return 0;
      },
    };
    expect(limitErrorOf(() => evaluate(filter, { L: Array<unknown>(1_024).fill(element) })).limit).toBe(100);
  });

  it('pays for a search through a list to its end, where only that pays', () => {
    const filter = compile('z in L', { limits: { maxSteps: 100 } });
    const list = long(1_024, 'y');
    for (const at of [300, 600, 900]) {
      Object.defineProperty(list, at, { get: () => (filter.test({ L: ['z'] }) ? 'y' : 'z') });
    }
    expect(limitErrorOf(() => evaluate(filter, { L: list })).limit).toBe(100);
  });
});
