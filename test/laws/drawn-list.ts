import fc from 'fast-check';
import { defineSchema, t, type Schema } from '../../src/index.js';

/** A kind of field: what a schema says of it, what rows hold there, and clauses about it. */
interface Kind {
  readonly type: Parameters<typeof defineSchema>[0][string];
  readonly value: fc.Arbitrary<unknown>;
  readonly clause: (name: string) => fc.Arbitrary<string>;
  readonly isIndexed: boolean;
  readonly isSorted: boolean;
  /** Whether rows may have no result for such a clause. */
  readonly mayFail?: true;
}

/** What every schema hides, at its top and deeper. */
export const cached = 'Kept';

const texts = ['a', 'b', 'ab', 'B', 'é', 'z\u{1f600}', '\uff01', 'a:b', '-a', 'a,b', 'a\0', ''];
const text = fc.constantFrom(...texts);
const whole = fc.constantFrom<number | bigint>(0, 1, 2, -1, 7, -20, 9007199254740993n, -9007199254740993n);
const literal = text.map((each) => JSON.stringify(each));

const kinds: readonly Kind[] = [
  {
    type: t.string,
    value: text,
    clause: (name) =>
      fc.oneof(
        fc
          .tuple(fc.constantFrom('==', '!=', 'contains', 'starts with', '<', '>='), literal)
          .map(([operator, value]) => `${name} ${operator} ${value}`),
        fc.tuple(literal, literal).map(([a, b]) => `${name} in [${a}, ${b}]`),
      ),
    isIndexed: true,
    isSorted: true,
  },
  {
    type: t.int,
    value: whole,
    clause: (name) =>
      fc
        .tuple(fc.constantFrom('==', '!=', '<', '<=', '>', '>='), whole)
        .map(([operator, value]) => `${name} ${operator} ${value < 0 ? `"${value}"` : value}`),
    isIndexed: true,
    isSorted: true,
  },
  {
    type: t.bool,
    value: fc.boolean(),
    clause: (name) => fc.constantFrom(`${name} == true`, `${name} == false`),
    isIndexed: true,
    isSorted: false,
  },
  {
    type: t.list(t.string),
    value: fc.array(text, { maxLength: 3 }),
    clause: (name) =>
      fc.oneof(
        literal.map((each) => `${each} in ${name}`),
        fc.constant(`${name} is empty`),
      ),
    isIndexed: true,
    isSorted: false,
  },
  {
    type: t.float64,
    value: fc.constantFrom(0, 1.5, -2.25),
    clause: (name) => fc.constant(`${name} > 0`),
    isIndexed: false,
    isSorted: false,
  },
  {
    type: t.map(t.string),
    value: fc.dictionary(fc.constantFrom('k', 'm'), text, { maxKeys: 2 }),
    clause: (name) => fc.constantFrom(`${name}.k == "a"`, `${name} is empty`),
    isIndexed: false,
    isSorted: false,
  },
  {
    type: t.nullable(t.struct({ deep: t.string, [cached]: t.hidden(t.string) })),
    value: fc.option(fc.record({ deep: text, [cached]: text })),
    // A null on the way is an error.
    clause: (name) => fc.constantFrom(`${name}.deep == "a"`, `${name}.deep != "a"`, `${name} is nil`),
    isIndexed: false,
    isSorted: false,
    mayFail: true,
  },
];

export type DrawnRow = Readonly<Record<string, unknown>>;

/** A generated list: a schema, declarations about it, rows and queries. */
export interface DrawnList {
  readonly schema: Schema;
  readonly key: string;
  readonly indexes: readonly string[];
  readonly sorts: readonly string[];
  /** All fields with their kinds. */
  readonly numbers: ReadonlySet<string>;
  readonly indexable: readonly string[];
}

const names = ['Alpha', 'beta', '_c', 'D4', 'e', 'Zeta', 'eta_9', 'Über'];

export interface Drawn extends DrawnList {
  readonly row: fc.Arbitrary<DrawnRow>;
  readonly filter: fc.Arbitrary<string | undefined>;
  readonly sort: fc.Arbitrary<string | undefined>;
  /** Clauses about the first field. */
  readonly first: fc.Arbitrary<string>;
}

