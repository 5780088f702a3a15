import type { Analysis } from '../schema/analysis.js';
import type { Expression, Selector, Value } from '../syntax/ast.js';
import type { FieldIndex, KeyOfLiteral } from './field-index.js';
import { mayFail } from './may-fail.js';

/** An index with what turns literals into its keys. */
export interface PlannedIndex {
  readonly index: FieldIndex;
  readonly keyOfLiteral: KeyOfLiteral;
}

/** One way to find the rows of an expression. */
export interface FoundProbe {
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
 * been asked about; so they must not fail, or an error that a scan reports would be missed.
 */
export function findProbes(
  clauses: readonly Expression[],
  analysis: Analysis,
  indexes: readonly PlannedIndex[],
): readonly FoundProbe[] {
  const probes: FoundProbe[] = [];
  for (const [clause, node] of clauses.entries()) {
    const found = probeOf(node, indexes);
    if (found !== null) probes.push({ clause, ...found });
    if (mayFail(node, analysis)) break;
  }
  return probes;
}

/** A match that asks for one key, or an `or` of such matches on one field. */
function probeOf(
  node: Expression,
  indexes: readonly PlannedIndex[],
): Pick<FoundProbe, 'index' | 'keys'> | null {
  if (node.kind === 'match') {
    const { index, keyOfLiteral } = indexes.find((each) => isAnsweredBy(node, each)) ?? {};
    if (index === undefined || keyOfLiteral === undefined || node.value === null) return null;
    return { index, keys: keysOf([node.value], keyOfLiteral) };
  }
  if (node.kind !== 'or') return null;
  const found = node.operands.map((operand) => probeOf(operand, indexes));
  const index = found[0]?.index;
  if (index === undefined || found.some((each) => each?.index !== index)) return null;
  return { index, keys: [...new Set(found.flatMap((each) => each?.keys ?? []))] };
}

function isAnsweredBy(
  { operator, selector }: { readonly operator: string; readonly selector: Selector },
  { index }: PlannedIndex,
): boolean {
  if (selector.path.length !== 1 || selector.path[0] !== index.field) return false;
  return operator === (index.isMultiple ? 'in' : '==');
}

function keysOf(values: readonly Value[], keyOfLiteral: KeyOfLiteral): readonly string[] {
  return values.map(keyOfLiteral).filter((key) => key !== null);
}

/** The operands that are left to ask when one has been answered, in their order; null where there are none. */
export function clausesWithout(clauses: readonly Expression[], clause: number): Expression | null {
  const operands = clauses.filter((_, at) => at !== clause);
  const [first, second] = operands;
  if (first === undefined) return null;
  return second === undefined ? first : { kind: 'and', operands, span: first.span };
}
