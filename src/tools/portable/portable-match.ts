import type { Span } from '../../language/diagnostics/span.js';
import type { Extension, Operator } from '../../language/operators/operator.js';
import { formOf } from '../../language/operators/operators.js';
import type { Analysis } from '../../language/schema/analysis.js';
import { isClock } from '../../language/schema/clock-literal.js';
import { operandRuleFor } from '../../language/schema/operand-rule.js';
import { elementTypeOf, anyType, type Type } from '../../language/schema/type.js';
import type {
  Expression,
  MatchExpression,
  MatchOperator,
  Value,
  ValueList,
} from '../../language/syntax/ast.js';
import {
  makeBinding,
  makeCollection,
  makeJunction,
  makeMatch,
  makeName,
  makeNot,
  makeSelector,
  makeValue,
} from '../../language/syntax/factory.js';
import { instanceKindOf } from '../../language/values/instance/index.js';
import { coerceNumber } from '../../language/values/operand.js';
import { anchored, globPattern, literalPattern } from '../../language/values/pattern-text.js';
import type { UnportableClause, UnportableCode } from './unportable-clause.js';

/** Maximum number of characters that the tests of one list may take. */
export interface TermBudget {
  characters: number;
}

/** A match at level 0: an expression, or the reason why there is none. */
type Outcome = Expression | UnportableClause;

/** Returns the equivalent match at level 0, or the reason why there is none. */
export function portableMatch(match: MatchExpression, analysis: Analysis, budget: TermBudget): Outcome {
  const type = analysis.resolve(match.selector).type ?? anyType;
  const { value, aspect, operator } = match;
  const { extension }: Operator = formOf(operator).operator;
  const port = extension === undefined ? literalMatch : ports[extension];
  if (typeof port === 'string' && port !== 'each') return refuse(port, match.operatorSpan);
  if (aspect === 'length')
    return refuse('length', { start: match.span.start, end: match.operatorSpan.start });
  switch (value?.kind) {
    case undefined:
      return testsNullOnly(operator, type) ? refuse('null-test', match.operatorSpan) : match;
    case 'reference':
      return refuse('field-reference', value.span);
    case 'list':
      return listMatch(match, value, type, budget);
    case 'value':
      return port === 'each' ? match : port(match, value, type);
  }
}

/** Whether level 0 rejects an `is nil` for every value except null. */
function testsNullOnly(operator: MatchExpression['operator'], type: Type): boolean {
  const test = formOf(operator).operator;
  const ofValue = operandRuleFor(test, { ...type, nullDepth: 0 });
  return test.takes.nil === 'nil' && type.kind !== 'any' && ofValue === 'refuse';
}

/** Translations of the operators that go-bexpr lacks: a reason, a comparison for each value, or another match. */
const ports: Readonly<
  Record<
    Extension,
    UnportableCode | 'each' | ((match: MatchExpression, literal: Value, type: Type) => Outcome)
  >
> = {
  ordering: 'ordering',
  'value-list': 'each',
  affix: textMatch,
  glob: textMatch,
};

function literalMatch(match: MatchExpression, literal: Value, type: Type): Outcome {
  switch (formOf(match.operator).operator.name) {
    case 'matches':
      return literal.ignoreCase
        ? patternMatch(match, literal, literal.text, 'i')
        : withLiteral(match, literal, null);
    case 'in':
      return containment(match, literal, type);
    default:
      return equality(match, literal, type);
  }
}

/** `==` and `!=`, also for the elements of a list. */
function equality(match: MatchExpression, literal: Value, type: Type): Outcome {
  if (!literal.wellFormed || !literal.ignoreCase) return withLiteral(match, literal, type);
  const pattern = anchored(literalPattern(literal.text), { start: true, end: true });
  return patternMatch(match, literal, pattern, 'i');
}

/** Affixes and globs. */
function textMatch(match: MatchExpression, literal: Value, type: Type): Outcome {
  const { operator, negated } = formOf(match.operator);
  // No string contains bytes that are not UTF-8.
  if (!literal.wellFormed) return matchOf(match, negated ? '!=' : '==', quoted(literal, literal.text));
  const isGlob = operator.name === 'like';
  const start = operator.name === 'starts with';
  const glob = isGlob ? globPattern(literal.text) : null;
  const pattern = glob?.pattern ?? anchored(literalPattern(literal.text), { start, end: !start });
  const takesEmpty = glob?.takesEmpty ?? literal.text === '';
  // A missing address or version is not an instance, while go-bexpr itself reads it as the empty string.
  if (takesEmpty && type.nullDepth === 0 && instanceKindOf(type)?.zero === null)
    return refuse('absent-value', match.span);
  const flags = `${literal.ignoreCase ? 'i' : ''}${glob?.hasDot === true ? 's' : ''}`;
  return patternMatch(match, literal, pattern, flags);
}

/** `in` and `contains`: a substring, an element of a list, a key of a map. */
function containment(match: MatchExpression, literal: Value, type: Type): Outcome {
  const { operator, negated } = formOf(match.operator);
  const rule = operandRuleFor(operator, type);
  const of = elementTypeOf(type) ?? type;
  if (!literal.wellFormed || !literal.ignoreCase)
    return withLiteral(match, literal, rule === 'elements' ? of : null);
  if (type.kind === 'any') return refuse('unknown-kind', match.span);
  const pattern = anchored(literalPattern(literal.text), { start: false, end: false });
  if (rule === 'text') return patternMatch(match, literal, pattern, 'i');
  if (type.kind !== 'list' || of.kind === 'any' || of.nullDepth > 0) return refuse('ignore-case', match.span);
  const { selector, span } = match;
  const element = makeSelector('bexpr', [elementName], [span], span);
  const body = equality(matchOf({ ...match, selector: element }, '==', literal), literal, of);
  if (!isExpression(body)) return body;
  const name = makeName(elementName, span);
  const some = makeCollection('any', selector, makeBinding(name, null, null, span), body, span);
  return negated ? makeNot(some, 1, span) : some;
}

