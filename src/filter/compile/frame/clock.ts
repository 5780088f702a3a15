import {
  literalsOf,
  type Expression,
  type MatchExpression,
  type Value,
} from '../../../language/syntax/ast.js';
import { describe } from '../../../language/diagnostics/options.js';
import { formOf } from '../../../language/operators/operators.js';
import type { Analysis } from '../../../language/schema/analysis.js';
import { clockDistance, isClock } from '../../../language/schema/clock-literal.js';
import { childrenOf } from '../../../language/syntax/visit.js';
import { shiftInstant, type Instant } from '../../../language/values/instance/time.js';

/** Returns the time of a Date in milliseconds since 1970. @throws TypeError if it is not a valid Date. */
export function readInstant(instant: Date): number {
  const isDate = instant instanceof Date;
  const millis = isDate ? instant.getTime() : NaN;
  if (!Number.isNaN(millis)) return millis;
  throw new TypeError(`now must return a valid Date, got ${isDate ? 'an invalid Date' : describe(instant)}`);
}

/** Returns the instant that `now`, `now - 7d` and similar literals denote; null for any other literal. */
export function readClock(literal: Value, now: Instant): Instant | null {
  const distance = clockDistance(literal);
  return distance === null ? null : shiftInstant(now, distance);
}

/** Whether the result of an expression depends on the clock. */
export function usesClock(node: Expression, analysis: Analysis): boolean {
  if (node.kind === 'match') return matchUsesClock(node, analysis);
  const inside = analysis.below(node);
  return childrenOf(node).some((child) => usesClock(child, inside));
}

function matchUsesClock(node: MatchExpression, analysis: Analysis): boolean {
  const literals = literalsOf(node);
  if (node.aspect !== 'value' || !literals.some(({ text }) => text.startsWith('now'))) return false;
  const { type } = analysis.resolve(node.selector);
  const { operand } = formOf(node.operator).operator;
  return type !== null && literals.some((literal) => isClock(literal, operand, type));
}
