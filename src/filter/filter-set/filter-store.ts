import { describe, limitsOf } from '../../language/diagnostics/options.js';
import type { FilterOptions } from '../compile/filter-options.js';
import { sourceOf, type FilterSource } from '../../language/parse.js';
import { partsOf, type Filter, type FilterParts } from '../filter.js';
import { clausesOf } from '../compile/plan.js';
import { analyse } from '../../language/schema/analysis.js';
import type { StructType } from '../../language/schema/type.js';
import type { Schema } from '../../language/schema/schema.js';
import { indexedClauses, findAccesses } from './access.js';
import { CompiledFilters } from './compiled-filters.js';
import { fieldsOfSet, postingsOf, presentRoot, type SetField } from './field-postings.js';
import { FilterIndex } from './filter-index.js';
import { SavedFilter } from './saved-filter.js';
import type { SetBounds } from './set-options.js';

/** The filters of a set by id, by source and by access path. */
export class FilterStore {
  readonly index: FilterIndex;
  readonly compiled: CompiledFilters;
  readonly fields: ReadonlyMap<string, SetField<SavedFilter>>;
  private readonly presentRoot: StructType;
  /** Total length of the distinct sources, in UTF-16 units. */
  totalLength = 0;
  private readonly byId = new Map<string, SavedFilter>();
  private readonly byKey = new Map<string, SavedFilter>();

  constructor(
    private readonly options: FilterOptions & { readonly schema: Schema },
    private readonly bounds: SetBounds,
  ) {
    this.fields = fieldsOfSet(options.schema, (options.unresolved ?? 'error') === 'error' ? null : []);
    this.presentRoot = presentRoot(options.schema.root);
    this.index = new FilterIndex(postingsOf(this.fields.values()));
    this.compiled = new CompiledFilters(options);
  }

  get size(): number {
    return this.byId.size;
  }

  /** Number of distinct sources. */
  get distinct(): number {
    return this.byKey.size;
  }

  get(id: string): SavedFilter | undefined {
    return this.byId.get(id);
  }

  /**
   * Adds a filter. @throws the errors of `compileFilter`; RangeError if the set is full; TypeError if the id is not a string.
   *
   * @param compiled the filter, if it has been compiled with the options of the set
   */
  add(id: string, source: FilterSource, compiled?: Filter): void {
    if (typeof id !== 'string')
      throw new TypeError(`FilterSet.add: id must be a string, got ${describe(id)}`);
    const key = this.keyOf(source);
    const old = this.byId.get(id);
    const known = this.byKey.get(key);
    if (known !== undefined && known === old) return;
    this.checkCount(old);
    const filter = known ?? this.make(key, old, compiled);
    this.remove(id);
    this.byId.set(id, filter);
    filter.ids.add(id);
    if (known !== undefined) return;
    this.byKey.set(key, filter);
    this.totalLength += filter.length;
    this.index.add(filter);
    // Two filters are reconsidered for each added one, so that all have been reconsidered when the set has doubled.
    this.index.reconsider();
    this.index.reconsider();
  }

  /** Removes a filter. Returns false for an unknown id. */
  remove(id: string): boolean {
    const filter = this.byId.get(id);
    if (filter === undefined) return false;
    this.byId.delete(id);
    filter.ids.delete(id);
    if (filter.ids.size > 0) return true;
    this.byKey.delete(filter.key);
    this.totalLength -= filter.length;
    this.index.delete(filter);
    this.compiled.delete(filter);
    return true;
  }

  /** Returns the key of a filter. Filters with equal keys are the same. */
  private keyOf(source: FilterSource): string {
    const { source: text, dialect } = sourceOf('FilterSet.add', source, limitsOf(this.options.limits));
    if (typeof text !== 'string')
      throw new TypeError(`FilterSet.add: filter must be a string, got ${describe(text)}`);
    return `${this.options.dialect ?? dialect} ${text}`;
  }

  private make(key: string, old: SavedFilter | undefined, compiled?: Filter): SavedFilter {
    const filter = compiled ?? this.compiled.compile(key).filter;
    const { analysis, tree } = partsOf(filter) as FilterParts; // The filter was created by `compileFilter`
    const { length } = filter.source;
    this.checkLength(length, old);
    const { fields, options } = this;
    const present = analyse(this.presentRoot, analysis.level, analysis.isForgiving);
    const costLimits = limitsOf(options.limits);
    const denies = options.unresolved === 'deny';
    const { ways } = findAccesses(tree, { fields, analysis, present, costLimits, denies });
    const areAllIndexed = indexedClauses(ways).size === clausesOf(tree).length;
    return new SavedFilter(key, length, ways, areAllIndexed);
  }

  private checkCount(old: SavedFilter | undefined): void {
    const { maxFilters } = this.bounds;
    if (old !== undefined || this.byId.size < maxFilters) return;
    throw new RangeError(
      `FilterSet.add: the set has ${this.byId.size} filters, and maxFilters allows ${maxFilters}; remove some first`,
    );
  }

  private checkLength(length: number, old: SavedFilter | undefined): void {
    const { maxTotalLength } = this.bounds;
    const sum = this.totalLength + length - (old?.ids.size === 1 ? old.length : 0);
    if (sum <= maxTotalLength) return;
    throw new RangeError(
      `FilterSet.add: the filters would have ${sum} characters together, and maxTotalLength allows ${maxTotalLength}`,
    );
  }
}
