import { parseGoInt } from '../values/go-number.js';
import { anyType, type MapType, type StructType, type Type } from './type.js';
import { storedKindOf, type StoredKind } from './value-kind.js';

/** One part of a path, applied to the previous value. */
export type Step =
  | { readonly kind: 'field'; readonly property: string; readonly parent: StructType; readonly type: Type }
  | { readonly kind: 'key'; readonly property: string; readonly parent: MapType; readonly type: Type }
  | { readonly kind: 'index'; readonly index: number; readonly parent: Type; readonly type: Type }
  /** The value's kind at run time decides the meaning of the part. */
  | { readonly kind: 'open'; readonly part: string; readonly index: ListIndex; readonly type: Type }
  /** No value can have this part. */
  | { readonly kind: 'impossible'; readonly part: string; readonly parent: Type; readonly fault: PathFault };

/** A part read as a list index, or the fact that it is not a number. */
export type ListIndex = number | 'not a number';

/** Why a path cannot be resolved for any row. */
export type PathFault =
  | { readonly code: 'find-no-field'; readonly field: string; readonly candidates: readonly string[] }
  | { readonly code: 'find-bad-index'; readonly part: string }
  | { readonly code: 'find-out-of-range'; readonly index: number; readonly length: number | null }
  | { readonly code: 'find-invalid-kind'; readonly kind: StoredKind; readonly keyPart?: number | null };

/** A path resolved against a type. `end` is null if the path is impossible: its last step has the reason. */
export interface Resolution {
  readonly steps: readonly Step[];
  readonly end: Type | null;
}

/** Resolves the parts of a path against the type at which they start. */
export function resolvePath(start: Type, parts: readonly string[]): Resolution {
  const steps: Step[] = [];
  let type = start;
  for (const part of parts) {
    const step = resolvePart(type, part);
    steps.push(step);
    if (step.kind === 'impossible') return { steps, end: null };
    type = step.type;
  }
  return { steps, end: type };
}

function resolvePart(parent: Type, part: string): Step {
  switch (parent.kind) {
    case 'any':
      return { kind: 'open', part, index: readIndex(part), type: parent };
    case 'struct':
      return resolveField(parent, part);
    case 'map':
      return resolveKey(parent, part);
    case 'list':
      return resolveIndex(parent, parent.of, part, null);
    case 'array':
      return resolveIndex(parent, parent.of, part, parent.length);
    default:
      return {
        kind: 'impossible',
        part,
        parent,
        fault: { code: 'find-invalid-kind', kind: storedKindOf(parent) },
      };
  }
}

function resolveField(parent: StructType, part: string): Step {
  const field = parent.fields.get(part);
  if (field !== undefined) return { kind: 'field', property: field.property, parent, type: field.type };
  if (parent.open === true) return { kind: 'open', part, index: readIndex(part), type: anyType };
  const fault = { code: 'find-no-field', field: part, candidates: fieldNamesOf(parent) } as const;
  return { kind: 'impossible', part, parent, fault };
}

/** Returns the same list object each time, so that derived results are shared. */
function fieldNamesOf(parent: StructType): readonly string[] {
  let names = fieldNames.get(parent);
  if (names === undefined) fieldNames.set(parent, (names = [...parent.fields.keys()]));
  return names;
}

const fieldNames = new WeakMap<StructType, readonly string[]>();

function resolveKey(parent: MapType, part: string): Step {
  if (!parent.integerKeys) return { kind: 'key', property: part, parent, type: parent.of };
  // As for a list, the empty part is 0.
  const index = part === '' ? 0n : parseGoInt(part);
  if (typeof index === 'string')
    return { kind: 'impossible', part, parent, fault: { code: 'find-bad-index', part } };
  return { kind: 'key', property: String(index), parent, type: parent.of };
}

function resolveIndex(parent: Type, of: Type, part: string, length: number | null): Step {
  const index = readIndex(part);
  if (index === 'not a number')
    return { kind: 'impossible', part, parent, fault: { code: 'find-bad-index', part } };
  if (index < 0 || (length !== null && index >= length)) {
    return { kind: 'impossible', part, parent, fault: { code: 'find-out-of-range', index, length } };
  }
  return { kind: 'index', index, parent, type: of };
}

/** A list index as Go reads it: any base prefix counts, and the empty part is 0. */
export function readIndex(part: string): ListIndex {
  if (part === '') return 0;
  const index = parseGoInt(part);
  return typeof index === 'string' ? 'not a number' : Number(index);
}
