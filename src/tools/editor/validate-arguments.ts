/** @throws TypeError for what is no string. */
export function readText(text: string): string {
  if (typeof text === 'string') return text;
  throw new TypeError(`A filter is a string, not ${describe(text)}.`);
}

/** An offset into the text: one outside of it is its nearest end. @throws TypeError for what is no whole number. */
export function readOffset(text: string, offset: number): number {
  if (Number.isInteger(offset)) return Math.min(Math.max(offset, 0), text.length);
  throw new TypeError(`An offset is a whole number, not ${describe(offset)}.`);
}

function describe(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  return typeof value === 'number' || value === null ? String(value) : typeof value;
}
