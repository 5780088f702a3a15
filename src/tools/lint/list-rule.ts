import { suggest } from '../../language/diagnostics/errors.js';
import type { Span } from '../../language/diagnostics/span.js';
import { formOf } from '../../language/operators/operators.js';
import { isNeverNull } from '../../language/schema/operand-rule.js';
import type { MatchExpression } from '../../language/syntax/ast.js';
import { print } from '../../language/syntax/print.js';
import type { LintContext, LintReport } from './lint-context.js';

/** `is nil` on a value that is never null. */
export function checkNullTest(node: MatchExpression, { analysis, level, report }: LintContext): void {
  const { operator, negated } = formOf(node.operator);
  if (operator.takes.nil !== 'nil' || level === 0 || !isNeverNull(node.selector, analysis)) return;
  report(constantResult(node, negated, node.selector.span, `${print(node.selector)} is never null`));
}

function constantResult(node: MatchExpression, result: boolean, span: Span, label: string): LintReport {
  return {
    code: result ? 'always-true' : 'always-false',
    message: `${print(node)} is ${result ? 'always' : 'never'} true`,
    span,
    label,
  };
}

/** `in []`, `in ["a", null]`, and values that occur twice in one list. */
export function checkList(node: MatchExpression, context: LintContext): void {
  const { value } = node;
  const { negated, operator } = formOf(node.operator);
  if (value?.kind !== 'list' || operator.equates !== 'value') return;
  if (value.elements.length === 0) {
    context.report(constantResult(node, negated, value.span, 'this list is empty'));
  }
  const nulls = value.elements.filter(
    ({ form, text }) => form === 'bare' && /^(?:null|nil|undefined)$/i.test(text),
  );
  const [first] = nulls;
  if (first !== undefined) {
    const elements = value.elements.filter((each) => !nulls.includes(each));
    const list = print({ ...value, elements });
    const name = print(node.selector);
    const text = negated
      ? `(${name} not in ${list} and ${name} is not nil)`
      : `(${name} in ${list} or ${name} is nil)`;
    context.report({
      code: 'nil-as-text',
      message: `${print(node)} compares with the string ${print({ ...first, wellFormed: true })}`,
      span: first.span,
      label: 'a word without quotes is a string',
      hint: `to match null, write ${text}`,
      suggestions: elements.length === 0 || node.aspect !== 'value' ? [] : [suggest(node.span, text)],
    });
  }
  const seen = new Set<string>();
  value.elements.forEach((element, at) => {
    // Printed as a list element, because `5` and `"5"` differ there.
    const text = print({ ...value, elements: [element] });
    const before = value.elements[at - 1];
    if (!seen.has(text) || before === undefined) return void seen.add(text);
    context.report({
      code: 'duplicate',
      message: `${print(element)} occurs twice in the list`,
      span: element.span,
      label: 'duplicate value',
      suggestions: [suggest({ start: before.span.end, end: element.span.end }, '', 'leave it out')],
    });
  });
}
