import type { Access, Accesses } from './access.js';
import type { RowView } from './row-view.js';
import { SmallSet } from './small-set.js';

/** A filter of a set, with all ids that have the same source. */
export class SavedFilter {
  readonly ids = new SmallSet<string>();
  /** The access path by which it is currently found; null if it is evaluated for every row. */
  access: Access<SavedFilter> | null = null;
  /** Number of the last match that found it. */
  foundIn = 0;

  constructor(
    /** The dialect and the source, which together identify the filter. */
    readonly key: string,
    readonly length: number,
    readonly ways: Accesses<SavedFilter>['ways'],
    /** Whether the access paths serve all of its clauses. */
    readonly isIndexed: boolean,
  ) {}

  /**
   * Returns what the access paths imply for a row. False: the filter neither matches nor throws. True: all served clauses are
   * true. Null: the row does not match the schema, so the whole filter must be evaluated.
   */
  passes(view: RowView<SavedFilter>): boolean | null {
    let isKnown = true;
    for (const way of this.ways) {
      const leads = leadsHere(way, view);
      if (leads === false) return false;
      if (leads === null) isKnown = false;
    }
    return isKnown ? true : null;
  }
}

/** Whether an access path leads from a row to its filter; null if the row does not match the schema. */
export function leadsHere<Item>({ probes, guards }: Access<Item>, view: RowView<Item>): boolean | null {
  let isKnown = true;
  for (const probe of probes) {
    const keys = view.keysIn(probe.postings);
    if (keys === null) isKnown = false;
    else if (probe.matches(keys)) return true;
  }
  return isKnown && guards.every((guard) => view.passes(guard)) ? false : null;
}
