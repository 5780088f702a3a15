import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileWhole } from '../../src/filter/filter.js';
import { createFilterSet } from '../../src/entries/filter-set.js';
import { explain } from '../../src/entries/explain.js';
import {
  FilterCheckError,
  FilterError,
  isRowOf,
  parseSchema,
  planFilter,
  type Schema,
} from '../../src/index.js';
import { portable } from '../../src/entries/portable.js';
import { eager } from '../specialise/eager.js';
import { allIndexes, rowsWithKeys } from '../support/all-indexes.js';
import type { Draw } from '../support/draw.js';
import { drawn } from '../support/drawn.js';
import { drawScalar } from '../support/drawn-shape.js';
import { Values } from '../support/drawn-values.js';
import { isInstanceKind, literalInstance } from '../support/oracle-instance.js';
import type { OracleType } from '../support/oracle-value.js';
import { scaled } from '../support/property-runs.js';

/** A list of values of a kind, rows that have one or something else in its place, and a literal to look for. */
interface Sample {
  readonly of: OracleType;
  readonly schema: Schema;
  /** As it is written, and the text that it is. */
  readonly literal: string;
  readonly text: string;
  readonly rows: readonly object[];
  readonly unresolved: 'error' | 'absent';
}

function drawSample(draw: Draw): Sample {
  const scalar = drawScalar(draw);
  // What a null is among texts that may be null is go-bexpr's to say.
  const isNullable = scalar.kind !== 'string' && draw.oneIn(4);
  const of: OracleType = isNullable ? { ...scalar, nullable: true } : scalar;
  const values = new Values(draw);
  const text = drawText(draw, values, scalar);
  const literal = writeLiteral(draw, text);
  const isOdd = draw.oneIn(3);
  const element = (): unknown => {
    if (isOdd && draw.oneIn(3)) return draw.oneIn(2) ? text : values.odd();
    return draw.oneIn(6) ? draw.pick([null, undefined]) : values.scalar(scalar);
  };
  const list = (): unknown => {
    if (isOdd && draw.oneIn(8)) return draw.pick<unknown>([null, undefined, 'x', 5, {}, new Map([['a', 1]])]);
    const elements = draw.list(0, 4, element);
    if (draw.oneIn(12)) return [...new Array<unknown>(300).fill(draw.oneIn(2) ? null : 'x'), ...elements];
    return draw.oneIn(8) ? new Set(elements) : elements;
  };
  const container: OracleType = draw.oneIn(5) ? { kind: 'array', of, len: 3 } : { kind: 'list', of };
  const schema = parseSchema({ root: 'Row', structs: { Row: { fields: { L: container } } } });
  const rows = draw.list(1, 4, () => ({ L: list() }));
  return { of, schema, literal, text, rows, unresolved: draw.oneIn(2) ? 'absent' : 'error' };
}

/** The text of a literal: an instance of the kind, of another one, or none. */
function drawText(draw: Draw, values: Values, scalar: OracleType): string {
  const text = draw.either<string>(
    [8, () => values.literal(scalar)],
    [2, () => values.literal(drawScalar(draw))],
    [1, () => draw.pick(['', '10.0.0.0/8', '1.10', '90', 'nan', 'now', '<invalid Value>'])],
    [2, () => String(values.odd())],
  );
  return text.replace(/\p{Surrogate}/gu, '\ufffd');
}

function writeLiteral(draw: Draw, text: string): string {
  const form = draw.below(6);
  if (form < 2 && /^[0-9][0-9A-Za-z_.:/+-]*$/.test(text)) return text;
  const quoted = JSON.stringify(text).replace(/\\b/g, '\\x08').replace(/\\f/g, '\\x0c');
  return form === 2 ? `${quoted}i` : quoted;
}

function outcome(act: () => boolean): string {
  try {
    return String(act());
  } catch (error) {
    if (error instanceof FilterError) return 'fails';
    throw error;
  }
}

/** The result for each row; `refused` for an invalid filter. */
function carefulResults(text: string, { schema, rows, unresolved }: Sample): readonly string[] | 'refused' {
  const generic = orRefused(() => compileWhole(text, { schema, unresolved }, null).filter);
  return generic === null ? 'refused' : rows.map((row) => outcome(() => generic.test(row)));
}

