import type { MatchExpression, Selector } from '../../language/syntax/ast.js';
import { addedReader, asData, entryReader, isMap, sizeOfSet } from '../../language/values/data.js';
import { isPlain } from '../../language/values/object-class.js';
import { kindOf, type ValueKind } from '../../language/values/kind.js';
import { internText } from '../../language/values/intern.js';
import {
  indivisibleDiagnostic,
  pathDiagnostic,
  type KeyFault,
  type KindFault,
} from '../../language/schema/semantic-diagnostics.js';
import type { ListIndex, PathFault, Step } from '../../language/schema/resolve.js';
import { isScalarBinding, type Binding } from '../../language/schema/scope.js';
import { intType, type Type } from '../../language/schema/type.js';
import type { LoopVariable } from './frame/loop-variable.js';
import type { CompileContext } from './frame/compile-context.js';
import { throwEvaluationError } from './frame/failure.js';
import { chargeSet } from './frame/cost-model.js';
import { createFixedArray } from './frame/fixed-array.js';
import { ABSENT, isNil, UNKNOWN } from './frame/sentinels.js';

/** Follows a path from the row. If the path ends early, returns ABSENT or UNKNOWN, or throws. */
export type Reader = (row: unknown) => unknown;

/** A selector resolved against the schema: a function that reads it, and the properties of its value. */
export interface CompiledSelector {
  readonly read: Reader;
  /** The type of the value; null if the path cannot reach one. */
  readonly type: Type | null;
  /** Returns the whole path in the current row, with bound names replaced. */
  readonly path: () => readonly string[];
  /** Whether untyped numbers count as integers. True for the index of a list. */
  readonly isIndex: boolean;
}

/** Reads one part of a path from the previous value. */
type StepReader = (value: unknown) => unknown;

/** Compiles a selector. `match` is the expression that contains it, for error messages. */
export function compileSelector(
  context: CompileContext,
  selector: Selector,
  match: MatchExpression | null = null,
): CompiledSelector {
  const { binding, parts, steps, type } = context.analysis.resolve(selector);
  if (binding === null) {
    const path = (): readonly string[] => selector.path;
    const read = follow(
      context,
      selector,
      steps,
      advancesOf(context, { selector, parts, steps, path, match }),
    );
    return { read, type, path, isIndex: false };
  }
  const cell = cellAt(context, binding.depth);
  if (isScalarBinding(binding)) return compileKey(context, selector, cell, binding);
  const path = (): readonly string[] => [...cell.path(), String(cell.key), ...parts];
  const rest = follow(context, selector, steps, advancesOf(context, { selector, parts, steps, path, match }));
  // Elements of the value of an unknown name are unknown too.
  const readElement: Reader = () => (cell.value === UNKNOWN ? UNKNOWN : rest(cell.value));
  if (binding.role === 'element') return { read: readElement, type, path, isIndex: false };
  const readKey = compileKey(context, selector, cell, binding).read;
  // A single loop variable is bound to the keys of a map, but to the elements of a list. The type of `key` shows which it is.
  const read: Reader = (row) => (typeof cell.key === 'string' ? readKey(row) : readElement(row));
  return { read, type, path, isIndex: false };
}

function compileKey(
  context: CompileContext,
  selector: Selector,
  cell: LoopVariable,
  { role, type }: Binding,
): CompiledSelector {
  const mayBeElement = role === 'element-or-key';
  const path = (): readonly string[] => selector.path;
  const isIndex = type === intType || type.kind === 'any';
  if (selector.path.length === 1) return { read: () => cell.key, type, path, isIndex };
  const read: Reader = () => {
    // If the loop variable is a key in this row, its parts count as absent.
    if (mayBeElement && context.policy.unresolved !== 'error') return ABSENT;
    const kind = typeof cell.key === 'string' ? 'string' : 'int';
    return throwEvaluationError(context.policy, indivisibleDiagnostic(selector, kind), selector, kind);
  };
  return { read, type: null, path, isIndex };
}

function cellAt(context: CompileContext, depth: number): LoopVariable {
  const cell = context.loopVariables[depth];
  if (cell === undefined) throw new RangeError(`There is no open collection at depth ${depth}`);
  return cell;
}

/** Follows a path part by part, reading each value as data. */
function follow(
  context: CompileContext,
  selector: Selector,
  steps: readonly Step[],
  advances: readonly StepReader[],
): Reader {
  const take = createTake(context, selector);
  const all = advances.map((advance, at) => advanceAsData(keyOf(steps[at]), take, advance));
  const [first, second] = all;
  if (first === undefined) return take;
  if (second === undefined) return (row) => take(first(row));
  return (row) => {
    let value = row;
    for (const advance of all) {
      value = advance(value);
      if (value === ABSENT || value === UNKNOWN) return value;
    }
    return take(value);
  };
}

function keyOf(step: Step | undefined): string | null {
  if (step === undefined || step.kind === 'index' || step.kind === 'impossible') return null;
  return step.kind === 'open' ? step.part : step.property;
}

/** Reads a part. Nearly every value is a plain object; for others, own properties take precedence over their contents as data. */
function advanceAsData(
  key: string | null,
  take: (value: unknown) => unknown,
  advance: StepReader,
): StepReader {
  const added = key === null ? null : addedReader(internText(key));
  if (added === null) return (value) => advance(take(value));
  return (value) => (isPlain(value) ? advance(value) : (added(value) ?? advance(take(value))));
}

