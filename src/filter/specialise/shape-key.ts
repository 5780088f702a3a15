import type { CompiledExpression, ShapeKey } from '../compile/quick/compiled-expression.js';
import type { Type } from '../../language/schema/type.js';
import type { QuickExpression, QuickName } from '../compile/quick/expression.js';

/** Maximum number of clauses in generated code. More would cost more memory than they are worth. */
const maxClauses = 64;
/** Maximum length of a path in generated code. */
const maxPathLength = 6;

/** Decomposes an expression; null if it is too large to be worth code. */
export function computeShape(compiled: CompiledExpression): ShapeKey | null {
  const { root, quick, test, budget, denies } = compiled;
  if (compiled.shape !== null) return compiled.shape;
  const expression = quick();
  if (countClauses(expression) > maxClauses) return null;
  const names: string[] = [];
  const values: unknown[] = budget === null ? [test] : [test, budget.open, budget.close];
  const shape = shapeOf(expression, names, values);
  // The way in which code reads names depends on them, so they belong to the shape.
  const own = names.length === 0 ? '' : JSON.stringify(names);
  return {
    signature: `${numberOf(root)}${budget === null ? '' : ' budget'}${denies ? ' deny' : ''} ${shape}${own}`,
    names,
    values,
  };
}

/** Rows of different types have different shapes, even with the same field names. */
const numbers = new WeakMap<Type, number>();
let lastNumber = 0;

function numberOf(root: Type): number {
  const known = numbers.get(root);
  if (known !== undefined) return known;
  lastNumber += 1;
  numbers.set(root, lastNumber);
  return lastNumber;
}

/** Returns the number of matches; more than the maximum if a path is too long. */
function countClauses(node: QuickExpression): number {
  switch (node.kind) {
    case 'and':
    case 'or':
      return node.operands.reduce((sum, operand) => sum + countClauses(operand), 0);
    case 'not':
      return countClauses(node.operand);
    case 'careful':
    case 'pair':
      return 1;
    case 'match':
      return node.path.length > maxPathLength ? Infinity : 1;
    default:
      return node.path.length > maxPathLength ? Infinity : 1 + countClauses(node.body);
  }
}

/** Collects names and values in the order in which the code uses them. */
function shapeOf(node: QuickExpression, names: string[], values: unknown[]): string {
  switch (node.kind) {
    case 'and':
    case 'or': {
      let shape = `${node.kind}(`;
      for (const operand of node.operands) shape += `${shapeOf(operand, names, values)},`;
      return `${shape})`;
    }
    case 'not':
      return `not(${shapeOf(node.operand, names, values)})`;
    case 'careful':
      values.push(node.test);
      return 'careful';
    case 'match': {
      const { template, operands } = node.check;
      values.push(node.settle, ...operands);
      return `${node.isNegated ? '!' : ''}${template.name}${shapeOfPath(node.path, names)}`;
    }
    case 'pair': {
      const { template, operands } = node.check;
      values.push(node.settle, ...operands);
      return `${node.isNegated ? '!' : ''}${template.name}${shapeOfPath(node.names, names)}`;
    }
    default: {
      values.push(node.settle, node.maxLength, node.position);
      const path = shapeOfPath(node.path, names);
      return `${node.kind}${path}{${shapeOf(node.body, names, values)}}`;
    }
  }
}

/** Names of the schema follow their length, so that their characters cannot be confused with the shape's syntax. */
function shapeOfPath(path: readonly QuickName[], names: string[]): string {
  let shape = '';
  for (const { text, isDeclared, guard } of path) {
    if (!isDeclared) names.push(text);
    shape += `.${guard ?? ''}${isDeclared ? `${text.length}:${text}` : '*'}`;
  }
  return shape;
}
