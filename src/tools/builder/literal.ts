import { makeSpan, makeValue } from '../../language/syntax/factory.js';
import { print } from '../../language/syntax/print.js';
import type { Value } from '../../language/syntax/ast.js';

/** The JavaScript values that a filter can compare with. */
export type Scalar = string | number | bigint | boolean;

/** For nodes that are made and not read: reading their text gives them places. */
export const noSpan = makeSpan(0, 0);

/**
 * The text of a JavaScript value, as it stands behind an operator.
 *
 * @throws TypeError for a value that no filter can compare with exactly. `place` begins the message.
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

/** The text itself. @throws TypeError for one that UTF-8 cannot carry, and so no query, file or log line. */
export function requireText(text: string, position: string): string {
  const at = text.search(/\p{Surrogate}/u);
  if (at === -1) return text;
  throw new TypeError(
    `${position}: the text has half a surrogate pair (at index ${at}), which no filter can hold; remove it, or make it U+FFFD with text.toWellFormed()`,
  );
}

/** The digits that read back as the same number. Infinite ones are spelled as Go reads them. */
function numberText(value: number, position: string): string {
  if (Number.isNaN(value))
    throw new TypeError(`${position}: NaN is equal to nothing, so no filter can ask for it`);
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw new TypeError(
      `${position}: ${value} is beyond the integers that a number holds exactly; use a bigint, or for a floating-point field its text, "${value}"`,
    );
  }
  const text = String(value);
  const [digits = '', exponent] = text.split('e-');
  if (exponent === undefined) return text;
  // Small fractions without an exponent, which the numbers of the language have not.
  const [whole = '', fraction = ''] = digits.replace('-', '').split('.');
  return `${value < 0 ? '-' : ''}0.${'0'.repeat(Number(exponent) - 1)}${whole}${fraction}`;
}

/** A value node of a text that is known to be one. */
export function valueOf(text: string): Value {
  return makeValue(text, true, false, 'quoted', noSpan);
}

/**
 * The literal for a value: numbers, bigints and booleans bare where the language has such literals, texts always in quotes.
 * The forms mean the same; that of texts can stand in brackets too.
 *
 * @throws TypeError as {@link scalarText}.
 */
export function literalOf(value: unknown, position: string): string {
  const text = scalarText(value, position);
  if (typeof value === 'boolean') return text;
  const literal = print(valueOf(text));
  return typeof value === 'string' && literal === text ? `"${text}"` : literal;
}

/** What to write instead of a value that is none. */
export function refusalOf(value: unknown): string {
  if (value === null) return 'null is no value to compare with; ask whether the field "is nil"';
  if (value === undefined) return 'undefined is no value to compare with; ask whether the field "is nil"';
  if (Array.isArray(value)) {
    return 'a list is no value to compare with; oneOf(list) asks for one of several values';
  }
  if (value instanceof Date)
    return 'a Date has many spellings; orderings and lists take it, == takes the text that the rows hold, such as date.toISOString()';
  if (value instanceof RegExp)
    return 'a JavaScript regular expression is not of the RE2 kind; give a pattern as text';
  return `expected a string, number, bigint or boolean, got ${typeof value === 'object' ? 'an object' : `a ${typeof value}`}`;
}
