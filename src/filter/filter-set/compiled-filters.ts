import { clausesOf, clausesWithout } from '../compile/plan.js';
import type { Predicate } from '../compile/frame/predicate.js';
import type { FilterOptions } from '../compile/filter-options.js';
import { compileWhole, type Filter, type WholeFilter } from '../filter.js';
import { RecentMap } from '../../runtime/recent-map.js';
import { indexedClauses } from './access.js';
import type { SavedFilter } from './saved-filter.js';

/** The instant of a match. */
export type ReadNow = () => Date;

/** Most compiled filters that are kept, those aside that are asked about every row. Each takes 10 to 30 kB. */
const maxCached = 4_096;

/**
 * The filters of a set in compiled form. That takes twenty times the memory of all else that a set knows of a filter, and many
 * never need it: what their ways answer is all that they ask. So they are compiled when asked first, and those that were not
 * asked for the longest time are given up.
 */
export class CompiledFilters {
  /** Those that are asked about every row. */
  private readonly standing = new Map<SavedFilter, CompiledParts>();
  /** Of the others those asked last. */
  private readonly recent = new RecentMap<SavedFilter, CompiledParts>({ maxEntries: maxCached });

  constructor(private readonly options: FilterOptions) {}

  /** @throws what `compileFilter` throws, for a filter that was not compiled before. */
  compile(key: string): WholeFilter {
    const at = key.indexOf(' ');
    const dialect = key.slice(0, at) === 'go-bexpr' ? 'go-bexpr' : 'standard';
    return compileWhole(key.slice(at + 1), { ...this.options, dialect });
  }

  of(filter: SavedFilter): CompiledParts {
    const standing = this.standing.get(filter);
    if (standing !== undefined) return standing;
    const recent = this.recent.get(filter);
    if (recent !== undefined) return recent;
    const parts = new CompiledParts(this.compile(filter.key), filter);
    (filter.ways.length === 0 ? this.standing : this.recent).set(filter, parts);
    return parts;
  }

  delete(filter: SavedFilter): void {
    this.standing.delete(filter);
    this.recent.delete(filter);
  }
}

/** A compiled filter, and what is left of it when its ways have answered what they can. */
class CompiledParts {
  readonly filter: Filter;
  /** Asks all of it. @throws as the filter. */
  readonly test: TimedTest;
  /** Asks what is left where the ways have led to the filter. @throws as the filter. */
  readonly testRest: TimedTest;

  constructor(whole: WholeFilter, saved: SavedFilter) {
    this.filter = whole.filter;
    this.test = testOf(whole.filter);
    const clauses = clausesOf(whole.filter.ast);
    const indexed = indexedClauses(saved.ways);
    const rest = indexed.size === 0 ? null : clausesWithout(clauses, [...indexed]);
    this.testRest = rest === null ? this.test : testOf(whole.part(rest));
  }
}

type TimedTest = (row: unknown, now: ReadNow) => boolean;

/** The test of a filter, taken out of it when first asked. */
function testOf(filter: Filter): TimedTest {
  if (filter.usesNow) return (row, now) => filter.at(now()).test(row);
  let test: Predicate | null = null;
  return (row) => (test ??= filter.test)(row);
}
