import { fail, sliceLength, type Slice } from './slice.js';

interface Container {
  readonly [name: string]: unknown;
}

/** Reads a property of the picked rows. Returns how many were read: those before the first that throws. */
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

/** As {@link readFirst}, of what was read of these rows before. */
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
 * Columns that are not in use. A filter may be asked again while it is asked (by a getter of a row), so each use takes
 * columns of its own; a column that an error has kept is left to the garbage collector.
 */
const columns: unknown[][] = [];
const maxColumns = 16;

/** Room for a value of each row of a slice. */
export function takeColumn(): unknown[] {
  return columns.pop() ?? new Array<unknown>(sliceLength).fill(undefined);
}

/** What was read of somebody's rows is not kept. */
export function giveBackColumn(column: unknown[]): void {
  if (columns.length < maxColumns) columns.push(column.fill(undefined));
}
