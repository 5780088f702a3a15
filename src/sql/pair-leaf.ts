import { formOf } from '../language/operators/operators.js';
import type { Type } from '../language/schema/type.js';
import type { MatchExpression } from '../language/syntax/ast.js';
import { instanceKindOf } from '../language/values/instance/index.js';
import { isOrdering } from '../language/values/ordering.js';
import { certainlyIn, collectionOf, knownOf, leafOfKnown } from './certain.js';
import { quotedText, type SqlDialect } from './dialect.js';
import { instantLimits, isWithin, totalLeaf, untranslated, valueOf, type Leaf } from './leaf.js';
import { storedTypeOf, type ColumnAccess, type SqlScalar } from './column-access.js';
import { and, raw, sql, type Sql } from './sql.js';
import { withoutNul } from './text-leaf.js';
import { instantText } from './value-leaf.js';

/** The instant 0001-01-01T00:00:00Z, which is the value of a null instant, in ms since 1970. */
const firstMillis = -62_135_596_800_000;

/**
 * Returns the leaf of a match that compares two values of a row. The leaf also covers null and missing values. If it `denies`,
 * neither of its conditions is true for these.
 */
export function pairLeaf(
  dialect: SqlDialect,
  node: MatchExpression,
  own: ColumnAccess,
  other: ColumnAccess,
  denies: boolean,
): Leaf {
  const { name } = formOf(node.operator).operator;
  const right = other.scalar();
  if (right === null) return untranslated('the column does not distinguish its values');
  if (node.aspect === 'length') return lengthPair(dialect, name, own, other, right, denies);
  const stored = storedTypeOf(own.type);
  if (stored === 'list') return elementPair(dialect, own, other, denies);
  if (stored === 'map') {
    const key = right.kind === 'text' ? (denies ? valueOf(right) : readAs(dialect, other, right)) : null;
    const has = key === null ? null : own.hasKey(key);
    if (has === null) return untranslated('the column does not distinguish its keys');
    return denies ? leafOfKnown(has, [collectionOf(own), ...knownOf(dialect, other)]) : totalLeaf(has);
  }
  const left = own.scalar();
  if (left === null) return untranslated('the column does not distinguish its values');
  return scalarPair(dialect, name, { access: own, scalar: left }, { access: other, scalar: right }, denies);
}

interface Side {
  readonly access: ColumnAccess;
  readonly scalar: SqlScalar;
}

const notAlike = 'the two columns store their values differently';

function scalarPair(dialect: SqlDialect, name: string, left: Side, right: Side, denies: boolean): Leaf {
  const read = ({ access, scalar }: Side): Sql | null =>
    denies ? valueOf(scalar) : readAs(dialect, access, scalar);
  const [a, b] = [read(left), read(right)];
  const known = denies ? [left, right].flatMap(({ access }) => knownOf(dialect, access)) : null;
  if (a === null || b === null) return untranslated('null reads as a value that the column cannot store');
  const isText = name === 'in' || name === 'starts with' || name === 'ends with';
  if (left.scalar.kind === 'text' && right.scalar.kind === 'text' && isText) {
    return guardNul(
      dialect,
      left,
      right,
      textPair(dialect, name, dialect.bytewise(sql`(${a})`), dialect.bytewise(sql`(${b})`), known),
    );
  }
  if (isText || !isAlike(left, right)) return untranslated(notAlike);
  const sign = name === '==' ? '=' : isOrdering(name) ? name : null;
  if (sign === null) return untranslated(notAlike);
  const compared =
    'text' in left.scalar
      ? sql`${dialect.bytewise(sql`(${a})`)} ${raw(sign)} ${dialect.bytewise(sql`(${b})`)}`
      : sql`${a} ${raw(sign)} ${b}`;
  if (known !== null) return leafOfKnown(compared, known);
  if (left.scalar.kind === 'instant' && right.scalar.kind === 'instant') {
    const { as } = left.scalar;
    const open = [left, right].map(({ scalar }) => scalar.kind === 'instant' && !scalar.isBounded);
    return totalLeaf(
      and([compared, ...[a, b].filter((_, at) => open[at]).map((each) => isWithin(each, as))]),
    );
  }
  const { notNaN } = dialect;
  if (left.scalar.kind !== 'float' || notNaN === null) return totalLeaf(compared);
  return totalLeaf(and([compared, notNaN(a), notNaN(b)]));
}

function isAlike({ access: own, scalar: left }: Side, { access: other, scalar: right }: Side): boolean {
  if (left.kind !== right.kind || left.kind === 'rounded') return false;
  // A comparison of two types of instants depends on the time zone of the session.
  if (
    left.kind === 'instant' &&
    right.kind === 'instant' &&
    (left.as !== right.as || left.digits !== right.digits)
  )
    return false;
  if (left.kind === 'timeText' && right.kind === 'timeText') return left.digits === right.digits;
  if (left.kind === 'text') return own.type.kind === 'string' && other.type.kind === 'string';
  // Integers in two different units cannot be compared directly.
  const [kind, otherKind] = [instanceKindOf(own.type), instanceKindOf(other.type)];
  if (kind !== otherKind) return false;
  if (own.type.kind === 'float32' || other.type.kind === 'float32') return false;
  // Integers and doubles in JSON are decimals, which must only be compared with values of the same type.
  return left.kind !== 'decimal' || (own.type.kind === 'float64') === (other.type.kind === 'float64');
}

