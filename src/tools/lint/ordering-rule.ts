import { suggest } from '../../language/diagnostics/errors.js';
import { requiresOrder } from '../../language/operators/operator.js';
import { formOf } from '../../language/operators/operators.js';
import { literalOf, type MatchExpression } from '../../language/syntax/ast.js';
import { isNumber } from '../../language/syntax/literal.js';
import { print } from '../../language/syntax/print.js';
import type { LintContext } from './lint-context.js';

/** `Build > "9"`: numbers stored as strings are ordered as strings. */
export function checkTextOrder(node: MatchExpression, context: LintContext): void {
  const literal = literalOf(node);
  if (literal === null || node.aspect !== 'value' || !requiresOrder(formOf(node.operator).operator)) return;
  const { type } = context.analysis.resolve(node.selector);
  const isOpen = type === null || type.kind === 'any';
  if ((!isOpen && type.kind !== 'string') || (isOpen && literal.form === 'number')) return;
  const known = type?.kind === 'string' ? (type.values ?? []) : [];
  const containsNumbers = known.length > 0 && known.every(isNumber);
  if (!isNumber(literal.text) && !containsNumbers) return;
  context.report({
    code: 'text-order',
    message: `${print(node)} compares strings, and "10" sorts before "9"`,
    span: literal.span,
    label: isOpen ? 'a string, because of its quotes' : 'the field contains strings',
    hint: isOpen ? `for numbers write ${literal.text}` : null,
    suggestions: isOpen ? [suggest(literal.span, literal.text)] : [],
  });
}

/** `A == @A`: tests only whether the field exists. */
export function checkReference(node: MatchExpression, context: LintContext): void {
  const { value, selector, aspect } = node;
  if (value?.kind !== 'reference' || aspect !== 'value') return;
  const { path } = value.selector;
  if (path.length !== selector.path.length || path.some((part, at) => part !== selector.path[at])) return;
  context.report({
    code: 'self-reference',
    message: `${print(node)} compares the field with itself`,
    span: value.span,
    label: 'the same field',
    hint: 'name the other field after @',
  });
}
