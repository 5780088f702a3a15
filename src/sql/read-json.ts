import { parseExactly } from '../runtime/exact-json.js';
import type { Type } from '../language/schema/type.js';
import { specialFloats } from './special-floats.js';

/** Parses JSON according to the type. Integers beyond 2^53 become bigints, unless floats are declared. */
export function readJson(text: string, type: Type): unknown {
  return shaped(parseExactly(text), type);
}

/** Converts parsed JSON to the types of rows. */
export function shaped(value: unknown, type: Type): unknown {
  if (isFloat(type)) {
    if (typeof value === 'bigint') return Number(value);
    return typeof value === 'string' ? (specialFloats[value.toLowerCase()] ?? value) : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  const container = value as Record<string, unknown>;
  for (const [name, each] of Object.entries(container)) {
    const of = type.kind === 'struct' ? type.properties.get(name)?.type : 'of' in type ? type.of : undefined;
    if (of !== undefined) container[name] = shaped(each, of);
  }
  return value;
}

function isFloat({ kind }: Type): boolean {
  return kind === 'float64' || kind === 'float32';
}
