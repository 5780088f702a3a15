import { fieldPathText } from '../../language/syntax/field-path.js';
import { operandRuleOf } from '../../language/operators/operator.js';
import { formOf } from '../../language/operators/operators.js';
import type { Analysis, WithPath } from '../../language/schema/analysis.js';
import type { Step } from '../../language/schema/resolve.js';
import type { Type } from '../../language/schema/type.js';
import { valueKindOf } from '../../language/schema/value-kind.js';
import {
  assertNever,
  type CollectionExpression,
  type Expression,
  type MatchExpression,
} from '../../language/syntax/ast.js';
import { isOrdering } from '../../language/values/ordering.js';

/**
 * The single value of a row that an expression reads. Rows in which it is equal have the same result. `form` says what is read:
 * the value itself, whether a map is empty, or some values of each object in a list.
 */
export interface FieldAccess {
  /** Names of properties and keys, starting at the row. */
  readonly path: readonly string[];
  readonly form: 'value' | 'emptiness' | 'elements';
  /** The paths read in each element, for the form that reads elements. */
  readonly parts: readonly (readonly string[])[];
}

/** Returns a name that is equal for equal accesses. */
export function nameOf({ path, form, parts }: FieldAccess): string {
  return JSON.stringify(form === 'elements' ? [path, parts] : [path, form]);
}

/** Returns a path in readable form. */
export function pathText({ path }: FieldAccess): string {
  const text = fieldPathText(path);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

/** Returns the value that an expression reads; null if that is unknown, or if it reads more than one. */
export function accessOf(node: Expression, analysis: Analysis): FieldAccess | null {
  switch (node.kind) {
    case 'match':
      return readingOfMatch(node, analysis);
    case 'any':
    case 'all':
      return readingOfElements(node, analysis);
    default:
      return null;
  }
}

function readingOfMatch(node: MatchExpression, analysis: Analysis): FieldAccess | null {
  if (node.value?.kind === 'reference') return null;
  const { binding, steps, type } = analysis.resolve(node.selector);
  const path = binding === null ? pathOf(steps) : null;
  if (path === null || path.length === 0 || type === null) return null;
  return { path, form: readsSize(node, type) ? 'emptiness' : 'value', parts: [] };
}

function readsSize({ operator, aspect }: MatchExpression, type: Type): boolean {
  const rule = operandRuleOf(formOf(operator).operator, valueKindOf(type));
  return type.kind === 'map' && aspect === 'value' && rule === 'size';
}

/** Returns the list that a collection expression reads; null if its body reads anything but values of the element. */
function readingOfElements(node: CollectionExpression, analysis: Analysis): FieldAccess | null {
  const { binding, steps, type } = analysis.resolve(node.selector);
  const path = binding === null ? pathOf(steps) : null;
  if (path === null || path.length === 0 || (type?.kind !== 'list' && type?.kind !== 'array')) return null;
  const parts = new Map<string, readonly string[]>();
  if (!collectParts(node.body, analysis.body(node), parts)) return null;
  return { path, form: 'elements', parts: [...parts.keys()].sort().map((key) => parts.get(key) ?? []) };
}

function collectParts(node: Expression, analysis: Analysis, parts: Map<string, readonly string[]>): boolean {
  switch (node.kind) {
    case 'and':
    case 'or':
      return node.operands.every((operand) => collectParts(operand, analysis, parts));
    case 'not':
      return collectParts(node.operand, analysis, parts);
    case 'match': {
      if (node.value?.kind === 'reference') return false;
      const { binding, steps, type } = analysis.resolve(node.selector);
      const path = binding?.role === 'element' ? pathOf(steps) : null;
      if (path === null || type === null || readsSize(node, type)) return false;
      parts.set(JSON.stringify(path), path);
      return true;
    }
    case 'any':
    case 'all':
      return false;
    default:
      return assertNever(node);
  }
}

/** Returns the names on a path of properties and keys; null for any other path, or for a name that every object inherits. */
function pathOf(steps: readonly Step[]): readonly string[] | null {
  const path: string[] = [];
  for (const step of steps) {
    if (step.kind !== 'field' && step.kind !== 'key') return null;
    if (step.property in Object.prototype) return null;
    path.push(step.property);
  }
  return path;
}

/**
 * Returns the number type if a match orders numbers by a literal; otherwise null. Its result then changes at most at one number.
 */
export function isOrderingOfNumbers(node: MatchExpression, analysis: Analysis): 'int' | 'float' | null {
  if (node.aspect !== 'value' || node.value?.kind !== 'value') return null;
  if (!isOrdering(formOf(node.operator).operator.name)) return null;
  const { type } = analysis.resolve(node.selector as WithPath);
  if (type === null || type.nullDepth > 0) return null;
  const kind = valueKindOf(type);
  if (kind === 'int' || kind === 'uint') return 'int';
  return kind === 'float64' ? 'float' : null;
}
