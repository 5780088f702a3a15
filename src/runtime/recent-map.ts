/** Limits of a {@link RecentMap}. */
export interface RecentMapLimits<Key, Value> {
  readonly maxEntries?: number;
  /** Maximum total weight of all entries. An entry that alone exceeds it is not stored. */
  readonly maxWeight?: number;
  readonly weigh?: (value: Value, key: Key) => number;
  /** Called for each evicted entry. */
  readonly onEvict?: (key: Key, value: Value) => void;
}

/** An LRU map: evicts the least recently used entries if there are too many, or if their total weight is too large. */
export class RecentMap<Key, Value> {
  /** A Map keeps its keys in the order of insertion, so the first one is the least recently used. */
  readonly #entries = new Map<Key, { readonly key: Key; readonly value: Value }>();
  readonly #maxEntries: number;
  readonly #maxWeight: number;
  readonly #weigh: (value: Value, key: Key) => number;
  readonly #onEvict: ((key: Key, value: Value) => void) | undefined;
  #weight = 0;

  constructor({ maxEntries = Infinity, maxWeight = Infinity, weigh, onEvict }: RecentMapLimits<Key, Value>) {
    this.#maxEntries = maxEntries;
    this.#maxWeight = maxWeight;
    this.#weigh = weigh ?? (() => 0);
    this.#onEvict = onEvict;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** The total weight of all entries. */
  get weight(): number {
    return this.#weight;
  }

  /** Whether the map has the key; does not count as a use. */
  has(key: Key): boolean {
    return this.#entries.has(key);
  }

  /** Returns the value of a key and marks it as the most recently used. */
  get(key: Key): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    // The stored key: an equal string may be a slice, which retains the string that it was cut from.
    this.#entries.set(entry.key, entry);
    return entry.value;
  }

  set(key: Key, value: Value): void {
    this.delete(key);
    const weight = this.#weigh(value, key);
    if (weight > this.#maxWeight || this.#maxEntries < 1) return;
    this.#entries.set(key, { key, value });
    this.#weight += weight;
    for (const { key: oldest, value: other } of this.#entries.values()) {
      if (this.#entries.size <= this.#maxEntries && this.#weight <= this.#maxWeight) break;
      this.delete(oldest);
      this.#onEvict?.(oldest, other);
    }
  }

  delete(key: Key): void {
    const entry = this.#entries.get(key);
    if (entry !== undefined && this.#entries.delete(key)) this.#weight -= this.#weigh(entry.value, key);
  }
}
