import type { Filter } from '../filter/filter.js';
import type { Expression } from '../language/syntax/ast.js';
import { normalForm } from '../filter/compile/normal-form.js';
import { print } from '../language/syntax/print.js';
import type { Evaluation } from './residual.js';
import type { AccessRule, Rule } from './rule.js';
import type { Residual } from './terms.js';

/** The result of one rule for a row. */
export interface RuleExplanation {
  /** Index of the rule. */
  readonly rule: number;
  readonly name: string | null;
  readonly effect: AccessRule<string>['effect'];
  readonly result: 'true' | 'false' | 'unknown';
  /** The conditions and claims that could not be decided: they are missing, null or of the wrong kind. */
  readonly unknown: readonly string[];
}

/** Why a caller may or may not see a row. For operators only: it contains rules, claims and values of the policy. */
export interface AccessExplanation {
  readonly allowed: boolean;
  /** Index of the rule that decides: a deny rule that is not false, else an allow rule that is true. Null if no rule allows. */
  readonly rule: number | null;
  /** The rules of the action, in order. */
  readonly rules: readonly RuleExplanation[];
  /** A sentence with the decision and its reason. */
  readonly text: string;
}

/** Explains the rules of one action for one row. `compile` compiles a part of a residual. */
export function explainAccess(
  rules: readonly Rule[],
  row: unknown,
  evaluate: () => Evaluation,
  compile: (ast: Expression) => Filter,
): AccessExplanation {
  const passes = (residual: Residual): boolean =>
    typeof residual === 'boolean' ? residual : compile(residual).test(row);
  const isUnknown = (node: Expression): boolean => !passes(node) && !passes(normalForm(node, true));
  const explained = rules.map(({ index, rule, part }): RuleExplanation => {
    const evaluation = evaluate();
    const [whenTrue, whenFalse] = [part.residual(evaluation, true), part.residual(evaluation, false)];
    const result = passes(whenTrue) ? 'true' : passes(whenFalse) ? 'false' : 'unknown';
    const conditions = conditionsOf(whenTrue === false ? whenFalse : whenTrue)
      .filter(isUnknown)
      .map(print);
    const unknown = result === 'unknown' ? [...new Set([...evaluation.unknown, ...conditions])] : [];
    return { rule: index, name: rule.name ?? null, effect: rule.effect, result, unknown };
  });
  const decided =
    explained.find(({ effect, result }) => effect === 'deny' && result !== 'false') ??
    explained.find(({ effect, result }) => effect === 'allow' && result === 'true');
  const allowed = decided?.effect === 'allow';
  return { allowed, rule: decided?.rule ?? null, rules: explained, text: sentenceOf(decided) };
}

/** Returns the conditions on the row outside of quantifiers. */
function conditionsOf(residual: Residual): readonly Expression[] {
  if (typeof residual === 'boolean') return [];
  return residual.kind === 'and' || residual.kind === 'or'
    ? residual.operands.flatMap(conditionsOf)
    : [residual];
}

function sentenceOf(decided: RuleExplanation | undefined): string {
  if (decided === undefined) return 'denied: no allow rule is true';
  const { rule, name, effect, result, unknown } = decided;
  const label = `rules[${rule}]${name === null ? '' : ` (${name})`}`;
  if (effect === 'allow') return `allowed by ${label}`;
  if (result === 'true') return `denied by ${label}`;
  return `denied by ${label}, which is unknown: ${unknown.join(', ')}`;
}
