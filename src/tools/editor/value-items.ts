import type { OperandShape } from '../../language/operators/operand-shape.js';
import { formOf } from '../../language/operators/operators.js';
import { elementTypeOf, describeType, type Type } from '../../language/schema/type.js';
import type { MatchExpression } from '../../language/syntax/ast.js';
import { instanceKindOf } from '../../language/values/instance/index.js';
import { print } from '../../language/syntax/print.js';
import { fieldItems } from './field-items.js';
import { fits } from './fitting-operators.js';
import {
  literalText,
  startingWith,
  type CompletionRequest,
  type CompletionSource,
} from './completion-source.js';
import type { CompletionItem } from './item.js';
import { locate, type ResolvedField, type ScopeAt } from './scope-at.js';

/** Returns the values of the field of a match, and example literals of its kind. */
export function valueItems(
  match: MatchExpression,
  { fragment: { kind, written }, around, known }: CompletionRequest,
): CompletionItem[] {
  const { selector, operator: own, aspect, value } = match;
  const position = locate(selector, around);
  const { operand } = formOf(own).operator;
  if (position === null || aspect === 'length' || !fits(own, position.type) || operand.language === 'pattern')
    return [];
  if (kind === 'path' && /[.[]/.test(written)) return [];
  const isMap = position.isKey || position.type.kind === 'map';
  const element = elementTypeOf(position.type) ?? position.type;
  const texts = element.kind === 'bool' ? ['true', 'false'] : textsAt(position, isMap, known);
  // Values already in the list are not suggested again, except the element being edited.
  const taken = value?.kind === 'list' ? value.elements.slice(0, -1).map(({ text }) => text) : [];
  const rest = texts.filter((text) => !taken.includes(text));
  const detail = describeType(element);
  const seen = startingWith(rest, written.replace(/^["`]/, '')).map((text) => {
    const literal = literalText(text, kind === 'string');
    return { label: literal, kind: 'value', insert: literal, detail } as const;
  });
  return kind === 'string' ? seen : [...seen, ...exampleItems(element, operand, written)];
}

/** The clock and offsets from it, for orderings of times and in lists. */
const clock = ['now', 'now - 1h', 'now - 7d'];

function exampleItems(type: Type, operand: OperandShape, written: string): CompletionItem[] {
  const kind = instanceKindOf(type);
  if (
    kind === null ||
    operand.language !== null ||
    (!operand.dependsOnQuotes && kind.isText && type.kind === 'ip')
  )
    return [];
  const texts = type.kind === 'time' ? (operand.dependsOnQuotes ? clock : []) : kind.examples;
  const blocks = type.kind === 'ip' && operand.acceptsAddressBlocks ? ['10.0.0.0/8'] : [];
  const detail = (text: string): string =>
    text === 'now' ? 'the time at which the filter is evaluated' : kind.expected;
  return [...texts, ...blocks]
    .filter((text) => text.startsWith(written))
    .map((text) => ({ label: text, kind: 'value', insert: text, detail: detail(text) }));
}

/** Returns the fields that a match can compare with: those of its kind, and those that may contain such fields. */
export function referenceItems(match: MatchExpression, request: CompletionRequest): CompletionItem[] {
  const like = comparableKinds(match, request.around);
  return fieldItems(request, like === null ? null : new Set([...like, ...containerKinds]));
}

/** Returns fields of its kind with the `@`, before it is typed: `@Other`. */
export function signedItems(match: MatchExpression, request: CompletionRequest): CompletionItem[] {
  const like = comparableKinds(match, request.around);
  if (request.fragment.written !== '' || like === null) return [];
  return fieldItems(request, new Set(like))
    .filter(({ kind, insert }) => kind === 'field' && insert !== print(match.selector))
    .map((item) => ({ ...item, label: `@${item.label}`, insert: `@${item.insert}` }));
}

/** Returns the kinds that a match compares its value with; null if any kind is possible. */
function comparableKinds(
  { selector, aspect }: MatchExpression,
  around: ScopeAt,
): readonly Type['kind'][] | null {
  const own = locate(selector, around)?.type ?? null;
  if (aspect === 'length') return numbers;
  return own === null || own.kind === 'any' ? null : kindsLike((elementTypeOf(own) ?? own).kind);
}

const numbers: readonly Type['kind'][] = ['int', 'uint', 'float32', 'float64'];
const containerKinds: readonly Type['kind'][] = ['struct', 'map', 'any'];

function kindsLike(kind: Type['kind']): readonly Type['kind'][] {
  return numbers.includes(kind) ? numbers : [kind];
}

/** Returns the strings that the value is likely to be compared with. */
function textsAt(
  { type, origin }: ResolvedField,
  isMap: boolean,
  known: CompletionSource,
): readonly string[] {
  if (isMap) return known.keys(origin, true);
  const element = elementTypeOf(type) ?? type;
  // An undeclared value may be a map, whose keys can be compared with.
  const keys = element.kind === 'any' ? known.keys(origin, false) : [];
  return [...new Set([...declaredValues(element), ...known.values(origin), ...keys])];
}

function declaredValues(type: Type): readonly string[] {
  return type.kind === 'string' ? (type.values ?? []) : [];
}
