import { formOf } from '../../language/operators/operators.js';
import type { Step } from '../../language/schema/resolve.js';
import { clashingName, type Binding } from '../../language/schema/scope.js';
import type { Type } from '../../language/schema/type.js';
import {
  type AndExpression,
  type CollectionExpression,
  type Expression,
  literalOf,
  type MatchExpression,
  type OrExpression,
  type Selector,
} from '../../language/syntax/ast.js';
import { internText } from '../../language/values/intern.js';
import { isRecord } from '../../language/values/kind.js';
import { noOperand, type Operand } from '../../language/values/operand.js';
import { standsFor } from '../../language/values/own-names.js';
import { builtInGuard, isInheritedKey } from '../../language/values/own-property.js';
import { createLoopVariable, type LoopVariable } from './frame/loop-variable.js';
import { compileNode } from './compile-node.js';
import { freeElements, isFreeBody } from './frame/cost-model.js';
import { lazily, lazy } from './frame/lazy.js';
import { compileMatch, hasNotANumber } from './match.js';
import type { CompileContext } from './frame/compile-context.js';
import type { Predicate } from './frame/predicate.js';
import { comparesText } from './operators/equality.js';
import { chooseCheck } from './operators/choose-check.js';
import { oneOfTexts, type QuickCheck } from './quick/check.js';
import { choosePair } from './operators/choose-pair.js';
import type {
  QuickExpression,
  QuickMatch,
  QuickName,
  QuickPair,
  QuickWalk,
  Settle,
} from './quick/expression.js';

/** The object that a match reads from: the row, or the current element of the collection with this loop variable. */
type Receiver =
  | { readonly kind: 'row' }
  | { readonly kind: 'element'; readonly depth: number; readonly cell: LoopVariable };

const onRow: Receiver = { kind: 'row' };

/** Describes the part of an expression that the quick runners can evaluate. The careful closures evaluate everything else. */
export function describeExpression(node: Expression, context: CompileContext): QuickExpression {
  switch (node.kind) {
    case 'and':
    case 'or':
      return (
        describeOneOf(node, context) ?? {
          kind: node.kind,
          operands: node.operands.map((operand) => describeExpression(operand, context)),
        }
      );
    case 'not':
      return { kind: 'not', operand: describeExpression(node.operand, context) };
    case 'match':
      return describeOne(node, context, onRow) ?? describeCarefully(node, context);
    default:
      return describeWalk(node, context) ?? describeCarefully(node, context);
  }
}

function describeCarefully(node: Expression, context: CompileContext): QuickExpression {
  return { kind: 'careful', test: lazily(() => compileNode(node, context)) };
}

function describeOne(
  node: MatchExpression,
  context: CompileContext,
  receiver: Receiver,
): QuickMatch | QuickPair | null {
  return node.value?.kind === 'reference'
    ? describePair(node, node.value.selector, context, receiver)
    : describeMatch(node, context, receiver);
}

/**
 * Describes a comparison of two properties. Deeper paths, and comparisons of a property with itself, are left to the careful
 * closures.
 */
function describePair(
  node: MatchExpression,
  selector: Selector,
  context: CompileContext,
  receiver: Receiver,
): QuickPair | null {
  const left = layPath(node.selector, context, receiver);
  const right = layPath(selector, context, receiver);
  const [name, ...deeper] = left?.names ?? [];
  const [other, ...deeperStill] = right?.names ?? [];
  if (left === null || right === null || name === undefined || other === undefined) return null;
  if (deeper.length + deeperStill.length > 0 || name.text === other.text) return null;
  if (name.guard !== null || other.guard !== null) return null;
  const check = choosePair(node, left.type, right.type, context.loopVariables.length > 0);
  if (check === null) return null;
  const run = createGenericRun(
    receiver,
    lazy(() => compileMatch(node, context)),
  );
  const settle: Settle = (parent, [value, otherValue]) =>
    run(isRecord(parent) ? { [name.text]: value, [other.text]: otherValue, [standsFor]: parent } : parent);
  const { negated } = formOf(node.operator);
  return { kind: 'pair', names: [name, other], check, isNegated: negated, settle };
}