/** Kinds of lists: each with every choice of indexes and sorts. */
export const drawnLists: fc.Arbitrary<Drawn> = drawLists(kinds);

/** Those whose first field may have no result for a row. */
export const failingLists: fc.Arbitrary<Drawn> = drawLists(kinds.filter(({ mayFail }) => mayFail));

function drawLists(firstKinds: readonly Kind[]): fc.Arbitrary<Drawn> {
  return fc
    .tuple(
      fc.uniqueArray(fc.constantFrom(...names), { minLength: 3, maxLength: 6 }),
      fc
        .tuple(
          fc.constantFrom(...firstKinds),
          fc.array(fc.constantFrom(...kinds), { minLength: 5, maxLength: 5 }),
        )
        .map(([first, others]) => [first, ...others]),
      fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }),
    )
    .map(([[key = 'Alpha', ...others], drawn, choices]) => {
      const fields = others.map((name, at) => ({ name, kind: drawn[at] as Kind }));
      const schema = defineSchema({
        [key]: t.string,
        ...Object.fromEntries(fields.map(({ name, kind }) => [name, kind.type])),
        [cached]: t.hidden(t.string),
      });
      const indexes = fields.filter(({ kind }, at) => kind.isIndexed && choices[at] === true);
      const sorts = fields.filter(({ kind }, at) => kind.isSorted && choices[at + 6] !== false);
      const sortNames = [...sorts.map(({ name }) => name), ...(choices[11] === true ? [key] : [])];
      const keys = fc.constantFrom(
        'a',
        'b',
        'c',
        'k1',
        'k2',
        'k10',
        'é',
        '\uff01',
        '\u{1f600}',
        'e:1',
        ':x',
        'Zeta:1.a',
      );
      const values = fc.tuple(...fields.map(({ kind }) => kind.value));
      const row = fc.tuple(keys, values, text).map(([id, each, hidden]) => ({
        [key]: id,
        ...Object.fromEntries(fields.map(({ name }, at) => [name, each[at]])),
        [cached]: hidden,
      }));
      const clauses = fields.map(({ name, kind }) => kind.clause(name));
      const clause = fc.oneof(
        ...clauses,
        literal.map((each) => `${key} != ${each}`),
        literal.map((each) => `${key} >= ${each}`),
      );
      const filter = fc.option(
        fc.oneof(
          { weight: 3, arbitrary: clause },
          { weight: 2, arbitrary: fc.tuple(clause, clause).map((pair) => pair.join(' and ')) },
          { weight: 1, arbitrary: fc.tuple(clause, clause).map((pair) => pair.join(' or ')) },
          { weight: 1, arbitrary: clause.map((each) => `not (${each})`) },
        ),
        { nil: undefined, freq: 4 },
      );
      const sort = fc.option(
        fc
          .uniqueArray(fc.constantFrom(...(sortNames.length === 0 ? ['none'] : sortNames)), {
            minLength: 1,
            maxLength: 3,
          })
          .chain((fieldsOfSort) =>
            fc
              .array(fc.boolean(), { minLength: 3, maxLength: 3 })
              .map((down) => fieldsOfSort.map((name, at) => `${down[at] === true ? '-' : ''}${name}`).join()),
          ),
        { nil: undefined, freq: 3 },
      );
      return {
        schema,
        key,
        indexes: indexes.map(({ name }) => name),
        sorts: sortNames,
        numbers: new Set(fields.filter(({ kind }) => kind.type === t.int).map(({ name }) => name)),
        indexable: fields.filter(({ kind }) => kind.isIndexed).map(({ name }) => name),
        row,
        filter,
        sort: sortNames.length === 0 ? fc.constant(undefined) : sort,
        first: clauses[0] as fc.Arbitrary<string>, // there are two fields at least
        // What is drawn, without how.
        [fc.toStringMethod]: () =>
          JSON.stringify({ schema, key, indexes: indexes.map(({ name }) => name), sorts: sortNames }),
      };
    });
}

/** The rows of which each key has the last one. */
export function lastOfEach(rows: readonly DrawnRow[], key: string): readonly DrawnRow[] {
  return [...new Map(rows.map((row) => [row[key], row])).values()];
}
