import { createRandom, seedOf, shuffled, type Random } from './random.js';

/** How the objects of a kind are laid out: one way, or as the six programs wrote them that this list came from. */
export type ShapeMode = 'mono' | 'poly';

/** How many key orders the poly data have. */
const writerCount = 6;

/**
 * What poly objects may lack: fields, and keys of Attributes, with six orders several hundred shapes. No case over arrays names
 * one of them, so that mono and poly data have the same results.
 */
const optionalFields: ReadonlySet<string> = new Set([
  'ParentID',
  'StatusDescription',
  'JobSummary',
  'Multiregion',
  'SubmitTime',
  'NodePool',
  'HTTPAddr',
  'CPUTemp',
  'CPUTemp32',
  'Drivers',
]);
const optionalKeys: ReadonlySet<string> = new Set([
  'driver.java',
  'driver.java.runtime',
  'driver.java.version',
  'driver.raw_exec',
  'kernel.landlock',
  'os.build',
  'unique.cgroups',
]);

/** Lays a value out as a poly writer would: its keys in that writer's order, some of them missing, and no field where it is whole. */
export function reshape(value: unknown, random: Random, isWhole: boolean): unknown {
  return reshapeAs(random.int(writerCount), value, random, isWhole);
}

function reshapeAs(writer: number, value: unknown, random: Random, isWhole: boolean): unknown {
  if (Array.isArray(value)) return value.map((element) => reshapeAs(writer, element, random, isWhole));
  if (typeof value !== 'object' || value === null) return value;
  const fields = value as Readonly<Record<string, unknown>>;
  const result: Record<string, unknown> = {};
  for (const key of orderOf(writer, Object.keys(fields))) {
    const isOptional = optionalKeys.has(key) || optionalFields.has(key);
    if (isOptional && random.chance(0.5) && !(isWhole && optionalFields.has(key))) continue;
    result[key] = reshapeAs(writer, fields[key], random, isWhole);
  }
  return result;
}

const orders = new Map<string, readonly string[]>();

/** A writer's order of the keys: always the same for the same keys, another one for each writer. */
function orderOf(writer: number, keys: readonly string[]): readonly string[] {
  const signature = `${writer} ${keys.join(' ')}`;
  const known = orders.get(signature);
  if (known !== undefined) return known;
  const order = writer === 0 ? keys : shuffled(createRandom(seedOf(writer, keys.length)), keys);
  orders.set(signature, order);
  return order;
}
