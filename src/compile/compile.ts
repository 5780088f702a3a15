import {
  assertNever,
  type CollectionExpression,
  type Expression,
  type MatchExpression,
} from '../syntax/ast.js';
import { operatorRule } from '../schema/operators.js';
import type { PatternTable } from '../schema/pattern-table.js';
import { bodyScope, emptyScope, type Scope } from '../schema/scope.js';
import { anyType, type Type } from '../schema/type.js';
import { createCell, type Cell } from './cell.js';
import { compileCollection, type Predicate } from './collection.js';
import type { FailurePolicy } from './failure.js';
import { ABSENT, UNKNOWN } from './outcome.js';
import { compileSelector, type ReaderContext } from './reader.js';
import { createTestContext, type ValueTest } from './test-context.js';
import { createOpenTest, createTypedTest } from './value-test.js';

export type { Predicate } from './collection.js';

export interface CompileOptions {
  /** The type of a row. */
  readonly root: Type;
  readonly patterns: PatternTable;
  readonly policy: FailurePolicy;
  /** The value of names that are not found, in an array of one; null where they have none. */
  readonly unknown: readonly [unknown] | null;
}

/** Turns an expression into closures. Everything that the text alone decides is decided here, nothing is per row. */
export function compileExpression(ast: Expression, options: CompileOptions): Predicate {
  const context: ReaderContext = {
    root: options.root,
    policy: options.policy,
    hasUnknownValue: options.unknown !== null,
    cells: [],
  };
  return compileNode(ast, { options, context, scope: emptyScope });
}

/** A place in the tree. `context.cells` has one cell for each collection around it. */
interface Place {
  readonly options: CompileOptions;
  readonly context: ReaderContext;
  readonly scope: Scope;
}

function compileNode(node: Expression, place: Place): Predicate {
  switch (node.kind) {
    case 'and':
      return allOf(node.operands.map((operand) => compileNode(operand, place)));
    case 'or':
      return anyOf(node.operands.map((operand) => compileNode(operand, place)));
    case 'not': {
      const operand = compileNode(node.operand, place);
      return (row) => !operand(row);
    }
    case 'match':
      return compileMatch(node, place);
    case 'any':
    case 'all':
      return compileQuantifier(node, place);
    default:
      return assertNever(node);
  }
}

function allOf(operands: readonly Predicate[]): Predicate {
  const [first, second, third] = operands;
  if (first !== undefined && second !== undefined) {
    if (operands.length === 2) return (row) => first(row) && second(row);
    if (third !== undefined && operands.length === 3) return (row) => first(row) && second(row) && third(row);
  }
  return (row) => {
    for (const operand of operands) if (!operand(row)) return false;
    return true;
  };
}

function anyOf(operands: readonly Predicate[]): Predicate {
  const [first, second, third] = operands;
  if (first !== undefined && second !== undefined) {
    if (operands.length === 2) return (row) => first(row) || second(row);
    if (third !== undefined && operands.length === 3) return (row) => first(row) || second(row) || third(row);
  }
  return (row) => {
    for (const operand of operands) if (operand(row)) return true;
    return false;
  };
}

function compileMatch(node: MatchExpression, { options, context, scope }: Place): Predicate {
  const rule = operatorRule(node.operator);
  const { read, type, isIndex } = compileSelector(context, node.selector, scope);
  const pattern = rule.base === 'matches' ? options.patterns.compile(node) : null;
  const testContext = createTestContext(node, rule, pattern, options.policy);
  const test =
    type === null || type.kind === 'any'
      ? createOpenTest(testContext, isIndex ? 'int' : 'float64')
      : createTypedTest(testContext, type);
  const { whenAbsent, negated } = rule;
  const testUnknown = createUnknownTest(options, createOpenTest(testContext));
  return (row) => {
    const value = read(row);
    if (value === ABSENT) return whenAbsent;
    return (value === UNKNOWN ? testUnknown(value) : test(value)) !== negated;
  };
}

function createUnknownTest({ unknown }: CompileOptions, test: ValueTest): ValueTest {
  if (unknown === null) return test;
  const [value] = unknown;
  return () => test(value);
}

function compileQuantifier(node: CollectionExpression, { options, context, scope }: Place): Predicate {
  const selector = compileSelector(context, node.selector, scope);
  const cell = createCell(selector.path);
  const depth = context.cells.length;
  const cells: readonly Cell[] = [...context.cells, cell];
  const inner: Place = {
    options,
    context: { ...context, cells },
    scope: bodyScope(node, selector.type ?? anyType, scope, depth),
  };
  const body = compileNode(node.body, inner);
  const { policy, unknown } = options;
  return compileCollection({ expression: node, selector, cell, body, policy, unknownValue: unknown?.[0] });
}
