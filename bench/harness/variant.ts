import type { ShapeMode } from '../data/shape.js';

/** The data that a measurement runs on. */
export interface Variant {
  readonly name: VariantName;
  readonly mode: ShapeMode;
  /** Rows a kind. */
  readonly size: 2000 | 100_000;
}

export type VariantName = 'mono-100k' | 'mono-hot' | 'poly-100k' | 'poly-hot';

/** One shape or hundreds; bound by memory, or small enough for the processor's cache. */
export const variants: readonly Variant[] = [
  { name: 'mono-100k', mode: 'mono', size: 100_000 },
  { name: 'mono-hot', mode: 'mono', size: 2000 },
  { name: 'poly-100k', mode: 'poly', size: 100_000 },
  { name: 'poly-hot', mode: 'poly', size: 2000 },
];

/** @throws RangeError for a name that is no variant's. */
export function variantOf(name: string): Variant {
  const found = variants.find((variant) => variant.name === name);
  if (found === undefined) throw new RangeError(`there is no variant ${name}`);
  return found;
}
