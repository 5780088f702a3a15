import fc from 'fast-check';
import { expect } from 'vitest';
import {
  instanceKindOf,
  type InstanceKind,
  type InstanceType,
} from '../../../src/language/values/instance/index.js';

/** The kind of a type that has one. */
export function kindFor(type: InstanceType): InstanceKind {
  const kind = instanceKindOf(type);
  if (kind === null) throw new TypeError(`${JSON.stringify(type)} has no instances`);
  return kind;
}

/** The sign of the order of two literals. */
export function orderOf(kind: InstanceKind, a: string, b: string): number {
  const [left, right] = [kind.parse(a), kind.parse(b)];
  if (left === null || right === null) throw new TypeError(`${a}, ${b}: not both are of ${kind.name}`);
  return Math.sign(kind.compare(left, right));
}

/** That `sort` is a total order of these literals, and that `compare` agrees with it where an operand is complete. */
export function expectTotalOrder(kind: InstanceKind, literal: fc.Arbitrary<string>): void {
  const instance = literal.map((text) => kind.parse(text)).filter((each) => each !== null);
  fc.assert(
    fc.property(instance, instance, instance, (a, b, c) => {
      const order = (x: unknown, y: unknown): number => Math.sign(kind.sort(x, y)) + 0;
      expect(order(a, a)).toBe(0);
      expect(order(b, a)).toBe(-order(a, b) + 0);
      if (order(a, b) <= 0 && order(b, c) <= 0) expect(order(a, c)).toBeLessThanOrEqual(0);
      const sorted = [a, b, c].sort((x, y) => kind.sort(x, y));
      expect(kind.compare(sorted[0], sorted[2])).toBeLessThanOrEqual(0);
    }),
  );
}
