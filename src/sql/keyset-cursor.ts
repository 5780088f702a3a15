import { always, and, never, raw, sql, type Sql } from './sql.js';

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
}

type Position = number | bigint | string;

/** A value of a column; `null` is NULL, which statements compare differently. */
export type PlacedValue = Sql | 'null';

/** Returns the expressions for ORDER BY. */
export function orderBy(columns: readonly OrderedColumn[]): Sql {
  return columns.flatMap(({ expression, isDescending, isNullable }, at): Sql => [
    at === 0 ? '' : ', ',
    expression,
    isDescending ? ' DESC' : ' ASC',
    isNullable ? ` NULLS ${isDescending ? 'FIRST' : 'LAST'}` : '',
  ]);
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
): readonly Sql[] {
  const used = columns.slice(0, values.length);
  const [first] = used;
  if (first === undefined) return isInclusive ? [always] : [];
  const { expression, isDescending, isNullable } = first;
  const isNull = sql`${expression} IS NULL`;
  if (values[0] === 'null') {
    const ties = placedAfter(used.slice(1), values.slice(1), isInclusive).map((each) => and([isNull, each]));
    return isDescending ? [...ties, sql`${expression} IS NOT NULL`] : ties;
  }
  // One comparison of rows covers the columns of one direction. In DuckDB it is true for NULL.
  const end = used.findIndex((each, at) => at > 0 && (each.isDescending !== isDescending || each.isNullable));
  const count = end === -1 ? used.length : end;
  const [own, given] = [
    used.slice(0, count).map((each) => each.expression),
    values.slice(0, count) as readonly Sql[],
  ].map(row);
  const compare = (sign: string): Sql => sql`${own ?? never} ${raw(sign)} ${given ?? never}`;
  const isWhole = count === used.length;
  const ties = isWhole ? [] : placedAfter(used.slice(count), values.slice(count), isInclusive);
  return [
    ...ties.map((each) => and([compare('='), each])),
    and([
      compare(`${isDescending ? '<' : '>'}${isWhole && isInclusive ? '=' : ''}`),
      isNullable && count > 1 ? sql`${expression} IS NOT NULL` : always,
    ]),
    ...(isNullable && !isDescending ? [isNull] : []),
  ];
}

function row(pieces: readonly Sql[]): Sql {
  if (pieces.length === 1) return pieces[0] ?? never;
  return ['(', ...pieces.flatMap((each, at): Sql => [at === 0 ? '' : ', ', each]), ')'];
}
