import { suggest } from '../../language/diagnostics/errors.js';
import { formOf } from '../../language/operators/operators.js';
import { literalOf, type MatchExpression, type Selector, type Value } from '../../language/syntax/ast.js';
import { print } from '../../language/syntax/print.js';
import { globToPattern, quotePattern } from '../../language/hints/glob.js';
import { globOf } from '../../language/hints/operator-wording.js';
import type { LintContext } from './lint-context.js';

/** Matches plain characters and dots: an address or a domain rather than a regular expression. */
const addressLike = /^\^?(?:[\w-]+\.)+[\w-]+\$?$/;

/** Patterns that match every string. `^.*$` does not, because a dot does not match a newline. */
const findsAll: ReadonlySet<string> = new Set(['', '.*', '^', '$', '^.*', '.*$', '(?s)^.*$']);

/** Checks for patterns that probably do not match what was intended. */
export function checkPattern(node: MatchExpression, context: LintContext): void {
  const { operator, negated } = formOf(node.operator);
  const value = literalOf(node);
  const { language } = operator.operand;
  if (value === null || language === null) return;
  if (language === 'glob') return checkGlob(value, context);
  const { text } = value;
  if (findsAll.has(text)) return reportAll(node, negated, context);
  if (addressLike.test(text)) return reportDots(value, context);
  if (hasLooseAnchors(text)) return reportAnchors(value, context);
  const pattern = globToPattern(text);
  if (pattern === null) return;
  const replacement = quotePattern(pattern);
  context.report({
    code: 'glob',
    message: `the pattern ${print(value)} looks like a glob`,
    span: value.span,
    label: 'in a regular expression, * repeats the item before it',
    hint: `to match the beginning or the end, write ${replacement}`,
    suggestions: [suggest(value.span, replacement)],
  });
}

/** `like "web%"`: SQL wildcards in a glob without its own. A lone `_` is not treated as a wildcard. */
function checkGlob(value: Value, context: LintContext): void {
  if (!value.text.includes('%') || /[*?\\]/.test(value.text)) return;
  const replacement = print({ ...value, text: globOf(value.text) });
  context.report({
    code: 'glob',
    message: `the glob ${print(value)} looks like an SQL pattern`,
    span: value.span,
    label: 'in a glob, % is an ordinary character',
    hint: `* matches any characters and ? one: ${replacement}`,
    suggestions: [suggest(value.span, replacement)],
  });
}

function reportAll({ span, selector }: MatchExpression, negated: boolean, context: LintContext): void {
  if (!isAlwaysText(selector, context)) {
    context.report({
      code: 'matches-everything',
      message: `the pattern matches every ${print(selector)} that is present`,
      span,
      label: negated ? 'true only for missing values' : 'only tests that there is a string',
    });
    return;
  }
  context.report({
    code: negated ? 'always-false' : 'always-true',
    message: `the pattern matches every ${print(selector)}`,
    span,
    label: negated ? 'never true: the pattern matches every string' : 'true for every string',
  });
}

/** Whether every row has a string there. A missing declared field reads as the empty string; a missing key is absent. */
function isAlwaysText(selector: Selector, { analysis }: LintContext): boolean {
  const { binding, steps, type } = analysis.resolve(selector);
  if (binding !== null && binding.role !== 'element') return false;
  const isText = type !== null && type.nullDepth === 0 && (type.kind === 'string' || type.kind === 'time');
  return isText && steps.every((step) => step.kind === 'field' && step.parent.nullDepth === 0);
}

function reportDots(value: Value, context: LintContext): void {
  const replacement = quotePattern(value.text.replaceAll('.', '\\.'));
  context.report({
    code: 'unescaped-dot',
    message: `a dot in the pattern ${print(value)} matches any character`,
    span: value.span,
    label: 'a dot matches any character',
    hint: `to match a literal dot, write ${replacement}`,
    suggestions: [suggest(value.span, replacement)],
  });
}

/** Alternatives at the top of a pattern that begins with `^` and ends with `$`. */
function hasLooseAnchors(text: string): boolean {
  if (!text.startsWith('^') || !/[^\\]\$$/.test(text)) return false;
  let depth = 0;
  let inClass = false;
  for (let at = 1; at < text.length - 1; at += 1) {
    const character = text.charAt(at);
    if (character === '\\') at += 1;
    else if (inClass) inClass = character !== ']';
    else if (character === '[') inClass = true;
    else if (character === '(') depth += 1;
    else if (character === ')') depth -= 1;
    // An anchor next to the bar shows that the precedence is intended.
    else if (character === '|' && depth === 0)
      return text.charAt(at - 1) !== '$' && text.charAt(at + 1) !== '^';
  }
  return false;
}

/** `^web-1|web-2$`: each anchor belongs to one alternative only. */
function reportAnchors(value: Value, context: LintContext): void {
  const replacement = quotePattern(`^(${value.text.slice(1, -1)})$`);
  context.report({
    code: 'loose-anchor',
    message: `the anchors of the pattern ${print(value)} apply to one alternative each`,
    span: value.span,
    label: '^ applies only to the first alternative, $ to the last',
    hint: `to anchor every alternative, write ${replacement}`,
    suggestions: [suggest(value.span, replacement)],
  });
}
