import type { Type } from '../language/schema/type.js';
import { negationOf } from '../filter/compile/normal-form.js';
import {
  literalsOf,
  type Aspect,
  type CollectionExpression,
  type Expression,
  type MatchExpression,
  type MatchOperator,
  type MatchValue,
  type Selector,
  type Value,
} from '../language/syntax/ast.js';
import {
  makeBinding,
  makeCollection,
  makeJunction,
  makeMatch,
  makeName,
  makeSelector,
  makeSpan,
  makeValue,
  makeValueList,
} from '../language/syntax/factory.js';
import { print } from '../language/syntax/print.js';
import { instanceKindOf } from '../language/values/instance/index.js';
import { isNumber } from '../language/syntax/literal.js';

/** A filter over rows, or a constant: true for every row, or definitely true for no row. */
export type Residual = Expression | boolean;

/** What a match tests: a field or a loop variable of a row, or its length. */
export interface Subject {
  readonly selector: Selector;
  readonly aspect: Aspect;
  /** The type of the tested value: that of the field, or an integer for a length. */
  readonly type: Type;
}

/** The span of nodes that are not part of a rule's source. */
const nowhere = makeSpan(0, 0);

/** Returns a quoted literal. */
export function textLiteral(text: string): Value {
  return makeValue(text, true, false, 'quoted', nowhere);
}

/** Returns the literal of a number in the shortest form that the language reads exactly. */
export function numberLiteral(value: number | bigint): Value {
  const text = Object.is(value, -0) ? '0' : String(value).replace('Infinity', 'Inf');
  return isNumber(text) ? makeValue(text, true, false, 'number', nowhere) : textLiteral(text);
}

export function createMatch(
  { selector, aspect }: Subject,
  operator: MatchOperator,
  value: MatchValue,
): MatchExpression {
  return makeMatch(operator, nowhere, aspect, selector, value, nowhere);
}

/** Returns the condition that a value equals one of several literals, or none of them if it is negated. */
export function createMembership(
  subject: Subject,
  elements: readonly Value[],
  isPositive: boolean,
): Residual {
  if (subject.type.kind === 'bool')
    return elements.length === 0
      ? !isPositive && presence(subject)
      : join(
          isPositive ? 'or' : 'and',
          elements.map((element) => createMatch(subject, isPositive ? '==' : '!=', element)),
        );
  if (isPositive && elements.length === 0) return false;
  return createList(
    createMatch(subject, isPositive ? 'in [..]' : 'not in [..]', makeValueList(elements, nowhere)),
  );
}

/** Returns the condition that a value is present and of its kind. */
export function presence(subject: Subject): Residual {
  return subject.type.kind === 'bool'
    ? createMembership(subject, ['true', 'false'].map(textLiteral), true)
    : createMembership(subject, [], false);
}

/** Returns the condition that a list of the row is present and all its elements are of their kind. */
export function everyElement(selector: Selector, of: Type): Residual {
  const name = 'each';
  const element = makeSelector('bexpr', [name], [nowhere], nowhere);
  const body = presence({ selector: element, aspect: 'value', type: of });
  return createQuantifier(
    'all',
    { selector, binding: makeBinding(makeName(name, nowhere), null, null, nowhere) },
    body,
  );
}

/** Returns a unary test of a collection. */
export function createSizeTest(selector: Selector, operator: 'is empty' | 'is not empty'): Expression {
  return makeMatch(operator, nowhere, 'value', selector, null, nowhere);
}

/** Returns the negation of a match. A value of the declared kind that is present satisfies exactly one of the two. */
export function negate(match: MatchExpression): MatchExpression {
  const negation = { ...match, operator: negationOf(match.operator) };
  if (listable.has(match)) listable.add(negation);
  return negation;
}

/** Matches whose literals may be elements of a list without changing the meaning. */
const listable = new WeakSet<Expression>();

/**
 * Marks a match whose literals may be elements of a list, which indexes and databases look up: strings, numbers and instances.
 * Booleans cannot be listed, and the kind of an undeclared value depends on the literal.
 */
export function markListable(match: MatchExpression, type: Type): MatchExpression {
  const isListed = type.nullDepth <= 1 && listedKinds.has(type.kind);
  const instances = instanceKindOf(type);
  const isPlain = ({ ignoreCase, form, text }: Value): boolean =>
    !ignoreCase && form !== 'now' && (instances === null || instances.parse(text) !== null);
  const literals = literalsOf(match);
  const isSet = match.value?.kind === 'list' || literals.length > 0;
  if (isListed && isSet && literals.every(isPlain)) listable.add(match);
  return match;
}

const listedKinds: ReadonlySet<Type['kind']> = new Set([
  'string',
  'int',
  'uint',
  'float32',
  'float64',
  'time',
  'duration',
  'bytes',
  'ip',
  'version',
]);

const setOperators: Readonly<Record<'or' | 'and', readonly [one: MatchOperator, list: MatchOperator]>> = {
  or: ['==', 'in [..]'],
  and: ['!=', 'not in [..]'],
};

/** Returns a list test in canonical form: its elements sorted, each once; one element is an equality. */
function createList(match: MatchExpression): MatchExpression {
  const literals = new Map(literalsOf(match).map((literal) => [literal.text, literal]));
  const elements = [...literals.values()].toSorted((a, b) => (a.text < b.text ? -1 : 1));
  const [one, list] = setOperators[match.operator === 'in [..]' || match.operator === '==' ? 'or' : 'and'];
  const [only] = elements;
  const value = elements.length === 1 && only !== undefined ? only : makeValueList(elements, nowhere);
  const { selector, aspect } = match;
  const canonical = makeMatch(value.kind === 'value' ? one : list, nowhere, aspect, selector, value, nowhere);
  listable.add(canonical);
  return canonical;
}

/** Joins conditions with `and` or `or`, without constants and duplicates. Equalities of one field become one list. */
export function join(kind: 'and' | 'or', parts: readonly Residual[]): Residual {
  const absorbing = kind === 'or';
  if (parts.includes(absorbing)) return absorbing;
  const flat = parts.flatMap((each): readonly Expression[] =>
    typeof each === 'boolean' ? [] : each.kind === kind ? each.operands : [each],
  );
  const [first] = flat;
  if (first === undefined) return !absorbing;
  if (flat.length === 1) return first;
  const operands = new Map<string, Expression>();
  for (const part of flat) {
    const isListed =
      part.kind === 'match' && setOperators[kind].includes(part.operator) && listable.has(part);
    if (!isListed) {
      operands.set(print(part), part);
      continue;
    }
    const key = `${part.aspect} ${print(part.selector)}`;
    const known = operands.get(key);
    const literals = [...(known?.kind === 'match' ? literalsOf(known) : []), ...literalsOf(part)];
    operands.set(key, createList({ ...part, value: makeValueList(literals, nowhere) }));
  }
  const [only = first] = operands.values();
  return operands.size === 1 ? only : makeJunction(kind, [...operands.values()], nowhere);
}

/** Returns a quantifier over a collection of the row, without constant bodies. */
export function createQuantifier(
  kind: 'any' | 'all',
  { selector, binding }: Pick<CollectionExpression, 'selector' | 'binding'>,
  body: Residual,
): Residual {
  if (typeof body === 'object') return makeCollection(kind, selector, binding, body, nowhere);
  const [empty, filled] = [createSizeTest(selector, 'is empty'), createSizeTest(selector, 'is not empty')];
  if (kind === 'any') return body && filled;
  return body ? join('or', [empty, filled]) : empty;
}