function describeMatch(
  node: MatchExpression,
  context: CompileContext,
  receiver: Receiver,
): QuickMatch | null {
  const path = layPath(node.selector, context, receiver);
  const matches = [node];
  const check = path === null ? null : chooseQuickCheck(matches, context);
  if (path === null || check === null) return null;
  const { negated } = formOf(node.operator);
  const settle = createSettle(node, path, receiver, context, () => compileMatch(node, context));
  return { kind: 'match', path: path.names, check, isNegated: negated, matches, context, settle };
}

/** A selector that plain property reads can follow. */
interface PlainPath {
  readonly steps: readonly Step[];
  readonly names: readonly QuickName[];
  readonly type: Type;
  /** Whether the last name is a map key, which a map may lack. */
  readonly mayLackKey: boolean;
}

function layPath(selector: Selector, context: CompileContext, receiver: Receiver): PlainPath | null {
  const { binding, steps, type } = context.analysis.resolve(selector);
  if (!isRootedAt(binding, receiver) || context.unknown !== null) return null;
  const names = plainNames(steps);
  if (type === null || names === null || (names.length === 0 && receiver.kind === 'row')) return null;
  const last = steps.at(-1);
  const isKey = last?.kind === 'open' || (last?.kind === 'key' && last.parent.nullDepth === 0);
  return { steps, names, type, mayLackKey: isKey && selector.path.length > 1 };
}

function isRootedAt(binding: Binding | null, receiver: Receiver): boolean {
  if (receiver.kind === 'row') return binding === null;
  // A quick walk only iterates over lists, so an `element-or-key` binding always refers to an element.
  const isElement = binding?.role === 'element' || binding?.role === 'element-or-key';
  return isElement && binding.depth === receiver.depth;
}

/**
 * Returns the property names of a path; null if property reads cannot follow it. That is the case if a part is a list index,
 * cannot be a property, or is inherited by every object. If such reads return a string, a number, a boolean or an array, the
 * careful reader returns the same.
 */
function plainNames(steps: readonly Step[]): readonly QuickName[] | null {
  const names: QuickName[] = [];
  for (const step of steps) {
    if (step.kind === 'index' || step.kind === 'impossible') return null;
    const text = step.kind === 'open' ? step.part : step.property;
    if (isInheritedKey(text) || /^[0-9]+$/.test(text)) return null;
    const isDeclared =
      step.kind === 'field' || (step.kind === 'key' && step.parent.keys?.includes(text) === true);
    names.push({ text: internText(text), isDeclared, guard: builtInGuard(text) });
  }
  return names;
}

/**
 * Creates the fallback for values that a check does not handle. Two results need no careful closures: an absent field reads as
 * its zero value, and a key missing from its map has the operator's fixed result. For all other values, the careful closures
 * evaluate the values already read, so no property of the row is read twice.
 */
function createSettle(
  node: MatchExpression,
  { steps, names, type, mayLackKey }: PlainPath,
  receiver: Receiver,
  { policy }: CompileContext,
  compile: () => Predicate,
): Settle {
  const run = createGenericRun(receiver, lazy(compile));
  const whenAbsent = policy.unresolved !== 'deny' && formOf(node.operator).whenAbsent;
  const evaluate: Settle = (parent, read) => run(standIn(parent, read, names));
  const last = names.length - 1;
  if (mayLackKey && last >= 0) {
    return (container, read) => {
      const parent = last === 0 ? container : read[last - 1];
      const lacksKey = read.length > last && read[last] === undefined && isRecord(parent);
      return lacksKey ? whenAbsent : evaluate(container, read);
    };
  }
  const readsZero =
    steps.length === 1 && steps[0]?.kind === 'field' && type.nullDepth === 0 && type.kind !== 'any';
  if (!readsZero) return evaluate;
  let zero: boolean | null = null;
  return (parent, read) => {
    const [value] = read;
    const isZero = read.length === 1 && (value === undefined || value === null) && isRecord(parent);
    // The result for an absent field is the same for every row: the result for an empty row is cached.
    return isZero ? (zero ??= run({})) : evaluate(parent, read);
  };
}

/**
 * Creates the careful predicate of a row or an element. An element is first stored in the cell that the careful closures read.
 */
function createGenericRun(receiver: Receiver, generic: () => Predicate): Predicate {
  if (receiver.kind === 'row') return (row) => generic()(row);
  const { cell } = receiver;
  return (element) => {
    const { value } = cell;
    cell.value = element;
    try {
      return generic()(undefined);
    } finally {
      cell.value = value;
    }
  };
}

