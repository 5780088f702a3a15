/**
 * What values of a kind stand for, beside the text or the integer that a row holds them as. Two spellings of one instant,
 * length, size, address or version are one instance; instances have an order, texts of them need not have the same.
 *
 * A kind is shared and stateless. Nothing here throws: what is no instance is null. (Methods, because a kind of any
 * instance is one of `unknown` to those who only hand on what they got from it.)
 */
export interface InstanceKind<Instance = unknown> {
  /** As schemas call it. */
  readonly name: InstanceName;
  /** As messages call one: `size`. */
  readonly noun: string;
  /** Whether rows hold texts, which level 0 reads as such; integers in a unit otherwise. */
  readonly isText: boolean;
  /** What it costs at worst to read a character of such a text, or an integer, in units of 6 ns. */
  readonly readWeight: number;
  /** What literals may be, for messages: `a length of time such as 1h30m`. */
  readonly expected: string;
  /** Literals that show how instances are written; those of times depend on the clock. */
  readonly examples: readonly string[];
  /** What a declared field reads as where a row has none; null for kinds that have no such instance. */
  readonly zero: Instance | null;
  /** The text of that where rows hold texts; null where there is none. */
  readonly zeroText: string | null;
  /** The instance that a literal writes, quoted or not. Linear in the text, whatever it is. */
  parse(this: void, text: string): Instance | null;
  /** The instance that a value of a row is; null and undefined are none. */
  read(this: void, value: unknown): Instance | null;
  /**
   * The order of a value and an operand: negative, zero (they are equal) or positive. An operand may leave something open
   * that a value tells (the port of an address), which then does not count.
   */
  compare(this: void, value: Instance, operand: Instance): number;
  /** The total order of instances, of which `compare` is a coarser form: by it indexes are sorted. */
  sort(this: void, a: Instance, b: Instance): number;
  /** What literals in lists may be beside instances; null where there is nothing. */
  readonly blocks: BlockKind<Instance> | null;
  /** An instance on the scale of the integers in rows; null where rows hold texts. */
  inUnit(this: void, instance: Instance): UnitBound | null;
}

export type InstanceName = 'time' | 'duration' | 'bytes' | 'ip' | 'version';

/** Sets of instances that one literal writes. */
export interface BlockKind<Instance, Block = unknown> {
  parse(this: void, text: string): Block | null;
  holds(this: void, block: Block, value: Instance): boolean;
}

/**
 * Where an instance lies among integers: at `floor`, or (not `isExact`) between it and the next one. The integer is a
 * number where it is a safe one.
 */
export interface UnitBound {
  readonly floor: number | bigint;
  readonly isExact: boolean;
}

/** What is told of a type to find its kind of instance. */
export interface InstanceType {
  readonly kind: string;
  readonly unit?: Unit;
  readonly port?: true;
}

/** The units of integers in rows. */
export type Unit = TimeUnit | SizeUnit;
export type TimeUnit = 's' | 'ms' | 'us' | 'ns';
export type SizeUnit = 'B' | 'KiB' | 'MiB' | 'GiB' | 'kB' | 'MB' | 'GB';

/** How many nanoseconds a unit has. */
export const timeUnits: Readonly<Record<TimeUnit, number>> = { s: 1e9, ms: 1e6, us: 1e3, ns: 1 };

/** How many bytes a unit has. */
export const sizeUnits: Readonly<Record<SizeUnit, number>> = {
  B: 1,
  KiB: 2 ** 10,
  MiB: 2 ** 20,
  GiB: 2 ** 30,
  kB: 1e3,
  MB: 1e6,
  GB: 1e9,
};
