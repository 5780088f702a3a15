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
 * Returns the condition for rows at and after a position, or only after it. @param values the values of the first columns, or of
 * all
 */
export function placedAfter(
  columns: readonly OrderedColumn[],
  values: readonly PlacedValue[],
  isInclusive: boolean,
): Sql {
  const used = columns.slice(0, values.length);
  const [first] = used;
  if (first === undefined) return never;
  const equal = isInclusive ? '=' : '';
  if (used.every(({ isDescending, isNullable }) => isDescending === first.isDescending && !isNullable)) {
    const sign = raw(`${first.isDescending ? '<' : '>'}${equal}`);
    const [own, given] = [used.map(({ expression }) => expression), values as readonly Sql[]].map(row);
    return sql`${own ?? never} ${sign} ${given ?? never}`;
  }
  return lexicographic(used, values, isInclusive);
}

function row(pieces: readonly Sql[]): Sql {
  if (pieces.length === 1) return pieces[0] ?? never;
  return ['(', ...pieces.flatMap((each, at): Sql => [at === 0 ? '' : ', ', each]), ')'];
}

function lexicographic(
  columns: readonly OrderedColumn[],
  values: readonly PlacedValue[],
  isInclusive: boolean,
): Sql {
  const [column, ...others] = columns;
  const [value, ...rest] = values;
  if (column === undefined || value === undefined) return isInclusive ? always : never;
  const { expression, isDescending, isNullable } = column;
  const next = lexicographic(others, rest, isInclusive);
  if (value === 'null')
    return or([
      isDescending ? sql`${expression} IS NOT NULL` : never,
      and([sql`${expression} IS NULL`, next]),
    ]);
  const beyond = sql`${expression} ${raw(isDescending ? '<' : '>')} ${value}`;
  const nulls = isNullable && !isDescending ? sql`${expression} IS NULL` : never;
  return or([beyond, nulls, and([sql`${expression} = ${value}`, next])]);
}
