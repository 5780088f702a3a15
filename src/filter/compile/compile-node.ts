import type { Analysis } from '../../language/schema/analysis.js';
import { assertNever, type CollectionExpression, type Expression } from '../../language/syntax/ast.js';
import { createLoopVariable } from './frame/loop-variable.js';
import { compileCollection } from './collection.js';
import { walkCost } from './frame/cost-model.js';
import { lazily } from './frame/lazy.js';
import { compileMatch } from './match.js';
import type { CompileContext } from './frame/compile-context.js';
import type { Predicate } from './frame/predicate.js';
import { compileSelector } from './reader.js';

/** Compiles an expression to closures. They define the language for every kind of row, and allocate nothing per row. */
export function compileNode(node: Expression, context: CompileContext): Predicate {
  switch (node.kind) {
    case 'and':
      return joinAll(node.operands.map((operand) => compileNode(operand, context)));
    case 'or':
      return joinAny(node.operands.map((operand) => compileNode(operand, context)));
    case 'not':
      return negate(compileNode(node.operand, context));
    case 'match':
      return compileMatch(node, context);
    case 'any':
    case 'all':
      return compileQuantifier(node, context);
    default:
      return assertNever(node);
  }
}

function compileQuantifier(node: CollectionExpression, context: CompileContext): Predicate {
  const selector = compileSelector(context, node.selector);
  const cell = createLoopVariable(selector.path);
  const { analysis } = context;
  const compileBody = (within: Analysis): Predicate =>
    compileNode(node.body, { ...context, loopVariables: [...context.loopVariables, cell], analysis: within });
  return compileCollection({
    expression: node,
    selector,
    cell,
    body: compileBody(analysis.body(node)),
    policy: context.policy,
    cost: walkCost(node, context),
    // The value of an unknown name can be of any kind, whatever the schema declares.
    unknown:
      context.unknown === null
        ? null
        : { value: context.unknown[0], body: lazily(() => compileBody(analysis.openBody(node))) },
  });
}

/** Compiles `and`: evaluates left to right, up to the first operand that does not match. */
function joinAll(operands: readonly Predicate[]): Predicate {
  const [a, b] = operands;
  if (a !== undefined && b !== undefined && operands.length === 2) return (row) => a(row) && b(row);
  return (row) => {
    for (const operand of operands) if (!operand(row)) return false;
    return true;
  };
}

/** Compiles `or`: evaluates left to right, up to the first operand that matches. */
function joinAny(operands: readonly Predicate[]): Predicate {
  const [a, b] = operands;
  if (a !== undefined && b !== undefined && operands.length === 2) return (row) => a(row) || b(row);
  return (row) => {
    for (const operand of operands) if (operand(row)) return true;
    return false;
  };
}

function negate(operand: Predicate): Predicate {
  return (row) => !operand(row);
}
