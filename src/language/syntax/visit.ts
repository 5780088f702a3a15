import { checkMembers, type OptionNames } from '../diagnostics/options.js';
import type {
  AndExpression,
  CollectionExpression,
  Expression,
  MatchExpression,
  NotExpression,
  OrExpression,
  Selector,
} from './ast.js';

/**
 * Callbacks for the nodes of a tree. All members are optional and are called in source order: for each node first `enter`, then
 * the member for its kind, then its children are walked, then `leave`.
 *
 * `enter` returning `'skip'` skips the member for the kind and the children, but not `leave`; `'stop'` from `enter` ends the
 * whole walk at once. A binding of a collection is in scope between its `enter` and its `leave`, so a checker keeps a stack of
 * scopes with these two.
 */
export interface Visitor {
  enter?(node: Expression, parent: Expression | null): 'skip' | 'stop' | void;
  leave?(node: Expression, parent: Expression | null): void;
  or?(node: OrExpression, parent: Expression | null): void;
  and?(node: AndExpression, parent: Expression | null): void;
  not?(node: NotExpression, parent: Expression | null): void;
  match?(node: MatchExpression, parent: Expression | null): void;
  /** For `any` and `all` alike; the body is walked afterwards. */
  collection?(node: CollectionExpression, parent: Expression | null): void;
}

interface Step {
  readonly node: Expression;
  readonly parent: Expression | null;
  readonly isLeaving: boolean;
}

const visitorMembers = [
  'enter',
  'leave',
  'or',
  'and',
  'not',
  'match',
  'collection',
] as const satisfies OptionNames<Visitor>;

/**
 * Calls a visitor for every node of a tree in source order, without recursion: no depth of nesting exhausts the stack.
 *
 * @throws TypeError if a plain-object visitor has an unknown member.
 */
export function walk(expression: Expression, visitor: Visitor): void {
  checkMembers('walk', visitor, visitorMembers);
  const steps: Step[] = [{ node: expression, parent: null, isLeaving: false }];
  for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
    const { node, parent, isLeaving } = step;
    if (isLeaving) {
      visitor.leave?.(node, parent);
      continue;
    }
    const verdict = visitor.enter?.(node, parent);
    if (verdict === 'stop') return;
    steps.push({ node, parent, isLeaving: true });
    if (verdict === 'skip') continue;
    visit(node, parent, visitor);
    for (const child of childrenOf(node).toReversed())
      steps.push({ node: child, parent: node, isLeaving: false });
  }
}

function visit(node: Expression, parent: Expression | null, visitor: Visitor): void {
  switch (node.kind) {
    case 'or':
      return visitor.or?.(node, parent);
    case 'and':
      return visitor.and?.(node, parent);
    case 'not':
      return visitor.not?.(node, parent);
    case 'match':
      return visitor.match?.(node, parent);
    case 'any':
    case 'all':
      return visitor.collection?.(node, parent);
  }
}

/** Returns all selectors of a tree in source order, including those of references and of loop variables. */
export function selectorsOf(expression: Expression): readonly Selector[] {
  const selectors: Selector[] = [];
  walk(expression, {
    match({ selector, value }) {
      selectors.push(selector);
      if (value?.kind === 'reference') selectors.push(value.selector);
    },
    collection: ({ selector }) => void selectors.push(selector),
  });
  return selectors;
}

/** The expressions directly below a node, in source order. */
export function childrenOf(node: Expression): readonly Expression[] {
  switch (node.kind) {
    case 'or':
    case 'and':
      return node.operands;
    case 'not':
      return [node.operand];
    case 'any':
    case 'all':
      return [node.body];
    case 'match':
      return [];
  }
}
