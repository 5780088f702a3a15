import { compileFilter, FilterError, print } from '../../src/index.js';
import { arraySource, createList, type List } from '../../src/entries/query.js';
import { sqlListSource, type SqlCondition } from '../../src/entries/sql.js';
import type { Expression } from '../../src/index.js';
import type { Draw } from '../support/draw.js';
import { drawFilter } from '../support/drawn-filter.js';
import { Values } from '../support/drawn-values.js';
import type { Engine } from './engines.js';
import { asStored, drawRow, testMappingOf, markOf, schema, shape } from './test-mapping.js';
import { spoil } from './wild.js';
import { resultsOf, drawQueries, now, sorts, type Row } from './queries.js';

/** The executed queries. */
export interface Tally {
  exact: number;
  partial: number;
  residual: number;
  /** Invalid filters, which both sides reject. */
  refused: number;
  /** Filters times rows. */
  pairs: number;
  /** Queries of lists, each with all its pages and counts. */
  lists: number;
  /** Statements about rows of wrong shapes, which must not fail. */
  wild: number;
}

export type Report = (law: string, filter: string, detail: string) => void;

const rowsOfTable = 60;
const filtersOfTable = 40;

/** Runs this many random filters on an engine, and reports what breaks a law. */
export async function proveFilters(
  engine: Engine,
  draw: Draw,
  requested: number,
  report: Report,
  until: () => boolean = () => false,
): Promise<Tally> {
  const { dialect } = engine;
  const [mapping, odd] = [testMappingOf(dialect, 'proof'), testMappingOf(dialect, 'wild')];
  const { source } = mapping;
  const mark = markOf(dialect);
  const tally: Tally = { exact: 0, partial: 0, residual: 0, refused: 0, pairs: 0, lists: 0, wild: 0 };
  const idsOf = (rows: readonly Row[]): readonly string[] => rows.map(({ id }) => String(id)).sort();
  const evaluate = async (filter: string, query: SqlCondition, from = source): Promise<Row[]> => {
    try {
      const statement = `SELECT ${from.select} FROM ${from.from} WHERE ${query.toSQL(mark)}`;
      return (await engine.run(statement, query.values)).map((row) => from.decode(row) as Row);
    } catch (error) {
      report('8, 12: a statement fails', filter, `${String(error)}\n  ${query.toSQL('?')}`);
      return [];
    }
  };

  async function proveOne(filter: string, all: readonly Row[]): Promise<void> {
    const options = { unresolved: 'absent', now: now() } as const;
    const whole = compileFilter(filter, { schema, unresolved: 'absent', now });
    const query = source.where(filter, options);
    const again = source.where(filter, options);
    if (again.toSQL('?') !== query.toSQL('?') || again.values.join() !== query.values.join())
      report('10: it is another one the second time', filter, again.toSQL('?'));
    if (query.exact !== (query.residual === null)) report('2: exact, and a residual', filter, '');
    const expected = new Set(all.filter((row) => whole.test(row)).map(({ id }) => String(id)));
    const given = await evaluate(filter, query);
    const { residual } = query;
    const left = idsOf(residual === null ? given : given.filter((row) => residual.test(row)));
    if (left.join() !== [...expected].sort().join())
      report(
        '1: other rows',
        filter,
        `${query.toSQL('?')}\n  found ${left.join()}\n  of    ${[...expected].join()}`,
      );
    const rows = new Set(idsOf(given));
    for (const id of expected)
      if (!rows.has(id)) report('3: the condition leaves out a row', filter, query.toSQL('?'));
    const denied = source.where(`not (${filter})`, options);
    if (query.exact && denied.exact) {
      const others = idsOf(await evaluate(filter, denied));
      if (others.some((id) => rows.has(id)) || others.length + rows.size !== all.length)
        report('6: a row has not one answer', filter, `${query.toSQL('?')}\n  ${denied.toSQL('?')}`);
    }
    tally[
      query.exact ? 'exact' : query.clauses.some(({ by }) => by !== 'residual') ? 'partial' : 'residual'
    ] += 1;
    tally.pairs += all.length;
  }

  /** Whether it is a filter for the schema. The source refuses the same with the same words. */
  function isFilter(filter: string): boolean {
    const [first, second] = [
      messageOf(() => compileFilter(filter, { schema })),
      messageOf(() => source.where(filter)),
    ];
    if (first !== second)
      report('11: refused in two ways', filter, `${first ?? 'taken'}\n  ${second ?? 'taken'}`);
    if (first !== null) tally.refused += 1;
    return first === null;
  }

  async function proveWild(filters: readonly string[]): Promise<void> {
    if (dialect === 'duckdb') return;
    await spoil(engine, 12, (from) => draw.pick(from));
    for (const filter of filters) {
      const query = odd.source.where(filter, { unresolved: 'absent', now: now() });
      tally.wild += 1;
      try {
        await engine.run(
          `SELECT count(*) AS n FROM ${odd.source.from} WHERE ${query.toSQL(mark)}`,
          query.values,
        );
      } catch (error) {
        report('8: it fails for a stored value', filter, `${String(error)}\n  ${query.toSQL('?')}`);
      }
    }
  }

  async function proveLists(): Promise<void> {
    const { rows, queries } = drawQueries(draw);
    await engine.fill(mapping, 'proof', rows);
    const found = await engine.run(`SELECT ${source.select} FROM ${source.from}`, []);
    const all = found.map((row) => source.decode(row) as Row);
    for (const { filter, unresolved, sort, reverse, prefix, perPage, hidden, token } of queries) {
      const text = filter === null ? undefined : textOf(filter);
      if (text === null || (text !== undefined && messageOf(() => compileFilter(text, { schema })) !== null))
        continue;
      const query = {
        ...(text === undefined ? {} : { filter: text }),
        ...(sort === undefined ? { reverse } : { sort }),
        ...(prefix === undefined ? {} : { prefix }),
        ...(hidden === null ? {} : { visible: (row: Row) => !String(row.id).endsWith(hidden) }),
        perPage,
      };
      const key = 'id' as never;
      const [inDatabase, inMemory] = [
        sqlListSource(source, (statement, values) => engine.run(statement, values), { key, sorts }),
        arraySource(schema, () => all as never, { key, sorts }),
      ].map((rowsOf) => createList(rowsOf, { unresolved, now }) as object as List<Row>) as [
        List<Row>,
        List<Row>,
      ];
      tally.lists += 1;
      const [left, right] = await Promise.all(
        [inDatabase, inMemory].map(async (list) => jsonOfResults(await resultsOf(list, query, token))),
      );
      if (left !== right) report('4, 5: other pages', text ?? '', `${left ?? ''}\n  ${right ?? ''}`);
    }
  }

  let tables = 0;
  while (tally.exact + tally.partial + tally.residual < requested && !until()) {
    const values = new Values(draw);
    const rows = Array.from({ length: rowsOfTable }, (_, at) => drawRow(values, `r${at}`));
    await engine.fill(mapping, 'proof', rows);
    const found = await engine.run(`SELECT ${source.select} FROM ${source.from}`, []);
    const all = found.map((row) => source.decode(row) as Row);
    const byId = new Map(all.map((row) => [row.id, row]));
    for (const row of rows) {
      const [put, got] = [asStored(dialect, row), byId.get(row.id as string) ?? {}].map((each) =>
        plain(each, (value) =>
          dialect === 'sqlite' ? Number.isNaN(value) : dialect === 'mysql' && !Number.isFinite(value),
        ),
      );
      if (put !== got) report('9: a row comes back as another one', '', `${put ?? ''}\n  ${got ?? ''}`);
    }
    const filters = Array.from({ length: filtersOfTable }, () =>
      textOf(drawFilter(draw, values, shape, true)),
    ).filter((filter): filter is string => filter !== null && isFilter(filter));
    for (const filter of filters) await proveOne(filter, all);
    tables += 1;
    if (tables % 4 !== 1) continue;
    await engine.fill(odd, 'wild', rows.slice(0, 12));
    await proveWild(filters);
    await proveLists();
  }
  return tally;
}

