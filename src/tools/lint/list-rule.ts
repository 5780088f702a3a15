import { formOf } from '../../language/operators/operators.js';
import type { MatchExpression } from '../../language/syntax/ast.js';
import { print } from '../../language/syntax/print.js';
import { rewrite, type LintContext } from './lint-context.js';

/** `in []`, and values that occur twice in one list. */
export function checkList(node: MatchExpression, context: LintContext): void {
  const { value } = node;
  const { negated, operator } = formOf(node.operator);
  if (value?.kind !== 'list' || operator.equates !== 'value') return;
  if (value.elements.length === 0) {
    context.report({
      code: negated ? 'always-true' : 'always-false',
      message: `${print(node)} is ${negated ? 'always' : 'never'} true`,
      span: value.span,
      label: 'this list is empty',
      hint: null,
      suggestions: [],
    });
  }
  const seen = new Set<string>();
  value.elements.forEach((element, at) => {
    // As an element of a list, in which `5` and `"5"` differ.
    const text = print({ ...value, elements: [element] });
    const before = value.elements[at - 1];
    if (!seen.has(text) || before === undefined) return void seen.add(text);
    context.report({
      code: 'duplicate',
      message: `${print(element)} occurs twice in the list`,
      span: element.span,
      label: 'duplicate value',
      hint: null,
      suggestions: [rewrite({ start: before.span.end, end: element.span.end }, '', 'leave it out')],
    });
  });
}
