import { suggest, type Suggestion } from '../diagnostics/errors.js';
import { formOf } from '../operators/operators.js';
import { durationWords } from '../hints/unit-words.js';
import { makeSelector } from '../syntax/factory.js';
import type { MatchExpression, Value } from '../syntax/ast.js';
import type { Level } from '../syntax/dialect.js';
import { elementName, isNumber, isTyped } from '../syntax/literal.js';
import { print } from '../syntax/print.js';
import { isOrdering, reversedOrderings } from '../values/ordering.js';
import { sizeUnits } from '../values/instance/instance.js';
import type { InstanceKind } from '../values/instance/index.js';
import type { Type } from './type.js';

// Suggestions for features that go-bexpr lacks. The caller has checked that the level supports them.

/** Returns the literal as a string: `"7d"` for `7d`. */
export function quoted(literal: Value): Value {
  return { ...literal, form: 'quoted', ignoreCase: false };
}

/** Replaces one literal with another. */
export function literalFix(literal: Value, replacement: Value): readonly Suggestion[] {
  return [suggest(literal.span, print(replacement))];
}

const words: readonly (readonly [words: RegExp, unit: string])[] = [
  ...durationWords.map(
    ([each, unit]) => [new RegExp(String.raw`(?<=\d) *(?:${each})(?![a-z])`, 'g'), unit] as const,
  ),
  [/(?<=[a-z]),? +(?:and +)?(?=\d)/g, ''],
];

/**
 * Returns the possible meanings of a literal that is not an instance of a kind, such as `512mb`, `5min`, `2026-11-01 08:00:00` or
 * `1.12`.
 */
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
    case 'duration': {
      // `PT1H30M` is an ISO 8601 duration.
      const plain = tidy.toLowerCase().replace(/^p(?:([0-9]+[dw]))?t?(?=[0-9]|$)/, '$1');
      return [words.reduce((each, [spelled, unit]) => each.replace(spelled, unit), plain)];
    }
    case 'time':
      return timeReadings(tidy);
    case 'version':
      return versionReadings(tidy);
    case 'ip':
      return [tidy, tidy.replace(/^\[(.*)\]$/, '$1'), tidy.replace(/^\[?(.*?)\]?:[0-9]+$/, '$1')];
  }
}

/**
 * Returns the possible meanings of a time such as `2026/11/1 8:00`, `20261101T080000Z`, `1 Nov 2026 08:00 GMT` or seconds since
 * 1970.
 */
function timeReadings(text: string): readonly string[] {
  if (/^(?:[0-9]{10}|[0-9]{13}|[0-9]{16}|[0-9]{19})$/.test(text))
    return [dateText(Number(text.slice(0, 10)) * 1000)];
  const plain = text
    .replace(/^([0-9]{4})([01][0-9])([0-3][0-9])(?=$|[T ])/, '$1-$2-$3')
    .replace(
      /^([0-9]{4})[-/.]([0-9]{1,2})[-/.]([0-9]{1,2})(?![0-9])/,
      (_, year: string, month: string, day: string) =>
        [year, month.padStart(2, '0'), day.padStart(2, '0')].join('-'),
    )
    .replace(/^(.{10})[ _,]+(?=[0-9])/, '$1T')
    .replace(
      /^(.{10}T)([0-9]{2})([0-9]{2})([0-9]{2})?/,
      (_, date: string, hour: string, minute: string, second = '00') =>
        [date + hour, minute, String(second)].join(':'),
    )
    .replace(/T([0-9]):/, 'T0$1:')
    .replace(/ *([-+][0-9]{2}):?([0-9]{2})(?: [A-Z]{3,4})?$/, '$1:$2')
    .replace(/(T.*?) *([-+][0-9]{2})$/, '$1$2:00')
    .replace(/ *(?:UTC|GMT)$/i, 'Z')
    .replace(/,(?=[0-9])/, '.');
  const toMinutes = plain.replace(/^(.{16})(?=Z|[-+])/i, '$1:00');
  return [plain, `${plain}Z`, `${plain}:00Z`, toMinutes, spelledTime(text)];
}

const spelledWords =
  /\b(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?|utc|gmt|am|pm|z)\b/gi;
