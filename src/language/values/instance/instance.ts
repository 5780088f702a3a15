/**
 * A kind of instances, which values represent as strings or integers in rows. Two spellings of one instant, duration, size,
 * address or version are one instance. Instances have an order, which can differ from that of their strings.
 *
 * A kind is shared and stateless. Nothing here throws: whatever is not an instance is null. (Methods rather than function
 * properties, so that a kind of any instance is assignable to one of `unknown`.)
 */
export interface InstanceKind<Instance = unknown> {
  /** The name in schemas. */
  readonly name: InstanceName;
  /** The noun in messages: `size`. */
  readonly noun: string;
  /** Whether rows contain strings, which level 0 reads as such; otherwise integers in a unit. */
  readonly isText: boolean;
  /** Maximum cost of reading a character of such a string, or an integer, in units of 6 ns. */
  readonly readWeight: number;
  /** Description of valid literals, for messages: `a length of time such as 1h30m`. */
  readonly expected: string;
  /** Example literals. Those of times depend on the clock. */
  readonly examples: readonly string[];
  /** The instance of a missing declared field; null for kinds without one. */
  readonly zero: Instance | null;
  /** The string of `zero` if rows contain strings; null if there is none. */
  readonly zeroText: string | null;
  /** Parses the instance that a literal denotes, quoted or not. Linear in the length of any string. */
  parse(this: void, text: string): Instance | null;
  /** Reads the instance of a row's value; null for null and undefined. */
  read(this: void, value: unknown): Instance | null;
  /**
   * Compares a value with an operand: negative, zero (equal) or positive. An operand may leave out a part that a value has (the
   * port of an address), which is then ignored.
   */
  compare(this: void, value: Instance, operand: Instance): number;
  /** Compares in the total order of instances, which refines `compare` and sorts indexes. */
  sort(this: void, a: Instance, b: Instance): number;
  /** How lists order the instances of strings; null if rows hold integers, which have their own order. */
  readonly position: InstancePosition<Instance> | null;
  /** Literals other than instances that lists may contain; null if there are none. */
  readonly blocks: BlockKind<Instance> | null;
  /** An instance on the scale of the integers in rows; null if rows hold strings. */
  inUnit(this: void, instance: Instance): UnitBound | null;
}

/** The position of an instance among others: one integer, or integers and strings that are compared one after the other. */
export type InstancePosition<Instance> =
  | { readonly isInteger: true; of(this: void, instance: Instance): Integer }
  | { readonly isInteger: false; of(this: void, instance: Instance): readonly (Integer | string)[] };

type Integer = number | bigint;

export type InstanceName = 'time' | 'duration' | 'bytes' | 'ip' | 'version';

/** Sets of instances that one literal denotes. */
export interface BlockKind<Instance, Block = unknown> {
  parse(this: void, text: string): Block | null;
  storedAs(this: void, block: Block, value: Instance): boolean;
}

/**
 * The position of an instance among integers: at `floor`, or (not `isExact`) between it and the next one. The integer is a number
 * if it is a safe one.
 */
export interface UnitBound {
  readonly floor: number | bigint;
  readonly isExact: boolean;
}

/** The facts about a type that determine its instance kind. */
export interface InstanceType {
  readonly kind: string;
  readonly unit?: Unit;
  readonly port?: true;
  readonly zone?: 'UTC';
}

/** The units of integers in rows. */
export type Unit = TimeUnit | SizeUnit;
export type TimeUnit = 's' | 'ms' | 'us' | 'ns';
export type SizeUnit = 'B' | 'KiB' | 'MiB' | 'GiB' | 'kB' | 'MB' | 'GB';

/** Nanoseconds per unit. */
export const timeUnits: Readonly<Record<TimeUnit, number>> = { s: 1e9, ms: 1e6, us: 1e3, ns: 1 };

/** Bytes per unit. */
export const sizeUnits: Readonly<Record<SizeUnit, number>> = {
  B: 1,
  KiB: 2 ** 10,
  MiB: 2 ** 20,
  GiB: 2 ** 30,
  kB: 1e3,
  MB: 1e6,
  GB: 1e9,
};
