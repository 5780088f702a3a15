import { checkOptions } from '../../language/diagnostics/options.js';
import { FilterError } from '../../language/diagnostics/errors.js';
import type { Span } from '../../language/diagnostics/span.js';
import type { OperandLanguage, OperandShape } from '../../language/operators/operand-shape.js';
import { formOf } from '../../language/operators/operators.js';
import type { Schema } from '../../language/schema/schema.js';
import { anyType, describeType, intType, type Type } from '../../language/schema/type.js';
import { coercibleKindOf, valueKindOf } from '../../language/schema/value-kind.js';
import {
  type Expression,
  literalsOf,
  type MatchExpression,
  type Selector,
  type Value,
} from '../../language/syntax/ast.js';
import { parse } from '../../language/parse.js';
import { isClock } from '../../language/schema/clock-literal.js';
import { instanceKindOf } from '../../language/values/instance/index.js';
import { print } from '../../language/syntax/print.js';
import { readOffset, readText } from './validate-arguments.js';
import { describeOperator, treatmentFor } from './fitting-operators.js';
import { closersFor, parseOrNull } from './completion-context.js';
import { eachTerm, locate, type ScopeAt, type Term } from './scope-at.js';

/** Information about the token at an offset. */
export interface Hover {
  readonly kind: 'field' | 'binding' | 'operator' | 'value';
  readonly span: Span;
  /** One line of plain text: `Meta.owner: string`. */
  readonly text: string;
}

/** Information about the rows. */
export interface HoverOptions {
  readonly schema?: Schema | undefined;
}

/**
 * Returns a description of the field, operator or value at an offset of a filter; null for other offsets, for fields that the schema does not have,
 * and after the first mistake.
 *
 * @param offset A UTF-16 offset, clamped to the source.
 * @throws TypeError if an argument has the wrong type; nothing else.
 */
export function hover(text: string, offset: number, options: HoverOptions = {}): Hover | null {
  checkOptions('hover', options, ['schema']);
  const { schema } = options;
  const at = readOffset(readText(text), offset);
  const { ast, end } = soundPart(text);
  let found: Hover | null = null;
  if (ast === null || at >= end) return null;
  eachTerm(ast, schema?.root ?? anyType, (term, around) => {
    found ??= hoverOf(term, at, around);
  });
  return found;
}

/** Returns the tree of a source, or of the part before its mistake, and the end of that part. */
function soundPart(text: string): { readonly ast: Expression | null; readonly end: number } {
  try {
    return { ast: parse(text).ast, end: text.length };
  } catch (error) {
    if (!(error instanceof FilterError)) throw error;
    const sound = text.slice(0, error.span.start).trimEnd();
    const closing = closersFor(sound);
    const repairs = ['', ' zz == zz', ' == zz', ' zz', ' as zz { zz == zz }'];
    for (const repair of repairs) {
      const ast = parseOrNull(sound + repair + closing, {});
      if (ast !== null) return { ast, end: sound.length };
    }
    return { ast: null, end: 0 };
  }
}

function matches(span: Span, at: number): boolean {
  return span.start <= at && at < span.end;
}

function hoverOf(term: Term, at: number, around: ScopeAt): Hover | null {
  if (matches(term.selector.span, at)) return hoverSelector(term.selector, at, around);
  if (term.kind !== 'match') return null;
  const own = locate(term.selector, around)?.type ?? null;
  const type = term.aspect === 'length' ? intType : own;
  const subject = term.aspect === 'length' ? `len(${print(term.selector)})` : print(term.selector);
  if (matches(term.operatorSpan, at)) {
    const text = `${term.operator}: ${subject} ${describeOperator(term.operator, type)}`;
    return { kind: 'operator', span: term.operatorSpan, text: text + whenAbsent(term) };
  }
  if (term.value?.kind === 'reference' && matches(term.value.span, at))
    return hoverSelector(term.value.selector, at, around);
  const value = literalsOf(term).find(({ span }) => matches(span, at));
  if (value === undefined) return null;
  return { kind: 'value', span: value.span, text: describeValue(value, term, type) };
}

function whenAbsent({ operator, selector }: MatchExpression): string {
  return selector.path.length > 1 ? `; ${formOf(operator).whenAbsent} for a missing key` : '';
}

/** Returns the part of a selector at an offset, with all earlier parts. */
function hoverSelector(selector: Selector, at: number, around: ScopeAt): Hover | null {
  const { partSpans, span, path } = selector;
  const index = partSpans.findIndex((part) => at < part.end);
  const count = index === -1 ? path.length : index + 1;
  const prefixSelector = { ...selector, path: path.slice(0, count) };
  const { binding, parts, type } = around.analysis.resolve(prefixSelector);
  if (type === null) return null;
  const kind = binding !== null && parts.length === 0 ? 'binding' : 'field';
  const role = binding !== null && kind === 'binding' ? `${binding.role.replaceAll('-', ' ')}, ` : '';
  const spanEnd = count === path.length ? span.end : (partSpans[count - 1]?.end ?? span.end);
  return {
    kind,
    span: { start: span.start, end: spanEnd },
    text: `${print(prefixSelector)}: ${role}${describeWhole(type)}`,
  };
}

function describeWhole(type: Type): string {
  if (type.kind === 'any') return 'any kind, as the row has it';
  return 'of' in type && type.of.kind !== 'any'
    ? `${describeType(type)} of ${describeType(type.of)}`
    : describeType(type);
}

function describeValue(value: Value, { operator }: MatchExpression, type: Type | null): string {
  const text = JSON.stringify(value.text);
  return `${describeLiteral(text, value, operator, type)}${value.ignoreCase ? ', upper and lower case alike' : ''}`;
}

function describeLiteral(
  text: string,
  value: Value,
  operator: MatchExpression['operator'],
  type: Type | null,
): string {
  const { operand } = formOf(operator).operator;
  if (operand.language !== null) return languages[operand.language](text);
  if (type === null || type.kind === 'any')
    return `the string ${text}, converted to the kind of the row's value`;
  const treatment = treatmentFor(operator, type);
  if (treatment === 'keys') return `the key ${text}`;
  const compared = treatment === 'elements' && 'of' in type ? type.of : type;
  const meaning = instanceText(value, operand, compared);
  if (meaning !== null) return meaning;
  const kind = coercibleKindOf(valueKindOf(compared));
  return kind === null ? `the text ${text}` : `${text}, read as ${kind}`;
}

/** Returns the meaning of a literal on a kind with instances; null if it means just itself. */
function instanceText(value: Value, operand: OperandShape, type: Type): string | null {
  if (isClock(value, operand, type))
    return value.text === 'now'
      ? 'the time at which the filter is evaluated'
      : `${value.text}, counted from the time at which the filter is evaluated`;
  const kind = instanceKindOf(type);
  const isBlock = operand.acceptsAddressBlocks && (kind?.blocks?.parse(value.text) ?? null) !== null;
  if (isBlock) return `${value.text}, the addresses of a block`;
  return kind === null || kind.parse(value.text) === null
    ? null
    : `${value.text}, read as ${describeType(type)}`;
}

const languages: Readonly<Record<OperandLanguage, (text: string) => string>> = {
  glob: (text) => `the glob ${text} for the whole string: * matches any characters, ? one`,
  pattern: (text) => `the pattern ${text}, found anywhere in the string`,
};
