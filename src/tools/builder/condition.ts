import { checkIterable } from '../../language/diagnostics/options.js';
import { sharedWeakMap } from '../../runtime/shared-identity.js';
import type { Expression } from '../../language/syntax/ast.js';
import { parse, type ParsedFilter } from '../../language/parse.js';
import { print } from '../../language/syntax/print.js';
import type { Limits } from '../../language/diagnostics/limits.js';
import { toExpression, type ConditionNode } from './node.js';

/** A filter created by the program, which can be compiled and combined with other conditions. */
export interface Condition extends ParsedFilter {
  /** Returns the conjunction of this condition and all others. */
  and(...others: readonly [ConditionLike, ...ConditionLike[]]): Condition;
  /** Returns the disjunction of this condition and the others. */
  or(...others: readonly [ConditionLike, ...ConditionLike[]]): Condition;
  /** Returns the negation of this condition. */
  not(): Condition;
  /** Returns the source of the filter. Both dialects parse it alike, unless it was written manually. */
  toString(): string;
}

/** A value that can be combined with conditions: a condition, a parsed or compiled filter, or its tree. */
export type ConditionLike = Expression | { readonly ast: Expression };

/** The registered conditions. Prevents data that only looks like a condition, such as parsed JSON, from being used as one. */
const nodes = sharedWeakMap<object, ConditionNode>('conditions');

/** No limits, because they apply when the condition is compiled. */
const noLimits: Partial<Limits> = { maxLength: Infinity, maxDepth: Infinity, maxTerms: Infinity };

/** Creates the condition of a node. Its source is printed on first use. */
export function conditionOf(node: ConditionNode): Condition {
  let parsed: ParsedFilter | null = null;
  return createCondition(node, () => (parsed ??= writeDown(node)));
}

/** Creates the condition of a source. @throws FilterSyntaxError */
export function conditionOfText(source: string): Condition {
  const parsed = parse(source, { limits: noLimits });
  return createCondition({ kind: 'tree', ast: parsed.ast }, () => parsed);
}

function createCondition(node: ConditionNode, read: () => ParsedFilter): Condition {
  const condition: Condition = {
    get source() {
      return read().source;
    },
    get dialect() {
      return read().dialect;
    },
    get ast() {
      return read().ast;
    },
    get relaxations() {
      return read().relaxations;
    },
    and: (...others) => join('and', [condition, ...others], 'and'),
    or: (...others) => join('or', [condition, ...others], 'or'),
    not: () => not(condition),
    toString: () => read().source,
  };
  nodes.set(condition, node);
  return Object.freeze(condition);
}

function writeDown(node: ConditionNode): ParsedFilter {
  try {
    return parse(print(toExpression(node)), { limits: noLimits });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new TypeError('The condition is nested too deeply for this machine');
  }
}

/** Returns the negation of a condition. */
export function not(condition: ConditionLike): Condition {
  return conditionOf({ kind: 'not', operand: nodeOf(condition, 'not') });
}

/** Returns a condition that is true if all conditions are true. @throws TypeError if none exist. */
export function allOf(conditions: Iterable<ConditionLike>): Condition {
  return join('and', conditions, 'allOf');
}

/**
 * Returns a condition that is true if at least one condition is: `anyOf(names.map((name) => where('Name').is(name)))`.
 * @throws TypeError if none exist.
 */
export function anyOf(conditions: Iterable<ConditionLike>): Condition {
  return join('or', conditions, 'anyOf');
}

function join(kind: 'and' | 'or', conditions: Iterable<ConditionLike>, position: string): Condition {
  checkIterable(position, 'conditions', conditions);
  const operands = [...conditions].map((condition, index) =>
    nodeOf(condition, `${position}: condition ${index + 1}`),
  );
  const [first, ...others] = operands;
  if (first === undefined) {
    throw new TypeError(
      `${position}: there are no conditions; no filter is true, or false, for every row, so handle this case yourself`,
    );
  }
  return conditionOf(others.length === 0 ? first : { kind, first, others });
}

const expressionKinds: ReadonlySet<unknown> = new Set<Expression['kind']>([
  'or',
  'and',
  'not',
  'match',
  'any',
  'all',
]);

/** Returns the node of a condition, filter or tree; null for other values. */
export function findNode(value: unknown): ConditionNode | null {
  if (typeof value !== 'object' || value === null) return null;
  const known = nodes.get(value);
  if (known !== undefined) return known;
  const ast: unknown = 'ast' in value ? value.ast : value;
  return isTree(ast) ? { kind: 'tree', ast } : null;
}

/**
 * Whether a value is a tree created by the parser. These are frozen, whereas parsed JSON never is, so a value in a request body
 * cannot pass as a tree.
 */
function isTree(value: unknown): value is Expression {
  return (
    typeof value === 'object' &&
    value !== null &&
    'kind' in value &&
    expressionKinds.has(value.kind) &&
    Object.isFrozen(value)
  );
}

export function nodeOf(value: unknown, position: string): ConditionNode {
  const node = findNode(value);
  if (node !== null) return node;
  const got = value === null ? 'null' : typeof value;
  throw new TypeError(
    `${position}: expected a condition, a filter, or a tree made by parse, got ${got}; convert a string with parse(text)`,
  );
}
