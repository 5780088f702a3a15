import { suggest, type Suggestion } from '../../language/diagnostics/errors.js';
import type { Operator } from '../../language/operators/operator.js';
import { formOf } from '../../language/operators/operators.js';
import { intType, type Type } from '../../language/schema/type.js';
import {
  type AndExpression,
  type Expression,
  literalOf,
  type MatchExpression,
  type MatchValue,
  type OrExpression,
} from '../../language/syntax/ast.js';
import { print } from '../../language/syntax/print.js';
import { isOrdering } from '../../language/values/ordering.js';
import { compareBounds, mayBothEqual } from './literal-relation.js';
import { textAt, type LintContext } from './lint-context.js';

type Junction = AndExpression | OrExpression;

/** One operand as a test of a field: `x != a` is `==` negated. */
interface Constraint {
  readonly index: number;
  readonly node: Expression;
  readonly operator: Operator;
  readonly negated: boolean;
  readonly value: MatchValue | null;
  /** The compared type: that of the selector, or an integer for its length. */
  readonly type: Type | null;
}

/** Maximum number of earlier operands about the same field that an operand is compared with. Keeps the work linear. */
const maxPeers = 50;

/** Checks for contradictions, repetitions and implied operands among the operands of one `and` or `or`. */
export function checkJunction(node: Junction, context: LintContext): void {
  const seen = new Map<number, number>();
  const facts = new Map<string, Constraint[]>();
  node.operands.forEach((operand, index) => {
    if (context.isFull()) return;
    const key = context.keys.of(operand);
    const twin = seen.get(key);
    if (twin !== undefined) return reportDuplicate(node, twin, index, context);
    seen.set(key, index);
    const { match, flipped } = stripNot(operand);
    if (match === null) return;
    const fact = constraintOf(match, flipped, operand, index, context);
    const subject = `${match.aspect} ${print(match.selector)}`;
    const peers = facts.get(subject) ?? [];
    for (const peer of peers.slice(0, maxPeers)) {
      if (comparePair(node, peer, fact, context)) break;
    }
    facts.set(subject, [...peers.slice(0, maxPeers), fact]);
  });
}

function stripNot(node: Expression): { match: MatchExpression | null; flipped: boolean } {
  const inner = node.kind === 'not' ? node.operand : node;
  return { match: inner.kind === 'match' ? inner : null, flipped: node.kind === 'not' };
}

function constraintOf(
  match: MatchExpression,
  flipped: boolean,
  node: Expression,
  index: number,
  context: LintContext,
): Constraint {
  const { operator, negated } = formOf(match.operator);
  const type = match.aspect === 'length' ? intType : context.analysis.resolve(match.selector).type;
  return { index, node, operator, negated: negated !== flipped, value: match.value, type };
}

/** Reports the combined effect of two tests of one field. Returns whether there was one to report. */
function comparePair(node: Junction, first: Constraint, second: Constraint, context: LintContext): boolean {
  if (isOrdering(first.operator.name) && isOrdering(second.operator.name))
    return compareRanges(node, first, second, context);
  if (first.operator !== second.operator) return false;
  if (isSame(first.value, second.value, context)) {
    if (first.negated === second.negated) return false;
    reportSettled(node, first, second, 'one is the opposite of the other', null, context);
    return true;
  }
  const [one, other] = [literalOf(first), literalOf(second)];
  if (first.operator.equates !== 'value' || one === null || other === null) return false;
  // Operators whose operands exclude one another: `==` in an `and`, `!=` in an `or`.
  const excludes = node.kind === 'or';
  const isOpposite = first.negated !== second.negated;
  if ((!isOpposite && first.negated !== excludes) || mayBothEqual(one, other, second.type)) return false;
  if (isOpposite) {
    reportRedundant(node, first.negated === excludes ? second : first, context);
    return true;
  }
  const said = excludes ? 'it always differs from one of the two' : 'it cannot be both';
  reportSettled(node, first, second, said, exchangeWord(node, first, second, context), context);
  return true;
}

/** Whether two tests compare with the same value, regardless of spelling. */
function isSame(a: MatchValue | null, b: MatchValue | null, { keys }: LintContext): boolean {
  if (a?.kind !== 'value' || b?.kind !== 'value')
    return a === null || b === null ? a === b : keys.ofValue(a) === keys.ofValue(b);
  return a.text === b.text && a.wellFormed === b.wellFormed && a.ignoreCase === b.ignoreCase;
}

