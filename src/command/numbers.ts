export const number = new Intl.NumberFormat('en-US');

/** A count with its noun: `1 row`, `2 rows`. */
export function rowsText(count: number): string {
  return `${number.format(count)} row${count === 1 ? '' : 's'}`;
}
