import { checkMembers, describe, type OptionNames } from '../diagnostics/options.js';
import type {
  AndExpression,
  CollectionExpression,
  Expression,
  MatchExpression,
  NotExpression,
  OrExpression,
} from './ast.js';
import { makeCollection, makeJunction, makeMatch, makeNot } from './factory.js';
import { childrenOf } from './visit.js';

/**
 * Replacement functions for the nodes of a tree. All members are optional. Each receives a node whose children are already
 * rewritten, and returns the node itself or a replacement.
 */
export interface Rewriter {
  or?(node: OrExpression): Expression;
  and?(node: AndExpression): Expression;
  not?(node: NotExpression): Expression;
  match?(node: MatchExpression): Expression;
  /** For `any` and `all` alike. */
  collection?(node: CollectionExpression): Expression;
}

const rewriterMembers = ['or', 'and', 'not', 'match', 'collection'] as const satisfies OptionNames<Rewriter>;

interface Step {
  readonly node: Expression;
  readonly isLeaving: boolean;
}

/**
 * Returns a tree rewritten from the leaves up, without recursion. The tree itself stays as it is, and what does not change of it is
 * part of the new one. What the members return is brought into the form of the parser's trees (see {@link Expression}): an
 * `and` that ends an `and` is part of it, a `not` over a `not` cancels. Spans stay those of the nodes that they came from.
 * Nodes that a member puts below the one that it returns stay as they are.
 *
 * ```ts
 * // Status becomes State everywhere.
 * const renamed = rewrite(parse(text).ast, {
 *   match: (node) =>
 *     node.selector.path[0] === 'Status'
 *       ? { ...node, selector: { ...node.selector, path: ['State', ...node.selector.path.slice(1)] } }
 *       : node,
 * });
 * compileFilter(renamed);
 * ```
 *
 * @throws TypeError if a member returns something other than a node, or if a plain-object rewriter has an unknown member.
 */
export function rewrite(expression: Expression, rewriter: Rewriter): Expression {
  if (!isNode(expression))
    throw new TypeError(`rewrite: expected the tree of a filter, not ${describe(expression)}`);
  checkMembers('rewrite', rewriter, rewriterMembers);
  const steps: Step[] = [{ node: expression, isLeaving: false }];
  /** Finished children; those of the innermost open node are last. */
  const done: Expression[] = [];
  for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
    const { node, isLeaving } = step;
    const children = childrenOf(node);
    if (isLeaving) {
      const rewritten = done.splice(done.length - children.length);
      done.push(normalise(replace(rebuild(node, children, rewritten), rewriter)));
      continue;
    }
    steps.push({ node, isLeaving: true });
    for (const child of children.toReversed()) steps.push({ node: child, isLeaving: false });
  }
  return done[0] ?? expression;
}

/** Returns the node with new children; the node itself if they are unchanged. */
function rebuild(
  node: Expression,
  children: readonly Expression[],
  rewritten: readonly Expression[],
): Expression {
  if (children.every((child, at) => child === rewritten[at])) return node;
  const [only = node] = rewritten;
  switch (node.kind) {
    case 'or':
    case 'and':
      return { ...node, operands: rewritten };
    case 'not':
      return { ...node, operand: only };
    case 'any':
    case 'all':
      return { ...node, body: only };
    case 'match':
      return node;
  }
}

/** Returns the node in the parser's form. Done last, because `and` over `or` has another meaning once both are exchanged. */
function normalise(node: Expression): Expression {
  switch (node.kind) {
    case 'or':
    case 'and':
      return Object.isFrozen(node) && node.operands.at(-1)?.kind !== node.kind
        ? node
        : makeJunction(node.kind, node.operands, node.span);
    case 'not':
      return Object.isFrozen(node) && node.operand.kind !== 'not'
        ? node
        : makeNot(node.operand, 1, node.span);
    case 'any':
    case 'all':
      return Object.isFrozen(node)
        ? node
        : makeCollection(node.kind, node.selector, node.binding, node.body, node.span);
    case 'match':
      return Object.isFrozen(node)
        ? node
        : makeMatch(node.operator, node.operatorSpan, node.aspect, node.selector, node.value, node.span);
  }
}

function replace(node: Expression, rewriter: Rewriter): Expression {
  switch (node.kind) {
    case 'or':
      return rewriter.or === undefined ? node : requireNode('or', rewriter.or(node));
    case 'and':
      return rewriter.and === undefined ? node : requireNode('and', rewriter.and(node));
    case 'not':
      return rewriter.not === undefined ? node : requireNode('not', rewriter.not(node));
    case 'match':
      return rewriter.match === undefined ? node : requireNode('match', rewriter.match(node));
    case 'any':
    case 'all':
      return rewriter.collection === undefined ? node : requireNode('collection', rewriter.collection(node));
  }
}

/** A member that forgets to return would otherwise silently change nothing. */
function requireNode(member: keyof Rewriter, value: unknown): Expression {
  if (isNode(value)) return value;
  const expected = 'a node, the one that it is given or another';
  throw new TypeError(`rewrite: ${member} must return ${expected}, got ${describe(value)}`);
}

/** Whether a value has the kind and the children of a node. Its other members are checked when it is compiled. */
function isNode(value: unknown): value is Expression {
  if (!hasKind(value)) return false;
  switch (value.kind) {
    case 'or':
    case 'and':
      // A copy, because array methods skip holes.
      return Array.isArray(value.operands) && [...value.operands].every(hasKind);
    case 'not':
      return hasKind(value.operand);
    case 'any':
    case 'all':
      return hasKind(value.body);
    case 'match':
      return true;
  }
}

const kinds: ReadonlySet<unknown> = new Set<Expression['kind']>(['or', 'and', 'not', 'match', 'any', 'all']);

function hasKind(value: unknown): value is Expression {
  return typeof value === 'object' && value !== null && 'kind' in value && kinds.has(value.kind);
}
