import { sharedWeakMap } from '../../runtime/shared-identity.js';
import type { Selector } from '../../language/syntax/ast.js';
import { isPlainName, pointerTo } from '../../language/syntax/literal.js';
import { makeSelector } from '../../language/syntax/factory.js';
import { noSpan, requireText } from './literal.js';

/** One step of a path: a field or key, or the index of a list element. */
export type PathPart = string | number;

/** A path to a field, created by `field` or `where`. It appears as a name in the source of a filter. */
export interface FieldPath {
  /** The parts as strings. */
  readonly path: readonly string[];
}

/** The element or key bound by an `any` or `all`. It gets its name when the filter is printed. */
export interface Binder {
  readonly role: 'element' | 'key';
}

/** The location of a value: relative to the row, or to the value of a binder. */
export interface Reference {
  readonly binder: Binder | null;
  readonly path: readonly string[];
}

/** The registered path objects. Prevents data that only looks like a path, such as parsed JSON, from being used as a path. */
const references = sharedWeakMap<object, Reference>('references');

/** Registers an object that represents a reference in templates. */
export function register<T extends FieldPath>(object: T, reference: Reference): T {
  references.set(object, reference);
  return Object.freeze(object);
}

/** Returns the reference that a path represents; null for other values. */
export function referenceOf(value: unknown): Reference | null {
  return typeof value === 'object' && value !== null ? (references.get(value) ?? null) : null;
}

/**
 * Returns a path to a field, for templates: `field('Meta', 'cpu.arch')`. Each argument is one part, whatever characters it has.
 *
 * @throws TypeError if a part is neither a string nor an index.
 */
export function field(...path: readonly [PathPart, ...PathPart[]]): FieldPath {
  const parts = readPath(path, 'field');
  if (parts.length === 0) throw new TypeError('field: the path has no parts');
  return register({ path: parts }, { binder: null, path: parts });
}

/** Checks the parts of a path and converts them to strings. */
export function readPath(path: readonly unknown[], position: string): readonly string[] {
  return Object.freeze(
    path.map((part, index) => readPart(part, `${position}: part ${index + 1} of the path`)),
  );
}

function readPart(part: unknown, position: string): string {
  if (typeof part === 'string') return requireText(part, position);
  if (typeof part === 'number' && Number.isSafeInteger(part) && part >= 0) return String(part);
  throw new TypeError(
    `${position}: expected a name or the index of an element, got ${typeof part === 'number' ? part : typeof part}`,
  );
}

/** Returns the selector of a path from the row. If level 0 can write it only as a pointer, it is one. */
export function selectorOf(path: readonly string[]): Selector {
  const [first = ''] = path;
  if (isPlainName(first)) return selector('bexpr', path);
  return selector(pointerTo(path) === null ? 'bexpr' : 'pointer', path);
}

/** Returns the selector of a path from a bound name. */
export function boundSelectorOf(bound: string, path: readonly string[]): Selector {
  return selector('bexpr', [bound, ...path]);
}

function selector(form: Selector['form'], path: readonly string[]): Selector {
  return makeSelector(
    form,
    [...path],
    path.map(() => noSpan),
    noSpan,
  );
}
