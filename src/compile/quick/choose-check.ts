import { formOf } from '../../operators/operators.js';
import type { Type } from '../../schema/type.js';
import { literalOf, type MatchExpression } from '../../syntax/ast.js';
import { noOperand } from '../../values/operand.js';
import { longComparison } from '../meter.js';
import { behaviours } from '../operators/behaviours.js';
import type { CompileContext } from '../compile-context.js';
import type { QuickCheck } from './check.js';

/** The check of a match for the commonest kind of its values, null where there is none for this operator and type. */
export function chooseCheck(node: MatchExpression, type: Type, context: CompileContext): QuickCheck | null {
  const { value } = node;
  const operand = literalOf(node) ?? noOperand;
  const isPlain =
    node.aspect === 'value' && (value === null || (value.kind === 'value' && !value.ignoreCase));
  if (!isPlain || !operand.wellFormed || type.nullDepth > 1) return null;
  // The body of a walk is run a few hundred times for nothing: what a check does there has to cost next to nothing.
  const isRepeated = context.loopVariables.length > 0;
  if (isRepeated && operand.text.length > longComparison) return null;
  const { chooseCheck: choose } = behaviours[formOf(node.operator).operator.name];
  return choose({ node, operand, type, compileContext: context, isRepeated });
}