const months =
  /\b(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b/gi;

/** Parses a time with a month in words, in UTC by default. Returns an empty string for anything else. */
function spelledTime(text: string): string {
  const rest = text.replace(spelledWords, '').replace(months, '#');
  if (!/^[^A-Za-z]*#[^A-Za-z#]*$/.test(rest)) return '';
  const isPlaced = /(?:utc|gmt|z|[-+][0-9]{2}:?[0-9]{2})$/i.test(text);
  return dateText(Date.parse(isPlaced ? text : `${text} UTC`));
}

/** Returns an instant in RFC 3339, without an all-zero fraction; an empty string for an invalid instant. */
function dateText(millis: number): string {
  return Number.isNaN(millis) || Math.abs(millis) > 8.64e15
    ? ''
    : new Date(millis).toISOString().replace('.000Z', 'Z');
}

/** Returns the possible meanings of a version such as `1.12`, `V1.2.3`, `01.2.3` or `1.2rc1`. */
function versionReadings(text: string): readonly string[] {
  const bare = text.replace(/^(?:version|V|=+) *v?(?=[0-9])/, '');
  const [, core = '', suffix = ''] = /^(v?[0-9.]+?)\.?([-+A-Za-z~_].*)?$/.exec(bare) ?? [];
  const numbers = core.replace(/(?<=^v?|\.)0+(?=[0-9])/g, '');
  const suffixText = suffix === '' || /^[-+]/.test(suffix) ? suffix : `-${suffix.replace(/^[~_]/, '')}`;
  return [numbers + suffixText, `${numbers}.0${suffixText}`, `${numbers}.0.0${suffixText}`];
}

/** Suggests the first meaning of the literal that is an instance; returns no suggestion if none exists. */
export function instanceFix(literal: Value, kind: InstanceKind): readonly Suggestion[] {
  const text = readAs(literal, kind);
  return text === null ? [] : literalFix(literal, { ...quoted(literal), text });
}

/**
 * Like {@link instanceFix}, but keeps an unquoted literal unquoted if the level allows that. A number compared with a duration
 * may mean seconds.
 */
export function writtenInstanceFix(literal: Value, kind: InstanceKind, level: Level): readonly Suggestion[] {
  const read = readAs(literal, kind);
  const seconds = `${literal.text}s`;
  const isGuess =
    read === null && kind.name === 'duration' && isNumber(literal.text) && kind.parse(seconds) !== null;
  const text = isGuess ? seconds : read;
  if (text === null) return [];
  const isQuoted = literal.form === 'quoted' || literal.form === 'raw' || level === 0;
  const written: Value = { ...quoted(literal), text };
  const fix = literalFix(literal, isQuoted ? written : unquoted(written));
  return isGuess ? fix.map((each) => ({ ...each, isGuess })) : fix;
}

function readAs(literal: Value, kind: InstanceKind): string | null {
  // A longer literal is not a typing mistake.
  if (literal.text.length > 60) return null;
  return readings(literal.text, kind).find((text) => kind.parse(text) !== null) ?? null;
}

/** Returns the literal without quotes, if that is valid. */
function unquoted(literal: Value): Value {
  return isTyped(literal.text) ? { ...literal, form: 'typed' } : literal;
}

/**
 * Suggests `Addr in [10.0.0.0/8]` for `Addr == 10.0.0.0/8`, and a test of elements for `10.0.0.0/8 in Addrs`. `type` is the type
 * of the selector.
 */
export function blockFix(match: MatchExpression, literal: Value, type: Type): readonly Suggestion[] {
  const { operatorSpan, selector, span } = match;
  const { operator, negated } = formOf(match.operator);
  const block = `in [${print(unquoted(quoted(literal)))}]`;
  const list = negated ? `not ${block}` : block;
  if (operator.name === '==') {
    const before = operatorSpan.start === selector.span.end ? ' ' : '';
    return [suggest({ start: operatorSpan.start, end: span.end }, before + list, `write ${list}`)];
  }
  if (operator.name !== 'in') return [];
  if (type.kind !== 'list' && type.kind !== 'array') return [suggest(span, `${print(selector)} ${list}`)];
  // A nullable list cannot be iterated over.
  if (type.nullDepth > 0) return [];
  return anyElementFix(match, (name) => `${name} ${block}`);
}

/** Suggests `V is empty` for `V == ""`, or `V is nil` if the value is nullable. */
export function emptinessFix(match: MatchExpression, { nullDepth }: Type): readonly Suggestion[] {
  const { operatorSpan, selector, span } = match;
  const test = `is ${formOf(match.operator).negated ? 'not ' : ''}${nullDepth > 0 ? 'nil' : 'empty'}`;
  const before = operatorSpan.start === selector.span.end ? ' ' : '';
  return [suggest({ start: operatorSpan.start, end: span.end }, before + test, `write ${test}`)];
}

/**
 * Returns the path of `now > Created` and the correct form `Created < now`; null for anything but an ordering with the clock on
 * the left.
 */
export function reversedClock({ operator, selector, value, span }: MatchExpression): {
  readonly path: readonly string[];
  readonly text: string;
  readonly fix: readonly Suggestion[];
} | null {
  if (!isOrdering(operator) || selector.path.join('.') !== 'now') return null;
  if (value?.kind !== 'value' || value.form !== 'bare') return null;
  const text = `${value.text} ${reversedOrderings[operator]} now`;
  return { path: value.text.split('.'), text, fix: [suggest(span, text)] };
}

/** Returns the match for an element of its list, and the collection expression that requires the match for any element. */
export function elementMatch(match: MatchExpression): {
  readonly inner: MatchExpression;
  readonly fix: readonly Suggestion[];
} {
  const { selector, operator } = match;
  const inner: MatchExpression = {
    ...match,
    operator: operator.replace(/^not /, '') as MatchExpression['operator'],
    selector: makeSelector('bexpr', [elementName(selector.path)], [selector.span], selector.span),
  };
  return { inner, fix: anyElementFix(match, () => print(inner)) };
}

/** Suggests a test of any element of the list; for a negated match, that no element passes. */
export function anyElementFix(
  { selector, span, operator }: MatchExpression,
  testOf: (element: string) => string,
): readonly Suggestion[] {
  const element = elementName(selector.path);
  const test = `(any ${print(selector)} as ${element} { ${testOf(element)} })`;
  return [suggest(span, operator.startsWith('not ') ? `not ${test}` : test)];
}

/** Suggests `len(Tags) > 3` for `Tags > 3`. */
export function measureFix({ selector }: MatchExpression): readonly Suggestion[] {
  return [suggest(selector.span, `len(${print(selector)})`)];
}

/** Suggests `Priority > 3` for `len(Priority) > 3`. */
export function unmeasuredFix({ selector, span, operatorSpan }: MatchExpression): readonly Suggestion[] {
  const name = print(selector);
  return [suggest({ start: span.start, end: operatorSpan.start }, `${name} `, `write ${name}`)];
}
