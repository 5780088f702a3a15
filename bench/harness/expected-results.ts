import type { Select } from '../competitors/competitor.js';

/** @throws Error unless so many rows were found. */
export function requireCount(what: string, rows: readonly unknown[], expected: number): void {
  if (rows.length !== expected) throw new Error(`${what} found ${rows.length} rows and not ${expected}`);
}

/** @throws Error unless the filter finds exactly the expected rows, in their order. */
export async function requireSameRows(
  what: string,
  select: Select,
  rows: readonly unknown[],
  expected: readonly unknown[],
): Promise<void> {
  const found = await select(rows);
  requireCount(what, found, expected.length);
  const wrong = found.findIndex((row, index) => row !== expected[index]);
  if (wrong !== -1) throw new Error(`${what} found another row at position ${wrong}`);
}
