import type { IndexKey } from '../compile/frame/key-range.js';
import { isMap } from '../../language/values/data.js';
import type { FieldGuard } from './field-guard.js';
import type { Postings } from './postings.js';

/** The values that a set has read from a row, each field once. */
export class RowView<Item> {
  private readonly fits: boolean;
  /** Keys by the number of the postings. */
  private readonly keys: (readonly IndexKey[] | null | undefined)[] = [];
  private readonly guards = new Map<FieldGuard, boolean>();

  constructor(readonly row: unknown) {
    this.fits = isMap(row);
  }

  /** Returns the keys under which postings may have items for the row; null if the row does not match the schema. */
  keysIn(postings: Postings<Item>): readonly IndexKey[] | null {
    const known = this.keys[postings.number];
    if (known !== undefined) return known;
    const fresh = this.fits ? orElse(null, postings.keysOf, this.row) : null;
    this.keys[postings.number] = fresh;
    return fresh;
  }

  passes(guard: FieldGuard): boolean {
    const known = this.guards.get(guard);
    if (known !== undefined) return known;
    const fresh = this.fits && orElse(false, guard, this.row);
    this.guards.set(guard, fresh);
    return fresh;
  }
}

/**
 * Reads from a row. If a getter throws, returns `other`; the filters that read the field are then evaluated and report the error.
 */
function orElse<Result>(other: Result, read: (row: unknown) => Result, row: unknown): Result {
  try {
    return read(row);
  } catch {
    return other;
  }
}
