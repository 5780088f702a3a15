import type { FieldAccess } from './value-access.js';

/** Marks a value that cannot have a code: its row must be evaluated instead. */
export const unexpected = Symbol('odd');
/** Marks a path that leads to no value. */
const absent = Symbol('absent');

/** Maximum length of a string with a code, in UTF-16 units; then the maximum number of elements of a list with a code. */
const maxLength = 1_000;
const maxElements = 64;

type Bag = Record<string, unknown>;

/** Returns the value of a row as a Map key, or {@link unexpected}. */
export type ReadValue = (row: unknown) => unknown;

/** Creates a row from a value that was read. An expression has the same result for it as for the original row. */
export type MakeSample = (value: unknown) => object;

/** A value with several parts, such as a list. `text` is its unique key; `sample` contains the parts. */
export class Compound {
  constructor(
    readonly text: string,
    readonly sample: unknown,
  ) {}
}

export function readerOf({ path, form, parts }: FieldAccess): ReadValue {
  const read = form === 'emptiness' ? emptinessOf : form === 'elements' ? elementsOf(parts) : valueOf;
  const [first = '', second = ''] = path;
  if (path.length === 1) return (row) => (isPlain(row) ? read(ownOf(row, first)) : unexpected);
  if (path.length === 2) {
    return (row) => {
      if (!isPlain(row)) return unexpected;
      const parent = row[first];
      return isPlain(parent) ? read(ownOf(parent, second)) : unexpected;
    };
  }
  return (row) => read(follow(row, path));
}

export function samplerOf({ path }: FieldAccess): MakeSample {
  return (value) => {
    const found = value instanceof Compound ? value.sample : value;
    return nest(path, found === absent ? undefined : found);
  };
}

/** Returns an object with a value at the end of a path. An undefined value is omitted. */
function nest(path: readonly string[], value: unknown): Bag {
  const root: Bag = {};
  put(root, path, value);
  return root;
}

function put(root: Bag, path: readonly string[], value: unknown): void {
  let bag = root;
  for (const name of path.slice(0, -1)) bag = (bag[name] ??= {}) as Bag;
  if (value !== undefined) bag[path[path.length - 1] ?? ''] = value;
}

function isPlain(value: unknown): value is Bag {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Returns a property. If its value is `undefined`, operators disagree whether it is present, so it has no code. */
function ownOf(bag: Bag, name: string): unknown {
  const value = bag[name];
  return value === undefined ? (name in bag ? unexpected : absent) : value;
}

function follow(row: unknown, path: readonly string[]): unknown {
  let value: unknown = row;
  for (const name of path) {
    if (!isPlain(value)) return unexpected;
    value = ownOf(value, name);
  }
  return value;
}

function valueOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? listOf(value) : scalarOf(value);
}

/** Returns a Map key that differs for all values that a filter distinguishes. */
function scalarOf(value: unknown): unknown {
  switch (typeof value) {
    case 'string':
      return value.length > maxLength ? unexpected : value;
    case 'number':
      return value === 0 && Object.is(value, -0) ? unexpected : value;
    case 'boolean':
      return value;
    case 'symbol':
      return value === absent ? absent : unexpected;
    case 'object':
      return value === null ? null : unexpected;
    default:
      // Includes bigints, which may have any number of digits.
      return unexpected;
  }
}

function listOf(value: object): unknown {
  if (!Array.isArray(value) || value.length > maxElements) return unexpected;
  if (Object.getPrototypeOf(value) !== Array.prototype) return unexpected;
  let text = '';
  for (let at = 0; at < value.length; at += 1) {
    const part = textOf(value[at]);
    if (part === null) return unexpected;
    text += part;
  }
  return text.length > maxLength ? unexpected : new Compound(`[${text}`, value);
}

/** Returns a string that identifies a scalar and is never a prefix of another; null if the value is not a scalar. */
function textOf(value: unknown): string | null {
  if (value === undefined || typeof value === 'symbol') return null;
  const scalar = scalarOf(value);
  if (scalar === unexpected) return null;
  const text = String(scalar);
  return `${(typeof scalar).charAt(0)}${text.length}:${text}`;
}

function emptinessOf(value: unknown): unknown {
  if (value === absent || value === null) return value;
  if (!isPlain(value)) return unexpected;
  let isEmpty = true;
  for (const key in value) {
    if (!Object.hasOwn(value, key)) continue;
    const found = value[key];
    if (found !== undefined && found !== null && typeof found !== 'function') return filled;
    isEmpty = false;
  }
  return isEmpty ? empty : unexpected;
}

const empty = new Compound('{', Object.freeze({}));
const filled = new Compound('{}', Object.freeze({ key: 'value' }));

function elementsOf(parts: readonly (readonly string[])[]): (value: unknown) => unknown {
  return (list) => {
    if (list === absent || list === null) return list;
    if (!Array.isArray(list) || list.length > maxElements) return unexpected;
    if (Object.getPrototypeOf(list) !== Array.prototype) return unexpected;
    let text = '{';
    const sample: unknown[] = [];
    for (let at = 0; at < list.length; at += 1) {
      const element: unknown = list[at];
      const reduced: Bag = {};
      let whole: unknown = reduced;
      for (const part of parts) {
        const value = follow(element, part);
        if (value === unexpected) return unexpected;
        const written = value === absent ? 'a:' : textOf(value);
        if (written === null) return unexpected;
        text += written;
        if (part.length === 0) whole = value;
        else put(reduced, part, value === absent ? undefined : value);
      }
      sample.push(whole);
      text += ';';
    }
    return text.length > maxLength ? unexpected : new Compound(text, sample);
  };
}