/** The text of a filter; null for a tree that has none. */
function textOf(ast: Expression): string | null {
  try {
    return print(ast);
  } catch (error) {
    if (error instanceof FilterError || error instanceof TypeError) return null;
    throw error;
  }
}

/** Why a filter is refused; null where it is taken. */
function messageOf(action: () => unknown): string | null {
  try {
    action();
    return null;
  } catch (error) {
    if (error instanceof FilterError) return error.message;
    throw error;
  }
}

const instants = new Set(['at', 'maybeAt', 'stamp']);

/** The identity of a row: integers by their digits, without null values, and without the strings of instants. */
function plain(row: Row, isLost: (value: number) => boolean): string {
  return JSON.stringify(
    Object.entries(row)
      .filter(([name, value]) => !instants.has(name) && value !== null && value !== undefined)
      // SQLite stores NaN as NULL.
      .filter(([, value]) => !(typeof value === 'number' && isLost(value)))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
    (_, value: unknown) => {
      if (typeof value === 'bigint') return `#${value}`;
      if (typeof value === 'number') return `#${Number.isInteger(value) ? BigInt(value) : value}`;
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
      return Object.fromEntries(
        Object.entries(value)
          .filter(([, each]) => each !== null)
          .sort(([a], [b]) => (a < b ? -1 : 1)),
      );
    },
  );
}

function jsonOfResults(results: unknown): string {
  return JSON.stringify(results, (_, value: unknown) =>
    typeof value === 'bigint'
      ? `${value}n`
      : typeof value === 'number' && !Number.isFinite(value)
        ? String(value)
        : value,
  );
}
