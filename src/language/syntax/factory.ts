import type { Span } from '../diagnostics/span.js';
import type {
  AndExpression,
  Aspect,
  CollectionBinding,
  CollectionExpression,
  Expression,
  FieldReference,
  MatchExpression,
  MatchOperator,
  MatchValue,
  Name,
  OrExpression,
  Selector,
  Value,
  ValueForm,
  ValueList,
} from './ast.js';

// Factories of tree nodes. Each returns a frozen object with a fixed key order, so that all nodes of a kind share one hidden
// class.

export function makeSpan(start: number, end: number): Span {
  return Object.freeze({ start, end });
}

/**
 * Creates an `and` or `or` of two or more operands. Only the last operand is flattened: `a and (b and c)` is the same tree as `a
 * and b and c`.
 */
export function makeJunction(
  kind: 'and' | 'or',
  operands: readonly Expression[],
  span: Span,
): AndExpression | OrExpression {
  const last = operands.at(-1);
  const flat = last?.kind === kind ? [...operands.slice(0, -1), ...last.operands] : operands;
  return Object.freeze({ kind, operands: Object.freeze(flat), span });
}

/** Creates an operand negated `times` times. Pairs of `not` cancel, including one in the operand itself. */
export function makeNot(operand: Expression, times: number, span: Span): Expression {
  if (times % 2 === 0) return operand;
  if (operand.kind === 'not') return operand.operand;
  return Object.freeze({ kind: 'not', operand, span });
}

export function makeMatch(
  operator: MatchOperator,
  operatorSpan: Span,
  aspect: Aspect,
  selector: Selector,
  value: MatchValue | null,
  span: Span,
): MatchExpression {
  return Object.freeze({ kind: 'match', operator, operatorSpan, aspect, selector, value, span });
}

export function makeCollection(
  kind: 'any' | 'all',
  selector: Selector,
  binding: CollectionBinding,
  body: Expression,
  span: Span,
): CollectionExpression {
  return Object.freeze({ kind, selector, binding, body, span });
}

export function makeBinding(
  only: Name | null,
  index: Name | null,
  value: Name | null,
  span: Span,
): CollectionBinding {
  return Object.freeze({ default: only, index, value, span });
}

export function makeName(text: string, span: Span): Name {
  return Object.freeze({ text, span });
}

export function makeSelector(
  form: Selector['form'],
  path: readonly string[],
  partSpans: readonly Span[],
  span: Span,
): Selector {
  return Object.freeze({
    kind: 'selector',
    form,
    path: Object.freeze(path),
    partSpans: Object.freeze(partSpans),
    span,
  });
}

export function makeValue(
  text: string,
  wellFormed: boolean,
  ignoreCase: boolean,
  form: ValueForm,
  span: Span,
): Value {
  return Object.freeze({ kind: 'value', text, wellFormed, ignoreCase, form, span });
}

export function makeReference(selector: Selector, span: Span): FieldReference {
  return Object.freeze({ kind: 'reference', selector, span });
}

export function makeValueList(elements: readonly Value[], span: Span): ValueList {
  return Object.freeze({ kind: 'list', elements: Object.freeze(elements), span });
}