/** Compares two range bounds of one field: reports an empty range, or a bound that another one implies. */
function compareRanges(node: Junction, first: Constraint, second: Constraint, context: LintContext): boolean {
  const [one, other] = [literalOf(first), literalOf(second)];
  if (first.negated || second.negated || one === null || other === null) return false;
  const order = compareBounds(one, other, second.type);
  if (order === null) return false;
  const [left, right] = [boundOf(first.operator), boundOf(second.operator)];
  if (left.isLower === right.isLower) {
    // The narrower bound decides an `and`, and adds nothing to an `or`.
    const isFirstNarrower =
      order === 0 ? !left.isInclusive && right.isInclusive : left.isLower ? order > 0 : order < 0;
    reportRedundant(node, isFirstNarrower === (node.kind === 'or') ? first : second, context);
    return true;
  }
  const gap = left.isLower ? order : -order;
  const isEmpty = gap > 0 || (gap === 0 && !(left.isInclusive && right.isInclusive));
  if (node.kind === 'or' || !isEmpty) return false;
  const correction = exchangeWord(node, first, second, context);
  reportSettled(node, first, second, 'nothing lies between', correction, context);
  return true;
}

/** Returns the range bound that an ordering expresses. */
function boundOf({ name }: Operator): { readonly isLower: boolean; readonly isInclusive: boolean } {
  return { isLower: name.startsWith('>'), isInclusive: name.endsWith('=') };
}

/** Reports an `and` that is never true or an `or` that always is. */
function reportSettled(
  { kind }: Junction,
  first: Constraint,
  second: Constraint,
  label: string,
  correction: Suggestion | null,
  context: LintContext,
): void {
  const word = kind === 'and' ? 'or' : 'and';
  context.report({
    code: kind === 'and' ? 'always-false' : 'always-true',
    message: `${print(first.node)} ${kind} ${print(second.node)} is ${kind === 'and' ? 'never' : 'always'} true`,
    span: { start: first.node.span.start, end: second.node.span.end },
    label,
    hint: correction === null ? null : `did you mean ${word}?`,
    suggestions: correction === null ? [] : [{ ...correction, isGuess: true }],
  });
}

/** The suggestion to join the two operands by the other word; null if parentheses separate them. */
function exchangeWord(
  { kind, operands }: Junction,
  first: Constraint,
  second: Constraint,
  context: LintContext,
): Suggestion | null {
  if (second.index !== first.index + 1) return null;
  const gap = textAt(context, { start: first.node.span.end, end: second.node.span.start });
  const word = kind === 'and' ? 'or' : 'and';
  if (!/^\s+(?:and|or)\s+$/.test(gap)) return null;
  if (operands.length === 2) {
    const start = first.node.span.end + gap.indexOf(kind);
    return suggest({ start, end: start + kind.length }, word);
  }
  const text = `(${textAt(context, first.node.span)} ${word} ${textAt(context, second.node.span)})`;
  return suggest({ start: first.node.span.start, end: second.node.span.end }, text);
}

function reportDuplicate(node: Junction, twin: number, index: number, context: LintContext): void {
  const operand = node.operands[index];
  if (operand === undefined) return;
  context.report({
    code: 'duplicate',
    message: `${print(operand)} occurs twice in one ${node.kind}`,
    span: operand.span,
    label: `the same as operand ${twin + 1}`,
    suggestions: removal(node, index, context),
  });
}

function reportRedundant(node: Junction, fact: Constraint, context: LintContext): void {
  context.report({
    code: 'redundant',
    message: `${print(fact.node)} changes nothing here`,
    span: fact.node.span,
    label: `follows from the other ${node.kind === 'and' ? 'condition' : 'alternative'} on this field`,
    suggestions: removal(node, fact.index, context),
  });
}

/** The suggestion to remove an operand and the word that joins it; empty if parentheses prevent that. */
function removal({ operands }: Junction, index: number, context: LintContext): Suggestion[] {
  const operand = operands[index];
  const before = operands[index - 1];
  const after = operands[index + 1];
  if (operand === undefined) return [];
  const span =
    before !== undefined
      ? { start: before.span.end, end: operand.span.end }
      : { start: operand.span.start, end: after?.span.start ?? operand.span.end };
  const gap =
    before !== undefined
      ? textAt(context, { start: before.span.end, end: operand.span.start })
      : textAt(context, { start: operand.span.end, end: after?.span.start ?? operand.span.end });
  if (!/^\s+(?:and|or)\s+$/.test(gap)) return [];
  return [suggest(span, '', 'leave it out')];
}
