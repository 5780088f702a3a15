import type { CollectionBinding } from '../syntax/ast.js';
import { anyType, intType, stringType, type Type } from './type.js';

/**
 * What a bound name refers to: the `element` of a list (or the value of a map), its `key` (string) or `index` (int), or, over a
 * collection whose kind only the row determines, `element-or-key`.
 */
export type BindingRole = 'element' | 'key' | 'index' | 'element-or-key' | 'key-or-index';

/** A bound name in scope. */
export interface Binding {
  readonly name: string;
  readonly role: BindingRole;
  readonly type: Type;
  /** Number of enclosing collections; identifies the row that the name was bound in. */
  readonly depth: number;
}

/** The names in scope, innermost first. */
export type Scope = readonly Binding[];

export const emptyScope: Scope = Object.freeze([]);

/** Whether the bound name has no parts: `k.a` is impossible for a key `k`. */
export function isScalarBinding({ role }: Binding): boolean {
  return role === 'key' || role === 'index' || role === 'key-or-index';
}

/** Returns equivalents of a path of the row that start at bound elements: `g.Count` for `Count`, if `g` has a Count. */
export function fromElementsOf(path: readonly string[], scope: Scope): string[][] {
  const [first = ''] = path;
  return scope.flatMap(({ name, role, type }) =>
    role === 'element' && type.kind === 'struct' && type.fields.has(first) ? [[name, ...path]] : [],
  );
}

/** Returns the scope of a collection's body. `collection` is the iterated type, `depth` the number of enclosing collections. */
export function bodyScope(binding: CollectionBinding, collection: Type, scope: Scope, depth: number): Scope {
  const { element, key } = partsOf(collection);
  const bound: Binding[] = [];
  if (binding.default !== null) bound.push({ name: binding.default.text, ...defaultOf(collection), depth });
  if (binding.value !== null) bound.push({ name: binding.value.text, role: 'element', type: element, depth });
  if (binding.index !== null) bound.push({ name: binding.index.text, ...key, depth });
  return [...bound, ...scope];
}

/** Returns a name that is used for both index and value. It is rejected, but only if the body is reached. */
export function clashingName(binding: CollectionBinding): string | null {
  const { index, value } = binding;
  return index !== null && value !== null && index.text === value.text ? index.text : null;
}

function partsOf(collection: Type): { element: Type; key: { role: BindingRole; type: Type } } {
  switch (collection.kind) {
    case 'map':
      return { element: collection.of, key: { role: 'key', type: stringType } };
    case 'list':
    case 'array':
      return { element: collection.of, key: { role: 'index', type: intType } };
    default:
      return { element: anyType, key: { role: 'key-or-index', type: anyType } };
  }
}

function defaultOf(collection: Type): { role: BindingRole; type: Type } {
  const { element, key } = partsOf(collection);
  if (collection.kind === 'map') return key;
  return { role: collection.kind === 'any' ? 'element-or-key' : 'element', type: element };
}
