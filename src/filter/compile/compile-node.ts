import { assertNever, type Expression } from '../../language/syntax/ast.js';
import { compileCollection } from './collection.js';
import { compileMatch } from './match.js';
import type { CompileContext } from './frame/compile-context.js';
import type { Predicate } from './frame/predicate.js';

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
      return compileCollection(node, context, (inside) => compileNode(node.body, inside));
    default:
      return assertNever(node);
  }
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
