import { suggest } from '../../language/diagnostics/errors.js';
import { suggestNames } from '../../language/diagnostics/suggest.js';
import type { Operator } from '../../language/operators/operator.js';
import { formOf } from '../../language/operators/operators.js';
import { elementTypeOf, type Type } from '../../language/schema/type.js';
import { literalOf, literalsOf, type MatchExpression, type Value } from '../../language/syntax/ast.js';
import { globTest } from '../../language/hints/glob.js';
import { unequalLiterals } from '../../language/schema/unequal-literal.js';
import { isPointer } from '../../language/syntax/literal.js';
import { ownValue } from '../../language/values/own-property.js';
import { invisibleCharacters } from '../../runtime/invisible-characters.js';
import { parseGoInt } from '../../language/values/go-number.js';
import { print } from '../../language/syntax/print.js';
import { textAt, type LintContext } from './lint-context.js';

/** Checks for values that the field cannot have, or that were probably not intended as strings. */
export function checkValue(node: MatchExpression, context: LintContext): void {
  const value = literalOf(node);
  checkLargeIntegers(node, context);
  if (value === null) return void checkUnequal(node, context);
  const { equates } = formOf(node.operator).operator;
  if (equates === 'value' && checkNil(node, value, context)) return;
  if (checkInvisible(value, context)) return;
  if (equates === 'value' && checkFieldName(node, value, context)) return;
  if (equates !== null && checkKnownValues(node, value, context)) return;
  if (checkUnequal(node, context)) return;
  if (equates !== null && checkGlob(node, value, context)) return;
  checkPointer(value, context);
}

/** Checks for literals that never equal the field, such as a non-version compared with versions. */
function checkUnequal(node: MatchExpression, { analysis, level, report }: LintContext): boolean {
  const found = unequalLiterals(node, analysis.resolve(node.selector).type, level);
  for (const each of found) report(each);
  return found.length > 0;
}

/** `id == 9223372036854775808`: only orderings compare integers of any size exactly. */
function checkLargeIntegers(node: MatchExpression, { analysis, level, report }: LintContext): void {
  const type = analysis.resolve(node.selector).type;
  const { equates } = formOf(node.operator).operator;
  if (level === 0 || node.aspect === 'length' || equates === null) return;
  const of = equates === 'part' ? (elementTypeOf(type) ?? type) : type;
  if (of !== null && of.kind !== 'any') return;
  for (const literal of literalsOf(node)) {
    if (literal.form !== 'number' || parseGoInt(literal.text) !== 'range') continue;
    report({
      code: 'rounded-integer',
      message: `${print(literal)} is not a 64-bit integer: it is compared as a float64`,
      span: literal.span,
      label: 'compared as a float64',
      hint: 'orderings compare integers of any size exactly',
    });
  }
}

const nilWords: ReadonlySet<string> = new Set(['nil', 'null', 'none', 'undefined', 'empty']);

/** `x == nil`: only `is nil` tests for nil. */
function checkNil(node: MatchExpression, value: Value, context: LintContext): boolean {
  if (value.form !== 'bare' || !nilWords.has(value.text.toLowerCase())) return false;
  const type = context.analysis.resolve(node.selector).type;
  if (declaredValues(type)?.includes(value.text) === true) return false;
  const { negated } = formOf(node.operator);
  const span = { start: node.operatorSpan.start, end: value.span.end };
  const tests = nilTests(type, value.text).map((test) => `is ${negated ? 'not ' : ''}${test}`);
  // In `x==nil` no blank precedes the operator, but a word needs one.
  const gap = /\s/.test(context.source.charAt(span.start - 1)) ? '' : ' ';
  context.report({
    code: 'nil-as-text',
    message: `${print(node)} compares with the string ${print(value)}`,
    span: value.span,
    label: 'a word without quotes is a string',
    hint: tests.length === 0 ? null : `did you mean ${tests.join(' or ')}?`,
    suggestions: tests.map((test) => suggest(span, gap + test, `write ${test}`)),
  });
  return true;
}

/** Returns the tests for a missing value that a type supports. */
function nilTests(type: Type | null, word: string): string[] {
  const takesNil = type === null || type.kind === 'any' || type.nullDepth > 0;
  if (takesNil) return word === 'empty' ? ['empty'] : ['nil', 'empty'];
  if (type.kind === 'list' || type.kind === 'map') return word === 'empty' ? ['empty'] : ['nil'];
  return type.kind === 'string' || type.kind === 'time' ? ['empty'] : [];
}

function declaredValues(type: Type | null): readonly string[] | null {
  return type?.kind === 'string' ? (type.values ?? null) : null;
}

