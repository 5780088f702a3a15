import type { ColumnAccess, SqlScalar } from './column-access.js';
import { and, never, or, sql, type Sql } from './sql.js';

/** A condition on rows: where it is not exact it holds for more than was asked. Null where nothing is known. */
export interface SqlPiece {
  readonly sql: Sql | null;
  readonly isExact: boolean;
  /** Why it is not exact. */
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
 * What a test answers for values that are there: `yes` is true where it holds, `no` where it does not, and neither is true of
 * what is null or missing. A `total` leaf answers for these as well.
 */
export interface Leaf {
  readonly yes: SqlPiece;
  readonly no: SqlPiece;
  readonly isTotal?: boolean;
}

export function leaf(yes: Sql, no: Sql = sql`NOT (${yes})`): Leaf {
  return { yes: exactly(yes), no: exactly(no) };
}

/** A leaf whose condition is never unknown. */
export function totalLeaf(yes: Sql, no: Sql = sql`(${yes}) IS NOT TRUE`): Leaf {
  return { yes: exactly(yes), no: exactly(no), isTotal: true };
}

export function untranslated(why: string): Leaf {
  return { yes: unknown(why), no: unknown(why) };
}

/** A leaf that holds for no value, or for each. */
export function constantLeaf(isTrue: boolean, present: Sql): Leaf {
  return isTrue ? leaf(present, never) : leaf(never, present);
}

/** True where there is a value. */
export function presentOf(scalar: SqlScalar): Sql {
  return sql`${valueOf(scalar)} IS NOT NULL`;
}

export function valueOf(scalar: SqlScalar): Sql {
  return 'text' in scalar ? scalar.text.value : scalar.value;
}

/** Leaves joined by `or`. */
export function anyLeaf(leaves: readonly Leaf[]): Leaf {
  const join = (pieces: readonly SqlPiece[], by: typeof or, isWhole: boolean): SqlPiece => {
    const known = pieces.map((each) => each.sql).filter((each) => each !== null);
    const why = pieces.find((each) => each.why !== null)?.why ?? null;
    // An `or` with something unknown in it is unknown; an `and` is only weaker.
    if (known.length === 0 || (isWhole && known.length < pieces.length)) return unknown(why ?? '');
    return { sql: by(known), isExact: pieces.every((each) => each.isExact), why };
  };
  return {
    yes: join(
      leaves.map((each) => each.yes),
      or,
      true,
    ),
    no: join(
      leaves.map((each) => each.no),
      and,
      false,
    ),
  };
}

/** What a test answers where there is no value, of its positive form. */
export interface LeafResults {
  readonly ofNull: boolean;
  readonly ofMissing: boolean;
}

/** The condition that a match holds, or that it does not. */
export function conditionOf(found: Leaf, access: ColumnAccess, results: LeafResults, expected: boolean): SqlPiece {
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
  // What is no instant of a row is there, and no test holds for it.
  if (scalar?.kind === 'instant' && !scalar.isBounded && !expected) states.push(isOutside(scalar.value));
  return { ...piece, sql: or(states) };
}

/** The least and the greatest instant that a row can have. */
export const firstInstant = `TIMESTAMPTZ '0001-01-01 00:00:00+00'`;
export const lastInstant = `TIMESTAMPTZ '9999-12-31 23:59:59.999999+00'`;

function isOutside(value: Sql): Sql {
  return sql`(${value} < ${[firstInstant]} OR ${value} > ${[lastInstant]})`;
}
