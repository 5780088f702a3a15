import * as type from './tokens.js';
import type { Token } from './tokens.js';

const openers = type.indexesOf(type.LeftParen, type.LeftBrace);
const closers = type.indexesOf(type.RightParen, type.RightBrace);
const connectives = type.indexesOf(type.And, type.Or);

/**
 * Returns the first parenthesis, brace or `not` that is nested deeper than `max`; null if none exists. A `not` counts if it can
 * negate, that is, before an operand.
 */
export function findTooDeep(tokens: readonly Token[], max: number): Token | null {
  // Each level needs a token.
  if (tokens.length <= max) return null;
  const outer: number[] = [];
  let floor = 0;
  let depth = 0;
  let startsOperand = true;
  for (const token of tokens) {
    const index = token.tokenTypeIdx;
    const isNegation: boolean = startsOperand && index === type.Not.tokenTypeIdx;
    const opens = openers.has(index);
    const joins = connectives.has(index);
    startsOperand = isNegation || opens || joins;
    if (isNegation || opens) {
      depth += 1;
      if (depth > max) return token;
    }
    if (opens) {
      outer.push(floor);
      floor = depth;
    } else if (joins) {
      depth = floor;
    } else if (closers.has(index)) {
      depth = floor = outer.pop() ?? 0;
    }
  }
  return null;
}
