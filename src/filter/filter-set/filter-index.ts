import { bestOf, estimateOf, type Access } from './access.js';
import type { FieldGuard } from './field-guard.js';
import type { Postings } from './postings.js';
import { RowView } from './row-view.js';
import type { SavedFilter } from './saved-filter.js';

/** The filters that a row may match or that may throw for it, each once, with the values read from the row to find them. */
export interface Candidates {
  readonly view: RowView<SavedFilter>;
  readonly filters: readonly SavedFilter[];
}

/** Minimum factor by which fewer rows must lead to a filter for its access path to be changed. */
const worthChange = 2;

/** The indexes by which the filters of a set are found. */
export class FilterIndex {
  /** Filters that are evaluated for every row. */
  readonly always = new Set<SavedFilter>();
  private readonly guarded = new Map<FieldGuard, Set<SavedFilter>>();
  /** Filters with several access paths. The first one is reconsidered next. */
  private readonly movable = new Set<SavedFilter>();
  private matches = 0;

  constructor(private readonly postings: readonly Postings<SavedFilter>[]) {}

  /** The postings that contain filters. */
  get used(): readonly Postings<SavedFilter>[] {
    return this.postings.filter(({ size }) => size > 0);
  }

  add(filter: SavedFilter): void {
    this.link(filter, bestOf(filter.ways));
    if (filter.ways.length > 1) this.movable.add(filter);
  }

  delete(filter: SavedFilter): void {
    this.unlink(filter);
    this.movable.delete(filter);
  }

  /** Reconsiders the access path of one filter, because the statistics of rows may now favour another path. */
  reconsider(): void {
    for (const filter of this.movable) {
      this.movable.delete(filter);
      this.movable.add(filter);
      const best = bestOf(filter.ways);
      if (best === null || filter.access === null || best === filter.access) return;
      if (estimateOf(best) * worthChange > estimateOf(filter.access)) return;
      this.unlink(filter);
      this.link(filter, best);
      return;
    }
  }

  find(row: unknown): Candidates {
    const view = new RowView<SavedFilter>(row);
    const { used } = this;
    // All fields of the row are read first, because a getter may call this set for another row.
    for (const postings of used) view.keysIn(postings);
    const unfit = [...this.guarded].filter(([guard]) => !view.passes(guard));
    this.matches += 1;
    const match = this.matches;
    const filters: SavedFilter[] = [];
    const take = (filter: SavedFilter): void => {
      if (filter.foundIn === match) return;
      filter.foundIn = match;
      filters.push(filter);
    };
    this.always.forEach(take);
    for (const [, guarded] of unfit) guarded.forEach(take);
    for (const postings of used) {
      const keys = view.keysIn(postings);
      if (keys === null) postings.visitAll(take);
      else {
        for (const key of keys) postings.visit(key, take);
        postings.record(keys);
      }
    }
    return { view, filters };
  }

  private link(filter: SavedFilter, access: Access<SavedFilter> | null): void {
    filter.access = access;
    if (access === null) {
      this.always.add(filter);
      return;
    }
    for (const probe of access.probes) probe.link(filter);
    for (const guard of access.guards) {
      const filters = this.guarded.get(guard) ?? new Set();
      this.guarded.set(guard, filters.add(filter));
    }
  }

  private unlink(filter: SavedFilter): void {
    this.always.delete(filter);
    for (const probe of filter.access?.probes ?? []) probe.unlink(filter);
    for (const guard of filter.access?.guards ?? []) {
      const filters = this.guarded.get(guard);
      filters?.delete(filter);
      if (filters?.size === 0) this.guarded.delete(guard);
    }
  }
}
