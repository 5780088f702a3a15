import type { IndexKey } from '../compile/frame/key-range.js';
import { isMap } from '../../language/values/data.js';
import type { FieldGuard } from './field-guard.js';
import type { Postings } from './postings.js';

/** What a set has read of a row: each field once. */
export class RowView<Item> {
  private readonly fits: boolean;
  /** By the numbers of the postings. */
  private readonly keys: (readonly IndexKey[] | null | undefined)[] = [];
  private readonly guards = new Map<FieldGuard, boolean>();

  constructor(readonly row: unknown) {
    this.fits = isMap(row);
  }

  /** The keys under which postings have items for the row; null where it does not fit the schema, and nothing is known. */
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

/** A getter that throws makes the filters that ask for it fail: they are asked, and say so. */
function orElse<Result>(other: Result, read: (row: unknown) => Result, row: unknown): Result {
  try {
    return read(row);
  } catch {
    return other;
  }
}
