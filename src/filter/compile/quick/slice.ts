/** Number of rows that are evaluated together: few enough for their values to stay in the fastest cache. */
export const sliceLength = 256;

/** The rows that are evaluated, and what happened meanwhile. */
export interface Slice {
  readonly rows: readonly unknown[];
  readonly base: number;
  /** Rows from this place of the slice on do not matter: the one there has failed. */
  end: number;
  failure: { readonly error: unknown } | null;
  /** Indexes of the rows that are evaluated separately; null if there are none. */
  alone: Set<number> | null;
}

/** Creates the slice of an array from one index to before another, at most {@link sliceLength} rows. */
export function createSlice(rows: readonly unknown[], from: number, to: number): Slice {
  return { rows, base: from, end: to - from, failure: null, alone: null };
}

/** The places of all rows of a slice. Returns how many there are. */
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

/** Evaluates a clause for one row. The result for a row that no longer matters, or is evaluated separately, is arbitrary. */
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

/** The row at a place fails: it ends the slice there, unless one before it has. */
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

/** Ends a clause: the row has to be paid for, and other clauses of the filter pay from the same account. */
export const needsBudget = new Error('evaluated separately');

/** Unused index buffers; allocating them for each slice would take a nanosecond for each row. */
const sparePicks: Uint16Array[] = [];
const maxSpare = 16;

/** Returns a buffer for the indexes of all rows of a slice, with arbitrary content. */
export function takePicks(): Uint16Array {
  return sparePicks.pop() ?? new Uint16Array(sliceLength);
}

/** They are not used any more. */
export function giveBackPicks(selection: Uint16Array): void {
  if (sparePicks.length < maxSpare) sparePicks.push(selection);
}
