import type { ClauseExplanation, Explanation } from './explanation.js';

/** The clauses that an answer, or a failure, rests on, in source order. */
export function decidingClauses(node: Explanation): ClauseExplanation[] {
  switch (node.kind) {
    case 'and':
    case 'or':
      return node.operands
        .filter((each) => each.isNeeded && each.matches === node.matches && each.error === node.error)
        .flatMap(decidingClauses);
    case 'not':
      return decidingClauses(node.operand);
    default:
      return [node];
  }
}
