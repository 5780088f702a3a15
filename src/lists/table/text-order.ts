import type { Order } from '../list/order.js';

/** Number of digits of the largest fixed-width integer. */
const indexLength = 20;
/** Number of digits of the length prefix of longer integers. */
const lengthDigits = 6;

/** Terminator of a string that is followed by another one. Strings written by {@link escaped} never contain it. */
const end = '\0\0';

/** Returns a function that encodes a row's position in list order as one string with the same order. */
export function placeInList<T>({ index, text }: Order<T>): (row: T) => string {
  if (index === undefined) return text;
  return (row) => `${integerText(index(row))}.${text(row)}`;
}

/**
 * Encodes an integer as a string with the same order: 20 digits, after the number of digits if it has more. A negative integer is
 * a minus and the complement to 10^20.
 */
export function integerText(value: number | bigint): string {
  // A number beyond the safe integers is converted to a bigint, because its own digits would be rounded.
  if (value >= 0) return positiveText((Number.isSafeInteger(value) ? value : BigInt(value)).toString());
  const digits = (-BigInt(value)).toString();
  if (digits.length <= indexLength) return `-${complement(digits.padStart(indexLength, '0'))}`;
  // A comma sorts before a minus. The complements sort longer numbers before shorter ones.
  return `,${complement(digits.length.toString().padStart(lengthDigits, '0'))}${complement(digits)}`;
}

function positiveText(digits: string): string {
  if (digits.length <= indexLength) return digits.padStart(indexLength, '0');
  return `a${digits.length.toString().padStart(lengthDigits, '0')}${digits}`;
}

/** Returns the integer that {@link integerText} has written; null for another string. */
export function readInteger(text: string): bigint | null {
  if (/^\d{20}$/.test(text)) return BigInt(text);
  if (/^-\d{20}$/.test(text)) return -BigInt(complement(text.slice(1)));
  if (/^a\d{6,320}$/.test(text)) return BigInt(text.slice(1 + lengthDigits));
  return /^,\d{7,320}$/.test(text) ? -BigInt(complement(text.slice(1 + lengthDigits))) : null;
}

function complement(digits: string): string {
  return digits.replace(/\d/g, (digit) => String(9 - Number(digit)));
}

/** Returns an order by a computed string. Rows with equal strings are in list order. */
export function textOrder<T>(list: Order<T>, textOf: (row: T) => string): Order<T> {
  const position = placeInList(list);
  return { text: (row) => `${stringPositionOf(textOf(row))}${position(row)}` };
}

/** Returns the common prefix of the positions of all rows with this string. */
export function stringPositionOf(text: string): string {
  return `${escaped(text)}${end}`;
}

/** Returns the string at the start of a position; null if none exists. */
export function readPlaceOfText(position: string): string | null {
  const at = position.indexOf(end);
  return at === -1 ? null : position.slice(0, at).replaceAll('\0\x01', '\0');
}

/** Returns the index at which the string at the start of a position ends. */
export function endOfText(position: string): number {
  return position.indexOf(end) + end.length;
}

/** Whether a string can be the position of a row in a {@link textOrder}. */
export function isTextPlace(position: string): boolean {
  return position.includes(end);
}

/** Returns the string, escaped if it contains the terminator. Escaped strings sort like the originals. */
function escaped(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '\0\x01') : text;
}
