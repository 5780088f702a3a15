import { suggest, type SemanticErrorCode, type Suggestion } from '../diagnostics/errors.js';
import { formOf } from '../operators/operators.js';
import { literalOf, type MatchExpression, type Value } from '../syntax/ast.js';
import { globToPattern, quotePattern } from '../hints/glob.js';
import { print } from '../syntax/print.js';
import type { ValueKind } from '../values/kind.js';
import { anyElementFix } from './form-fixes.js';
import { coercionFailure, type CoercibleKind } from '../values/operand.js';

// Suggestions for well-formed but invalid clauses. Each changes the clause as little as possible.

const boolWords: ReadonlyMap<string, string> = new Map([
  ...['yes', 'y', 'on', 'enabled'].map((word) => [word, 'true'] as const),
  ...['no', 'n', 'off', 'disabled'].map((word) => [word, 'false'] as const),
]);

/** Returns suggestions for a literal that would be of the kind in another spelling: `yes`, `1,000`, `50.0`. */
export function literalFixes(value: Value, kind: CoercibleKind): readonly Suggestion[] {
  const text = value.text.trim();
  const tidy =
    kind === 'bool'
      ? (boolWords.get(text.toLowerCase()) ?? text.toLowerCase())
      : text.replace(/(?<=\d)[,_ ](?=\d{3}(?!\d))/g, '').replace(/\.0+$/, '');
  const candidate = { ...value, text: tidy };
  // `1.000` is a number with three decimals, or a thousand.
  if (/^-?[1-9][0-9]{0,2}\.000$/.test(text) && kind !== 'bool') {
    return [tidy, text.replace('.', '')].map((each) => suggest(value.span, each));
  }
  if (tidy === '' || tidy === value.text || coercionFailure(candidate, kind) !== null) return [];
  // A quoted literal may touch the next word.
  return [suggest(value.span, value.form === 'bare' || value.form === 'number' ? tidy : `"${tidy}"`)];
}

/** Suggests the operator that the kind supports instead: `Datacenters contains "dc1"` for `==`. */
export function operatorFixes(
  match: MatchExpression,
  code: SemanticErrorCode,
  kind: ValueKind,
): readonly Suggestion[] {
  const { selector, span, operatorSpan } = match;
  const value = literalOf(match);
  const { negated } = formOf(match.operator);
  const not = negated ? 'not ' : '';
  const name = print(selector);
  if (value !== null && code === 'no-comparison' && isNilWord(value)) {
    return [suggest({ start: operatorSpan.start, end: span.end }, `is ${not}nil`)];
  }
  const isCollection = kind === 'list' || kind === 'array' || kind === 'map';
  if (value !== null && code === 'no-comparison' && isCollection) {
    return exchangeOperator(match, value, `${not}contains`);
  }
  if (value !== null && code === 'no-contains' && kind !== 'nil') {
    if (!isNumberOrBool(kind)) return [];
    const equality = negated ? '!=' : '==';
    const isValueFirst = value.span.start < selector.span.start;
    return isValueFirst
      ? [suggest(span, `${name} ${equality} ${print(value)}`)]
      : exchangeOperator(match, value, equality);
  }
  if (value !== null && code === 'no-match-text' && (kind === 'list' || kind === 'array')) {
    return anyElementFix(match, (element) => `${element} matches ${print(value)}`);
  }
  if (code === 'no-nil' && (kind === 'string' || kind === 'time')) {
    // An empty string is not null, so this may change which rows match.
    return [{ ...suggest(operatorSpan, `is ${not}empty`), isGuess: true }];
  }
  return code === 'no-empty' && kind === 'bool'
    ? [suggest({ start: operatorSpan.start, end: span.end }, `== ${String(negated)}`)]
    : [];
}

/** Whether the value is a word for nil, which is a string after `==`. */
function isNilWord({ form, text }: Value): boolean {
  return form === 'bare' && /^(?:nil|null|none|undefined)$/i.test(text);
}

/** Replaces the operator between a selector and a value, adding blanks if none exist. */
function exchangeOperator(
  { selector, operatorSpan }: MatchExpression,
  value: Value,
  operator: string,
): readonly Suggestion[] {
  const before = operatorSpan.start === selector.span.end ? ' ' : '';
  const after = value.span.start === operatorSpan.end ? ' ' : '';
  return [suggest(operatorSpan, `${before}${operator}${after}`, `write ${operator}`)];
}

function isNumberOrBool(kind: ValueKind): boolean {
  return kind === 'bool' || kind === 'int' || kind === 'uint' || kind === 'float32' || kind === 'float64';
}

/** Converts a file name pattern to a regular expression, or escapes characters that were meant literally. */
export function patternFixes(match: MatchExpression): readonly Suggestion[] {
  const { operator, operatorSpan } = match;
  const value = literalOf(match);
  if (value === null) return [];
  const pattern = globToPattern(value.text);
  if (pattern !== null) return [suggest(value.span, quotePattern(pattern))];
  // A group, a repetition or an escape shows that a pattern is intended.
  if (!value.wellFormed || !/^[^\\|^$]{1,60}$/.test(value.text) || /\(\?|[\])}][*+?]|\.[*+]/.test(value.text))
    return [];
  const test = `${formOf(operator).negated ? 'not ' : ''}contains ${quotePattern(value.text)}`;
  const span = { start: operatorSpan.start, end: value.span.end };
  return [{ ...suggest(span, test), isGuess: true }];
}
