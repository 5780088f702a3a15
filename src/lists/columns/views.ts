import type { Filter } from '../../filter/filter.js';
import { RecentMap } from '../../runtime/recent-map.js';
import type { MatchedRows, MatchCache, RowMatcher, RowsPart, Viewer } from '../table/row-matcher.js';
import { limit, rowsOnPages, type RowChunk, type RowPage, type SortedRows } from '../table/sorted-rows.js';

/** Maximum number of viewers with cached data. */
const maxViewers = 7;
/** Share of the budget that each viewer gets. Callers that see all rows get the same share for their groups. */
export const viewerBudgetShare = 1 / (maxViewers + 1);
/** Maximum number of groups with cached data per viewer. */
const maxGroups = 32;
/** Maximum number of chunks tested for visibility per query. The tests must not take a whole time slice. */
const chunksAtOnce = 512;
/** Size of a page without columns and without its two bits per position, in bytes. */
const pageSize = 2_048;

/** A cache and its size. */
type PartCache<T> = MatchCache<T> & { readonly bytes: number };

/** Options for the columns of a part. */
export interface PartOptions<T> {
  readonly make: (budget: () => number) => PartCache<T>;
  /** Returns the budget of one viewer, in bytes. `rows`: size of its largest table or group, including invisible rows. */
  readonly budget: (rows: number) => number;
  /** Minimum number of rows of a table or group with columns. */
  readonly minRows: number;
}

/**
 * The columns of a table: of all rows, of the groups of an index, and of the rows visible to a viewer. A viewer's visible rows
 * are cached like a separate table. Its columns contain no values of invisible rows, because a lookup's timing would reveal
 * whether a value exists. They are not built because of other callers' queries either.
 *
 * So the work for a viewer's query depends on its visible rows, on its own queries and on the number of other viewers. It never
 * depends on the queries of others or on invisible rows. The least recently active viewer is evicted as a whole.
 */
export class ViewerCaches<T extends object> implements MatchCache<T> {
  readonly #all: MatchCache<T>;
  /** The cached groups of indexes for callers that see all rows. */
  readonly #groups: View<T>;
  readonly #viewers = new RecentMap<string, View<T>>({ maxEntries: maxViewers });
  readonly #options: PartOptions<T>;

  constructor(all: MatchCache<T>, options: PartOptions<T>) {
    this.#all = all;
    this.#options = options;
    this.#groups = new View(null, options);
  }

  open(rows: SortedRows<T>, filter: Filter<T> | null): RowMatcher<T> | null {
    return this.#all.open(rows, filter);
  }

  openPart(
    { viewer, group }: RowsPart<T>,
    rows: SortedRows<T>,
    filter: Filter<T> | null,
  ): MatchedRows<T> | null {
    if (rows.size < this.#options.minRows) return null;
    if (viewer === null) return this.#groups.open(group, rows, filter);
    let view = this.#viewers.get(viewer.key);
    if (view === undefined) this.#viewers.set(viewer.key, (view = new View(viewer, this.#options)));
    return view.open(group, rows, filter);
  }
}

/** The cached data of one part. */
interface Part<T extends object> {
  readonly cache: PartCache<T>;
  /** The visible rows; null if all rows are visible. */
  readonly seen: SeenRows<T> | null;
}

/** The cached data shared by callers that see the same rows. */
class View<T extends object> {
  /** Parts by group, least recently used first. */
  readonly #parts = new Map<string, Part<T>>();
  readonly #viewer: Viewer<T> | null;
  readonly #options: PartOptions<T>;
  /** Number of rows of the largest table or group that was queried. Visible rows may be scattered over all of its positions. */
  #maxBytes = 0;

  constructor(viewer: Viewer<T> | null, options: PartOptions<T>) {
    this.#viewer = viewer;
    this.#options = options;
  }

  open(group: string, rows: SortedRows<T>, filter: Filter<T> | null): MatchedRows<T> | null {
    const part = this.#parts.get(group) ?? this.#makePart();
    this.#parts.delete(group);
    this.#parts.set(group, part);
    const seen = part.seen === null ? rows : part.seen.of(rows);
    if (seen === null) return null;
    this.#maxBytes = Math.max(this.#maxBytes, rows.size);
    const budget = this.#options.budget(this.#maxBytes);
    for (const [name, other] of this.#parts) {
      if (other === part) break;
      if (this.#parts.size <= maxGroups && this.#bytesOfOthers(part) * 2 <= budget) break;
      this.#parts.delete(name);
    }
    // A few scattered rows need as many positions as a full page.
    if (bytesOfPages(seen) * 2 > budget - this.#bytesOfOthers(part)) return null;
    const matcher = part.cache.open(seen, filter);
    return matcher === null ? null : { rows: seen, matcher };
  }

  #makePart(): Part<T> {
    const part: Part<T> = {
      cache: this.#options.make(() => this.#options.budget(this.#maxBytes) - this.#bytesOfOthers(part)),
      seen: this.#viewer === null ? null : new SeenRows(this.#viewer.canSee),
    };
    return part;
  }

  /** Returns the bytes that other parts and the visibility data take from the budget of a part. */
  #bytesOfOthers(part: Part<T>): number {
    let bytes = 0;
    for (const each of this.#parts.values()) {
      if (each !== part) bytes += each.cache.bytes;
      bytes += each.seen?.bytes ?? 0;
    }
    return bytes;
  }
}

/** The visible rows of a viewer, by version. Fully visible pages are shared with the table. */
class SeenRows<T extends object> {
  readonly #canSee: (row: T) => boolean;
  readonly #chunks = new WeakMap<RowChunk<T>, RowChunk<T>>();
  readonly #pages = new WeakMap<RowPage<T>, RowPage<T>>();
  readonly #versions = new WeakMap<SortedRows<T>, SortedRows<T>>();
  /** Size of the version that was queried last, in bytes. */
  bytes = 0;

  constructor(canSee: (row: T) => boolean) {
    this.#canSee = canSee;
  }

  /** Returns the visible rows; null if too many rows have not been tested yet. Each query tests some more. */
  of(rows: SortedRows<T>): SortedRows<T> | null {
    const known = this.#versions.get(rows);
    if (known !== undefined) return known;
    const pages: RowPage<T>[] = [];
    let left = chunksAtOnce;
    let [own, isWhole] = [0, true];
    for (const page of rows.pages) {
      const chunks: RowChunk<T>[] = [];
      const before = this.#pages.get(page);
      for (const chunk of before === undefined ? page : []) {
        let seen = this.#chunks.get(chunk);
        if (seen === undefined) {
          if (left === 0) return null;
          left -= 1;
          seen = chunk.filter(this.#canSee);
          if (seen.length === chunk.length) seen = chunk;
          this.#chunks.set(chunk, seen);
        }
        if (seen.length > 0) chunks.push(seen);
      }
      const isSame = chunks.length === page.length && chunks.every((chunk, at) => chunk === page[at]);
      const seen = before ?? (isSame ? page : chunks);
      this.#pages.set(page, seen);
      if (seen.length > 0) pages.push(seen);
      if (seen === page) continue;
      isWhole = false;
      for (const chunk of seen) own += 8 * chunk.length;
    }
    const seen = isWhole ? rows : rowsOnPages(rows.order, pages);
    this.#versions.set(rows, seen);
    this.bytes = own;
    return seen;
  }
}

function bytesOfPages<T>({ pages }: SortedRows<T>): number {
  let bytes = pages.length * pageSize;
  for (const page of pages) bytes += (page.length * limit) / 4;
  return bytes;
}
