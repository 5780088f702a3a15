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

  /** Returns the keys under which postings have items for the row; null if the row does not match the schema. */
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

/** If a getter throws, the filters that read the field are evaluated and report the failure. */
function orElse<Result>(other: Result, read: (row: unknown) => Result, row: unknown): Result {
  try {
    return read(row);
  } catch {
    return other;
  }
}
