import { kindOf } from '../values/kind.js';
import { ownValue } from '../values/own-property.js';
import { clashComplaint, collectionComplaint, mapKeyComplaint } from '../schema/complaint.js';
import { emptyCollectionAnswer } from '../schema/operators.js';
import { clashingName } from '../schema/scope.js';
import type { Type } from '../schema/type.js';
import { valueKindOf } from '../schema/value-kind.js';
import type { CollectionExpression } from '../syntax/ast.js';
import type { Cell } from './cell.js';
import { raise, type FailurePolicy } from './failure.js';
import { createFixedArray } from './fixed-array.js';
import { ABSENT, UNKNOWN } from './outcome.js';
import type { CompiledSelector } from './reader.js';

/** A compiled expression: whether it holds for a row. */
export type Predicate = (row: unknown) => boolean;

/** The parts of a collection expression, compiled. */
export interface CollectionParts {
  readonly expression: CollectionExpression;
  readonly selector: CompiledSelector;
  readonly cell: Cell;
  readonly body: Predicate;
  readonly policy: FailurePolicy;
  /** What stands for a name that is not found. */
  readonly unknownValue: unknown;
}

export function compileCollection(parts: CollectionParts): Predicate {
  const { selector, expression, unknownValue } = parts;
  const empty = emptyCollectionAnswer[expression.kind];
  const walk = createWalk(parts);
  const run =
    selector.type === null || selector.type.kind === 'any'
      ? createOpenRun(parts, walk)
      : createTypedRun(parts, selector.type, walk);
  const runOpenly = createOpenRun(parts, walk);
  const { read } = selector;
  return (row) => {
    const collection = read(row);
    if (collection === ABSENT) return empty;
    return collection === UNKNOWN ? runOpenly(unknownValue, row, true) : run(collection, row, false);
  };
}

/** Runs the body over a value. `isUnknown`: the value stands for a name that was not found. */
type Run = (collection: unknown, row: unknown, isUnknown: boolean) => boolean;

interface Walk {
  list(list: readonly unknown[], row: unknown, isUnknown: boolean): boolean;
  map(map: object, row: unknown, isUnknown: boolean): boolean;
}

function createTypedRun(parts: CollectionParts, type: Type, walk: Walk): Run {
  const { expression, policy } = parts;
  const { selector } = expression;
  const isMap = type.kind === 'map';
  if (type.pointers > 0 || (!isMap && type.kind !== 'list' && type.kind !== 'array')) {
    const kind = valueKindOf(type);
    return () => raise(policy, collectionComplaint(selector, kind), selector, kind);
  }
  if (isMap && !type.textKeys) {
    return () => raise(policy, mapKeyComplaint(expression.kind, selector), selector, 'map');
  }
  const empty = emptyCollectionAnswer[expression.kind];
  const fix = createFixedArray(type);
  return (value, row) => {
    const collection = fix(value);
    if (collection === null || collection === undefined) return empty;
    if (Array.isArray(collection))
      return isMap ? refuseCollection(parts, collection) : walk.list(collection, row, false);
    if (typeof collection !== 'object' || !isMap) return refuseCollection(parts, collection);
    return walk.map(collection, row, false);
  };
}

function createOpenRun(parts: CollectionParts, walk: Walk): Run {
  return (collection, row, isUnknown) => {
    if (Array.isArray(collection)) return walk.list(collection, row, isUnknown);
    if (typeof collection !== 'object' || collection === null) return refuseCollection(parts, collection);
    return walk.map(collection, row, isUnknown);
  };
}

function refuseCollection({ expression, policy }: CollectionParts, value: unknown): boolean {
  if (policy.unresolved === 'absent') return emptyCollectionAnswer[expression.kind];
  const kind = kindOf(value);
  return raise(policy, collectionComplaint(expression.selector, kind), expression.selector, kind);
}

function createWalk({ expression, cell, body, policy }: CollectionParts): Walk {
  const deciding = expression.kind === 'any';
  const clash = clashingName(expression.binding);
  const enter = (): void => {
    if (clash === null) return;
    raise(policy, clashComplaint(clash, expression.binding.span), expression.selector, null);
  };
  return {
    list(list, row, isUnknown) {
      const { value, key } = cell;
      try {
        for (let index = 0; index < list.length; index += 1) {
          if (index === 0) enter();
          cell.value = isUnknown ? UNKNOWN : list[index];
          cell.key = index;
          if (body(row) === deciding) return deciding;
        }
        return !deciding;
      } finally {
        cell.value = value;
        cell.key = key;
      }
    },
    map(map, row, isUnknown) {
      const { value, key } = cell;
      try {
        for (const name in map) {
          const element = ownValue(map, name);
          if (element === undefined) continue;
          enter();
          cell.value = isUnknown ? UNKNOWN : element;
          cell.key = name;
          if (body(row) === deciding) return deciding;
        }
        return !deciding;
      } finally {
        cell.value = value;
        cell.key = key;
      }
    },
  };
}
