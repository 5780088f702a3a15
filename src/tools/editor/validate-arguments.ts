/** Returns the string. @throws TypeError if the value is not a string. */
export function readText(text: string): string {
  if (typeof text === 'string') return text;
  throw new TypeError(`A filter must be a string, got ${describe(text)}.`);
}

/** Clamps an offset to the source. @throws TypeError if it is not an integer. */
export function readOffset(text: string, offset: number): number {
  if (Number.isInteger(offset)) return Math.min(Math.max(offset, 0), text.length);
  throw new TypeError(`An offset must be an integer, got ${describe(offset)}.`);
}

function describe(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  return typeof value === 'number' || value === null ? String(value) : typeof value;
}
