import { emptyCollectionResult } from '../../language/syntax/ast.js';
import { asData, entriesOf, isMap as hasEntries } from '../../language/values/data.js';
import { kindOf } from '../../language/values/kind.js';
import {
  clashDiagnostic,
  collectionDiagnostic,
  mapKeyDiagnostic,
} from '../../language/schema/semantic-diagnostics.js';
import { clashingName } from '../../language/schema/scope.js';
import type { Analysis } from '../../language/schema/analysis.js';
import type { Type } from '../../language/schema/type.js';
import { valueKindOf } from '../../language/schema/value-kind.js';
import type { CollectionExpression } from '../../language/syntax/ast.js';
import type { CompileContext } from './frame/compile-context.js';
import { createLoopVariable, type LoopVariable } from './frame/loop-variable.js';
import { lazily } from './frame/lazy.js';
import { throwEvaluationError, type FailurePolicy } from './frame/failure.js';
import { walkCost, type WalkCost } from './frame/cost-model.js';
import { createFixedArray } from './frame/fixed-array.js';
import { ABSENT, isNil, UNKNOWN } from './frame/sentinels.js';
import type { Predicate } from './frame/predicate.js';
import { compileSelector, type CompiledSelector } from './reader.js';

/** The compiled parts of a collection expression. */
interface CollectionParts {
  readonly expression: CollectionExpression;
  readonly selector: CompiledSelector;
  readonly cell: LoopVariable;
  readonly body: Predicate;
  readonly policy: FailurePolicy;
  /** Charges the budget for the walk over the elements. */
  readonly cost: WalkCost;
  /** The value used for unknown names, and the body compiled for it; null if unknown names have no value. */
  readonly unknown: { readonly value: unknown; readonly body: Predicate } | null;
}

/** Creates the predicate of a body for the elements that the loop variable takes. */
export type CompileBody = (inside: CompileContext, cell: LoopVariable) => Predicate;

/** Compiles a collection expression. The walk over the elements is charged to `cost`. */
export function compileCollection(
  node: CollectionExpression,
  context: CompileContext,
  compileBody: CompileBody,
  cost = walkCost(node, context),
): Predicate {
  const { analysis, loopVariables, policy } = context;
  const selector = compileSelector(context, node.selector);
  const cell = createLoopVariable(selector.path);
  const bodyWithin = (within: Analysis): Predicate =>
    compileBody({ ...context, loopVariables: [...loopVariables, cell], analysis: within }, cell);
  return joinParts({
    expression: node,
    selector,
    cell,
    body: bodyWithin(analysis.body(node)),
    policy,
    cost,
    // The value of an unknown name can be of any kind, whatever the schema declares.
    unknown:
      context.unknown === null
        ? null
        : { value: context.unknown[0], body: lazily(() => bodyWithin(analysis.openBody(node))) },
  });
}

function joinParts(parts: CollectionParts): Predicate {
  const { selector, body, unknown } = parts;
  const denies = parts.policy.unresolved === 'deny';
  const empty = resultWithout(parts);
  const { type, read } = selector;
  const walk = createWalk(parts, body, false);
  const run =
    type === null || type.kind === 'any' ? createDynamicRun(parts, walk) : createTypedRun(parts, type, walk);
  const runUnknown = unknown === null ? run : createDynamicRun(parts, createWalk(parts, unknown.body, true));
  return (row) => {
    const collection = read(row);
    if (collection === ABSENT || (denies && isNil(collection))) return empty;
    return collection === UNKNOWN ? runUnknown(asData(unknown?.value), row) : run(collection, row);
  };
}

/** Returns the result for an absent collection. */
function resultWithout({ expression, policy }: Pick<CollectionParts, 'expression' | 'policy'>): boolean {
  return policy.unresolved !== 'deny' && emptyCollectionResult[expression.kind];
}

/** Evaluates the body for the elements of a value. */
type Run = (collection: unknown, row: unknown) => boolean;

