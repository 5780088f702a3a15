import type { Predicate } from './predicate.js';
import { and2, and3, not1, or2, or3 } from './fused/leaves.generated.js';
import type { Copies } from './fused/pool.js';

/** `and`: left to right, up to the first operand that does not hold. */
export function joinAll(operands: readonly Predicate[], copies: Copies): Predicate {
  const [a, b, c] = operands;
  if (a !== undefined && b !== undefined && operands.length === 2)
    return copies.take(and2)(a, b) as Predicate;
  if (a !== undefined && b !== undefined && c !== undefined && operands.length === 3) {
    return copies.take(and3)(a, b, c) as Predicate;
  }
  return (row) => {
    for (const operand of operands) if (!operand(row)) return false;
    return true;
  };
}

/** `or`: left to right, up to the first operand that holds. */
export function joinAny(operands: readonly Predicate[], copies: Copies): Predicate {
  const [a, b, c] = operands;
  if (a !== undefined && b !== undefined && operands.length === 2) return copies.take(or2)(a, b) as Predicate;
  if (a !== undefined && b !== undefined && c !== undefined && operands.length === 3) {
    return copies.take(or3)(a, b, c) as Predicate;
  }
  return (row) => {
    for (const operand of operands) if (operand(row)) return true;
    return false;
  };
}

export function negate(operand: Predicate, copies: Copies): Predicate {
  return copies.take(not1)(operand) as Predicate;
}
