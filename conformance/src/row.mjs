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
 * Reads the row of a case as a program in JavaScript would. In a place of no declared kind a number is a float64, or, where `numbers` is
 * `exact`, a bigint if its text is an integer of 64 bits. Numbers in integer places are exact, a bigint where a number is not safe,
 * and in places of floats the texts `NaN`, `Infinity` and `-Infinity` are numbers. Absent fields stay absent.
 *
 * @param {string} json
 * @param {string | undefined} struct the name of the row's struct
 * @param {Structs} structs
 * @param {import('./judge.mjs').Program['numbers']} [numbers]
 * @returns {unknown}
 */
export function readRow(json, struct, structs, numbers = 'float64') {
  if (struct === undefined && numbers === 'float64') return JSON.parse(json);
  const type = struct === undefined ? untyped : { kind: 'struct', name: struct };
  return convert(parseExactJson(json), type, { structs, numbers });
}

/** @type {TypeNote} */
const untyped = { kind: 'any' };

/** @typedef {{ structs: Structs, numbers: import('./judge.mjs').Program['numbers'] }} Reading */

/**
 * @param {unknown} value
 * @param {TypeNote} type
 * @param {Reading} reading
 * @returns {unknown}
 */
function convert(value, type, reading) {
  if (value instanceof JsonNumber) return numberOf(value, type, reading);
  if (typeof value === 'string' && type.kind.startsWith('float')) return beyondJson.get(value) ?? value;
  if (Array.isArray(value)) return value.map((element) => convert(element, type.of ?? untyped, reading));
  if (typeof value !== 'object' || value === null) return value;
  const fields =
    type.kind === 'struct' && type.name !== undefined ? reading.structs[type.name]?.fields : undefined;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [
      key,
      convert(part, fields?.[key] ?? type.of ?? untyped, reading),
    ]),
  );
}

/**
 * @param {JsonNumber} number
 * @param {TypeNote} type
 * @param {Reading} reading
 */
function numberOf({ text, isInteger }, { kind, unit }, { numbers }) {
  const near = Number(text);
  if (!isInteger) return near;
  const exact = BigInt(text);
  if (kind === 'any') return numbers === 'exact' && BigInt.asIntN(64, exact) === exact ? exact : near;
  const isExact = kind === 'int' || kind === 'uint' || unit !== undefined;
  return !isExact || Number.isSafeInteger(near) ? near : exact;
}
