import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FilterEvaluationError } from '../../src/language/diagnostics/errors.js';
import { compileFilter, compileWhole, type Filter } from '../../src/filter/filter.js';
import { eager } from '../specialise/eager.js';

interface Row {
  readonly Status: unknown;
}

const text = 'Status == run';
const ways: readonly (readonly [name: string, filter: Filter<Row>])[] = [
  ['closures', compileFilter<Row>(text, { specialise: false })],
  ['code', compileWhole(text, {}, eager).filter as Filter<Row>],
];
const row: fc.Arbitrary<Row> = fc.record({ Status: fc.constantFrom('run', 'dead', 'run') });

describe.each(ways)('scan by %s', (_, filter) => {
  it('adds the rows of a range, in their order, until there are enough', () => {
    const positions = fc.array(fc.nat({ max: 700 }), { minLength: 2, maxLength: 2 });
    fc.assert(
      fc.property(
        fc.array(row, { maxLength: 600 }),
        positions,
        fc.nat({ max: 40 }),
        fc.nat({ max: 3 }),
        (rows, ends, max, reserved) => {
          const [from = 0, to = 0] = ends.map((end) => Math.min(end, rows.length)).sort((a, b) => a - b);
          const before = rows.slice(0, reserved);
          const into = before.slice();
          const position = filter.scan(rows, into, { from, to, limit: max });
          const expected = before.slice();
          let at = from;
          for (; at < to && expected.length < max; at += 1) {
            const each = rows[at] as Row;
            if (filter.test(each)) expected.push(each);
          }
          expect(into).toEqual(expected);
          expect(position).toBe(at);
        },
      ),
    );
  });

  it('takes all rows where no range is given, and leaves holes out', () => {
    const rows = [{ Status: 'run' }, { Status: 'dead' }, { Status: 'run' }];
    const sparse: Row[] = [];
    sparse[3] = { Status: 'run' };
    const into: Row[] = [];
    expect(filter.scan(rows, into)).toBe(3);
    expect(filter.scan(sparse, into)).toBe(4);
    expect(into).toEqual([rows[0], rows[2], sparse[3]]);
  });

  it('fails at a row that it needs, not at later ones', () => {
    const rows = [{ Status: 'run' }, { Status: {} }];
    expect(filter.scan(rows, [], { limit: 1 })).toBe(1);
    expect(() => filter.scan(rows, [])).toThrow(FilterEvaluationError);
  });

  it.each([
    { from: -1 },
    { from: 3 },
    { to: 3 },
    { from: 2, to: 1 },
    { to: 0.5 },
    { limit: -1 },
    { limit: 0.5 },
    { limit: NaN },
  ])('refuses %j for two rows', (range) => {
    expect(() => filter.scan([{ Status: 'run' }, { Status: 'run' }], [], range)).toThrow(RangeError);
  });
});
