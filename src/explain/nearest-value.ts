import type { Suggestion } from '../diagnostics/errors.js';
import { suggestNames } from '../diagnostics/suggest.js';
import { formOf } from '../operators/operators.js';
import { literalOf, type MatchExpression } from '../syntax/ast.js';
import { globToPattern, quotePattern } from '../hints/glob.js';
import { print } from '../syntax/print.js';
import type { ValueCount } from './value-sample.js';

/** The value among those of the rows that a literal was probably meant to be; only for clauses that look for it. */
export function nearestValue(match: MatchExpression, values: readonly ValueCount[]): Suggestion | null {
  const { operatorSpan } = match;
  const value = literalOf(match);
  const { operator: own, negated } = formOf(match.operator);
  if (value === null || negated || own.equates === null) return null;
  const pattern = own.equates === 'value' ? globToPattern(value.text) : null;
  if (pattern !== null) {
    const replacement = `matches ${quotePattern(pattern)}`;
    const span = { start: operatorSpan.start, end: value.span.end };
    return { title: `write ${replacement}`, span, replacement };
  }
  const plain = values.flatMap((each) => (each.plain === null || each.plain === '' ? [] : [each.plain]));
  const [nearest] = suggestNames(
    value.text,
    plain.filter((text) => text !== value.text),
    1,
  );
  if (nearest === undefined) return null;
  const printed = print({ ...value, text: nearest, wellFormed: true });
  // A number in quotes, which may touch the next word, is the same value.
  const replacement = /^["`]/.test(printed) ? printed : `"${printed}"`;
  return { title: `write ${replacement}`, span: value.span, replacement };
}
