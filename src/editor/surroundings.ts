import { bodyScope, emptyScope, isIndivisible, startOf, type Binding, type Scope } from '../schema/scope.js';
import { resolvePath } from '../schema/resolve.js';
import { anyType, type Type } from '../schema/type.js';
import type { CollectionExpression, Expression, MatchExpression, Selector } from '../syntax/ast.js';
import { walk } from '../syntax/visit.js';

/** A path into rows by the names that filters use. `null` stands for any element of a list or any value of a map. */
export type DataPath = readonly (string | null)[];

/** The names in force at a place of a filter, and the collections that they were bound over. */
export interface Surroundings {
  readonly root: Type;
  readonly scope: Scope;
  readonly origins: ReadonlyMap<Binding, DataPath | null>;
}

/**
 * What a selector leads to. `isKey` tells that it stands for a key of the map at `origin`, not for what is there. The origin
 * is null inside of a collection that the schema does not know.
 */
export interface Place {
  readonly type: Type;
  readonly origin: DataPath | null;
  readonly isKey: boolean;
}

export type Term = MatchExpression | CollectionExpression;

/** Follows a selector; null where the schema knows no such place. Hidden fields are no places. */
export function locate(selector: Selector, around: Surroundings): Place | null {
  const { binding, type, parts } = startOf(selector, around.root, around.scope);
  const collection = binding === null ? [] : (around.origins.get(binding) ?? null);
  if (binding !== null && isIndivisible(binding.role)) {
    return parts.length > 0 ? null : { type, origin: collection, isKey: true };
  }
  const { end } = resolvePath(type, parts);
  if (end === null) return null;
  const start = binding === null || collection === null ? collection : [...collection, null];
  return { type: end, origin: start === null ? null : [...start, ...parts], isKey: false };
}

/** Calls back for every match and collection in source order, with the names that its selector sees. */
export function eachTerm(
  ast: Expression,
  root: Type,
  visit: (term: Term, around: Surroundings) => void,
): void {
  const open: Surroundings[] = [{ root, scope: emptyScope, origins: new Map() }];
  const innermost = (): Surroundings => open.at(-1) ?? { root, scope: emptyScope, origins: new Map() };
  walk(ast, {
    match: (node) => visit(node, innermost()),
    collection(node) {
      visit(node, innermost());
      open.push(inside(node, innermost(), open.length - 1));
    },
    leave(node) {
      if (node.kind === 'any' || node.kind === 'all') open.pop();
    },
  });
}

/** The names that the body of a collection sees. */
function inside(node: CollectionExpression, around: Surroundings, depth: number): Surroundings {
  const place = locate(node.selector, around);
  const scope = bodyScope(node, place?.type ?? anyType, around.scope, depth);
  const origins = new Map(around.origins);
  for (const binding of scope) if (!origins.has(binding)) origins.set(binding, place?.origin ?? null);
  return { root: around.root, scope, origins };
}
