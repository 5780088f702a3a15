import type { Analysis } from '../../language/schema/analysis.js';
import { checkExpression } from '../../language/schema/check.js';
import { createPatternTable, type PatternTable } from '../../language/schema/pattern-table.js';
import type { Instant } from '../../language/values/instance/time.js';
import { literalsOf, type Expression } from '../../language/syntax/ast.js';
import { compileNode } from './compile-node.js';
import type { FailurePolicy } from './frame/failure.js';
import { lazily, lazy } from './frame/lazy.js';
import type { Predicate } from './frame/predicate.js';
import { createMeter, isLongComparison, withBudget, type CostLimits } from './frame/meter.js';
import { chooseQuickCheck, describeExpression } from './describe.js';
import type { CompiledExpression, CreateChooser, Origin } from './quick/compiled-expression.js';

export interface CompileOptions {
  /** The analysis of the whole filter. */
  readonly analysis: Analysis;
  readonly patterns: PatternTable;
  readonly policy: FailurePolicy;
  /** The value of unknown names, in a one-element array; null if they have none. */
  readonly unknown: readonly [unknown] | null;
  /** Maximum cost of one row. */
  readonly costLimits: CostLimits;
  /** As in {@link CompiledExpression}. Default: null. */
  readonly origin?: Origin | null;
  /** The instant of `now`; null if the filter does not use it. */
  readonly now: Instant | null;
}

/** Compiles an expression. With `unresolved: 'deny'` it must be in {@link normalForm}. */
export function compileExpression(ast: Expression, options: CompileOptions): CompiledExpression {
  const { analysis, patterns, policy, unknown, costLimits, now, origin = null } = options;
  const meter = createMeter(policy.source, ast, analysis, costLimits);
  const context = { analysis, patterns, policy, unknown, meter, now, loopVariables: [] };
  const test = lazily(() => withBudget(compileNode(ast, context), meter));
  const denies = policy.unresolved === 'deny';
  return {
    root: analysis.root,
    tree: () => ast,
    test: denies ? denyFailures(test) : test,
    quick: lazy(() => describeExpression(ast, context)),
    budget: meter.isLone ? null : meter,
    denies,
    origin: origin === null ? null : { ...origin, createChooser },
    shape: null,
  };
}

const createChooser: CreateChooser = ({ source, limits }) => {
  const patterns = createPatternTable(source, limits);
  return (matches, { analysis, policy, unknown, meter, now, loopVariables }) => {
    for (const match of matches) {
      // Long literals are charged, which may change the shape.
      if (literalsOf(match).some(isLongComparison)) return null;
      if (checkExpression(match, analysis, patterns, false).length > 0) return null;
    }
    return chooseQuickCheck(matches, { analysis, patterns, policy, unknown, meter, now, loopVariables });
  };
};

/** Returns a predicate that is false if the given one throws, because of limits or a getter of the row. */
function denyFailures(test: Predicate): Predicate {
  return (row) => {
    try {
      return test(row);
    } catch {
      return false;
    }
  };
}
