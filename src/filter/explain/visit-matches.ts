import { compileCollection } from '../compile/collection.js';
import type { CompileContext } from '../compile/frame/compile-context.js';
import { noCost } from '../compile/frame/cost-model.js';
import type { Predicate } from '../compile/frame/predicate.js';
import { FilterError } from '../../language/diagnostics/errors.js';
import type { CollectionExpression, Expression, MatchExpression } from '../../language/syntax/ast.js';

/** Looks at the values that the clauses of an expression read. The results of its predicates are meaningless. */
export interface MatchVisitor {
  /** The number of elements that may still be visited in the current row. */
  readonly budget: { left: number };
  match(node: MatchExpression, context: CompileContext): Predicate;
  /** Returns the visit of a collection; `compileWalk` compiles the visits of its elements. */
  collection(node: CollectionExpression, context: CompileContext, compileWalk: () => Predicate): Predicate;
}

/** Creates a predicate that visits every match of an expression, element by element. Its result is meaningless. */
export function visitMatches(node: Expression, context: CompileContext, visitor: MatchVisitor): Predicate {
  switch (node.kind) {
    case 'match':
      return visitor.match(node, context);
    case 'not':
      return visitMatches(node.operand, context, visitor);
    case 'and':
    case 'or': {
      const visits = node.operands.map((operand) => visitMatches(operand, context, visitor));
      return (row) => {
        for (const visit of visits) visit(row);
        return false;
      };
    }
    case 'any':
    case 'all': {
      const compileBody = (inside: CompileContext): Predicate => {
        const visit = visitMatches(node.body, inside, visitor);
        // Returning true for an element ends the walk.
        return (row) => (visitor.budget.left -= 1) < 0 || visit(row);
      };
      return visitor.collection(node, context, () =>
        compileCollection({ ...node, kind: 'any' }, context, compileBody, noCost),
      );
    }
  }
}

/** Runs a read and ignores its error, which was already counted as a failure of the clause. */
export function ignoreFailure<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof FilterError) return undefined;
    throw error;
  }
}