/**
 * Returns a substitute row that contains the values already read. The careful closures read it instead of the real row, because a
 * getter could return a different value the second time. From the first holder that is not a plain record on, the real holders
 * are used. Error messages still suggest the names of the real holders.
 */
function standIn(parent: unknown, read: readonly unknown[], names: readonly QuickName[]): unknown {
  const records: object[] = [];
  let value = parent;
  while (records.length < read.length && isRecord(value)) {
    records.push(value);
    value = read[records.length - 1];
  }
  for (let at = records.length - 1; at >= 0; at -= 1) {
    value = { [names[at]?.text ?? '']: value, [standsFor]: records[at] };
  }
  return value;
}

/**
 * Describes one look-up for `F == a or F == b or ...` or `F != a and F != b and ...`, if all comparisons are of strings of one
 * field; else null.
 */
function describeOneOf(node: AndExpression | OrExpression, context: CompileContext): QuickMatch | null {
  const operator = node.kind === 'or' ? '==' : '!=';
  const matches: MatchExpression[] = [];
  for (const operand of node.operands) {
    if (operand.kind !== 'match' || operand.operator !== operator) return null;
    if (matches[0] !== undefined && !isSamePath(operand.selector, matches[0].selector)) return null;
    matches.push(operand);
  }
  const [first] = matches;
  const path = first === undefined ? null : layPath(first.selector, context, onRow);
  if (first === undefined || path === null) return null;
  const check = chooseQuickCheck(matches, context);
  if (check === null) return null;
  const settle = createSettle(first, path, onRow, context, () => compileNode(node, context));
  return { kind: 'match', path: path.names, check, isNegated: node.kind === 'and', matches, context, settle };
}

/**
 * Returns the check of a match, or of several `==` or `!=` of one field as one look-up; null if none exists. Nothing in a check
 * refers to the source of its filter.
 */
export function chooseQuickCheck(
  matches: readonly MatchExpression[],
  context: CompileContext,
): QuickCheck | null {
  const [first] = matches;
  const type = first === undefined ? null : context.analysis.resolve(first.selector).type;
  if (first === undefined || type === null) return null;
  if (matches.length === 1) return hasNotANumber(first, type) ? null : chooseCheck(first, type, context);
  if (!matches.every((match) => comparesText(type, match))) return null;
  return oneOfTexts(new Set(matches.map((match) => internText(operandOf(match).text))));
}

function operandOf(match: MatchExpression): Operand {
  return literalOf(match) ?? noOperand;
}

function isSamePath(a: Selector, b: Selector): boolean {
  return a.path.length === b.path.length && a.path.every((part, index) => part === b.path[index]);
}

/**
 * Describes a walk over a list whose body reads only the element. Null if the body reads more, has a match without a check, or is
 * so expensive that every element must be charged.
 */
function describeWalk(node: CollectionExpression, context: CompileContext): QuickWalk | null {
  const path = layPath(node.selector, context, onRow);
  if (path === null || clashingName(node.binding) !== null || !isFreeBody(node.body)) return null;
  const { type } = path;
  if (type.nullDepth > 0 || (type.kind !== 'list' && type.kind !== 'any')) return null;
  const cell = createLoopVariable(() => node.selector.path);
  const inner: CompileContext = { ...context, loopVariables: [cell], analysis: context.analysis.body(node) };
  const body = describeBody(node.body, inner, { kind: 'element', depth: 0, cell });
  if (body === null) return null;
  const generic = lazy(() => compileNode(node, context));
  const settle: Settle = (parent, read) => generic()(standIn(parent, read, path.names));
  return { kind: node.kind, path: path.names, body, maxLength: freeElements, position: cell, settle };
}

function describeBody(node: Expression, context: CompileContext, receiver: Receiver): QuickExpression | null {
  switch (node.kind) {
    case 'match':
      return describeOne(node, context, receiver);
    case 'not': {
      const operand = describeBody(node.operand, context, receiver);
      return operand === null ? null : { kind: 'not', operand };
    }
    case 'and':
    case 'or': {
      const operands: QuickExpression[] = [];
      for (const operand of node.operands) {
        const described = describeBody(operand, context, receiver);
        if (described === null) return null;
        operands.push(described);
      }
      return { kind: node.kind, operands };
    }
    default:
      return null;
  }
}
