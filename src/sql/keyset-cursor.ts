import type { SqlDialect } from './dialect.js';
import { always, and, never, or, raw, sql, type Sql } from './sql.js';

/** A column by which rows are ordered. It has the order of the list, with NULL after all values. */
export interface OrderedColumn {
  /** The name of the field. */
  readonly name: string;
  /** Returns the position of a row's value in the order of the list. */
  readonly positionOf: (row: object) => Position;
  /** The expression that is compared. Strings are compared by bytes. */
  readonly expression: Sql;
  readonly isNullable: boolean;
  readonly isDescending: boolean;
  /**
   * Returns the value for the statement at a position. `above` or `below`: the position is beyond the values that the column can
   * hold. Null: no row has the position for another reason.
   */
  readonly valueAt: (position: Position) => PlacedValue | 'above' | 'below' | null;
  /** Whether the column can store the value of a position. If not, `valueAt` returns the next one that it can. */
  readonly isStored?: ((position: Position) => boolean) | undefined;
  /** Compares the expression with a value, if an operator of the engine would not; always set for columns with NaN. */
  readonly compare?: ((sign: string, value: Sql) => Sql) | undefined;
}

type Position = number | bigint | string;

/** A value of a column; `null` is NULL, which statements compare differently. */
export type PlacedValue = Sql | 'null';

/** Returns the expressions for ORDER BY. */
export function orderBy(columns: readonly OrderedColumn[], { lacksNullsLast }: SqlDialect): Sql {
  return columns.flatMap(({ expression, isDescending, isNullable, compare }, at): Sql => {
    const direction = isDescending ? ' DESC' : ' ASC';
    const isPlain = !isNullable && compare === undefined;
    const nulls = isPlain ? '' : lacksNullsLast ? null : ` NULLS ${isDescending ? 'FIRST' : 'LAST'}`;
    return [
      at === 0 ? '' : ', ',
      ...(nulls === null ? [expression, ` IS NULL${direction}, `] : []),
      expression,
      direction,
      nulls ?? '',
    ];
  });
}

/**
 * Returns the conditions for rows at and after a position, or only after it. Each is one range of an index on the columns; the
 * ranges are in page order, so that they can be read one after the other. A single condition with OR would be a filter instead.
 *
 * @param values the values of the first columns, or of all
 */
export function placedAfter(
  columns: readonly OrderedColumn[],
  values: readonly PlacedValue[],
  isInclusive: boolean,
  dialect: SqlDialect,
): readonly Sql[] {
  const used = columns.slice(0, values.length);
  const [first] = used;
  if (first === undefined) return isInclusive ? [always] : [];
  const { expression, isDescending, isNullable } = first;
  const isNull = sql`${expression} IS NULL`;
  if (values[0] === 'null') {
    const ties = placedAfter(used.slice(1), values.slice(1), isInclusive, dialect).map((each) =>
      and([isNull, each]),
    );
    return isDescending ? [...ties, sql`${expression} IS NOT NULL`] : ties;
  }
  // One comparison of rows covers the columns of one direction. In DuckDB it is true for NULL.
  const end = used.findIndex((each, at) => at > 0 && (each.isDescending !== isDescending || each.isNullable));
  const count = end === -1 ? used.length : end;
  const compared = used.slice(0, count);
  const own = compared.map((each) => each.expression);
  const given = values.slice(0, count) as readonly Sql[];
  const compare = (sign: string): Sql =>
    dialect.comparesColumns
      ? compareColumns(compared, given, sign)
      : sql`${row(own)} ${raw(sign)} ${row(given)}`;
  const isWhole = count === used.length;
  const ties = isWhole ? [] : placedAfter(used.slice(count), values.slice(count), isInclusive, dialect);
  return [
    ...ties.map((each) => and([compare('='), each])),
    and([
      compare(`${isDescending ? '<' : '>'}${isWhole && isInclusive ? '=' : ''}`),
      isNullable && count > 1 ? sql`${expression} IS NOT NULL` : always,
    ]),
    ...(isNullable && !isDescending ? [isNull] : []),
  ];
}

/** Returns a comparison of rows as comparisons of their columns. */
function compareColumns(columns: readonly OrderedColumn[], given: readonly Sql[], sign: string): Sql {
  const [first, ...others] = columns;
  const [value = never, ...rest] = given;
  if (first === undefined) return always;
  const { expression, compare = (by: string, to: Sql) => sql`${expression} ${raw(by)} ${to}` } = first;
  if (others.length === 0) return compare(sign, value);
  const tie = and([compare('=', value), compareColumns(others, rest, sign)]);
  return sign === '=' ? tie : or([compare(sign.slice(0, 1), value), tie]);
}

function row(pieces: readonly Sql[]): Sql {
  if (pieces.length === 1) return pieces[0] ?? never;
  return ['(', ...pieces.flatMap((each, at): Sql => [at === 0 ? '' : ', ', each]), ')'];
}
