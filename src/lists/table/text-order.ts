import type { Order } from '../list/order.js';

/** Digits of the largest index. */
const indexLength = 20;
/** Digits of the number of digits of a larger one. */
const lengthDigits = 6;

/** Ends a text where another one follows: no text that is written as {@link escaped} holds it. */
const end = '\0\0';

/** The place of a row in the order of lists as one text, which stands as the place does. */
export function placeInList<T>({ index, text }: Order<T>): (row: T) => string {
  if (index === undefined) return text;
  return (row) => `${integerText(index(row))}.${text(row)}`;
}

/**
 * An integer as a text that stands among others as it does: 20 digits, with a minus before what they lack to 10^20 where it is
 * negative, and how many there are before those that have more.
 */
export function integerText(value: number | bigint): string {
  if (value >= 0) return positiveText(value.toString());
  const digits = (-BigInt(value)).toString();
  if (digits.length <= indexLength) return `-${complement(digits.padStart(indexLength, '0'))}`;
  // A comma comes before a minus, and the complement of a longer number before that of a shorter one.
  return `,${complement(digits.length.toString().padStart(lengthDigits, '0'))}${complement(digits)}`;
}

function positiveText(digits: string): string {
  if (digits.length <= indexLength) return digits.padStart(indexLength, '0');
  return `a${digits.length.toString().padStart(lengthDigits, '0')}${digits}`;
}

function complement(digits: string): string {
  return digits.replace(/\d/g, (digit) => String(9 - Number(digit)));
}

/** The order of rows by a text of each, those with one text as they stand in lists. */
export function textOrder<T>(list: Order<T>, textOf: (row: T) => string): Order<T> {
  const place = placeInList(list);
  return { text: (row) => `${placeOfText(textOf(row))}${place(row)}` };
}

/** What the places of all rows with a text begin with. */
export function placeOfText(text: string): string {
  return `${escaped(text)}${end}`;
}

/** The text that a place begins with; null where it begins with none. */
export function readPlaceOfText(place: string): string | null {
  const at = place.indexOf(end);
  return at === -1 ? null : place.slice(0, at).replaceAll('\0\x01', '\0');
}

/** Whether a text can be the place of a row in a {@link textOrder}. */
export function isTextPlace(place: string): boolean {
  return place.includes(end);
}

/** The text itself, unless it holds what could be taken for its end. Escaped texts stand as the texts do. */
function escaped(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '\0\x01') : text;
}
