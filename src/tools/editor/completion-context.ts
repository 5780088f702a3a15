import { FilterError, FilterSyntaxError } from '../../language/diagnostics/errors.js';
import type { Type } from '../../language/schema/type.js';
import type { Aspect, MatchExpression, MatchValue, Selector } from '../../language/syntax/ast.js';
import { parse, type Language } from '../../language/parse.js';
import { tokenize } from '../../language/syntax/lexer.js';
import {
  isOneOf,
  LeftBrace,
  LeftBracket,
  LeftParen,
  RightBrace,
  RightBracket,
  RightParen,
} from '../../language/syntax/tokens.js';
import { eachTerm, type ScopeAt, type Term } from './scope-at.js';

/** The role of a name or word after the given source. */
export type CompletionContext = { readonly around: ScopeAt } & (
  | {
      readonly role:
        'operand' | 'collection' | 'container' | 'measured' | 'membership' | 'negated-membership';
    }
  | {
      readonly role: 'operator' | 'property' | 'negated';
      readonly selector: Selector;
      readonly aspect: Aspect;
    }
  | { readonly role: 'value' | 'reference'; readonly match: MatchExpression }
);

/**
 * Finds the possible roles of a part after `before`: the source is continued in each way that the grammar allows and parsed. The
 * tree shows the role at the end of `before`. So the parser alone decides, as for whole filters.
 */
export function completionContextsAfter(
  before: string,
  root: Type,
  language: Language,
): readonly CompletionContext[] {
  const found = new Map<string, CompletionContext>();
  for (const continuation of continuations) {
    const text = before + continuation + closersFor(before + continuation);
    const ast = parseOrNull(text, language);
    if (ast === null) continue;
    eachTerm(ast, root, (term, around) => {
      const context = completionContextOf(term, before.length, continuation, around);
      if (context !== null && !found.has(context.role)) found.set(context.role, context);
    });
  }
  return [...found.values()];
}

const asOperand = 'zz == zz';
const asCollection = 'zz as zz { zz == zz }';
const asMeasured = 'zz) == zz';
const continuations = [asOperand, asCollection, asMeasured, 'zz', '== zz', 'in zz', 'empty', 'contains zz'];

function completionContextOf(
  term: Term,
  at: number,
  continuation: string,
  around: ScopeAt,
): CompletionContext | null {
  const startsHere = term.selector.span.start === at;
  if (term.kind !== 'match') {
    return startsHere && continuation === asCollection ? { role: 'collection', around } : null;
  }
  const { selector, operatorSpan, value, aspect } = term;
  if (continuation === 'zz' && value !== null) {
    if (lastLiteralStart(value) === at) return { role: 'value', match: term, around };
    if (value.kind === 'reference' && value.selector.span.start === at)
      return { role: 'reference', match: term, around };
  }
  if (startsHere && continuation === asMeasured)
    return aspect === 'length' ? { role: 'measured', around } : null;
  if (startsHere && continuation === asOperand) return { role: 'operand', around };
  if (startsHere && continuation === 'zz') return { role: 'container', around };
  const isHere = operatorSpan.start === at;
  if (!isHere && !(operatorSpan.start < at && at < operatorSpan.end)) return null;
  switch (continuation) {
    case '== zz':
      return { role: 'operator', selector, aspect, around };
    case 'in zz':
      return { role: isHere ? 'membership' : 'negated-membership', around };
    case 'empty':
      return { role: 'property', selector, aspect, around };
    case 'contains zz':
      return isHere ? null : { role: 'negated', selector, aspect, around };
    default:
      return null;
  }
}

/** Returns where the last literal of a match begins; null if it has none. */
function lastLiteralStart(value: MatchValue): number | null {
  if (value.kind === 'reference') return null;
  return (value.kind === 'list' ? value.elements.at(-1) : value)?.span.start ?? null;
}

/** Returns the closing characters for unclosed parentheses, brackets and braces. */
export function closersFor(text: string): string {
  const open: string[] = [];
  for (const token of tokenize(text)) {
    if (isOneOf(token, LeftParen)) open.push(' )');
    else if (isOneOf(token, LeftBrace)) open.push(' }');
    else if (isOneOf(token, LeftBracket)) open.push(']');
    else if (isOneOf(token, RightParen, RightBrace, RightBracket)) open.pop();
  }
  return open.reverse().join('');
}

/** Returns the tree of a source; null if it is not a valid filter. */
export function parseOrNull(text: string, language: Language): ReturnType<typeof parse>['ast'] | null {
  try {
    return parse(text, language).ast;
  } catch (error) {
    if (error instanceof FilterError) return null;
    throw error;
  }
}

/** Returns the offset at which the parser stops; null if it accepts the source. */
export function failurePlace(text: string, language: Language): number | null {
  try {
    parse(text, language);
    return null;
  } catch (error) {
    if (error instanceof FilterError) return error.span.start;
    throw error;
  }
}

/** Returns the words that the grammar allows after the given source; empty if it is invalid. */
export function wordsAfter(before: string, language: Language): readonly string[] {
  try {
    parse(before, language);
    return ['and', 'or'];
  } catch (error) {
    if (!(error instanceof FilterError)) throw error;
    const isAtEnd = error instanceof FilterSyntaxError && error.span.start >= before.trimEnd().length;
    return isAtEnd
      ? error.expected.filter((each) => /^"[a-z]+"$/.test(each)).map((each) => each.slice(1, -1))
      : [];
  }
}
