import { operandRuleOf } from '../../language/operators/operator.js';
import { formOf } from '../../language/operators/operators.js';
import type { Analysis } from '../../language/schema/analysis.js';
import type { Step } from '../../language/schema/resolve.js';
import { clashingName, isScalarBinding } from '../../language/schema/scope.js';
import type { Type } from '../../language/schema/type.js';
import { valueKindOf } from '../../language/schema/value-kind.js';
import {
  type CollectionExpression,
  type Expression,
  type MatchExpression,
  type Selector,
} from '../../language/syntax/ast.js';
import { childrenOf } from '../../language/syntax/visit.js';
import { instanceKindOf } from '../../language/values/instance/index.js';
import type { CostLimits } from './frame/meter.js';

/**
 * Whether a row of the declared type can make the expression throw: for example by a null or missing key on a path, an index out
 * of range, or a value of an undeclared kind. False only if that is known to be impossible. The expression must be valid for the
 * schema. Limits are checked separately: {@link mayExceed}.
 */
export function mayFail(node: Expression, analysis: Analysis): boolean {
  if (analysis.isForgiving) return false;
  if (node.kind === 'match') return matchFails(node, analysis);
  if ((node.kind === 'any' || node.kind === 'all') && walkFails(node, analysis)) return true;
  const inside = analysis.below(node);
  return childrenOf(node).some((child) => mayFail(child, inside));
}

function matchFails(node: MatchExpression, analysis: Analysis): boolean {
  const { operator: name, selector, value } = node;
  const type = typeOfSafe(selector, analysis);
  if (type === null || type.kind === 'any') return true;
  const { operator } = formOf(name);
  const treatment = operandRuleOf(operator, valueKindOf(type), analysis.level);
  if (treatment === 'nil') return false;
  if (node.aspect === 'length') return type.nullDepth > 1 || referenceFails(node, analysis);
  const isExtended =
    operator.dialect === 'standard' ||
    value?.kind === 'reference' ||
    (value?.kind === 'value' && value.ignoreCase);
  // Operators that only the standard dialect has treat null as absent.
  if (type.nullDepth > (isExtended ? 1 : 0)) return true;
  if (referenceFails(node, analysis)) return true;
  switch (treatment) {
    case 'text':
    case 'coerce':
      return operator.equates === 'value' && needsInstance(node, type);
    case 'order':
      return needsInstance(node, type);
    case 'size':
      return false;
    case 'keys':
      return type.kind !== 'map' || !type.textKeys;
    case 'elements':
      if (type.kind !== 'list' && type.kind !== 'array') return true;
      return !isPlainScalar(type.of) || needsInstance(node, type.of);
    case 'refuse':
    case 'coerce-then-refuse':
      return true;
  }
}

/** Whether a row must contain an instance of the kind. Its string may be invalid. */
function needsInstance({ operator, value }: MatchExpression, type: Type): boolean {
  const kind = instanceKindOf(type);
  if (kind === null || !kind.isText) return false;
  const { name } = formOf(operator).operator;
  if ((name !== '==' && name !== 'in') || value?.kind !== 'value') return true;
  return !value.ignoreCase && kind.parse(value.text) !== null;
}

/** Whether reading the field after `@` may fail, or may yield a value that is not a required instance. */
function referenceFails({ value }: MatchExpression, analysis: Analysis): boolean {
  if (value?.kind !== 'reference') return false;
  const type = typeOfSafe(value.selector, analysis);
  if (type === null || type.kind === 'any' || type.nullDepth > 1) return true;
  return instanceKindOf(type)?.isText === true;
}

/** Whether the elements of a collection may be impossible to read. */
function walkFails(node: CollectionExpression, analysis: Analysis): boolean {
  const type = typeOfSafe(node.selector, analysis);
  if (type === null || type.nullDepth > 0 || clashingName(node.binding) !== null) return true;
  const isWalked = type.kind === 'list' || type.kind === 'array' || (type.kind === 'map' && type.textKeys);
  return !isWalked;
}

/** Returns the type that a selector resolves to in every row, possibly through an absent key; null if it may fail to resolve. */
function typeOfSafe(selector: Selector, analysis: Analysis): Type | null {
  const { binding, steps, type } = analysis.resolve(selector);
  if (binding !== null && binding.role !== 'element') {
    return isScalarBinding(binding) ? type : null;
  }
  const last = selector.path.length > 1 ? steps.length - 1 : -1;
  return steps.every((step, at) => isSafe(step, at === last)) ? type : null;
}

function isSafe(step: Step, isLast: boolean): boolean {
  switch (step.kind) {
    case 'field':
      return step.parent.nullDepth === 0;
    case 'key':
      return step.parent.nullDepth === 0 && isLast;
    default:
      return false;
  }
}

function isPlainScalar(type: Type): boolean {
  const isScalar = type.kind !== 'any' && type.kind !== 'struct' && type.kind !== 'map';
  return isScalar && type.kind !== 'list' && type.kind !== 'array' && type.nullDepth === 0;
}

/**
 * Whether a row of the declared type can exceed the allowed cost, by a long string, list or map. False only if that is known to
 * be impossible.
 */
export function mayExceed(node: Expression, analysis: Analysis, limits: CostLimits): boolean {
  const { maxSteps, maxSearchedText } = limits;
  if (node.kind === 'match') return matchExceeds(node, analysis, limits);
  if (node.kind === 'any' || node.kind === 'all')
    return maxSteps !== Infinity || maxSearchedText !== Infinity;
  return childrenOf(node).some((child) => mayExceed(child, analysis, limits));
}

function matchExceeds(
  { operator: form, selector, aspect, value }: MatchExpression,
  analysis: Analysis,
  { maxSteps, maxSearchedText }: CostLimits,
): boolean {
  const { steps, type } = analysis.resolve(selector);
  const { operator } = formOf(form);
  if (type === null) return true;
  const isLimited = maxSteps !== Infinity || maxSearchedText !== Infinity;
  if (aspect === 'length' || value?.kind === 'reference') return isLimited;
  // A Set that is used as a list is copied, which costs time.
  const mayBeSet = steps.some((step) => step.kind !== 'impossible' && setLike.has(step.type.kind));
  if (mayBeSet && maxSteps !== Infinity) return true;
  switch (operandRuleOf(operator, valueKindOf(type))) {
    case 'text':
      return !operator.isBounded && maxSearchedText !== Infinity;
    case 'elements':
      return maxSearchedText !== Infinity;
    case 'size':
      return type.kind === 'map' && maxSteps !== Infinity;
    default:
      return false;
  }
}

const setLike: ReadonlySet<Type['kind']> = new Set(['list', 'array', 'any']);
