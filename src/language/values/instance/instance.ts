/**
 * A kind of instances, such as times or addresses, that rows store as strings or integers. Different spellings can represent one
 * instance. Instances have an order, which may differ from the order of their strings.
 *
 * A kind is shared and stateless. Its methods never throw; they return null for values that are not instances.
 * They are methods, not function properties, so that a kind of any instance is assignable to one of `unknown`.
 */
export interface InstanceKind<Instance = unknown> {
  /** The name in schemas. */
  readonly name: InstanceName;
  /** The noun in messages: `size`. */
  readonly noun: string;
  /** Whether rows store strings, which level 0 compares as strings; otherwise rows store integers in a unit. */
  readonly isText: boolean;
  /** Maximum cost of parsing, in units of 6 ns: per character of a string, or per integer. */
  readonly readWeight: number;
  /** Description of valid literals, for messages: `a length of time such as 1h30m`. */
  readonly expected: string;
  /** Example literals. Examples of times depend on the clock. */
  readonly examples: readonly string[];
  /** The instance as which a missing declared field counts; null if none exists. */
  readonly zero: Instance | null;
  /** The string form of `zero`, if rows store strings; otherwise null. */
  readonly zeroText: string | null;
  /** Parses the instance that a literal denotes, quoted or not. Takes time linear in the length of the string. */
  parse(this: void, text: string): Instance | null;
  /** Reads the instance of a row's value; null for null and undefined. */
  read(this: void, value: unknown): Instance | null;
  /**
   * Compares a value with an operand: negative, zero (equal) or positive. An operand may omit a part of a value, such as a port,
   * which is then ignored.
   */
  compare(this: void, value: Instance, operand: Instance): number;
  /** Compares two instances in their total order, by which indexes are sorted. The order is consistent with `compare`. */
  sort(this: void, a: Instance, b: Instance): number;
  /** The order of instances in lists; null if rows store integers, which have their own order. */
  readonly position: InstancePosition<Instance> | null;
  /** Literals that denote a set of instances and that lists may contain; null if none exist. */
  readonly blocks: BlockKind<Instance> | null;
  /** Returns an instance on the scale of the integers in rows; null if rows store strings. */
  inUnit(this: void, instance: Instance): UnitBound | null;
}

/** The sort position of an instance: one integer, or integers and strings that are compared one after the other. */
export type InstancePosition<Instance> =
  | { readonly isInteger: true; of(this: void, instance: Instance): Integer }
  | { readonly isInteger: false; of(this: void, instance: Instance): readonly (Integer | string)[] };

type Integer = number | bigint;

export type InstanceName = 'time' | 'duration' | 'bytes' | 'ip' | 'version';

/** A kind of literals each of which denotes a set of instances, such as a block of addresses. */
export interface BlockKind<Instance, Block = unknown> {
  parse(this: void, text: string): Block | null;
  storedAs(this: void, block: Block, value: Instance): boolean;
}

/**
 * The position of an instance among integers: exactly at `floor`, or, if not `isExact`, between `floor` and the next integer.
 * `floor` is a number if it is a safe integer.
 */
export interface UnitBound {
  readonly floor: number | bigint;
  readonly isExact: boolean;
}

/** The properties of a type that determine its instance kind. */
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
