import { and, never, or, raw, sql, type Sql } from './sql.js';

/** A column that rows are ordered by. It is NOT NULL, and its order is that of the list. */
export interface OrderedColumn {
  readonly property: string;
  /** The expression as compared: strings by bytes. */
  readonly expression: Sql;
  readonly isDescending: boolean;
  /** Returns a value for the statement; null for one that no row can have. */
  readonly value: (value: unknown) => Sql | null;
}

/** Returns the expressions for ORDER BY. */
export function orderBy(columns: readonly OrderedColumn[]): Sql {
  return columns.flatMap(({ expression, isDescending }, at): Sql => [
    at === 0 ? '' : ', ',
    expression,
    isDescending ? ' DESC' : ' ASC',
  ]);
}

/** Returns the condition for rows at and after a position, or only after it. @param values of the first columns, or of all */
export function placedAfter(
  columns: readonly OrderedColumn[],
  values: readonly Sql[],
  isInclusive: boolean,
): Sql {
  const used = columns.slice(0, values.length);
  const [first] = used;
  if (first === undefined) return never;
  const equal = isInclusive ? '=' : '';
  if (used.every(({ isDescending }) => isDescending === first.isDescending)) {
    const sign = raw(`${first.isDescending ? '<' : '>'}${equal}`);
    const [own, given] = [used.map(({ expression }) => expression), values].map(row);
    return sql`${own ?? never} ${sign} ${given ?? never}`;
  }
  return lexicographic(used, values, isInclusive);
}

function row(pieces: readonly Sql[]): Sql {
  if (pieces.length === 1) return pieces[0] ?? never;
  return ['(', ...pieces.flatMap((each, at): Sql => [at === 0 ? '' : ', ', each]), ')'];
}

function lexicographic(columns: readonly OrderedColumn[], values: readonly Sql[], isInclusive: boolean): Sql {
  const [column, ...others] = columns;
  const [value, ...rest] = values;
  if (column === undefined || value === undefined) return isInclusive ? raw('TRUE') : never;
  const { expression, isDescending } = column;
  const beyond = sql`${expression} ${raw(isDescending ? '<' : '>')} ${value}`;
  return or([beyond, and([sql`${expression} = ${value}`, lexicographic(others, rest, isInclusive)])]);
}
