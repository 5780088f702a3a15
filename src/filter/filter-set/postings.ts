import {
  beginsAfter,
  endsBefore,
  type CompareKeys,
  type IndexKey,
  type KeyRange,
} from '../compile/frame/key-range.js';
import { RangeTree } from './range-tree.js';
import { SmallSet } from './small-set.js';

/** Items by the keys or ranges of keys that they require of one field. */
export interface Postings<Item> {
  /** The index among all postings of a set, from 0. */
  readonly number: number;
  /** The field by its filter name. */
  readonly field: string;
  readonly kind: 'keys' | 'ranges';
  /** Number of entries. An item has one entry per key or range. */
  readonly size: number;
  /** Number of distinct keys or ranges. */
  readonly ranges: number;
  /** Returns the keys of a row; null for a row that does not match the schema at the field. */
  readonly keysOf: (row: unknown) => readonly IndexKey[] | null;
  /** Records the keys of a row, for estimates. */
  readonly record: (keys: readonly IndexKey[]) => void;
  readonly visit: (key: IndexKey, visit: (item: Item) => void) => void;
  readonly visitAll: (visit: (item: Item) => void) => void;
}

/** A way to find an item: keys or ranges in the postings of a field. */
export interface Probe<Item> {
  readonly postings: Postings<Item>;
  readonly link: (item: Item) => void;
  readonly unlink: (item: Item) => void;
  /** Returns the estimated fraction of rows that lead to the item: 0 to 1. */
  readonly estimate: () => number;
  readonly matches: (keys: readonly IndexKey[]) => boolean;
}

/** The common part of all postings. */
abstract class FieldPostings<Item extends object, RangePosition> implements Postings<Item> {
  abstract readonly kind: Postings<Item>['kind'];
  abstract readonly ranges: number;
  readonly sample = new Sample();
  size = 0;
  /** Items that no key leads to. Only rows that do not match the schema lead to them. */
  private readonly nowhere = new Set<Item>();

  constructor(
    readonly number: number,
    readonly field: string,
    readonly keysOf: Postings<Item>['keysOf'],
  ) {}

  abstract visit(key: IndexKey, visit: (item: Item) => void): void;

  record(keys: readonly IndexKey[]): void {
    this.sample.add(keys);
  }

  link(positions: readonly RangePosition[], item: Item): void {
    if (positions.length === 0) this.nowhere.add(item);
    for (const position of positions) this.add(position, item);
    this.size += Math.max(positions.length, 1);
  }

  unlink(positions: readonly RangePosition[], item: Item): void {
    if (positions.length === 0) this.nowhere.delete(item);
    for (const position of positions) this.delete(position, item);
    this.size -= Math.max(positions.length, 1);
  }

  visitAll(visit: (item: Item) => void): void {
    this.nowhere.forEach(visit);
    this.visitPlaces(visit);
  }

  protected abstract add(position: RangePosition, item: Item): void;
  protected abstract delete(position: RangePosition, item: Item): void;
  protected abstract visitPlaces(visit: (item: Item) => void): void;
}

/** Minimum number of items for estimating the number of values of a field. */
const fewItems = 256;

/** Items by key. */
export class KeyPostings<Item extends object> extends FieldPostings<Item, string> {
  readonly kind = 'keys';
  private readonly lists = new Map<IndexKey, SmallSet<Item>>();

  constructor(
    number: number,
    field: string,
    keysOf: Postings<Item>['keysOf'],
    /** Number of possible values according to the schema; null if it does not limit them. */
    private readonly values: number | null,
  ) {
    super(number, field, keysOf);
  }

  get ranges(): number {
    return this.lists.size;
  }

  /** Estimated number of values of the field. While little is known, the estimate is high, so that the field is tried. */
  get variety(): number {
    return this.values ?? (this.size < fewItems ? fewItems : this.ranges);
  }

  visit(key: IndexKey, visit: (item: Item) => void): void {
    this.lists.get(key)?.forEach(visit);
  }

  protected add(key: string, item: Item): void {
    const items = this.lists.get(key) ?? new SmallSet<Item>();
    items.add(item);
    this.lists.set(key, items);
  }

