import type {
  Aspect,
  Expression,
  MatchOperator,
  MatchValue,
  Name,
  Selector,
  Value,
} from '../../language/syntax/ast.js';
import {
  makeBinding,
  makeCollection,
  makeJunction,
  makeMatch,
  makeName,
  makeNot,
  makeReference,
  makeValue,
  makeValueList,
} from '../../language/syntax/factory.js';
import { selectorsOf } from '../../language/syntax/visit.js';
import { noSpan } from './literal.js';
import type { LiteralNode, OperandNode } from './operand.js';
import { boundSelectorOf, selectorOf, type Binder, type Reference } from './reference.js';

/** A condition before names for the bound elements are chosen. */
export type ConditionNode = MatchNode | JunctionNode | NotNode | CollectionNode | TreeNode;

export interface MatchNode {
  readonly kind: 'match';
  readonly operator: MatchOperator;
  readonly reference: Reference;
  readonly aspect: Aspect;
  /** The operand; null for operators without one. */
  readonly value: OperandNode | null;
}

export interface JunctionNode {
  readonly kind: 'and' | 'or';
  readonly first: ConditionNode;
  readonly others: readonly ConditionNode[];
}

export interface NotNode {
  readonly kind: 'not';
  readonly operand: ConditionNode;
}

export interface CollectionNode {
  readonly kind: 'any' | 'all';
  readonly reference: Reference;
  readonly element: Binder;
  readonly key: Binder;
  readonly body: ConditionNode;
}

/** A filter given as source. Its selectors start at the row or at names that it binds itself. */
export interface TreeNode {
  readonly kind: 'tree';
  readonly ast: Expression;
}

/** Returns the tree of a condition, without spans. @throws TypeError if an element is used outside of its callback. */
export function toExpression(node: ConditionNode): Expression {
  return new Renderer(firstPartsOf(node)).render(node, []);
}

function valueOf({ text, ignoreCase, form }: LiteralNode): Value {
  return makeValue(text, true, ignoreCase, form, noSpan);
}

/** A bound element or key, with the name chosen for it. */
interface NamedBinder {
  readonly binder: Binder;
  readonly name: string;
}

class Renderer {
  private readonly used = new Set<Binder>();

  /** @param taken names of fields, which a loop variable of the same name would hide */
  constructor(private readonly taken: ReadonlySet<string>) {}

  /** `scope` contains the element and the key of each enclosing collection, innermost first. */
  render(node: ConditionNode, scope: readonly NamedBinder[]): Expression {
    switch (node.kind) {
      case 'tree':
        return node.ast;
      case 'match': {
        const value = this.operand(node.value, scope);
        const selector = this.selector(node.reference, scope);
        return makeMatch(node.operator, noSpan, node.aspect, selector, value, noSpan);
      }
      case 'not':
        return makeNot(this.render(node.operand, scope), 1, noSpan);
      case 'and':
      case 'or': {
        const operands = operandsOf(node).map((operand) => this.render(operand, scope));
        return makeJunction(node.kind, operands, noSpan);
      }
      case 'any':
      case 'all':
        return this.collection(node, scope);
    }
  }

  private operand(value: OperandNode | null, scope: readonly NamedBinder[]): MatchValue | null {
    switch (value?.kind) {
      case undefined:
        return null;
      case 'literal':
        return valueOf(value);
      case 'reference':
        return makeReference(this.selector(value.reference, scope), noSpan);
      case 'list':
        return makeValueList(value.elements.map(valueOf), noSpan);
    }
  }

  /** Binds the names that the body uses: the key only if it is used, the element also if neither is. */
  private collection(node: CollectionNode, scope: readonly NamedBinder[]): Expression {
    const depth = scope.length / 2;
    const element = { binder: node.element, name: this.freeName(elementNames, depth) };
    const key = { binder: node.key, name: this.freeName(keyNames, depth) };
    const selector = this.selector(node.reference, scope);
    const body = this.render(node.body, [element, key, ...scope]);
    const bindsKey = this.used.has(node.key);
    const bindsElement = !bindsKey || this.used.has(node.element);
    const binding = makeBinding(
      null,
      bindsKey ? nameOf(key) : null,
      bindsElement ? nameOf(element) : null,
      noSpan,
    );
    return makeCollection(node.kind, selector, binding, body, noSpan);
  }

  private selector({ binder, path }: Reference, scope: readonly NamedBinder[]): Selector {
    if (binder === null) return selectorOf(path);
    const named = scope.find((each) => each.binder === binder);
    if (named === undefined) {
      throw new TypeError(`The ${binder.role} that any or all passes to its callback is valid only there`);
    }
    this.used.add(binder);
    return boundSelectorOf(named.name, path);
  }

  private freeName(names: readonly [string, ...string[]], depth: number): string {
    let name = names[depth] ?? `${names[0]}${depth + 1}`;
    while (this.taken.has(name)) name += '_';
    return name;
  }
}

const elementNames = ['x', 'y', 'z'] as const;
const keyNames = ['i', 'j', 'k'] as const;

function nameOf({ name }: NamedBinder): Name {
  return makeName(name, noSpan);
}

/** Returns the operands in order. `a.and(b).and(c)` is one chain, equivalent to `(a and b) and c`. */
function operandsOf(junction: JunctionNode): ConditionNode[] {
  const chain = [junction];
  let first = junction.first;
  while (first.kind === junction.kind) {
    chain.push(first);
    first = first.first;
  }
  return [first, ...chain.reverse().flatMap(({ others }) => others)];
}

/** Returns all names with which paths of the row begin. */
function firstPartsOf(root: ConditionNode): ReadonlySet<string> {
  const names = new Set<string>();
  const nodes = [root];
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    for (const { binder, path } of referencesOf(node)) if (binder === null) names.add(path[0] ?? '');
    if (node.kind === 'tree') for (const { path } of selectorsOf(node.ast)) names.add(path[0] ?? '');
    for (const part of partsOf(node)) nodes.push(part);
  }
  return names;
}

function referencesOf(node: ConditionNode): readonly Reference[] {
  if (!('reference' in node)) return [];
  const other = node.kind === 'match' && node.value?.kind === 'reference' ? [node.value.reference] : [];
  return [node.reference, ...other];
}

function partsOf(node: ConditionNode): readonly ConditionNode[] {
  switch (node.kind) {
    case 'and':
    case 'or':
      return [node.first, ...node.others];
    case 'not':
      return [node.operand];
    case 'any':
    case 'all':
      return [node.body];
    case 'match':
    case 'tree':
      return [];
  }
}
