import { createBoundOf, type KeyBound } from '../filter/compile/frame/ordered-index.js';
import { formOf, type OperatorName } from '../language/operators/operators.js';
import type { Type } from '../language/schema/type.js';
import type { MatchExpression, Value } from '../language/syntax/ast.js';
import { instanceKindOf } from '../language/values/instance/index.js';
import type { Instant } from '../language/values/instance/time.js';
import { coerceBool } from '../language/values/operand.js';
import { isOrdering, negatedOrderings, type Ordering } from '../language/values/ordering.js';
import { literalsOf } from '../language/syntax/ast.js';
import { floatText, type SqlDialect } from './dialect.js';
import {
  anyLeaf,
  constantLeaf,
  instantLimits,
  isWithin,
  leaf,
  presentOf,
  untranslated,
  valueOf,
  type Leaf,
} from './leaf.js';
import type { InstantType, SqlScalar } from './column-access.js';
import { parameter, raw, sql, type Sql } from './sql.js';
import { equalsAny, ordering, textLeaf } from './text-leaf.js';

/** Returns the leaf of a match that compares a single value with literals. */
export function scalarLeaf(
  dialect: SqlDialect,
  scalar: SqlScalar,
  type: Type,
  node: MatchExpression,
  now: number | null,
): Leaf {
  const { operator } = formOf(node.operator);
  const own = scalar.test?.(node, now) ?? null;
  if (own !== null) return leaf(own.yes, own.no);
  return literalLeaf(dialect, scalar, type, operator.name, literalsOf(node), now);
}

/** Like `scalarLeaf`, given the name of an operator. */
export function literalLeaf(
  dialect: SqlDialect,
  scalar: SqlScalar,
  type: Type,
  name: OperatorName,
  literals: readonly Value[],
  now: number | null,
): Leaf {
  const isInstances = comparesInstances(type, name, literals);
  switch (scalar.kind) {
    case 'text':
      return isInstances
        ? untranslated(`a string is compared by its value as ${describeKind(type)}`)
        : textLeaf(dialect, scalar.text, name, literals);
    case 'timeText':
      return isInstances
        ? boundLeaf(timeTextScale(dialect, scalar), type, name, literals, now)
        : textLeaf(dialect, scalar.text, name, literals);
    case 'bool':
      return boolLeaf(dialect, scalar, literals);
    case 'integer':
      return boundLeaf(integerScale(dialect, scalar.value), type, name, literals, now);
    case 'decimal':
      return boundLeaf(decimalScale(scalar.value, type), type, name, literals, now);
    case 'rounded':
      return untranslated('the literal is not a possible value of the column');
    case 'float':
      return boundLeaf(floatScale(dialect, scalar.value), type, name, literals, now);
    default:
      if (name === 'is empty') return constantLeaf(false, presentOf(scalar));
      return isInstances
        ? boundLeaf(instantScale(dialect, scalar), type, name, literals, now)
        : untranslated('it compares the string form of an instant, which the column does not store');
  }
}

function describeKind({ kind }: Type): string {
  return kind === 'ip' ? 'an address' : `a ${kind}`;
}

/** Whether a match compares instances instead of strings. */
function comparesInstances(type: Type, name: OperatorName, literals: readonly Value[]): boolean {
  const kind = instanceKindOf(type);
  if (kind?.isText !== true) return false;
  if (isOrdering(name) || name === 'in [..]') return true;
  const [literal] = literals;
  return name === '==' && literal !== undefined && !literal.ignoreCase && kind.parse(literal.text) !== null;
}

function boolLeaf({ isTrue, isFalse }: SqlDialect, scalar: SqlScalar, [literal]: readonly Value[]): Leaf {
  const expected = literal === undefined ? 'syntax' : coerceBool(literal);
  if (typeof expected === 'string') return untranslated('it is not a comparison with true or false');
  const value = valueOf(scalar);
  return expected ? leaf(isTrue(value), isFalse(value)) : leaf(isFalse(value), isTrue(value));
}

