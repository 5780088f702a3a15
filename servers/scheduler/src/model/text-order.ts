import type { Order } from 'tamis';

/** Digits of the largest index. */
const indexLength = 20;

/** Ends a text where another one follows: no text that is written as {@link escaped} holds it. */
const end = '\0\0';

/** The place of a row in the order of lists as one text, which stands as the place does. Indexes are not negative. */
export function placeInList<T>({ index, text }: Order<T>): (row: T) => string {
  if (index === undefined) return text;
  return (row) => `${index(row).toString().padStart(indexLength, '0')}.${text(row)}`;
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

/** Whether a text can be the place of a row in a {@link textOrder}. */
export function isTextPlace(place: string): boolean {
  return place.includes(end);
}

/** The text itself, unless it holds what could be taken for its end. Escaped texts stand as the texts do. */
function escaped(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '\0\x01') : text;
}