interface Walk {
  list(list: readonly unknown[], row: unknown): boolean;
  map(map: object, row: unknown): boolean;
}

function createTypedRun(parts: CollectionParts, type: Type, walk: Walk): Run {
  const { expression, policy } = parts;
  const { selector } = expression;
  const isMap = type.kind === 'map';
  if (type.nullDepth > 0 || (!isMap && type.kind !== 'list' && type.kind !== 'array')) {
    const kind = valueKindOf(type);
    return () => throwEvaluationError(policy, collectionDiagnostic(selector, kind), selector, kind);
  }
  if (isMap && !type.textKeys) {
    return () => throwEvaluationError(policy, mapKeyDiagnostic(expression.kind, selector), selector, 'map');
  }
  const empty = resultWithout(parts);
  const fix = createFixedArray(type);
  return (value, row) => {
    const collection = fix(value);
    if (isNil(collection)) return empty;
    if (Array.isArray(collection))
      return isMap ? refuseCollection(parts, collection) : walk.list(collection, row);
    if (!isMap || !hasEntries(collection)) return refuseCollection(parts, collection);
    return walk.map(collection, row);
  };
}

function createDynamicRun(parts: CollectionParts, walk: Walk): Run {
  return (collection, row) => {
    if (Array.isArray(collection)) return walk.list(collection, row);
    if (!hasEntries(collection)) return refuseCollection(parts, collection);
    return walk.map(collection, row);
  };
}

function refuseCollection(parts: CollectionParts, value: unknown): boolean {
  const { expression, policy } = parts;
  if (policy.unresolved !== 'error') return resultWithout(parts);
  const kind = kindOf(value);
  return throwEvaluationError(
    policy,
    collectionDiagnostic(expression.selector, kind),
    expression.selector,
    kind,
  );
}

/**
 * Creates the walk over a collection. `isUnknown`: the collection belongs to the value of an unknown name, so its elements are
 * unknown too.
 */
function createWalk(
  { expression, cell, policy, cost }: CollectionParts,
  body: Predicate,
  isUnknown: boolean,
): Walk {
  const deciding = expression.kind === 'any';
  const { budget } = cost;
  const clash = clashingName(expression.binding);
  const enter = (): void => {
    if (clash === null) return;
    throwEvaluationError(policy, clashDiagnostic(clash, expression.binding.span), expression.selector, null);
  };
  const refuseKeys = (): boolean => {
    if (policy.unresolved !== 'error') return resultWithout({ expression, policy });
    return throwEvaluationError(
      policy,
      mapKeyDiagnostic(expression.kind, expression.selector),
      expression.selector,
      'map',
    );
  };
  return {
    list(list, row) {
      const { value, key } = cell;
      // If the list grows during the walk, the added elements are not read.
      const { length } = list;
      const outer = budget.open();
      try {
        for (let index = 0; index < length; index += 1) {
          if (index === 0) enter();
          cost.element(index);
          cell.value = isUnknown ? UNKNOWN : list[index];
          cell.key = index;
          if (body(row) === deciding) return deciding;
        }
        return !deciding;
      } finally {
        cell.value = value;
        cell.key = key;
        budget.close(outer);
      }
    },
    map(map, row) {
      const { value, key } = cell;
      const outer = budget.open();
      try {
        // All keys were enumerated at once, so all are charged at once.
        const entries = entriesOf(map);
        if (entries === null) return refuseKeys();
        cost.keys(entries.length);
        let index = 0;
        for (const [name, read] of entries) {
          const element = read();
          if (element === undefined) continue;
          enter();
          cost.element(index);
          index += 1;
          cell.value = isUnknown ? UNKNOWN : element;
          cell.key = name;
          if (body(row) === deciding) return deciding;
        }
        return !deciding;
      } finally {
        cell.value = value;
        cell.key = key;
        budget.close(outer);
      }
    },
  };
}
