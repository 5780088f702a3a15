import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  FilterCheckError,
  FilterError,
  FilterSyntaxError,
  parse,
  parseSchema,
  print,
  type Schema,
} from '../../src/index.js';
import { Draw } from '../support/draw.js';
import { drawFilter } from '../support/drawn-filter.js';
import { drawShape } from '../support/drawn-shape.js';
import { Values } from '../support/drawn-values.js';
import { scaled } from '../support/property-runs.js';
import { damage } from './damage.js';
import { selectEveryWay } from './forms.js';
import { evaluate } from './kleene.js';

interface Case {
  readonly schema: Schema;
  readonly text: string;
  readonly rows: readonly unknown[];
}

/** Draws from a seed. */
function drawFrom(seed: number): Draw {
  let state = seed;
  return new Draw((bound) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound;
  });
}

function drawCase(seed: number): Case {
  const draw = drawFrom(seed);
  const shape = drawShape(draw);
  const values = new Values(draw);
  const text = print(drawFilter(draw, values, shape, true));
  const rows = draw.list(1, 6, () => {
    const row = values.row(shape, draw.oneIn(3));
    return draw.oneIn(2) ? damage(draw, row) : row;
  });
  return { schema: parseSchema(shape), text, rows };
}

/** Compares every way to evaluate a filter with the reference. Returns the number of rows by truth; null for an invalid filter. */
function compareWays({ schema, text, rows }: Case): Map<boolean | undefined, number> | null {
  try {
    const selections = selectEveryWay(text, schema, rows);
    const { ast } = parse(text);
    const truths = rows.map((row) => evaluate(ast, schema, row));
    const expected = rows.filter((_, at) => truths[at] === true);
    for (const [way, selected] of selections) {
      const isSame = selected.length === expected.length && selected.every((row, at) => row === expected[at]);
      expect(isSame, isSame ? '' : `${way}: ${inspect({ text, rows, truths, selected }, { depth: 8 })}`).toBe(
        true,
      );
    }
    const sums = new Map<boolean | undefined, number>();
    for (const truth of truths) sums.set(truth, (sums.get(truth) ?? 0) + 1);
    return sums;
  } catch (error) {
    if (
      error instanceof FilterCheckError ||
      error instanceof FilterSyntaxError ||
      error instanceof FilterError
    )
      return null;
    throw error;
  }
}

describe("unresolved: 'deny'", () => {
  it('selects exactly the rows for which the filter is true in three-valued logic, in every way', () => {
    let valid = 0;
    const seen = { true: 0, false: 0, undefined: 0 };
    fc.assert(
      fc.property(fc.integer().map(drawCase), (one) => {
        valid += compareWays(one) === null ? 0 : 1;
        for (const [truth, count] of compareWays(one) ?? []) seen[String(truth) as 'true'] += count;
      }),
      { numRuns: 1_000 },
    );
    console.log(seen, valid);
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(scaled(100));
  });
});
