import type { DocumentFilter } from './document-filters.js';

/** A document as an editor has it open. */
interface Versioned {
  readonly uri: string;
  readonly version: number;
}

/** The filters of a version of a document, in its order. */
export interface CachedFilters {
  readonly version: number;
  readonly filters: readonly DocumentFilter[];
}

/** The filters of open documents: each version is read once, for any requests about it. */
export class FilterCache<Opened extends Versioned> {
  private readonly cache = new Map<string, CachedFilters>();

  constructor(private readonly read: (document: Opened) => readonly DocumentFilter[]) {}

  of(document: Opened): CachedFilters {
    const known = this.cache.get(document.uri);
    if (known?.version === document.version) return known;
    const made = { version: document.version, filters: this.read(document) };
    this.cache.set(document.uri, made);
    return made;
  }

  /** Whether this is still what a document has. */
  isCurrent(document: Opened, cached: CachedFilters): boolean {
    return this.cache.get(document.uri) === cached && cached.version === document.version;
  }

  forget(uri: string): void {
    this.cache.delete(uri);
  }

  forgetAll(): void {
    this.cache.clear();
  }
}

/** The filters that have a part within two offsets of the document. */
export function filtersBetween(
  { filters }: CachedFilters,
  start: number,
  end: number,
): readonly DocumentFilter[] {
  let low = 0;
  let high = filters.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((filters[middle]?.within.end ?? 0) < start) low = middle + 1;
    else high = middle;
  }
  const found: DocumentFilter[] = [];
  for (let at = low; at < filters.length; at += 1) {
    const filter = filters[at];
    if (filter === undefined || filter.within.start > end) break;
    found.push(filter);
  }
  return found;
}