/** How values of a column are compared with a literal's position among them. */
export interface ColumnScale<At = Sql> {
  readonly present: Sql;
  /** The position of a literal; below or above all values of the column; null if the column cannot determine it. */
  readonly access: (bound: KeyBound) => LeafAccess<At> | 'below' | 'above' | null;
  readonly compare: (name: Ordering, at: At) => Leaf;
  readonly oneOf: (accesses: readonly LeafAccess<At>[]) => Leaf;
}

export interface LeafAccess<At = Sql> {
  readonly at: At;
  /** The value as written in a list that is sent as one parameter. */
  readonly text: string;
  /** Whether the literal equals the value. If false, it is between this value and the next one. */
  readonly isExact: boolean;
}

export function boundLeaf<At>(
  scale: ColumnScale<At>,
  type: Type,
  name: OperatorName,
  literals: readonly Value[],
  now: number | null,
): Leaf {
  const { operand } = formOf(name).operator;
  if (type.kind === 'float32') return untranslated('numbers of 32 bits are compared as such');
  const boundOf = createBoundOf(type);
  const bounds = literals.map((literal) => boundOf(literal, operand, now));
  if (bounds.includes(null)) return untranslated('the literal is not a possible value of the column');
  if (isOrdering(name)) {
    const [bound] = bounds;
    if (bound === undefined || bound === null) return constantLeaf(false, scale.present);
    const access = scale.access(bound);
    if (access === null) return untranslated('the literal is not a possible value of the column');
    if (typeof access === 'string')
      return constantLeaf(name.startsWith('<') === (access === 'above'), scale.present);
    if (access.isExact) return scale.compare(name, access.at);
    return scale.compare(name.startsWith('<') ? '<=' : '>', access.at);
  }
  if (name !== '==' && name !== 'in [..]') return untranslated(`\`${name}\` does not apply to this column`);
  const accesses: LeafAccess<At>[] = [];
  for (const bound of bounds) {
    if (bound === undefined || bound === null) continue;
    const access = scale.access(bound);
    if (access === null) return untranslated('the literal is not a possible value of the column');
    if (typeof access !== 'string' && access.isExact) accesses.push(access);
  }
  return accesses.length === 0 ? constantLeaf(false, scale.present) : scale.oneOf(accesses);
}

function integerScale(dialect: SqlDialect, value: Sql): ColumnScale {
  return {
    present: sql`${value} IS NOT NULL`,
    access({ key, isExact }) {
      const integer = BigInt(key as number | bigint);
      if (integer > dialect.maxInteger) return 'above';
      if (integer < -(2n ** 63n)) return 'below';
      return { at: dialect.integer(integer), text: String(integer), isExact };
    },
    compare: (name, at) => ordering(value, name, at),
    oneOf: (accesses) => equalsAny(dialect, value, accesses, 'bigint'),
  };
}

/** JSON numbers in PostgreSQL, which are decimals: doubles are stored as their shortest decimal strings. */
function decimalScale(value: Sql, type: Type): ColumnScale {
  return {
    present: sql`${value} IS NOT NULL`,
    access({ key, isExact }) {
      if (key === Infinity) return 'above';
      if (key === -Infinity) return 'below';
      // The shortest string of a double that is a large integer denotes a different integer.
      const text = type.kind === 'float64' ? floatText(Number(key)) : String(BigInt(key as number | bigint));
      return { at: sql`${parameter(text)}::numeric`, text, isExact };
    },
    compare: (name, at) => ordering(value, name, at),
    oneOf: (accesses) =>
      anyLeaf(accesses.map(({ at }) => leaf(sql`${value} = ${at}`, sql`${value} <> ${at}`))),
  };
}

function floatScale(dialect: SqlDialect, value: Sql): ColumnScale {
  const { notNaN, ieee } = dialect;
  return {
    present: sql`${value} IS NOT NULL`,
    access({ key }) {
      const number = Number(key);
      if (dialect.onlyFinite && !Number.isFinite(number)) return number > 0 ? 'above' : 'below';
      return { at: dialect.float(number), text: floatText(number), isExact: true };
    },
    compare(name, at) {
      const plain = ordering(value, name, at);
      // Both engines that support NaN sort it after all numbers; in Tamis it has no position in the order.
      if (notNaN === null || plain.yes.sql === null || plain.no.sql === null) return plain;
      if (ieee !== undefined) return leaf(plain.yes.sql);
      return name.startsWith('>')
        ? leaf(sql`(${plain.yes.sql} AND ${notNaN(value)})`, sql`(${plain.no.sql} OR NOT (${notNaN(value)}))`)
        : plain;
    },
    oneOf(accesses) {
      const hasZero = ieee !== undefined && accesses.some(({ text }) => text === '0');
      const zeros = hasZero ? [{ at: ieee.negativeZero, text: '-0' }] : [];
      return equalsAny(dialect, value, [...accesses, ...zeros], 'float8');
    },
  };
}

