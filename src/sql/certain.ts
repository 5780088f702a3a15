import { instanceKindOf } from '../language/values/instance/index.js';
import type { ColumnAccess, Items } from './column-access.js';
import type { SqlDialect } from './dialect.js';
import { exactly, isWithin, unknown, valueOf, type Leaf, type SqlPiece } from './leaf.js';
import { always, and, never, sql, type Sql } from './sql.js';

// The conditions for `unresolved: 'deny'`, which are true only if a match is certainly true.

/** Returns the condition that a test of a single value is certainly true, or certainly false. */
export function certainly(
  dialect: SqlDialect,
  found: Leaf,
  access: ColumnAccess,
  expected: boolean,
): SqlPiece {
  const piece = expected ? found.yes : found.no;
  return piece.sql === null
    ? piece
    : { ...piece, sql: and([piece.sql, ...guardsOf(dialect, access, expected)]) };
}

/** Returns the conditions that a single value is known: not null, of its kind, and not NaN. */
export function knownOf(dialect: SqlDialect, access: ColumnAccess): readonly Sql[] {
  const scalar = access.scalar();
  const present = scalar === null ? [] : [sql`${valueOf(scalar)} IS NOT NULL`];
  return [...present, ...guardsOf(dialect, access, false)];
}

/** Returns the conditions that a value that is not null is known, apart from those that the truth of a test implies. */
function guardsOf(
  dialect: SqlDialect,
  { type, isOfKind, scalar: scalarOf }: ColumnAccess,
  expected: boolean,
): Sql[] {
  const scalar = scalarOf();
  const guards = isOfKind === undefined ? [] : [isOfKind];
  if (scalar === null) return guards;
  const value = valueOf(scalar);
  // JSON may have a fraction where rows count in a unit.
  if (isOfKind !== undefined && instanceKindOf(type)?.isText === false)
    guards.push(
      scalar.kind === 'decimal' ? sql`${value} = trunc(${value})` : sql`${value} = round(${value})`,
    );
  if (expected) return guards;
  if (scalar.kind === 'float' && dialect.notNaN !== null) guards.push(dialect.notNaN(value));
  if (scalar.kind === 'instant' && !scalar.isBounded) guards.push(sql`(${isWithin(value, scalar.as)})`);
  return guards;
}

/** Returns the condition that a value is present and a list or a map; null if it is unknown. */
export function collectionOf(access: ColumnAccess): Sql | null {
  if (access.isOfKind !== undefined) return access.isOfKind;
  const size = access.size();
  return size === null ? null : sql`${size} IS NOT NULL`;
}

/** Returns the condition that a condition is certainly true for an element of a collection, or for all of them. */
export function certainlyIn(
  access: ColumnAccess,
  { exists }: Pick<Items, 'exists'>,
  isAny: boolean,
  body: SqlPiece,
): SqlPiece {
  if (body.sql === null) return body;
  if (isAny) return { ...body, sql: exists(body.sql) };
  const present = collectionOf(access);
  if (present === null) return unknown('the column does not store the number of elements');
  return { ...body, sql: and([present, sql`NOT ${exists(sql`(${body.sql}) IS NOT TRUE`)}`]) };
}

/** Returns the condition that a value is certainly null, or certainly not. */
export function certainlyNil(
  { isNull, isMissing, isNil, isOfKind }: ColumnAccess,
  expected: boolean,
): SqlPiece {
  if (expected) return exactly(isNil ?? isNull ?? never);
  if (isOfKind !== undefined) return exactly(isOfKind);
  const absent = [isNull, isMissing].filter((each) => each !== null);
  return exactly(absent.length === 0 ? always : and(absent.map((each) => sql`(${each}) IS NOT TRUE`)));
}

/** Returns a leaf of a test of known values: the conditions are those under which they are known. */
export function leafOfKnown(test: Sql, known: readonly (Sql | null)[]): Leaf {
  const conditions = known.filter((each) => each !== null);
  return {
    yes: exactly(and([test, ...conditions])),
    no: exactly(and([sql`(${test}) IS NOT TRUE`, ...conditions])),
    isTotal: true,
  };
}
