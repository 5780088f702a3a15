import { clausesOf, clausesWithout } from '../compile/plan.js';
import type { Predicate } from '../compile/frame/predicate.js';
import type { FilterOptions } from '../compile/filter-options.js';
import { compileWhole, type Filter, type WholeFilter } from '../filter.js';
import { RecentMap } from '../../runtime/recent-map.js';
import { indexedClauses } from './access.js';
import type { SavedFilter } from './saved-filter.js';

/** Returns the instant of a match. */
export type ReadNow = () => Date;

/** Maximum number of cached compiled filters, excluding those evaluated for every row. Each takes 10 to 30 kB. */
const maxCached = 4_096;

/**
 * Cache of the compiled filters of a set. A compiled filter takes 20 times the memory of a filter's other data, and many are
 * never needed, because their access paths serve all of their clauses. So a filter is compiled on its first evaluation, and the
 * least recently used ones are evicted.
 */
export class CompiledFilters {
  /** Filters that are evaluated for every row. */
  private readonly standing = new Map<SavedFilter, CompiledParts>();
  /** The most recently used other filters. */
  private readonly recent = new RecentMap<SavedFilter, CompiledParts>({ maxEntries: maxCached });

  constructor(private readonly options: FilterOptions) {}

  /** Compiles a filter, unless it is cached. @throws the errors of `compileFilter` */
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

/** A compiled filter, and the residual filter for clauses that its access paths do not serve. */
class CompiledParts {
  readonly filter: Filter;
  /** Evaluates the whole filter. @throws the errors of the filter */
  readonly test: TimedTest;
  /** Evaluates the residual filter, if an access path has led to the filter. @throws the errors of the filter */
  readonly testRest: TimedTest;

  constructor(whole: WholeFilter, saved: SavedFilter) {
    this.filter = whole.filter;
    this.test = testOf(whole.filter);
    const clauses = clausesOf(whole.tree);
    const indexed = indexedClauses(saved.ways);
    const rest = indexed.size === 0 ? null : clausesWithout(clauses, [...indexed]);
    this.testRest = rest === null ? this.test : testOf(whole.part(rest));
  }
}

type TimedTest = (row: unknown, now: ReadNow) => boolean;

/** Returns the test of a filter, read on first use. */
function testOf(filter: Filter): TimedTest {
  if (filter.usesNow) return (row, now) => filter.at(now()).test(row);
  let test: Predicate | null = null;
  return (row) => (test ??= filter.test)(row);
}
