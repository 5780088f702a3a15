import type { Suggestion } from '../../language/diagnostics/errors.js';
import { suggestNames } from '../../language/diagnostics/suggest.js';
import { formOf } from '../../language/operators/operators.js';
import { literalOf, literalsOf, type MatchExpression, type Value } from '../../language/syntax/ast.js';
import { globTest } from '../../language/hints/glob.js';
import type { Level } from '../../language/syntax/dialect.js';
import { print } from '../../language/syntax/print.js';
import type { ValueCount } from './value-sample.js';

/** Returns the value of the rows that a literal was probably meant to be; only for clauses that search for it. */
export function nearestValue(
  match: MatchExpression,
  values: readonly ValueCount[],
  level: Level,
): Suggestion | null {
  const { operatorSpan } = match;
  const { operator: own, negated } = formOf(match.operator);
  if (negated) return null;
  const plain = values.flatMap((each) => (each.plain === null || each.plain === '' ? [] : [each.plain]));
  const literal = literalOf(match);
  if (own.name === 'starts with' || own.name === 'ends with')
    return literal === null ? null : nearestOf(literal, endsOf(plain, own.name, literal.text.length));
  if (own.equates === null) return null;
  const replacement = own.equates === 'value' && literal !== null ? globTest('whole', literal, level) : null;
  if (replacement !== null && literal !== null) {
    const span = { start: operatorSpan.start, end: literal.span.end };
    return { title: `write ${replacement}`, span, replacement };
  }
  for (const each of literalsOf(match)) {
    const nearest = nearestOf(each, plain);
    if (nearest !== null) return nearest;
  }
  return null;
}

/** Returns the strings cut to the length of the literal, at the end that the operator compares. */
function endsOf(texts: readonly string[], name: 'starts with' | 'ends with', length: number): string[] {
  return texts.map((text) =>
    name === 'starts with' ? text.slice(0, length) : text.slice(-length || text.length),
  );
}

function nearestOf(value: Value, texts: readonly string[]): Suggestion | null {
  const others = texts.filter((text) => text !== value.text);
  const [nearest] = suggestNames(value.text, others, 1);
  if (nearest === undefined) return null;
  const printed = print({ ...value, text: nearest, wellFormed: true });
  // A quoted number is the same value, and a quote may adjoin the next word.
  const replacement = /^["`]/.test(printed) ? printed : `"${printed}"`;
  return { title: `write ${replacement}`, span: value.span, replacement };
}
