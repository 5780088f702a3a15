import { analyse, type Analysis, type WithPath } from '../../language/schema/analysis.js';
import { isScalarBinding, type Binding } from '../../language/schema/scope.js';
import type { Type } from '../../language/schema/type.js';
import type { CollectionExpression, Expression, MatchExpression } from '../../language/syntax/ast.js';
import { walk } from '../../language/syntax/visit.js';

/** A path into rows by filter names. `null` is any element of a list or any value of a map. */
export type DataPath = readonly (string | null)[];

/** The names in scope at an offset of a filter, and the collections that they were bound over. */
export interface ScopeAt {
  readonly analysis: Analysis;
  readonly origins: ReadonlyMap<Binding, DataPath | null>;
}

/**
 * What a selector resolves to. `isKey`: it is a key of the map at `origin`, not a value. The origin is null inside a collection
 * that the schema does not declare.
 */
export interface ResolvedField {
  readonly type: Type;
  readonly origin: DataPath | null;
  readonly isKey: boolean;
}

export type Term = MatchExpression | CollectionExpression;

/** Resolves a selector; null if the schema has no such path. Hidden fields are ignored. */
export function locate(selector: WithPath, { analysis, origins }: ScopeAt): ResolvedField | null {
  const { binding, parts, type } = analysis.resolve(selector);
  if (type === null) return null;
  const collection = binding === null ? [] : (origins.get(binding) ?? null);
  if (binding !== null && isScalarBinding(binding)) return { type, origin: collection, isKey: true };
  const start = binding === null || collection === null ? collection : [...collection, null];
  return { type, origin: start === null ? null : [...start, ...parts], isKey: false };
}

/** Calls `visit` for every match and collection in source order, with the names in scope for its selector. */
export function eachTerm(ast: Expression, root: Type, visit: (term: Term, around: ScopeAt) => void): void {
  const row: ScopeAt = { analysis: analyse(root), origins: new Map() };
  const open = [row];
  const innermost = (): ScopeAt => open.at(-1) ?? row;
  walk(ast, {
    match: (node) => visit(node, innermost()),
    collection(node) {
      visit(node, innermost());
      open.push(inside(node, innermost()));
    },
    leave(node) {
      if (node.kind === 'any' || node.kind === 'all') open.pop();
    },
  });
}

/** Returns the names in scope in the body of a collection. */
function inside(node: CollectionExpression, around: ScopeAt): ScopeAt {
  const analysis = around.analysis.body(node);
  const origin = locate(node.selector, around)?.origin ?? null;
  const origins = new Map(around.origins);
  for (const binding of analysis.scope) if (!origins.has(binding)) origins.set(binding, origin);
  return { analysis, origins };
}