/** The same, which every other entry point has to return too. */
function resultsOf(text: string, sample: Sample): readonly string[] | 'refused' {
  const results = carefulResults(text, sample);
  if (results === 'refused') return results;
  const { schema, rows, unresolved } = sample;
  const options = { schema, unresolved } as const;
  const note = (way: string): string => `${way}: ${text}: ${inspect({ rows, unresolved }, { depth: 5 })}`;
  const batch = compileWhole(text, options, null).filter;
  const code = compileWhole(text, options, eager).filter;
  const set = createFilterSet(schema, { unresolved });
  set.add('one', text);
  for (const [at, row] of rows.entries()) {
    const reported = explain(text, row, options);
    const match = set.match(row);
    const ways = {
      batch: outcome(() => batch.select([row]).length === 1),
      code: outcome(() => code.test(row)),
      'code, many rows': outcome(() => code.select([row]).length === 1),
      explain: reported.error === null ? String(reported.matches) : 'fails',
      set: match.errors.length > 0 ? 'fails' : String(match.ids.length === 1),
    };
    for (const [way, result] of Object.entries(ways)) expect(result, note(way)).toBe(results[at]);
  }
  expectPlan(text, results, sample, note);
  const written = portable(text, { schema });
  if (!written.ok) return results;
  const plain = compileWhole(written.text, { ...options, dialect: 'go-bexpr' }, null).filter;
  for (const [at, row] of rows.entries()) {
    const result = outcome(() => plain.test(row));
    // To go-bexpr's operators a null that may be one is a mistake.
    const isMistake = result === 'fails' && unresolved === 'error';
    if (results[at] !== 'fails' && !isMistake) expect(result, note(written.text)).toBe(results[at]);
  }
  return results;
}

/** What a plan promises, and what its indexes find. */
function expectPlan(
  text: string,
  results: readonly string[],
  { schema, rows, unresolved }: Sample,
  note: (way: string) => string,
): void {
  const indexes = allIndexes(schema);
  const { mayFail, lookups } = planFilter(text, { schema, unresolved, indexes });
  if (!mayFail && rows.every(isRowOf(schema))) expect(results, note('may fail')).not.toContain('fails');
  if (results.includes('fails')) return;
  const expected = rows.filter((_, at) => results[at] === 'true');
  for (const { index, keys } of lookups) {
    const isWhole = rows.every((row) => index.keysOf(row) !== null);
    if (isWhole) expect(rowsWithKeys(rows, index, keys), note('index')).toEqual(expected);
  }
}

function orRefused<T>(make: () => T): T | null {
  try {
    return make();
  } catch (error) {
    if (error instanceof FilterCheckError) return null;
    throw error;
  }
}

describe('what is looked for in a list of values of a kind', () => {
  it('is compared with each element as == compares it, in every entry point', () => {
    const reached = { refused: 0, fails: 0, true: 0, false: 0, instances: 0, texts: 0 };
    fc.assert(
      fc.property(drawn(drawSample), (sample) => {
        const { of, literal, text } = sample;
        const expected = carefulResults(`any L as e { e == ${literal} }`, sample);
        const note = `${literal} in a list of ${inspect(of)}: ${inspect(sample.rows, { depth: 4 })}`;
        expect(resultsOf(`${literal} in L`, sample), note).toEqual(expected);
        const opposite = { true: 'false', false: 'true' } as Readonly<Record<string, string>>;
        const negated = expected === 'refused' ? expected : expected.map((each) => opposite[each] ?? each);
        expect(carefulResults(`${literal} not in L`, sample), note).toEqual(negated);
        if (expected === 'refused') reached.refused += 1;
        else for (const each of expected) reached[each as 'true' | 'false' | 'fails'] += 1;
        if (!isInstanceKind(of) || expected === 'refused') return;
        reached[literalInstance(of, text) === null ? 'texts' : 'instances'] += expected.filter(
          (each) => each === 'true',
        ).length;
      }),
      { numRuns: 1_500 },
    );
    expect(reached.refused).toBeGreaterThan(scaled(50));
    expect(reached.fails).toBeGreaterThan(scaled(50));
    expect(reached.instances).toBeGreaterThan(scaled(50));
    expect(reached.texts).toBeGreaterThan(scaled(5) - 1);
    expect(reached.false).toBeGreaterThan(scaled(200));
  });
});
