import { checkNames, describe } from '../language/diagnostics/options.js';
import { formOf } from '../language/operators/operators.js';
import type { Type } from '../language/schema/type.js';
import { literalsOf } from '../language/syntax/ast.js';
import { storedKindOf } from '../language/schema/value-kind.js';
import { negatedOrderings, type Ordering } from '../language/values/ordering.js';
import {
  checkable,
  column,
  valueAccess,
  type CheckedColumnOptions,
  type Column,
  type ColumnCode,
} from './column.js';
import { toFloat, toInteger } from './decode.js';
import { anyLeaf, leaf, type Leaf } from './leaf.js';
import { always, and, never, or, parameter, raw, sql, type Sql } from './sql.js';
import { boundLeaf, type ColumnScale } from './value-leaf.js';

export interface NumericOptions extends CheckedColumnOptions {
  /** The declared digits of the column. Up to 15, its order is that of doubles, so that lists can be sorted by it. */
  readonly precision?: number | undefined;
  /** The declared digits after the point; 0 for integers. */
  readonly scale?: number | undefined;
}

/**
 * Creates a PostgreSQL `numeric` column. With `scale: 0` it stores integers of any size. For a `t.float64` each decimal is read
 * as the nearest double, and filters compare that double. `constrained` says that a CHECK excludes NaN, and of integers those
 * beyond 64 bits; NaN is null in an integer.
 */
export function numeric(name: string, options: NumericOptions = {}): Column {
  checkNames<NumericOptions>('numeric', 'option', options, [...checkable, 'precision', 'scale']);
  const { precision, scale, ...others } = options;
  for (const [option, value, max] of [
    ['precision', precision, 1_000],
    ['scale', scale, 1_000],
  ] as const)
    if (value !== undefined && !(Number.isInteger(value) && value >= 0 && value <= max))
      throw new TypeError(`numeric: ${option} must be an integer from 0 to ${max}, got ${describe(value)}`);
  const size = scale === undefined ? null : { precision: precision ?? 1_000, scale };
  return column('numeric', 'numeric', name, others, checkable, code, { size });
}

const code: ColumnCode = {
  access(own, value, type) {
    const isInteger = storedKindOf(type) !== 'float64';
    // In an integer NaN is null. `isNaN` is null if there is none.
    const isNaN = own.isChecked ? null : sql`${value} = 'NaN'`;
    const scale = numericScale(value, type, isInteger, isNaN);
    const access = valueAccess(own, value, type, {
      kind: isInteger ? 'decimal' : 'rounded',
      value: isInteger && isNaN !== null ? sql`NULLIF(${value}, 'NaN')` : value,
      test(node, now) {
        const { name } = formOf(node.operator).operator;
        const { yes, no } = boundLeaf(scale, type, name, literalsOf(node), now);
        return yes.sql === null || no.sql === null ? null : { yes: yes.sql, no: no.sql };
      },
    });
    if (!isInteger || isNaN === null) return access;
    return { ...access, isNull: access.isNull === null ? isNaN : or([access.isNull, isNaN]) };
  },
  read(text, type, own) {
    if (storedKindOf(type) === 'float64') return toFloat(text);
    return text === 'NaN' ? null : toInteger(text, type, own);
  },
};

/** The decimals that are read as one number. */
interface Range {
  readonly low: string;
  readonly high: string;
  /** Whether both ends belong to it. */
  readonly isClosed: boolean;
}

function numericScale(value: Sql, type: Type, isInteger: boolean, isNaN: Sql | null): ColumnScale<Range> {
  const number = (text: string): Sql => sql`${parameter(text)}::numeric`;
  const notNaN = isNaN === null ? always : sql`${value} <> 'NaN'`;
  const compare = (name: Ordering, { low, high, isClosed }: Range): Sql => {
    const [sign = '', includes] = [name[0], name.endsWith('=')];
    const end = (sign === '<') === includes ? high : low;
    return sql`${value} ${raw(`${sign}${includes === isClosed ? '=' : ''}`)} ${number(end)}`;
  };
  // PostgreSQL orders NaN after all numbers. No ordering holds for it; the negations do, unless it is null.
  const isTrue = (name: Ordering, range: Range): Sql =>
    and([compare(name, range), name.startsWith('>') ? notNaN : always]);
  const isFalse = (name: Ordering, range: Range): Sql => {
    if (isInteger) return isTrue(negatedOrderings[name], range);
    return or([
      compare(negatedOrderings[name], range),
      name.startsWith('>') && isNaN !== null ? isNaN : never,
    ]);
  };
  const equal = (range: Range): Leaf =>
    isInteger
      ? leaf(sql`${value} = ${number(range.low)}`, and([sql`${value} <> ${number(range.low)}`, notNaN]))
      : leaf(and([isTrue('>=', range), isTrue('<=', range)]), or([compare('<', range), compare('>', range)]));
  return {
    present: and([sql`${value} IS NOT NULL`, isInteger ? notNaN : always]),
    access({ key, isExact }) {
      const range = type.kind === 'float64' ? rangeOf(Number(key)) : exactly(BigInt(key as number | bigint));
      return { at: range, text: range.low, isExact };
    },
    compare: (name, range) => leaf(isTrue(name, range), isFalse(name, range)),
    oneOf: (accesses) => anyLeaf(accesses.map(({ at }) => equal(at))),
  };
}

function exactly(integer: bigint): Range {
  return { low: String(integer), high: String(integer), isClosed: true };
}

const view = new DataView(new ArrayBuffer(8));

/** Returns the decimals that are read as a double: up to the midpoints to its neighbours. */
export function rangeOf(double: number): Range {
  if (double === 0) {
    const half = decimalOf(1n, -1075);
    return { low: `-${half}`, high: half, isClosed: true };
  }
  view.setFloat64(0, Math.abs(double));
  const bits = view.getBigUint64(0);
  const [below, above] = [middleAfter(bits - 1n), bits === infinity ? 'Infinity' : middleAfter(bits)];
  const isClosed = bits % 2n === 0n;
  return double > 0
    ? { low: below, high: above, isClosed }
    : { low: `-${above}`, high: `-${below}`, isClosed };
}

const infinity = 0x7ff0_0000_0000_0000n;

/** Returns the midpoint between a positive double and the next one, both given by their bits. */
function middleAfter(bits: bigint): string {
  const exponent = Number(bits >> 52n);
  const fraction = bits & 0xf_ffff_ffff_ffffn;
  const mantissa = exponent === 0 ? fraction : fraction | (1n << 52n);
  return decimalOf(2n * mantissa + 1n, Math.max(exponent, 1) - 1076);
}

/** Returns an integer times a power of two as a decimal. */
function decimalOf(integer: bigint, power: number): string {
  if (power >= 0) return String(integer << BigInt(power));
  const digits = String(integer * 5n ** BigInt(-power)).padStart(1 - power, '0');
  return `${digits.slice(0, power)}.${digits.slice(power)}`;
}
