import { makeSpan, makeValue } from '../../language/syntax/factory.js';
import { print } from '../../language/syntax/print.js';
import type { Value } from '../../language/syntax/ast.js';

/** The JavaScript values that a filter can compare with. */
export type Scalar = string | number | bigint | boolean;

/** Span of built nodes. They get real spans when their source is parsed. */
export const noSpan = makeSpan(0, 0);

/**
 * Returns the source of a JavaScript value, as written after an operator. Error messages begin with `position`.
 * @throws TypeError if no filter can compare with exactly this value.
 */
export function scalarText(value: unknown, position: string): string {
  switch (typeof value) {
    case 'string':
      return requireText(value, position);
    case 'boolean':
    case 'bigint':
      return String(value);
    case 'number':
      return numberText(value, position);
    default:
      throw new TypeError(`${position}: ${refusalOf(value)}`);
  }
}

/**
 * Returns the string unchanged. @throws TypeError if UTF-8 cannot encode it, so that no query, file or log line could contain it.
 */
export function requireText(text: string, position: string): string {
  const at = text.search(/\p{Surrogate}/u);
  if (at === -1) return text;
  throw new TypeError(
    `${position}: the string has an unpaired surrogate at index ${at}, which a filter cannot contain; remove it, or replace it with text.toWellFormed()`,
  );
}

/** Returns the digits that parse to the same number. Infinite numbers are spelled as in Go. */
function numberText(value: number, position: string): string {
  if (Number.isNaN(value))
    throw new TypeError(`${position}: NaN is not equal to any value, so a filter cannot match it`);
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw new TypeError(
      `${position}: ${value} is beyond the integers that a number holds exactly; use a bigint, or for a floating-point field the string "${value}"`,
    );
  }
  const text = String(value);
  const [digits = '', exponent] = text.split('e-');
  if (exponent === undefined) return text;
  // Small fractions are written without an exponent, which the language does not support.
  const [whole = '', fraction = ''] = digits.replace('-', '').split('.');
  return `${value < 0 ? '-' : ''}0.${'0'.repeat(Number(exponent) - 1)}${whole}${fraction}`;
}

/** Returns the value node of a checked string. */
export function valueOf(text: string): Value {
  return makeValue(text, true, false, 'quoted', noSpan);
}

/**
 * Returns the literal for a value: numbers, bigints and booleans bare if the language has such literals, strings always in
 * quotes. The quoted form means the same and is also valid in brackets.
 *
 * @throws TypeError as {@link scalarText}.
 */
export function literalOf(value: unknown, position: string): string {
  const text = scalarText(value, position);
  if (typeof value === 'boolean') return text;
  const literal = print(valueOf(text));
  return typeof value === 'string' && literal === text ? `"${text}"` : literal;
}

/** Returns what to write instead of an unsupported value. */
export function refusalOf(value: unknown): string {
  if (value === null) return 'null cannot be compared; use "is nil"';
  if (value === undefined) return 'undefined cannot be compared; use "is nil"';
  if (Array.isArray(value)) {
    return 'a list cannot be compared; use oneOf(list) to match one of several values';
  }
  if (value instanceof Date)
    return 'a Date has many string forms; use it with orderings and lists, and for == pass the string in the rows, such as date.toISOString()';
  if (value instanceof RegExp)
    return 'a JavaScript regular expression is not RE2; pass the pattern as a string';
  return `expected a string, number, bigint or boolean, got ${typeof value === 'object' ? 'an object' : `a ${typeof value}`}`;
}