/** Checks for a string that is not a known value of the field, or of the list's elements. */
function checkKnownValues(node: MatchExpression, value: Value, context: LintContext): boolean {
  const type = context.analysis.resolve(node.selector).type;
  const isInside = formOf(node.operator).operator.equates === 'part';
  const element = elementTypeOf(type);
  // `in` a string searches for a substring, which may be anything.
  const known = declaredValues(isInside ? element : type);
  if (known === null || known.includes(value.text)) return false;
  const near = suggestNames(value.text, known, 3).map((text) => print({ ...value, text, wellFormed: true }));
  const listed = known.slice(0, 12).map((text) => `"${text}"`);
  const all = `${listed.join(', ')}${known.length > 12 ? ', …' : ''}`;
  context.report({
    code: 'unknown-value',
    message: `${print(value)} is not a known value of ${print(node.selector)}`,
    span: value.span,
    label: 'unknown value',
    hint: near.length > 0 ? `did you mean ${near.join(' or ')}?` : `the known values are ${all}`,
    suggestions: near.map((text) => suggest(value.span, text)),
  });
  return true;
}

/** Returns the string without invisible characters, except controls and line ends, which may be intended. */
function stripInvisible(text: string): string {
  return text
    .replace(invisibleCharacters, (character) => (/[\p{Cc}\p{Cs}\p{Z}]/u.test(character) ? character : ''))
    .replace(/(?! )\p{Zs}/gu, ' ');
}

/** `"run\u200bning"`: a string that looks like another. Joiners within emoji are intended. */
function checkInvisible(value: Value, context: LintContext): boolean {
  if (!value.wellFormed || /\p{Extended_Pictographic}/u.test(value.text)) return false;
  // A character written as an escape is visible.
  const written = textAt(context, value.span);
  if (stripInvisible(written) === written) return false;
  const replacement = print({ ...value, text: stripInvisible(value.text) });
  context.report({
    code: 'invisible-character',
    message: 'the string contains an invisible character',
    span: value.span,
    label: 'invisible character',
    hint: `without it: ${replacement}`,
    suggestions: [suggest(value.span, replacement)],
  });
  return true;
}

/** `Name == "web-*"`: a star is literal outside of patterns. */
function checkGlob(node: MatchExpression, value: Value, context: LintContext): boolean {
  // `*/5 * * * *` is a schedule.
  const { operator, negated } = formOf(node.operator);
  const test = /\s|^\*\//.test(value.text) ? null : globTest(placeOf(operator), value, context.level);
  const type = context.analysis.resolve(node.selector).type;
  if (test === null || (type !== null && type.kind !== 'string' && type.kind !== 'any')) return false;
  const replacement = `${print(node.selector)} ${negated ? 'not ' : ''}${test}`;
  context.report({
    code: 'glob',
    message: `the value ${print(value)} looks like a glob`,
    span: value.span,
    label: '* is an ordinary character here',
    hint: `to match a pattern, write ${replacement}`,
    suggestions: [suggest(node.span, replacement)],
  });
  return true;
}

/** Returns which part of a string an operator compares. */
function placeOf({ name, equates }: Operator): Parameters<typeof globTest>[0] {
  if (name === 'starts with') return 'start';
  if (name === 'ends with') return 'end';
  return equates === 'part' ? 'part' : 'whole';
}

/** Checks for an unquoted word that is the name of another field. */
function checkFieldName(node: MatchExpression, value: Value, context: LintContext): boolean {
  const { root, scope } = context.analysis;
  if (value.form !== 'bare') return false;
  const [first = ''] = value.text.split('.');
  const isDeclared =
    root.kind === 'struct' && (root.fields.has(first) || scope.some(({ name }) => name === first));
  const isName = isDeclared || hasField(context.rows, value.text.split('.'));
  if (!isName || declaredValues(context.analysis.resolve(node.selector).type)?.includes(value.text) === true)
    return false;
  const quoted = print({ ...value, wellFormed: true });
  context.report({
    code: 'field-as-value',
    message: `${print(node)} compares with the string ${quoted}, not with the field of that name`,
    span: value.span,
    label: 'this is a string, not the field',
    hint:
      context.dialect === 'go-bexpr'
        ? `a field can only be compared with a literal; write ${quoted} for the string`
        : `write @${value.text} for the field, or ${quoted} for the string`,
    suggestions: [
      ...(context.dialect === 'go-bexpr' || context.level === 0
        ? []
        : [suggest(value.span, `@${value.text}`)]),
      suggest(value.span, quoted),
    ],
  });
  return true;
}

/** Maximum number of rows that are searched for a field. */
const maxRows = 1_000;

/** Whether one of the rows has a field. */
export function hasField(rows: readonly object[], path: readonly string[]): boolean {
  const step = (value: unknown, key: string): unknown =>
    typeof value === 'object' && value !== null ? ownValue(value, key) : undefined;
  return rows.slice(0, maxRows).some((row) => path.reduce<unknown>(step, row) !== undefined);
}

/** In go-bexpr's dialect `"/srv/x"` is the string `srv/x`. */
function checkPointer(value: Value, context: LintContext): void {
  if (context.dialect !== 'go-bexpr' || value.form !== 'quoted') return;
  const body = textAt(context, value.span).slice(1, -1);
  if (body === '' || !isPointer(body)) return;
  context.report({
    code: 'value-as-pointer',
    message: `go-bexpr reads "${body}" as a JSON pointer and compares with ${JSON.stringify(value.text)}`,
    span: value.span,
    label: `read as the string ${JSON.stringify(value.text)}`,
    hint: `for this string, write \`${body}\``,
    suggestions: [suggest(value.span, `\`${body}\``)],
  });
}
