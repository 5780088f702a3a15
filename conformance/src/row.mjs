import { JsonNumber, parseExactJson } from './exact-json.mjs';

/**
 * What a schema says of one place.
 *
 * @typedef {object} TypeNote
 * @property {string} kind
 * @property {TypeNote} [of] the elements of a list, the values of a map
 * @property {string} [name] of a struct
 * @property {string} [unit] a time, a duration or a size that is an integer
 */
/** @typedef {Readonly<Record<string, { readonly fields: Readonly<Record<string, TypeNote>> }>>} Structs */

const beyondJson = new Map([
  ['NaN', NaN],
  ['Infinity', Infinity],
  ['-Infinity', -Infinity],
]);

/**
 * Reads the row of a case as a program in JavaScript would. Without a schema a number is a float64. With one, numbers in integer places
 * are exact, a bigint where a number is not safe, and in places of floats the texts `NaN`, `Infinity` and `-Infinity` are
 * numbers. Absent fields stay absent.
 *
 * @param {string} json
 * @param {string | undefined} struct the name of the row's struct
 * @param {Structs} structs
 * @returns {unknown}
 */
export function readRow(json, struct, structs) {
  if (struct === undefined) return JSON.parse(json);
  return convert(parseExactJson(json), { kind: 'struct', name: struct }, structs);
}

/** @type {TypeNote} */
const untyped = { kind: 'any' };

/**
 * @param {unknown} value
 * @param {TypeNote} type
 * @param {Structs} structs
 * @returns {unknown}
 */
function convert(value, type, structs) {
  if (value instanceof JsonNumber) return numberOf(value, type);
  if (typeof value === 'string' && type.kind.startsWith('float')) return beyondJson.get(value) ?? value;
  if (Array.isArray(value)) return value.map((element) => convert(element, type.of ?? untyped, structs));
  if (typeof value !== 'object' || value === null) return value;
  const fields = type.kind === 'struct' && type.name !== undefined ? structs[type.name]?.fields : undefined;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [
      key,
      convert(part, fields?.[key] ?? type.of ?? untyped, structs),
    ]),
  );
}

/**
 * @param {JsonNumber} number
 * @param {TypeNote} type
 */
function numberOf({ text, isInteger }, { kind, unit }) {
  const near = Number(text);
  const isExact = kind === 'int' || kind === 'uint' || unit !== undefined;
  return !isExact || !isInteger || Number.isSafeInteger(near) ? near : BigInt(text);
}