/** The name of the elements in collections that replace `in`. Their bodies use no other name, so it hides nothing. */
const elementName = 'each';

/** `in [..]`: one comparison for each element. */
function listMatch(
  match: MatchExpression,
  { elements, span: list }: ValueList,
  type: Type,
  budget: TermBudget,
): Outcome {
  const { negated, operator } = formOf(match.operator);
  if (elements.length === 0) return refuse('empty-list', list);
  const { selector, span } = match;
  const width = selector.path.reduce((sum, part) => sum + part.length + 4, 0);
  const matches: Expression[] = [];
  const kind = instanceKindOf(type);
  for (const element of elements) {
    budget.characters -= width + element.text.length;
    if (budget.characters < 0) return refuse('too-large', list);
    if (isClock(element, operator.operand, type)) return refuse('clock', element.span);
    const isBlock =
      kind !== null &&
      kind.parse(element.text) === null &&
      (kind.blocks?.parse(element.text) ?? null) !== null;
    if (isBlock) return refuse('block', element.span);
    const one = equality(matchOf(match, negated ? '!=' : '==', element), element, type);
    if (!isExpression(one)) return one;
    matches.push(one);
  }
  const [only = match, ...others] = matches;
  return others.length === 0 ? only : makeJunction(negated ? 'and' : 'or', matches, span);
}

/** Returns the match with a literal that level 0 accepts. `type` is what the literal is converted to, null for a string. */
function withLiteral(match: MatchExpression, literal: Value, type: Type | null): Outcome {
  if (literal.form === 'now') return refuse('clock', literal.span);
  const text = type === null ? literal.text : levelZeroText(literal, type);
  if (text === null) return refuse('inexact', literal.span);
  return matchOf(match, match.operator, quoted(literal, text));
}

/** Returns the source of a literal at level 0: the integer of an instance if rows contain integers; null if it has none. */
function levelZeroText(literal: Value, type: Type): string | null {
  const kind = instanceKindOf(type);
  if (kind === null || kind.isText || typeof coerceNumber(literal, 'int') !== 'string') return literal.text;
  const instance = kind.parse(literal.text);
  if (instance === null) return literal.text;
  const bound = kind.inUnit(instance);
  if (bound?.isExact !== true) return null;
  const text = String(bound.floor);
  return typeof coerceNumber({ text, wellFormed: true }, 'int') === 'string' ? null : text;
}

/** Returns the match with a pattern instead of its operator and literal. */
function patternMatch(match: MatchExpression, literal: Value, pattern: string, flags: string): Expression {
  const text = flags === '' ? pattern : `(?${flags})${pattern}`;
  const { negated } = formOf(match.operator);
  return matchOf(match, negated ? 'not matches' : 'matches', quoted(literal, text));
}

/** Returns the match with another operator and literal. */
function matchOf(
  { operatorSpan, selector, span }: MatchExpression,
  operator: MatchOperator,
  value: Value,
): MatchExpression {
  return makeMatch(operator, operatorSpan, 'value', selector, value, span);
}

/** Returns a quoted literal at the place of another one. */
function quoted({ wellFormed, span }: Value, text: string): Value {
  return makeValue(text, wellFormed, false, 'quoted', span);
}

/** Whether an outcome is an expression. */
export function isExpression(outcome: Outcome): outcome is Expression {
  return 'kind' in outcome;
}

/** A refusal. */
export function refuse(code: UnportableCode, span: Span): UnportableClause {
  return { code, span, hint: null, ...words[code] };
}

type Words = Pick<UnportableClause, 'message' | 'label'> & Partial<Pick<UnportableClause, 'hint'>>;

const words: Readonly<Record<UnportableCode, Words>> = {
  ordering: {
    message: 'level 0 has no orderings',
    label: 'level 0 has no equivalent comparison',
    hint: 'for a few values write one == for each',
  },
  'field-reference': {
    message: 'level 0 compares fields with literals only',
    label: 'another field',
  },
  'field-name': {
    message: 'level 0 has no selectors that begin with such a name',
    label: 'no name or pointer of level 0',
    hint: 'rename the field',
  },
  length: {
    message: 'level 0 has no lengths',
    label: 'a length',
    hint: 'use is empty',
  },
  clock: {
    message: 'level 0 has no clock',
    label: 'depends on the time of evaluation',
  },
  'empty-list': {
    message: 'level 0 has no lists of values, and no comparison that is false for every row',
    label: 'no values',
  },
  block: {
    message: 'level 0 has no blocks of addresses',
    label: 'a block',
    hint: 'write the addresses, or a pattern after matches',
  },
  inexact: {
    message: 'the field holds integers, and none of them is this value',
    label: 'between two integers of the unit',
    hint: 'no row is equal to it',
  },
  'unknown-kind': {
    message: 'level 0 writes this differently for a string and for a list, and the kind is unknown',
    label: 'a string, or a list of strings?',
    hint: 'a schema declares the kind of the field',
  },
  'ignore-case': {
    message: 'level 0 compares the elements of such a list only with their case',
    label: 'without case',
    hint: 'write one contains for each spelling',
  },
  'too-large': {
    message: 'the level-0 form exceeds the limits',
    label: 'too large at level 0',
    hint: 'higher limits allow it',
  },
  'null-test': {
    message: 'level 0 tests only lists, maps and structs for null',
    label: 'an error for every value but null',
    hint: 'for a text write is empty',
  },
  'absent-value': {
    message: 'level 0 reads an absent value as the empty string, which would match',
    label: 'matches the empty string',
  },
};
