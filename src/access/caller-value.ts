import type { Analysis } from '../language/schema/analysis.js';
import type { Step } from '../language/schema/resolve.js';
import type { Binding } from '../language/schema/scope.js';
import { anyType, type Type } from '../language/schema/type.js';
import type { Selector } from '../language/syntax/ast.js';
import { countCodePoints } from '../language/values/code-points.js';
import { asData, entriesOf, entryReader, isMap, sizeOfMap } from '../language/values/data.js';

/** The field under which rules read the caller. */
export const callerField = 'caller';

/** The current element of an unrolled quantifier over a collection of the caller. */
export interface Entry {
  element: unknown;
  /** The key of a map, or the index of a list. */
  key: unknown;
  /** The value of a single name: the key of a map, the element of a list. */
  main: unknown;
}

/** What unrolled quantifiers bind, by their loop variables. */
export type Entries = ReadonlyMap<Binding, Entry>;

/** A value that depends on the caller alone. */
export interface CallerValue {
  readonly type: Type;
  /** Returns the value; undefined if it is missing, also along its path. */
  readonly read: (caller: unknown) => unknown;
}

/** Returns the value of a selector that begins at the caller; null if it begins at the row. */
export function callerValueOf(selector: Selector, analysis: Analysis, entries: Entries): CallerValue | null {
  const { binding, steps, type } = analysis.resolve(selector);
  if (binding === null) {
    if (selector.path[0] !== callerField) return null;
    const rest = steps.slice(1);
    return { type: type ?? anyType, read: (caller) => follow(caller, rest) };
  }
  const entry = entries.get(binding);
  if (entry === undefined) return null;
  const part = partOf(binding);
  return { type: type ?? anyType, read: () => follow(entry[part], steps) };
}

function partOf({ role }: Binding): keyof Entry {
  if (role === 'element-or-key') return 'main';
  return role === 'element' ? 'element' : 'key';
}

function follow(start: unknown, steps: readonly Step[]): unknown {
  let value: unknown = asData(start);
  for (const step of steps) {
    const key = 'property' in step ? step.property : 'part' in step ? step.part : String(step.index);
    if (Array.isArray(value) && 'index' in step)
      value = typeof step.index === 'number' ? value[step.index] : undefined;
    else if (isMap(value) && step.kind !== 'index') value = entryReader(key)(value);
    else return undefined;
    value = typeof value === 'function' ? undefined : asData(value);
  }
  return value;
}

/** Returns the entries of a collection of the caller; null if it is missing or of another kind. */
export function callerEntries(value: unknown, type: Type): readonly Entry[] | null {
  if (Array.isArray(value) && type.kind !== 'map')
    return Array.from(value, (each: unknown, key) => ({ element: asData(each), key, main: asData(each) }));
  if (!isMap(value) || type.kind === 'list' || type.kind === 'array') return null;
  const entries = entriesOf(value);
  return entries?.map(([key, read]) => ({ element: asData(read()), key, main: key })) ?? null;
}

/** Returns the length of a caller's value: elements, keys or code points; undefined if it has none. */
export function callerLength(value: unknown): number | undefined {
  if (typeof value === 'string') return countCodePoints(value);
  if (Array.isArray(value)) return value.length;
  return isMap(value) ? sizeOfMap(value).size : undefined;
}

/** Returns an example of a caller's value that can be compared with a field, for checks before any caller exists. */
export function sampleOf(type: Type, field: Type): unknown {
  switch (type.kind) {
    case 'any':
      return field.kind === 'any' ? 'x' : sampleOf(field, field);
    case 'list':
    case 'array':
      return [sampleOf(type.of, field)];
    case 'map':
    case 'struct':
      return { x: '' };
    case 'bool':
      return true;
    default:
      return 'unit' in type ? 1 : (samples[type.kind] ?? 1);
  }
}

const samples: Readonly<Partial<Record<Type['kind'], string>>> = {
  string: 'x',
  time: '2026-01-01T00:00:00Z',
  duration: '1s',
  ip: '10.0.0.1',
  version: '1.0.0',
};
