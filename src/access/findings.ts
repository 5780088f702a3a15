import { analyse, type Analysis } from '../language/schema/analysis.js';
import type { Schema } from '../language/schema/schema.js';
import type { Expression, Selector } from '../language/syntax/ast.js';
import { print } from '../language/syntax/print.js';
import { childrenOf } from '../language/syntax/visit.js';
import { callerField } from './caller-value.js';
import type { Evaluation } from './residual.js';
import type { Rule } from './rule.js';

/** A rule that is valid, but probably not what its author means. */
export interface PolicyFinding {
  readonly code:
    /** `all` is true for an empty list, so the rule allows rows whose list is empty. */
    | 'all-over-empty'
    /** A deny rule reads a value that may be null or missing; it then denies the row. */
    | 'deny-unknown'
    /** No row can satisfy the rule, or another rule denies every row. */
    | 'unreachable';
  /** Index of the rule. */
  readonly rule: number;
  readonly message: string;
}

/** Returns the findings of a policy, in the order of its rules. */
export function findingsOf(
  rules: readonly Rule[],
  schema: Schema,
  actions: readonly string[],
  evaluate: () => Evaluation,
): readonly PolicyFinding[] {
  const root = analyse(schema.root);
  const isDenied = (action: string): boolean =>
    rules.some(({ rule, ast }) => rule.effect === 'deny' && ast === null && isAbout(rule.actions, action));
  return rules.flatMap(({ index, rule, ast, part }): PolicyFinding[] => {
    const found: PolicyFinding[] = [];
    const report = (code: PolicyFinding['code'], message: string): void => {
      found.push({ code, rule: index, message });
    };
    const own = actions.filter((action) => isAbout(rule.actions, action));
    if (rule.effect === 'allow' && own.every(isDenied))
      report('unreachable', 'another rule denies every row for the actions of this rule');
    if (ast === null) return found;
    if (!readsCaller(ast, root) && part.residual(evaluate(), true) === false)
      report('unreachable', 'no row can satisfy this rule');
    if (rule.effect === 'allow')
      for (const selector of emptyQuantifiers(ast, true))
        report('all-over-empty', `true for an empty ${selector}; add: and ${selector} is not empty`);
    else
      for (const selector of uncertainFields(ast, root))
        report(
          'deny-unknown',
          `${selector} may be missing or null, and then the row is denied; to keep such rows, test for this first`,
        );
    return found;
  });
}

/** Whether a list of actions includes an action. */
export function isAbout(actions: readonly string[], action: string): boolean {
  return actions.includes(action) || actions.includes('*');
}

/** Returns the selectors of a node with the analysis of their scope. */
function selectorsIn(
  node: Expression,
  analysis: Analysis,
): readonly (readonly [Selector, Analysis, Expression])[] {
  const inside = analysis.below(node);
  const below = childrenOf(node).flatMap((child) => selectorsIn(child, inside));
  if (!('selector' in node)) return below;
  const isPair = node.kind === 'match' && node.value?.kind === 'reference';
  const own = isPair ? [node.selector, node.value.selector] : [node.selector];
  return [...own.map((selector) => [selector, analysis, node] as const), ...below];
}

function readsCaller(node: Expression, root: Analysis): boolean {
  return selectorsIn(node, root).some(
    ([selector, analysis]) => selector.path[0] === callerField && analysis.resolve(selector).binding === null,
  );
}

/** Returns the collections whose quantifier is true if they are empty. */
function emptyQuantifiers(node: Expression, isPositive: boolean): readonly string[] {
  const quantifier = isPositive ? 'all' : 'any';
  if (node.kind === quantifier) return [print(node.selector)];
  const isBelowPositive = isPositive !== (node.kind === 'not');
  return childrenOf(node).flatMap((child) => emptyQuantifiers(child, isBelowPositive));
}

/** Returns the fields of the row that may be null or missing although the row fits the schema, tests for nil excepted. */
function uncertainFields(node: Expression, root: Analysis): readonly string[] {
  const found = selectorsIn(node, root).filter(([selector, analysis, owner]) => {
    const { binding, steps } = analysis.resolve(selector);
    if (binding === null && selector.path[0] === callerField) return false;
    if (owner.kind === 'match' && owner.operator.endsWith('nil')) return false;
    return steps.some((step) => step.kind !== 'field' || step.type.nullDepth > 0);
  });
  return [...new Set(found.map(([selector]) => print(selector)))];
}
