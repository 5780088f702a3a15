import type { Suggestion } from '../diagnostics/errors.js';
import type { Span } from '../diagnostics/span.js';
import { makeSelector } from '../syntax/factory.js';
import type { MatchExpression, Value } from '../syntax/ast.js';
import { print } from '../syntax/print.js';
import { isOrdering, turnedOrderings } from '../values/ordering.js';
import { sizeUnits } from '../values/instance/instance.js';
import type { InstanceKind } from '../values/instance/index.js';

// Ready corrections for the forms that go-bexpr does not have. Whoever offers one has asked that it is accepted.

function rewrite(span: Span, replacement: string, title = `write ${replacement}`): readonly Suggestion[] {
  return [{ title, span, replacement }];
}

/** The literal as text: `"7d"` for `7d`. */
export function quoted(literal: Value): Value {
  return { ...literal, form: 'quoted', ignoreCase: false };
}

/** One literal in place of another. */
export function literalFix(literal: Value, replacement: Value): readonly Suggestion[] {
  return rewrite(literal.span, print(replacement));
}

const words: readonly (readonly [words: RegExp, unit: string])[] = [
  [/(?<=\d) *(?:seconds?|secs?|s)(?![a-z])/g, 's'],
  [/(?<=\d) *(?:minutes?|mins?)(?![a-z])/g, 'm'],
  [/(?<=\d) *(?:hours?|hrs?|h)(?![a-z])/g, 'h'],
  [/(?<=\d) *(?:days?|d)(?![a-z])/g, 'd'],
  [/(?<=\d) *(?:weeks?|w)(?![a-z])/g, 'w'],
];

/** How a literal may have been meant that is no instance of a kind: `512mb`, `5min`, `2026-11-01 08:00:00`, `1.12`. */
function readings(text: string, kind: InstanceKind): readonly string[] {
  const tidy = text.trim();
  switch (kind.name) {
    case 'bytes': {
      const [, amount = '', unit = ''] = /^([-+]?[0-9.]+) *([a-z]*)$/i.exec(tidy) ?? [];
      const like = (each: string): boolean => each.toLowerCase() === unit.toLowerCase();
      return Object.keys(sizeUnits)
        .filter((each) => like(each) || like(each.slice(0, 2)) || like(each.slice(0, 1)))
        .map((each) => amount + each);
    }
    case 'duration':
      return [words.reduce((each, [spelled, unit]) => each.replace(spelled, unit), tidy.toLowerCase())];
    case 'time': {
      const instant = tidy
        .replace(/^(\d{4})[/.](\d\d)[/.](\d\d)/, '$1-$2-$3')
        .replace(/^(.{10}) (?=\d)/, '$1T');
      return [instant, `${instant}Z`, `${instant}:00Z`];
    }
    case 'version':
      return [`${tidy}.0`, `${tidy}.0.0`];
    case 'ip':
      return [tidy];
  }
}

/** The literal as the first reading that is an instance; none where none is. */
export function instanceFix(literal: Value, kind: InstanceKind): readonly Suggestion[] {
  // Longer ones are no slips of the hand.
  if (literal.text.length > 60) return [];
  const found = readings(literal.text, kind).find((text) => kind.parse(text) !== null);
  return found === undefined ? [] : literalFix(literal, { ...quoted(literal), text: found });
}

/** `Addr in [10.0.0.0/8]` for `Addr == 10.0.0.0/8`. */
export function blockFix(match: MatchExpression, literal: Value): readonly Suggestion[] {
  const { operator, operatorSpan, span } = match;
  if (operator !== '==' && operator !== '!=') return [];
  const before = operatorSpan.start === match.selector.span.end ? ' ' : '';
  const list = `${operator === '==' ? '' : 'not '}in [${print(literal)}]`;
  return rewrite({ start: operatorSpan.start, end: span.end }, before + list, `write ${list}`);
}

/** `Created < now` for `now > Created`, and the path behind it; null for what is no ordering of the clock. */
export function turnedClock({ operator, selector, value, span }: MatchExpression): {
  readonly path: readonly string[];
  readonly text: string;
  readonly fix: readonly Suggestion[];
} | null {
  if (!isOrdering(operator) || selector.path.join('.') !== 'now') return null;
  if (value?.kind !== 'value' || value.form !== 'bare') return null;
  const text = `${value.text} ${turnedOrderings[operator]} now`;
  return { path: value.text.split('.'), text, fix: rewrite(span, text) };
}

/** The match as one of the elements of the list that it is about, and what asks for one that it holds of. */
export function elementMatch(match: MatchExpression): {
  readonly inner: MatchExpression;
  readonly fix: readonly Suggestion[];
} {
  const { selector, span, operator } = match;
  const name = selector.path[0] === 'x' ? 'y' : 'x';
  const isNegated = operator.startsWith('not ');
  const inner: MatchExpression = {
    ...match,
    operator: (isNegated ? operator.slice(4) : operator) as MatchExpression['operator'],
    selector: makeSelector('bexpr', [name], [selector.span], selector.span),
  };
  const body = `any ${print(selector)} as ${name} { ${print(inner)} }`;
  return { inner, fix: rewrite(span, isNegated ? `not (${body})` : `(${body})`) };
}

/** `len(Tags) > 3` for `Tags > 3`. */
export function measureFix({ selector }: MatchExpression): readonly Suggestion[] {
  return rewrite(selector.span, `len(${print(selector)})`);
}

/** `Priority > 3` for `len(Priority) > 3`. */
export function unmeasuredFix({ selector, span, operatorSpan }: MatchExpression): readonly Suggestion[] {
  const name = print(selector);
  return rewrite({ start: span.start, end: operatorSpan.start }, `${name} `, `write ${name}`);
}