function instantScale(
  dialect: SqlDialect,
  { value, isBounded, as, digits = 6 }: SqlScalar & { readonly kind: 'instant' },
): ColumnScale {
  const [first, last] = instantLimits(as);
  const within = (name: Ordering): Sql =>
    as === 'datetime'
      ? isWithin(value, as)
      : name.startsWith('<')
        ? sql`${value} >= ${first}`
        : sql`${value} <= ${last}`;
  return {
    present: isBounded ? sql`${value} IS NOT NULL` : sql`(${isWithin(value, as)})`,
    access: ({ key }) => {
      const { text: written, isExact, year } = instantText(key as Instant, digits);
      if (year < 1 || year > 9999) return year < 1 ? 'below' : 'above';
      const text =
        as === 'date' ? written.slice(0, 10) : written.replace('Z', as === 'timestamptz' ? 'Z' : '');
      const at = instantParameter(dialect, text, as);
      if (typeof at === 'string') return at;
      return {
        at,
        text,
        isExact: isExact && (as !== 'date' || written.endsWith('T00:00:00.000000Z')),
      };
    },
    compare(name, at) {
      const condition = (sign: Ordering): Sql =>
        isBounded ? sql`${value} ${raw(sign)} ${at}` : sql`(${value} ${raw(sign)} ${at} AND ${within(sign)})`;
      return leaf(condition(name), condition(negatedOrderings[name]));
    },
    oneOf: (accesses) => equalsAny(dialect, value, accesses, as),
  };
}

/** Returns a parameter that is sent as a string: postgres.js truncates instants that are sent as such to milliseconds. */
export function instantParameter(
  { name, instant }: SqlDialect,
  text: string,
  as: InstantType,
): Sql | 'above' | 'below' {
  if (instant !== undefined) return instant(text);
  const given = parameter(text);
  return name === 'postgres'
    ? sql`${given}::text::${raw(as)}`
    : sql`CAST(${given} AS ${raw(as === 'datetime' ? 'DATETIME(6)' : as)})`;
}

function timeTextScale(
  dialect: SqlDialect,
  { text, digits }: SqlScalar & { readonly kind: 'timeText' },
): ColumnScale {
  return {
    present: sql`${text.value} IS NOT NULL`,
    access({ key }) {
      const { text: written, isExact, year } = instantText(key as Instant, digits);
      if (year < 0 || year > 9999) return year < 0 ? 'below' : 'above';
      return { at: dialect.text(written), text: written, isExact };
    },
    compare: (name, at) => ordering(text.order, name, at),
    oneOf: (accesses) => equalsAny(dialect, text.equal, accesses, 'text'),
  };
}

/** Returns an instant as a UTC string with the given number of fraction digits; further digits are truncated. */
export function instantText(
  instant: Instant,
  digits: number,
): { readonly text: string; readonly isExact: boolean; readonly year: number } {
  const [millis, nanos] =
    typeof instant === 'number' ? [instant, 0] : [Number(instant.millis), instant.nanos];
  const date = new Date(millis);
  const year = Number.isNaN(date.getTime()) ? (millis < 0 ? -Infinity : Infinity) : date.getUTCFullYear();
  if (year < 0 || year > 9999) return { text: '', isExact: false, year };
  const whole = date.toISOString();
  const fraction = `${whole.slice(20, 23)}${String(nanos).padStart(6, '0')}`;
  const stored = fraction.slice(0, digits);
  return {
    text: `${whole.slice(0, 19)}${digits === 0 ? '' : `.${stored}`}Z`,
    isExact: /^0*$/.test(fraction.slice(digits)),
    year,
  };
}