  protected delete(key: string, item: Item): void {
    const items = this.lists.get(key);
    items?.delete(item);
    if (items?.size === 0) this.lists.delete(key);
  }

  protected visitPlaces(visit: (item: Item) => void): void {
    for (const items of this.lists.values()) items.forEach(visit);
  }
}

/** Items by range of keys. */
export class RangePostings<Item extends object> extends FieldPostings<Item, KeyRange> {
  readonly kind = 'ranges';
  private readonly tree: RangeTree<Item>;

  constructor(
    number: number,
    field: string,
    keysOf: Postings<Item>['keysOf'],
    readonly compare: CompareKeys,
  ) {
    super(number, field, keysOf);
    this.tree = new RangeTree(compare);
  }

  get ranges(): number {
    return this.tree.size;
  }

  visit(key: IndexKey, visit: (item: Item) => void): void {
    this.tree.visit(key, visit);
  }

  protected add(range: KeyRange, item: Item): void {
    this.tree.add(range, item);
  }

  protected delete(range: KeyRange, item: Item): void {
    this.tree.delete(range, item);
  }

  protected visitPlaces(visit: (item: Item) => void): void {
    this.tree.visitAll(visit);
  }
}

/** Number of rows remembered for estimates. */
const sampleSize = 64;

/** The keys of recent rows. */
class Sample {
  private readonly rows: (readonly IndexKey[])[] = [];
  private next = 0;

  add(keys: readonly IndexKey[]): void {
    this.rows[this.next] = keys;
    this.next = (this.next + 1) % sampleSize;
  }

  /** Returns the fraction of recent rows that have a matching key. `guess` counts like one row. */
  share(matches: (keys: readonly IndexKey[]) => boolean, guess: number): number {
    let found = guess;
    for (const keys of this.rows) if (matches(keys)) found += 1;
    return found / (this.rows.length + 1);
  }
}

/** Maximum number of keys or ranges that are looked up in the sample. More would take longer than they can save. */
const maxSampled = 32;

/** The common part of all probes: some positions in the postings of a field. */
abstract class FieldProbe<Item extends object, RangePosition> implements Probe<Item> {
  abstract readonly postings: FieldPostings<Item, RangePosition>;

  constructor(protected readonly positions: readonly RangePosition[]) {}

  link(item: Item): void {
    this.postings.link(this.positions, item);
  }

  unlink(item: Item): void {
    this.postings.unlink(this.positions, item);
  }

  estimate(): number {
    const guess = Math.min(1, this.guess());
    if (this.positions.length > maxSampled) return guess;
    return this.postings.sample.share((row) => this.matches(row), guess);
  }

  abstract matches(keys: readonly IndexKey[]): boolean;
  /** Returns the estimate without sampled rows. */
  protected abstract guess(): number;
}

/** A probe that finds items if a field equals one of some keys. */
export class KeyProbe<Item extends object> extends FieldProbe<Item, string> {
  constructor(
    readonly postings: KeyPostings<Item>,
    keys: readonly string[],
  ) {
    super(keys);
  }

  matches(keys: readonly IndexKey[]): boolean {
    for (const key of this.positions) if (keys.includes(key)) return true;
    return false;
  }

  /** All keys count as equally frequent. */
  protected guess(): number {
    return this.positions.length / this.postings.variety;
  }
}

/** A probe that finds items if a field is within one of some ranges. */
export class RangeProbe<Item extends object> extends FieldProbe<Item, KeyRange> {
  constructor(
    readonly postings: RangePostings<Item>,
    ranges: readonly KeyRange[],
  ) {
    super(ranges);
  }

  matches(keys: readonly IndexKey[]): boolean {
    const { compare } = this.postings;
    for (const key of keys) {
      for (const range of this.positions)
        if (!beginsAfter(range, key, compare) && !endsBefore(range, key, compare)) return true;
    }
    return false;
  }

  /** One half for an open range, less for a closed one. A single point counts like a key. */
  protected guess(): number {
    const { compare, ranges } = this.postings;
    return this.positions.reduce((sum, { from, to }) => {
      if (from === null || to === null) return sum + 0.5;
      return sum + (compare(from, to) === 0 ? 1 / Math.max(ranges, fewItems) : 0.2);
    }, 0);
  }
}
