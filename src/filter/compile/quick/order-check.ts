import type { UnitBound } from '../../../language/values/instance/index.js';
import { numberOrderings, type Ordering } from '../../../language/values/ordering.js';
import type { QuickCheck, QuickTemplate } from './check.js';

/** A comparison of two values of one JavaScript type. */
export type Comparator = Ordering | '===';

/** The comparators by the names of the operators that they implement. */
export const comparatorNames: Readonly<Partial<Record<string, Comparator>>> = {
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
  '==': '===',
};

/** Creates a template for each comparator, so that no operator is inserted from a string. */
export function byComparator<T>(make: (sign: Comparator) => T): Readonly<Record<Comparator, T>> {
  return { '<': make('<'), '<=': make('<='), '>': make('>'), '>=': make('>='), '===': make('===') };
}

const comparators: Readonly<Record<Comparator, (a: never, b: never) => boolean>> = {
  ...numberOrderings,
  '===': (a: unknown, b: unknown) => a === b,
};

/** Returns the comparison as a function of two values of one type. */
export function comparatorOf<T>(sign: Comparator): (a: T, b: T) => boolean {
  return comparators[sign] as (a: T, b: T) => boolean;
}

function typed(type: 'number' | 'string'): Readonly<Record<Comparator, QuickTemplate>> {
  return byComparator((sign) => ({
    name: `${type}${sign}`,
    test: ([bound]) => {
      const matches = comparatorOf<unknown>(sign);
      return (value) => (typeof value === type ? matches(value, bound) : undefined);
    },
    code: ({ v, p: [bound], yes, no }) => `if(typeof ${v}==="${type}"){if(${v}${sign}${bound})${yes}${no}}`,
  }));
}

/** Operand: a number. */
export const numberOrder = typed('number');
/** Operand: a string without units from U+D800 on. For these strings UTF-16 order equals byte order. */
export const textOrder = typed('string');

/** Operand: a number. Numbers with a fraction are not handled. */
export const integerOrder = byComparator((sign): QuickTemplate => ({
  name: `integer${sign}`,
  test: ([bound]) => {
    const matches = comparatorOf<unknown>(sign);
    return (value) => (Number.isInteger(value) ? matches(value, bound) : undefined);
  },
  code: ({ v, p: [bound], yes, no }) => `if(isInteger(${v})){if(${v}${sign}${bound})${yes}${no}}`,
}));

/**
 * Operands: a number; a function that parses a string as a number, or returns NaN to leave it to the closures; the maximum length
 * of a parsed string.
 */
export const readOrder = byComparator((sign): QuickTemplate => ({
  name: `read${sign}`,
  test: ([bound, read, maxLength]) => {
    const matches = comparatorOf<unknown>(sign);
    const toNumber = read as (text: string) => number;
    return (value) => {
      if (typeof value !== 'string' || value.length > (maxLength as number)) return undefined;
      const number = toNumber(value);
      return Number.isNaN(number) ? undefined : matches(number, bound);
    };
  },
  code: ({ v, p: [bound, read, maxLength], yes, no }) =>
    `if(typeof ${v}==="string"&&${v}.length<=${maxLength}){const n=${read}(${v});if(n===n){if(n${sign}${bound})${yes}${no}}}`,
}));

/** Operand: a function that returns the result, or undefined if the value is not handled. */
export const sample: QuickTemplate = {
  name: 'trial',
  test: ([result]) => result as (value: unknown) => boolean | undefined,
  code: ({ v, p: [result], yes, no }) => `{const t=${result}(${v});if(t===true)${yes}if(t===false)${no}}`,
};

export function sampleOf(result: (value: unknown) => boolean | undefined): QuickCheck {
  return { template: sample, operands: [result] };
}

/** A comparison with a double. */
export interface Bound {
  readonly sign: Comparator;
  readonly double: number;
}

/** Returns the comparison with a double that is equivalent to one with an exact integer; null if no double equals the integer. */
export function boundOf(sign: Comparator, exact: number | bigint): Bound | null {
  if (typeof exact === 'number') return { sign, double: exact };
  const near = Number(exact);
  if (near <= exact && near >= exact) return { sign, double: near };
  if (sign === '===') return null;
  // No double lies between the integer and `near`.
  const isBelow = near < exact;
  switch (sign) {
    case '<':
    case '<=':
      return { sign: isBelow ? '<=' : '<', double: near };
    default:
      return { sign: isBelow ? '>' : '>=', double: near };
  }
}

/** Returns the comparison with an integer that is equivalent to one with a bound at an integer or directly after it. */
export function integerBound(sign: Comparator, { floor, isExact }: UnitBound): Bound | null {
  if (isExact) return boundOf(sign, floor);
  switch (sign) {
    case '<':
    case '<=':
      return boundOf('<=', floor);
    case '>':
    case '>=':
      return boundOf('>', floor);
    default:
      return null;
  }
}

/** Operand: number of elements. */
export const listOrder = byComparator((sign): QuickTemplate => ({
  name: `elements${sign}`,
  test: ([bound]) => {
    const matches = comparatorOf<unknown>(sign);
    return (value) => (Array.isArray(value) ? matches(value.length, bound) : undefined);
  },
  code: ({ v, p: [bound], yes, no }) => `if(isList(${v})){if(${v}.length${sign}${bound})${yes}${no}}`,
}));

/**
 * Operands: the number of code points to compare with; a function that counts code points; the maximum length of a string that is
 * counted, in UTF-16 units; twice the first operand. A code point has one or two units, so the number of units usually decides
 * without counting.
 */
export const codePointOrder = byComparator((sign): QuickTemplate => ({
  name: `code-points${sign}`,
  test: ([bound, count, maxLength]) => {
    const matches = comparatorOf<unknown>(sign);
    const countIn = count as (text: string) => number;
    return (value) =>
      typeof value === 'string' && value.length <= (maxLength as number)
        ? matches(countIn(value), bound)
        : undefined;
  },
  code: ({ v, p: [bound, count, maxLength, maxCount], yes, no }) =>
    `if(typeof ${v}==="string"&&${v}.length<=${maxLength}){const n=${v}.length<${bound}||${v}.length>${maxCount}?${v}.length:${count}(${v});if(n${sign}${bound})${yes}${no}}`,
}));
