import type { CollectionExpression, Expression, Selector } from '../syntax/ast.js';
import type { Level } from '../syntax/dialect.js';
import { copyText } from '../../runtime/shared-identity.js';
import { resolvePath, type Step } from './resolve.js';
import { bodyScope, emptyScope, isScalarBinding, type Binding, type Scope } from './scope.js';
import { anyType, type Type } from './type.js';

/** A selector resolved against the types of the row. */
export interface ResolvedSelector {
  /** The loop variable that the selector starts with, which is its first part; null if it starts at the row. */
  readonly binding: Binding | null;
  /** The parts of the selector after the loop variable, or all parts. */
  readonly parts: readonly string[];
  /** One step for each part, applied to the previous value. If no value can be reached, the last step is `impossible`. */
  readonly steps: readonly Step[];
  /** The type of the value; null if no value can be reached. */
  readonly type: Type | null;
}

/** The part of a selector that callers with only a path can provide. */
export type WithPath = Pick<Selector, 'path'>;

/**
 * Static analysis of expressions on one kind of row: what selectors resolve to, and which names are in scope in collection
 * bodies. Results are computed on first use and cached, so that all passes over a filter share them. The filter and each
 * collection body have separate analyses, because one selector object of a tree built by a program can occur in several scopes.
 */
export class Analysis {
  private readonly selectors = new Map<WithPath, ResolvedSelector>();
  private bodies: Map<CollectionExpression, Analysis> | null = null;

  constructor(
    /** The type of a row. */
    readonly root: Type,
    /** The loop variables in scope. */
    readonly scope: Scope,
    /** Number of enclosing collections. */
    readonly depth: number,
    /** The language level at which the filter is evaluated. */
    readonly level: Level,
    /** Whether `unresolved` is `absent`. If so, no row makes a checked filter throw. */
    readonly isForgiving: boolean,
  ) {}

  resolve(selector: WithPath): ResolvedSelector {
    const known = this.selectors.get(selector);
    if (known !== undefined) return known;
    const fresh = resolveSelector(selector, this.root, this.scope);
    this.selectors.set(selector, fresh);
    return fresh;
  }

  /** Returns the analysis of the body of a collection. */
  body(node: CollectionExpression): Analysis {
    const bodies = (this.bodies ??= new Map());
    const known = bodies.get(node);
    if (known !== undefined) return known;
    const fresh = this.bodyOver(node, this.resolve(node.selector).type ?? anyType);
    bodies.set(node, fresh);
    return fresh;
  }

  /** Returns the analysis of the expressions directly below a node. */
  below(node: Expression): Analysis {
    return node.kind === 'any' || node.kind === 'all' ? this.body(node) : this;
  }

  /** Returns an analysis of the same scope that refers to no expression and no source. */
  detached(): Analysis {
    const { root, scope, depth, level, isForgiving } = this;
    const names = scope.map((binding) => ({ ...binding, name: copyText(binding.name) }));
    return new Analysis(root, names, depth, level, isForgiving);
  }

  /** Like {@link body}, but ignores declared types: the row alone determines the collection. */
  openBody(node: CollectionExpression): Analysis {
    return this.bodyOver(node, anyType);
  }

  private bodyOver({ binding }: CollectionExpression, collection: Type): Analysis {
    const { root, scope, depth, level, isForgiving } = this;
    return new Analysis(root, bodyScope(binding, collection, scope, depth), depth + 1, level, isForgiving);
  }
}

/** Creates the analysis of expressions on rows of a type. */
export function analyse(root: Type, level: Level = 1, isForgiving = false): Analysis {
  return new Analysis(root, emptyScope, 0, level, isForgiving);
}

/** Resolves a selector. A loop variable hides a field of the same name, also in pointers. */
function resolveSelector({ path }: WithPath, root: Type, scope: Scope): ResolvedSelector {
  const binding = scope.find(({ name }) => name === path[0]) ?? null;
  if (binding === null) {
    const { steps, end } = resolvePath(root, path);
    return { binding, parts: path, steps, type: end };
  }
  const parts = path.slice(1);
  if (isScalarBinding(binding)) {
    return { binding, parts, steps: [], type: parts.length === 0 ? binding.type : null };
  }
  const { steps, end } = resolvePath(binding.type, parts);
  return { binding, parts, steps, type: end };
}
