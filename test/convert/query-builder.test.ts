import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromQueryBuilder, toQueryBuilder } from '../../src/entries/convert.js';
import { compileFilter } from '../../src/index.js';
import { noteOfExtra, requireExtra, whyExtraMissing } from '../support/extra.js';
import {
  filters,
  float,
  integer,
  rows,
  schema,
  selected,
  valueOf,
  word,
  type ForeignRow,
} from './foreign-rows.js';

const isMissing = whyExtraMissing('extra/convert') !== null;
const options = { schema };

interface JsonLogic {
  apply(rule: unknown, row: unknown): unknown;
  add_operation(name: string, operation: unknown): void;
}

/** Returns the rows that react-querybuilder itself selects, by its export as JSON Logic. */
function createPeer(): (query: unknown, all: readonly ForeignRow[]) => number[] {
  const core = requireExtra('extra/convert', '@react-querybuilder/core') as {
    formatQuery: (query: unknown, format: string) => unknown;
    jsonLogicAdditionalOperators: Readonly<Record<string, unknown>>;
  };
  const logic = requireExtra('extra/convert', 'json-logic-js') as JsonLogic;
  for (const [name, operation] of Object.entries(core.jsonLogicAdditionalOperators))
    logic.add_operation(name, operation);
  return (query, all) => {
    const rule = core.formatQuery(query, 'jsonlogic');
    // Its result for a query without rules is false, which other formats write as a condition that is always true.
    return all.flatMap((row, index) => (rule === false || logic.apply(rule, row) === true ? [index] : []));
  };
}

const one = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<unknown> => value;
const many = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<unknown> =>
  fc.array(value, { minLength: 1, maxLength: 3 });
const pair = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<unknown> => fc.tuple(value, value);
const nothing = (): fc.Arbitrary<unknown> => fc.constant('');

type Operand = <T>(value: fc.Arbitrary<T>) => fc.Arbitrary<unknown>;
function rule<T>(
  fields: readonly string[],
  operators: Readonly<Record<string, Operand>>,
  value: fc.Arbitrary<T>,
): fc.Arbitrary<unknown> {
  return fc
    .constantFrom(...fields)
    .chain((field) =>
      fc
        .constantFrom(...Object.keys(operators))
        .chain((operator) =>
          (operators[operator] as Operand)(value).map((each) => ({ field, operator, value: each })),
        ),
    );
}

const equality = { '=': one, '!=': one };
const orderings = { '<': one, '<=': one, '>': one, '>=': one, between: pair, notBetween: pair };
/** JSON Logic finds nothing in an empty string, not even an empty string. */
const notEmpty = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<unknown> => value.filter((each) => each !== '');
const texts = {
  contains: notEmpty,
  doesNotContain: notEmpty,
  beginsWith: one,
  doesNotBeginWith: one,
  endsWith: one,
  doesNotEndWith: one,
};
const lists = { in: many, notIn: many };
const nulls = { null: nothing, notNull: nothing };

const rules = fc.oneof(
  rule(['Name', 'Net.Zone'], { ...equality, '<': one, '>=': one, ...texts, ...lists }, word),
  rule(['Owner'], { ...equality, ...texts, ...lists, ...nulls }, word),
  rule(['Count'], { ...equality, ...orderings, ...lists }, integer),
  rule(['Load'], { ...equality, ...orderings, ...lists }, float),
  rule(['Quota', 'Net.Port'], { ...equality, ...lists, ...nulls }, integer),
  rule(['Stop'], equality, fc.boolean()),
  rule(['Tags'], { contains: one, doesNotContain: one }, word),
  fc.constant({ field: 'Name', operator: '=', value: 'Net.Zone', valueSource: 'field' }),
  fc.constant({ field: '~', operator: '=', value: '' }),
  fc.constant({ field: 'Name', operator: '=', value: 'a', muted: true }),
);

const queries: fc.Arbitrary<unknown> = fc.letrec<{ group: unknown; independent: unknown; all: unknown }>(
  (tie) => {
    const memberOf = (group: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
      fc.oneof({ maxDepth: 2, withCrossShrink: true }, rules, group);
    const not = fc.boolean();
    return {
      group: fc.record({
        combinator: fc.constantFrom('and', 'or'),
        not,
        rules: fc.array(memberOf(tie('group')), { minLength: 1, maxLength: 3 }),
      }),
      // react-querybuilder converts groups with independent combinators only if all groups of the query are such groups.
      independent: fc
        .tuple(
          not,
          memberOf(tie('independent')),
          fc.array(fc.tuple(fc.constantFrom('and', 'or'), memberOf(tie('independent'))), { maxLength: 3 }),
        )
        .map(([isNegated, first, more]) => ({ not: isNegated, rules: [first, ...more.flat()] })),
      all: fc.oneof(tie('group'), tie('independent')),
    };
  },
).all;

describe('filters of react-querybuilder', () => {
  it.skipIf(isMissing)(
    `selects the same rows as its export as JSON Logic${noteOfExtra('extra/convert')}`,
    () => {
      const peer = createPeer();
      fc.assert(
        fc.property(queries, rows, (drawn, all) => {
          const query: unknown = JSON.parse(JSON.stringify(drawn));
          const filter = valueOf(fromQueryBuilder(query, options));
          if (filter !== null) expect(selected(filter, all), filter.source).toEqual(peer(query, all));
        }),
        { numRuns: 2_000 },
      );
    },
  );

  it.skipIf(isMissing)(
    `exports queries that select the same rows as the filter${noteOfExtra('extra/convert')}`,
    () => {
      const peer = createPeer();
      fc.assert(
        fc.property(filters, rows, (source, all) => {
          const query = valueOf(toQueryBuilder(source, options));
          const filter = compileFilter(source, { schema, unresolved: 'absent' });
          expect(peer(query, all), source).toEqual(
            all.flatMap((row, index) => (filter.test(row) ? [index] : [])),
          );
          expect(
            selected(valueOf(fromQueryBuilder(JSON.parse(JSON.stringify(query)), options)), all),
          ).toEqual(peer(query, all));
        }),
        { numRuns: 2_000 },
      );
    },
  );
});
