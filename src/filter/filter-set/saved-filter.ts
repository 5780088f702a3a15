import type { Access, Accesses } from './access.js';
import type { RowView } from './row-view.js';
import { SmallSet } from './small-set.js';

/** One filter of a set, under all ids that have the same text. */
export class SavedFilter {
  readonly ids = new SmallSet<string>();
  /** The way by which it is found now; null where it is asked about every row. */
  access: Access<SavedFilter> | null = null;
  /** The last match that found it. */
  foundIn = 0;

  constructor(
    /** The dialect and the text, which tell it from others. */
    readonly key: string,
    readonly length: number,
    readonly ways: Accesses<SavedFilter>['ways'],
    /** Whether the ways answer all of its clauses. */
    readonly isIndexed: boolean,
  ) {}

  /**
   * What the ways tell about a row: false where the filter neither holds nor fails, true where all clauses that they answer
   * hold, null where the row does not fit the schema in some place, and the whole filter has to be asked.
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

/** Whether a way leads from a row to its filter; null where the row does not fit the schema, so that nothing follows. */
export function leadsHere<Item>({ probes, guards }: Access<Item>, view: RowView<Item>): boolean | null {
  let isKnown = true;
  for (const probe of probes) {
    const keys = view.keysIn(probe.postings);
    if (keys === null) isKnown = false;
    else if (probe.matches(keys)) return true;
  }
  return isKnown && guards.every((guard) => view.passes(guard)) ? false : null;
}