/** Returns a function that converts a value to data. A Set must be copied, which is charged if it is large. */
function createTake(
  { meter, loopVariables }: CompileContext,
  selector: Selector,
): (value: unknown) => unknown {
  const walkCost = chargeSet(meter, loopVariables.length > 0, selector);
  return (value) => {
    if (typeof value !== 'object' || value === null) return value;
    const size = sizeOfSet(value);
    if (size > 0) walkCost(size);
    return asData(value);
  };
}

/** The data needed to read a part, in addition to the step itself. */
interface StepContext {
  /** Called if the part cannot be followed: throws, or returns ABSENT or UNKNOWN. */
  readonly miss: (fault: PathFault | KeyFault | KindFault, kind: ValueKind | null) => unknown;
  /** The result for a key missing from a map; null if that is a failure. */
  readonly missingKey: typeof ABSENT | typeof UNKNOWN | null;
  /** Whether a value can have the part of a struct or a map. */
  readonly hasParts: (value: unknown) => value is object;
}

/** Reads the parts of a selector: those after a loop variable, or all of them. */
interface PathReader {
  readonly selector: Selector;
  readonly parts: readonly string[];
  readonly steps: readonly Step[];
  readonly path: () => readonly string[];
  readonly match: MatchExpression | null;
}

function advancesOf(context: CompileContext, route: PathReader): StepReader[] {
  return route.steps.map((step, index) => advanceBy(step, footingOf(context, route, step, index)));
}

function footingOf(context: CompileContext, route: PathReader, step: Step, index: number): StepContext {
  const { selector, parts } = route;
  // A key after a loop variable is never the whole path, because the path begins with that of the element.
  const isLast = index === parts.length - 1 && selector.path.length > 1;
  const isNullable = step.kind === 'key' && step.parent.nullDepth > 0;
  const missingKey = context.unknown !== null ? UNKNOWN : isLast && !isNullable ? ABSENT : null;
  const hasParts = context.policy.unresolved === 'deny' ? isMap : isMapOrList;
  return { miss: createMiss(context, route, step, index), missingKey, hasParts };
}

function isMapOrList(value: unknown): value is object {
  return isMap(value) || Array.isArray(value);
}

function createMiss(
  { policy, unknown, analysis: { level } }: CompileContext,
  route: PathReader,
  step: Step,
  index: number,
): StepContext['miss'] {
  const { selector, parts, match } = route;
  return (fault, kind) => {
    if (unknown !== null && (fault.code === 'find-no-key' || fault.code === 'find-no-field')) return UNKNOWN;
    const dependsOnRow = step.kind !== 'impossible' || kind === 'nil';
    if (policy.unresolved !== 'error' && dependsOnRow) return ABSENT;
    const path = route.path();
    const part = path.length - parts.length + index;
    const written = selector.path.length - parts.length + index;
    return throwEvaluationError(
      policy,
      pathDiagnostic({ selector, path, part, written, match, level }, fault),
      selector,
      kind,
    );
  };
}

function advanceBy(step: Step, footing: StepContext): StepReader {
  switch (step.kind) {
    case 'field':
      return advanceByField(step.property, step.parent.nullDepth > 0, footing);
    case 'key':
      return advanceByKey(step.property, step.parent.nullDepth > 0, footing);
    case 'index':
      return advanceByIndex(step.index, step.parent, footing);
    case 'open':
      return advanceOpenly(step.part, step.index, footing);
    case 'impossible':
      return (value) => {
        if (isNil(value) && step.parent.nullDepth > 0) return missKind(footing, value);
        return footing.miss(step.fault, isNil(value) ? null : kindOf(value));
      };
  }
}

function missKind({ miss }: StepContext, value: unknown): unknown {
  const kind = kindOf(value);
  return miss({ code: 'find-invalid-kind', kind }, kind);
}

function advanceByField(property: string, isNullable: boolean, footing: StepContext): StepReader {
  const get = entryReader(internText(property));
  return (value) => {
    if (footing.hasParts(value)) return get(value);
    // A non-nullable struct that is absent or null reads as one whose fields are all zero.
    if (isNil(value) && !isNullable) return undefined;
    return missKind(footing, value);
  };
}

function advanceByKey(key: string, isNullable: boolean, footing: StepContext): StepReader {
  const get = entryReader(internText(key));
  return (value) => {
    if (footing.hasParts(value)) {
      const found = get(value);
      return found === undefined ? missKey(footing, key, value) : found;
    }
    return isNil(value) && !isNullable ? missKey(footing, key, null) : missKind(footing, value);
  };
}

function missKey({ miss, missingKey }: StepContext, key: string, parent: object | null): unknown {
  return missingKey ?? miss({ code: 'find-no-key', key, container: parent }, null);
}

function advanceByIndex(index: number, parent: Type, footing: StepContext): StepReader {
  const isNullable = parent.nullDepth > 0;
  const fix = createFixedArray(parent);
  return (value) => {
    if (isNil(value) && isNullable) return missKind(footing, value);
    const list = fix(value);
    if (Array.isArray(list)) return elementAt(list, index, footing);
    return isNil(list) ? elementAt([], index, footing) : missKind(footing, value);
  };
}

function elementAt(list: readonly unknown[], index: number, { miss }: StepContext): unknown {
  if (index >= 0 && index < list.length) return list[index];
  return miss({ code: 'find-out-of-range', index, length: list.length }, 'list');
}

function advanceOpenly(part: string, index: ListIndex, footing: StepContext): StepReader {
  const get = entryReader(internText(part));
  return (value) => {
    if (isMap(value)) {
      const found = get(value);
      return found === undefined ? missKey(footing, part, value) : found;
    }
    if (!Array.isArray(value)) return missKind(footing, value);
    if (index === 'not a number') return footing.miss({ code: 'find-bad-index', part }, 'list');
    return elementAt(value, index, footing);
  };
}
