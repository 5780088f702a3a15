import { formOf } from '../operators/operators.js';
import type { Analysis } from '../schema/analysis.js';
import { literalOf, type Expression, type MatchExpression } from '../syntax/ast.js';
import type { FieldIndex, KeyOfLiteral } from './field-index.js';
import { mayFail } from './may-fail.js';
import { behaviours } from './operators/behaviours.js';

/** An index with what turns literals into its keys. */
export interface PlannedIndex {
  readonly index: FieldIndex;
  readonly keyOfLiteral: KeyOfLiteral;
}

/** One way to find the rows of an expression. */
export interface FoundLookup {
  /** Which operand of the `and` it answers. */
  readonly clause: number;
  readonly index: FieldIndex;
  readonly keys: readonly string[];
}

/** The operands of the `and` at the top, those of an `and` within it too: they are asked in this order. */
export function clausesOf(ast: Expression): readonly Expression[] {
  return ast.kind === 'and' ? ast.operands.flatMap(clausesOf) : [ast];
}

/**
 * The clauses that an index can answer. A row that the index passes over is one that the clauses before it would have
 * been asked about; so they must not fail, or an error that a scan reports would be missed. Limit errors are missed: nearly
 * every clause exceeds the limits for a row that is large enough, and an index is there to save such work.
 */
export function findLookups(
  clauses: readonly Expression[],
  analysis: Analysis,
  indexes: readonly PlannedIndex[],
): readonly FoundLookup[] {
  const lookups: FoundLookup[] = [];
  for (const [clause, node] of clauses.entries()) {
    const found = lookupOf(node, indexes);
    if (found !== null) lookups.push({ clause, ...found });
    if (mayFail(node, analysis)) break;
  }
  return lookups;
}

type KeyProbe = Pick<FoundLookup, 'index' | 'keys'>;

/** A match that an index has the rows of, or an `or` of such matches on one field. */
function lookupOf(node: Expression, indexes: readonly PlannedIndex[]): KeyProbe | null {
  if (node.kind === 'match') return matchProbe(node, indexes);
  if (node.kind !== 'or') return null;
  const found = node.operands.map((operand) => lookupOf(operand, indexes));
  const index = found[0]?.index;
  if (index === undefined || found.some((each) => each?.index !== index)) return null;
  return { index, keys: [...new Set(found.flatMap((each) => each?.keys ?? []))] };
}

function matchProbe(match: MatchExpression, indexes: readonly PlannedIndex[]): KeyProbe | null {
  const { selector, aspect } = match;
  const { operator, negated } = formOf(match.operator);
  const value = literalOf(match);
  if (negated || aspect !== 'value' || value?.ignoreCase === true) return null;
  if (value === null || selector.path.length !== 1) return null;
  const { indexKeys } = behaviours[operator.name];
  for (const { index, keyOfLiteral } of indexes) {
    if (selector.path[0] !== index.field) continue;
    const keys = indexKeys({ value, isMultiple: index.isMultiple, keyOf: keyOfLiteral });
    if (keys !== null) return { index, keys };
  }
  return null;
}

/** The operands that are left to ask when one has been answered, in their order; null where there are none. */
export function clausesWithout(clauses: readonly Expression[], clause: number): Expression | null {
  const operands = clauses.filter((_, at) => at !== clause);
  const [first, second] = operands;
  if (first === undefined) return null;
  return second === undefined ? first : { kind: 'and', operands, span: first.span };
}
