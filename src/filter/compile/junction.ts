import type { Predicate } from './frame/predicate.js';

/** Compiles `and`: evaluates left to right, up to the first operand that does not match. */
export function joinAll(operands: readonly Predicate[]): Predicate {
  const [a, b] = operands;
  if (a !== undefined && b !== undefined && operands.length === 2) return (row) => a(row) && b(row);
  return (row) => {
    for (const operand of operands) if (!operand(row)) return false;
    return true;
  };
}

/** Compiles `or`: evaluates left to right, up to the first operand that matches. */
export function joinAny(operands: readonly Predicate[]): Predicate {
  const [a, b] = operands;
  if (a !== undefined && b !== undefined && operands.length === 2) return (row) => a(row) || b(row);
  return (row) => {
    for (const operand of operands) if (operand(row)) return true;
    return false;
  };
}

export function negate(operand: Predicate): Predicate {
  return (row) => !operand(row);
}
