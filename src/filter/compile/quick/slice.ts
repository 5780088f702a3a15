/** Number of rows that are evaluated together. Small enough that their values stay in the L1 cache. */
export const sliceLength = 256;

/** The rows that are evaluated, and the state of the evaluation. */
export interface Slice {
  readonly rows: readonly unknown[];
  readonly base: number;
  /** Index of the first row to ignore: one on which the filter has thrown. */
  end: number;
  failure: { readonly error: unknown } | null;
  /** Indexes of the rows that are evaluated separately; null if none exist. */
  alone: Set<number> | null;
}

/** Creates the slice of a half-open range of an array, at most {@link sliceLength} rows. */
export function createSlice(rows: readonly unknown[], from: number, to: number): Slice {
  return { rows, base: from, end: to - from, failure: null, alone: null };
}

/** Writes the indexes of all rows of a slice. Returns their number. */
export function pickRows({ rows, base, end }: Slice, selection: Uint16Array): number {
  let count = 0;
  for (let at = 0; at < end; at += 1) {
    // Holes of an array are not rows.
    if (rows[base + at] === undefined && !(base + at in rows)) continue;
    selection[count] = at;
    count += 1;
  }
  return count;
}

/** Evaluates a clause for one row. The result is arbitrary if the row is ignored or evaluated separately. */
export function evaluate(slice: Slice, pick: number, clause: () => boolean): boolean {
  if (pick >= slice.end) return false;
  try {
    return clause();
  } catch (error) {
    if (error === needsBudget) setAside(slice, pick);
    else fail(slice, pick, error);
    return false;
  }
}

/** Records that the filter throws for a row. The slice ends there, unless it ends earlier already. */
export function fail(slice: Slice, pick: number, error: unknown): void {
  if (pick >= slice.end) return;
  slice.end = pick;
  slice.failure = { error };
}

/** Marks the row at an index for separate evaluation, after all others. */
export function setAside(slice: Slice, pick: number): void {
  slice.alone ??= new Set();
  slice.alone.add(pick);
}

/** Thrown by a clause that must be charged for a row while other clauses share its budget. */
export const needsBudget = new Error('evaluated separately');

/** Unused index buffers. Allocating one per slice would cost 1 ns per row. */
const sparePicks: Uint16Array[] = [];
const maxSpare = 16;

/** Returns a buffer for the indexes of all rows of a slice, with arbitrary content. */
export function takePicks(): Uint16Array {
  return sparePicks.pop() ?? new Uint16Array(sliceLength);
}

/** Returns a buffer for reuse. */
export function giveBackPicks(selection: Uint16Array): void {
  if (sparePicks.length < maxSpare) sparePicks.push(selection);
}
