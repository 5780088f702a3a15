import type { ColumnAccess, InstantType, SqlScalar } from './column-access.js';
import { and, never, or, raw, sql, type Sql } from './sql.js';

/** A condition on rows. If it is not exact, it may also match other rows. The condition is null if none is known. */
export interface SqlPiece {
  readonly sql: Sql | null;
  readonly isExact: boolean;
  /** The reason why it is not exact; null if it is. */
  readonly why: string | null;
}

export function exactly(condition: Sql): SqlPiece {
  return { sql: condition, isExact: true, why: null };
}

export function partial(condition: Sql, why: string): SqlPiece {
  return { sql: condition, isExact: false, why };
}

export function unknown(why: string): SqlPiece {
  return { sql: null, isExact: false, why };
}

/**
 * The condition of a test on existing values: `yes` is true if the test holds, `no` if it does not, and neither is true for null
 * or missing values. A `total` leaf covers these as well.
 */
export interface Leaf {
  readonly yes: SqlPiece;
  readonly no: SqlPiece;
  readonly isTotal?: boolean;
}

export function leaf(yes: Sql, no: Sql = sql`NOT (${yes})`): Leaf {
  return { yes: exactly(yes), no: exactly(no) };
}

/** Returns a leaf whose conditions are never NULL. */
export function totalLeaf(yes: Sql, no: Sql = sql`(${yes}) IS NOT TRUE`): Leaf {
  return { yes: exactly(yes), no: exactly(no), isTotal: true };
}

export function untranslated(why: string): Leaf {
  return { yes: unknown(why), no: unknown(why) };
}

/** Returns a leaf that is true for all values or for none. */
export function constantLeaf(isTrue: boolean, present: Sql): Leaf {
  return isTrue ? leaf(present, never) : leaf(never, present);
}

/** Returns the condition that a value exists. */
export function presentOf(scalar: SqlScalar): Sql {
  return sql`${valueOf(scalar)} IS NOT NULL`;
}

export function valueOf(scalar: SqlScalar): Sql {
  return 'text' in scalar ? scalar.text.value : scalar.value;
}

/** Returns the conditions joined by `and`. Without an unknown one it is only weaker. */
export function all(pieces: readonly SqlPiece[]): SqlPiece {
  return joined(pieces, and, 1);
}

/** Returns the conditions joined by `or`, which is unknown if one of them is. */
export function some(pieces: readonly SqlPiece[]): SqlPiece {
  return joined(pieces, or, pieces.length);
}

function joined(pieces: readonly SqlPiece[], by: typeof or, minKnown: number): SqlPiece {
  const known = pieces.flatMap((each) => (each.sql === null ? [] : [each.sql]));
  const why = pieces.find((each) => each.why !== null)?.why ?? null;
  if (known.length < minKnown) return unknown(why ?? '');
  return { sql: by(known), isExact: pieces.every(({ isExact }) => isExact), why };
}

/** Returns the leaves joined by `or`. */
export function anyLeaf(leaves: readonly Leaf[]): Leaf {
  return { yes: some(leaves.map(({ yes }) => yes)), no: all(leaves.map(({ no }) => no)) };
}

/** The results of the positive form of a test for a missing value. */
export interface LeafResults {
  readonly ofNull: boolean;
  readonly ofMissing: boolean;
}

/** Returns the condition that a match is true, or that it is false. */
export function conditionOf(
  found: Leaf,
  access: ColumnAccess,
  results: LeafResults,
  expected: boolean,
): SqlPiece {
  const piece = expected ? found.yes : found.no;
  if (piece.sql === null || found.isTotal === true) return piece;
  const { isNull, isMissing } = access;
  const states = [piece.sql];
  const scalar = access.scalar();
  const asNull = results.ofNull === expected && isNull !== null;
  const asMissing = results.ofMissing === expected && isMissing !== null;
  const isWhole = (asNull || isNull === null) && (asMissing || isMissing === null);
  if ((asNull || asMissing) && isWhole && scalar !== null && scalar.kind !== 'decimal') {
    states.push(sql`${valueOf(scalar)} IS NULL`);
  } else {
    if (asNull) states.push(isNull);
    if (asMissing) states.push(isMissing);
  }
  // An instant that rows cannot have exists in the database, but no test is true for it.
  if (scalar?.kind === 'instant' && !scalar.isBounded && !expected)
    states.push(sql`NOT (${isWithin(scalar.value, scalar.as)})`);
  return { ...piece, sql: or(states) };
}

/** Returns the minimum and maximum instant of a row, as SQL. */
export function instantLimits(as: InstantType): readonly [first: Sql, last: Sql] {
  const [start, end] =
    as === 'date'
      ? ['', '']
      : as === 'timestamptz'
        ? [' 00:00:00+00', ' 23:59:59.999999+00']
        : [' 00:00:00', ' 23:59:59.999999'];
  const type = as === 'datetime' ? 'TIMESTAMP' : as.toUpperCase();
  return [raw(`${type} '0001-01-01${start}'`), raw(`${type} '9999-12-31${end}'`)];
}

/** Returns the condition that rows can have an instant; NULL for NULL. */
export function isWithin(value: Sql, as: InstantType): Sql {
  const [first, last] = instantLimits(as);
  const isDate =
    as === 'datetime'
      ? sql` AND COALESCE(FROM_DAYS(TO_DAYS(${value})) = DATE(${value}), ${value} IS NULL)`
      : [];
  return sql`${value} BETWEEN ${first} AND ${last}${isDate}`;
}
