import { fail, sliceLength, type Slice } from './slice.js';

interface Container {
  readonly [name: string]: unknown;
}

/** Reads a property of the picked rows. Returns the number of values read before the first one that throws. */
export function readFirst(
  slice: Slice,
  selection: Uint16Array,
  count: number,
  name: string,
  into: unknown[],
): number {
  const { rows, base } = slice;
  let at = 0;
  try {
    for (; at < count; at += 1) {
      into[at] = (rows[base + (selection[at] ?? 0)] as Container | null | undefined)?.[name];
    }
  } catch (error) {
    fail(slice, selection[at] ?? 0, error);
  }
  return at;
}

/** Like {@link readFirst}, for a property of the values already read. */
export function readNext(
  slice: Slice,
  selection: Uint16Array,
  parents: readonly unknown[],
  count: number,
  name: string,
  into: unknown[],
): number {
  let at = 0;
  try {
    for (; at < count; at += 1) into[at] = (parents[at] as Container | null | undefined)?.[name];
  } catch (error) {
    fail(slice, selection[at] ?? 0, error);
  }
  return at;
}

/**
 * Buffers for reuse. A getter of a row may evaluate a filter recursively, so each use takes its own buffer. A buffer that is not
 * returned after an error is garbage-collected.
 */
const columns: unknown[][] = [];
const maxColumns = 16;

/** Returns a buffer for one value per row of a slice. */
export function takeColumn(): unknown[] {
  return columns.pop() ?? new Array<unknown>(sliceLength).fill(undefined);
}

/** Returns a buffer, and clears it so that values of rows are not retained. */
export function giveBackColumn(column: unknown[]): void {
  if (columns.length < maxColumns) columns.push(column.fill(undefined));
}
