import type { CollectionExpression, Expression } from '../../src/language/syntax/ast.js';
import { evaluateMatch } from './oracle-match.js';
import { fullPath, resolve } from './oracle-path.js';
import { OracleRefusal, type Binding, type InterpreterOptions, type Scope } from './oracle-scope.js';
import { anyType, elementsOf, hasOddKeys, isPointer, keysOf, look, type OracleType } from './oracle-value.js';

export type { InterpreterOptions } from './oracle-scope.js';

const stringType: OracleType = { kind: 'string' };
const intType: OracleType = { kind: 'int' };

/**
 * A second, deliberately plain evaluator of filters: it walks the tree for each row, decides everything again each
 * time, and follows the rules of go-bexpr one by one. The engine is compared with it.
 *
 * Returns the result, or the class of the error: `panic` if the original crashes.
 */
export function interpret(
  expression: Expression,
  row: unknown,
  options: InterpreterOptions = {},
): boolean | string {
  try {
    return evaluate(expression, { row, options, bindings: [] });
  } catch (error) {
    if (error instanceof OracleRefusal) return error.code;
    throw error;
  }
}

function evaluate(expression: Expression, scope: Scope): boolean {
  switch (expression.kind) {
    case 'and':
      for (const operand of expression.operands) if (!evaluate(operand, scope)) return false;
      return true;
    case 'or':
      for (const operand of expression.operands) if (evaluate(operand, scope)) return true;
      return false;
    case 'not':
      return !evaluate(expression.operand, scope);
    case 'match':
      return evaluateMatch(expression, scope);
    default:
      return evaluateCollection(expression, scope);
  }
}

function evaluateCollection(expression: CollectionExpression, scope: Scope): boolean {
  const isAny = expression.kind === 'any';
  const resolved = resolve(expression.selector, scope);
  if (resolved === null) return !isAny;
  // A pointer to a collection does not count as one.
  const { kind, type, value } = look(resolved);
  if (isPointer(resolved.type) || !['list', 'array', 'map'].includes(kind)) {
    if (type.kind === 'any' && scope.options.unresolved === 'absent') return !isAny;
    throw new OracleRefusal('not-a-collection');
  }
  if (kind === 'map' && hasOddKeys(type)) throw new OracleRefusal('map-key-kind');
  const keys =
    kind === 'map' ? keysOf(value) : elementsOf(kind, type, value).map((_, index) => BigInt(index));
  const path = fullPath(expression.selector, scope);
  for (const key of keys) {
    const bindings = [...scope.bindings, ...bind(expression, type, key, [...path, String(key)])];
    if (evaluate(expression.body, { ...scope, bindings }) === isAny) return isAny;
  }
  return !isAny;
}

function bind(
  { binding }: CollectionExpression,
  collection: OracleType,
  key: string | bigint,
  path: readonly string[],
): Binding[] {
  const isOpen = collection.kind === 'any';
  const isMap = typeof key === 'string';
  const type = isOpen ? anyType : isMap ? stringType : intType;
  const toKey = (name: string, isKeyByChance: boolean): Binding => {
    return { name, path: null, constant: { type, value: key }, isKeyByChance };
  };
  const toElement = (name: string): Binding => ({ name, path, constant: null, isKeyByChance: false });
  const index = binding.index?.text;
  const element = binding.value?.text;
  if (index !== undefined && index === element) throw new OracleRefusal('binding-clash');
  const lone = binding.default?.text;
  return [
    ...(lone === undefined ? [] : [isMap ? toKey(lone, isOpen) : toElement(lone)]),
    ...(index === undefined ? [] : [toKey(index, false)]),
    ...(element === undefined ? [] : [toElement(element)]),
  ];
}
