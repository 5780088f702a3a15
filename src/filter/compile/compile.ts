import type { Analysis } from '../../language/schema/analysis.js';
import type { PatternTable } from '../../language/schema/pattern-table.js';
import type { Instant } from '../../language/values/instance/time.js';
import type { Expression } from '../../language/syntax/ast.js';
import { compileNode } from './compile-node.js';
import type { FailurePolicy } from './frame/failure.js';
import { lazily, lazy } from './frame/lazy.js';
import { createMeter, withBudget, type Allowance } from './frame/meter.js';
import { describeExpression } from './describe.js';
import type { CompiledExpression } from './quick/compiled-expression.js';

export interface CompileOptions {
  /** The analysis of the whole filter. */
  readonly analysis: Analysis;
  readonly patterns: PatternTable;
  readonly policy: FailurePolicy;
  /** The value of unknown names, in a one-element array; null if they have none. */
  readonly unknown: readonly [unknown] | null;
  /** Maximum cost of one row. */
  readonly allowance: Allowance;
  /** The instant of `now`; null if the filter does not use it. */
  readonly now: Instant | null;
}

export function compileExpression(ast: Expression, options: CompileOptions): CompiledExpression {
  const { analysis, patterns, policy, unknown, allowance, now } = options;
  const meter = createMeter(policy.source, ast, analysis, allowance);
  const context = { analysis, patterns, policy, unknown, meter, now, loopVariables: [] };
  return {
    root: analysis.root,
    test: lazily(() => withBudget(compileNode(ast, context), meter)),
    quick: lazy(() => describeExpression(ast, context)),
    account: meter.isLone ? null : meter,
  };
}
