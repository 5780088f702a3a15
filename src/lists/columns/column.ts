import type { Owner } from './cache-entry.js';
import { nameOf, type FieldAccess } from './value-access.js';
import { Compound, unexpected, readerOf, samplerOf, type MakeSample, type ReadValue } from './values.js';

/** Maximum number of distinct values with codes. When it is reached, the column checks whether it has too many of them. */
const maxValues = 65_535;
const minReadRows = 4_096;
/** The size of a dictionary entry without its string, in bytes: of a Map, of two arrays and of an object. */
const entrySize = 96;

/** The values of a column of a table. A value keeps its code until all values are evicted. */
export class CodeColumn implements Owner {
  readonly name: string;
  readonly read: ReadValue;
  readonly sample: MakeSample;
  bytes = 0;
  /** Total size of the distinct values, in bytes. */
  valueBytes = 0;
  credit = 0;
  used = 0;
  /** Number of times that all values were evicted. Codes from before an eviction are invalid. */
  forgotten = 0;
  /** Whether the column has too many distinct values for codes. */
  isWide = false;
  /** Values indexed by code; code 0 is unused. */
  values: unknown[] = [unexpected];
  #codes = new Map<unknown, number>();
  #read = 0;
  #unexpected = 0;

  constructor(readonly access: FieldAccess) {
    this.name = nameOf(access);
    this.read = readerOf(access);
    this.sample = samplerOf(access);
  }

  /** Returns the code of a row's value; 0 if the value cannot have a code. */
  codeOf(row: unknown): number {
    this.#read += 1;
    const value = this.read(row);
    if (value === unexpected) {
      this.#unexpected += 1;
      return 0;
    }
    const key = value instanceof Compound ? value.text : typeof value === 'string' ? `"${value}` : value;
    const known = this.#codes.get(key);
    if (known !== undefined) return known;
    if (this.values.length > maxValues) {
      this.isWide = true;
      return 0;
    }
    const code = this.values.push(value) - 1;
    this.#codes.set(key, code);
    const length = typeof key === 'string' ? key.length : 0;
    this.valueBytes += entrySize + 2 * length;
    return code;
  }

  /** Checks whether the values repeat often enough for codes. */
  judge(): void {
    if (this.#read < minReadRows) return;
    if (this.values.length * 2 > this.#read || this.#unexpected * 2 > this.#read) this.isWide = true;
  }

  forget(): void {
    this.forgotten += 1;
    this.values = [unexpected];
    this.#codes = new Map();
    this.#read = this.#unexpected = this.valueBytes = 0;
  }
}
