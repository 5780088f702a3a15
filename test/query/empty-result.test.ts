import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defineSchema, planFilter, print, t, type Filter } from '../../src/index.js';
import { explainEmpty } from '../../src/lists/query/result/no-match.js';

interface Row {
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly d: { readonly x: boolean } | null;
}
const schema = defineSchema({ a: t.int, b: t.int, c: t.int, d: t.nullable(t.struct({ x: t.bool })) });
const clauseTexts = ['a == 0', 'b == 0', 'c == 0', 'a != @b', 'd.x == true'] as const;

/** The clauses of a set, all sets of a size together. */
function subsets(count: number, size: number): readonly (readonly number[])[] {
  const all = Array.from({ length: 2 ** count }, (_, bits) =>
    Array.from({ length: count }, (_each, at) => at).filter((at) => (bits & (1 << at)) !== 0),
  );
  return all.filter(({ length }) => length === size);
}

function matches(clause: Filter<Row>, row: Row): boolean {
  try {
    return clause.test(row);
  } catch {
    return false;
  }
}

describe('the clauses to blame', () => {
  it('are a smallest set without which rows match, and no other of that size has more', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            a: fc.nat({ max: 2 }),
            b: fc.nat({ max: 2 }),
            c: fc.nat({ max: 2 }),
            d: fc.constantFrom(null, { x: true }, { x: false }),
          }),
          { maxLength: 30 },
        ),
        fc.uniqueArray(fc.constantFrom(...clauseTexts), { minLength: 1 }),
        (rows, texts) => {
          const { clauses } = planFilter<Row>(texts.join(' and '), { schema, indexes: [] });
          const printed = clauses.map(({ ast }) => print(ast));
          const left = rows.filter((row) => !clauses.every((clause) => matches(clause, row)));
          const pieces = [{ rows: left, from: 0, to: left.length }];
          const options = { schema, unresolved: 'error' } as const;
          const work = explainEmpty({ clauses, pieces, where: null, options });
          let step = work.next();
          while (step.done !== true) step = work.next();
          const reported = step.value;
          expect(reported).toMatchObject({ examined: left.length, isPartial: false });
          const without = (set: readonly number[]): number =>
            left.filter((row) => clauses.every((clause, at) => set.includes(at) || matches(clause, row)))
              .length;
          const size = [0, 1, 2, 3, 4, 5].find((each) =>
            subsets(clauses.length, each).some((set) => without(set) > 0),
          );
          const found = reported.clauses.map(({ filter: text }) => printed.indexOf(text));
          expect(found).toHaveLength(size ?? 0);
          if (size === undefined) return;
          expect(reported.rowsWithout).toBe(without(found));
          expect(reported.rowsWithout).toBe(Math.max(...subsets(clauses.length, size).map(without)));
        },
      ),
      { numRuns: 400 },
    );
  });

  it('are searched in as many rows as a million evaluations allow', () => {
    const row: Row = { a: 1, b: 1, c: 1, d: null };
    const { clauses } = planFilter<Row>('a == 0 and b == 0', { schema, indexes: [] });
    const rows = Array.from({ length: 500_001 }, () => row);
    const pieces = [{ rows, from: 0, to: rows.length }];
    const work = explainEmpty({ clauses, pieces, where: null, options: { schema, unresolved: 'error' } });
    let step = work.next();
    while (step.done !== true) step = work.next();
    expect(step.value).toMatchObject({ sampled: 1_000, examined: 500_000, isPartial: true });
  });
});
