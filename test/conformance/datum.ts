import { isLosslessNumber, parse as parseLossless } from 'lossless-json';
import type { Datum, Structs, TypeNote } from './vector.js';

/**
 * Reads a datum the way the go-bexpr side did, as far as JavaScript can. Without a type every number is a float64.
 * With one, numbers in integer fields are exact (a bigint where a number is unsafe); the others are float64.
 * Absent fields stay absent.
 */
export function readDatum(datum: Datum, type: string | undefined, structs: Structs): unknown {
  if (type === undefined) return JSON.parse(datum.json) as unknown;
  return convert(parseLossless(datum.json), { kind: 'struct', name: type }, structs);
}

function convert(value: unknown, type: TypeNote, structs: Structs): unknown {
  if (isLosslessNumber(value)) return convertNumber(value.value, type.kind);
  if (Array.isArray(value)) {
    const of = type.of ?? untyped;
    return value.map((element) => convert(element, of, structs));
  }
  if (typeof value !== 'object' || value === null) return value;
  const fields = type.kind === 'struct' && type.name !== undefined ? structs[type.name]?.fields : undefined;
  // Data of these vectors have no key that an assignment would lose, but fromEntries keeps even `__proto__`.
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [
      key,
      convert(part, fields?.[key] ?? type.of ?? untyped, structs),
    ]),
  );
}

const untyped: TypeNote = { kind: 'any' };

function convertNumber(digits: string, kind: string): number | bigint {
  if ((kind !== 'int' && kind !== 'uint') || !/^-?\d+$/.test(digits)) return Number(digits);
  const exact = BigInt(digits);
  const near = Number(exact);
  return Number.isSafeInteger(near) ? near : exact;
}