function textPair(dialect: SqlDialect, name: string, a: Sql, b: Sql, known: readonly Sql[] | null): Leaf {
  const { contains, startsWith, endsWith } = dialect;
  const matches = name === 'in' ? contains : name === 'starts with' ? startsWith : endsWith;
  const found = sql`(${matches(a, b)} OR (${b} = '' AND ${a} IS NOT NULL))`;
  return known === null ? totalLeaf(found) : leafOfKnown(found, known);
}

function guardNul(dialect: SqlDialect, left: Side, right: Side, found: Leaf): Leaf {
  const sides = [left, right].map(({ scalar }) => ('text' in scalar ? scalar.text : null));
  return sides.reduce(
    (leaf, text) => (text === null ? leaf : { ...withoutNul(dialect, text, leaf), isTotal: true }),
    found,
  );
}

/**
 * Returns the value with null replaced by the zero value, or NULL if null counts as absent. Returns null if the type has no zero
 * value.
 */
function readAs(dialect: SqlDialect, { type, isNull }: ColumnAccess, scalar: SqlScalar): Sql | null {
  const value = valueOf(scalar);
  if (isNull === null || !readsAsZero(type)) return value;
  const zero = zeroOf(dialect, type, scalar);
  return zero === null ? null : sql`CASE WHEN ${isNull} THEN ${zero} ELSE ${value} END`;
}

/** Whether null reads as the zero value of its type. */
function readsAsZero(type: Type): boolean {
  const kind = instanceKindOf(type);
  return type.nullDepth === 0 && !(kind?.isText === true && kind.zero === null);
}

function zeroOf(dialect: SqlDialect, type: Type, scalar: SqlScalar): Sql | null {
  switch (scalar.kind) {
    case 'text':
      return raw(quotedText(''));
    case 'timeText':
      return raw(quotedText(instantText(firstMillis, scalar.digits).text));
    case 'integer':
    case 'decimal':
    case 'rounded':
      return raw('0');
    case 'float':
      return type.kind === 'float64' ? raw('0.0') : null;
    case 'bool':
      return raw('FALSE');
    default: {
      if (dialect.instant === undefined) return instantLimits(scalar.as)[0];
      const zero = dialect.instant(instantText(firstMillis, scalar.digits ?? 6).text);
      return typeof zero === 'string' ? null : zero;
    }
  }
}

function lengthPair(
  dialect: SqlDialect,
  name: string,
  own: ColumnAccess,
  other: ColumnAccess,
  right: SqlScalar,
  denies: boolean,
): Leaf {
  const stored = storedTypeOf(own.type);
  const scalar = own.scalar();
  const size =
    stored === 'list' || stored === 'map'
      ? own.size()
      : scalar?.kind === 'text' && scalar.text.mayContainNul === false
        ? dialect.length(scalar.text.value)
        : null;
  const sign = name === '==' ? '=' : isOrdering(name) ? name : null;
  const operand =
    right.kind !== 'integer' || instanceKindOf(other.type) !== null
      ? null
      : denies
        ? valueOf(right)
        : readAs(dialect, other, right);
  if (size === null || sign === null || operand === null) return untranslated(notAlike);
  if (denies) {
    const known = [sql`${size} IS NOT NULL`, own.isOfKind ?? null, ...knownOf(dialect, other)];
    return leafOfKnown(sql`${size} ${raw(sign)} ${operand}`, known);
  }
  // Null reads as an empty list, an empty map or an empty string.
  const measured =
    own.isNull !== null && readsAsZero(own.type)
      ? sql`CASE WHEN ${own.isNull} THEN 0 ELSE ${size} END`
      : size;
  return totalLeaf(sql`${measured} ${raw(sign)} ${operand}`);
}

/** Returns the condition that an element of a list equals another value of the row. */
function elementPair(dialect: SqlDialect, own: ColumnAccess, other: ColumnAccess, denies: boolean): Leaf {
  const found = own.items('tamis_p');
  const scalar = found?.value.scalar() ?? null;
  const right = other.scalar();
  if (found === null || scalar === null || right === null) return untranslated(notAlike);
  const sides = [
    { access: found.value, scalar },
    { access: other, scalar: right },
  ] as const;
  const equal = scalarPair(dialect, '==', ...sides, denies);
  if (equal.yes.sql === null || !equal.yes.isExact) return untranslated(equal.yes.why ?? notAlike);
  if (denies) {
    const none = certainlyIn(own, found, false, equal.no);
    const no = none.sql === null ? none : { ...none, sql: and([none.sql, ...knownOf(dialect, other)]) };
    return { yes: certainlyIn(own, found, true, equal.yes), no };
  }
  const exists = found.exists(equal.yes.sql);
  return totalLeaf(exists, sql`NOT ${exists}`);
}
