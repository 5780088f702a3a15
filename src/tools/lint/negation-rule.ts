import { suggest } from '../../language/diagnostics/errors.js';
import { formOf } from '../../language/operators/operators.js';
import type { MatchExpression, NotExpression } from '../../language/syntax/ast.js';
import { hasField } from './value-rule.js';
import { textAt, type LintContext } from './lint-context.js';

/** Reports `not x != y`: the equivalent `x == y` is easier to read. */
export function checkNegation({ operand, span }: NotExpression, context: LintContext): void {
  if (operand.kind !== 'match' || !formOf(operand.operator).negated) return;
  const { operatorSpan } = operand;
  const positive = positiveOf(operand, textAt(context, operatorSpan).replace(/\s+/g, ' '));
  const head = textAt(context, { start: operand.span.start, end: operatorSpan.start });
  const tail = textAt(context, { start: operatorSpan.end, end: operand.span.end });
  // A space separates the new end from a word directly after the closing parenthesis, as in `not(a != 1)and`.
  const gap = /\w/.test(context.source.charAt(span.end)) ? ' ' : '';
  const text = `${head}${positive}${tail}`;
  context.report({
    code: 'double-negation',
    message: 'a negation of a negation',
    span,
    label: 'negated twice',
    hint: `the same as ${text}`,
    suggestions: [suggest(span, text + gap, `write ${text}`)],
  });
}

/** Returns the positive form of a negated operator, in the same spelling. */
function positiveOf({ operator }: MatchExpression, written: string): string {
  const { spellings, name } = formOf(operator).operator;
  return spellings.find(({ negation }) => negation === written)?.text ?? name;
}

/** Reports `not ["k"] == x`: it tests the key of a field `not`, although a negation was probably meant. */
export function checkNegatedKey({ selector, span }: MatchExpression, context: LintContext): void {
  const { analysis, rows, level, report } = context;
  const written = /^not\s+(?=\[)/.exec(textAt(context, selector.span))?.[0];
  const { root, scope } = analysis;
  const isDeclared = root.kind === 'struct' && root.fields.has('not');
  if (written === undefined || level === 0 || isDeclared || hasField(rows, ['not'])) return;
  if (selector.span.start !== span.start || scope.some(({ name }) => name === 'not')) return;
  const start = span.start + written.length;
  const text = `not (${textAt(context, { start, end: span.end })})`;
  report({
    code: 'negated-key',
    message: 'not before a bracket is the name of a field',
    span: { start: span.start, end: span.start + 'not'.length },
    label: 'this is a field, not a negation',
    hint: `to negate, write ${text}`,
    suggestions: [suggest(span, text)],
  });
}
