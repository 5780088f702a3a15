import type { CollectionBinding, Expression, Selector, Value } from '../../src/syntax/ast.js';

/**
 * A tree in one line, for tables of tests: `(or (== a.b "1") (not (any L as i,x (in x "y"))))`. A pointer begins with a
 * slash, keys that are no words stand in quotes, and `!` marks a value whose bytes are not UTF-8.
 */
export function outline(node: Expression): string {
  switch (node.kind) {
    case 'or':
    case 'and':
      return `(${node.kind} ${node.operands.map(outline).join(' ')})`;
    case 'not':
      return `(not ${outline(node.operand)})`;
    case 'match':
      return `(${node.operator} ${outlineSelector(node.selector)}${outlineValue(node.value)})`;
    case 'any':
    case 'all':
      return `(${node.kind} ${outlineSelector(node.selector)} as ${outlineBinding(node.binding)} ${outline(node.body)})`;
  }
}

function outlineSelector({ form, path }: Selector): string {
  const parts = path.map((part) => (/^[\w-]+$/.test(part) ? part : JSON.stringify(part)));
  return form === 'pointer' ? `/${parts.join('/')}` : parts.join('.');
}

function outlineValue(value: Value | null): string {
  return value === null ? '' : ` ${JSON.stringify(value.text)}${value.wellFormed ? '' : '!'}`;
}

function outlineBinding(binding: CollectionBinding): string {
  if (binding.default !== null) return binding.default.text;
  return `${binding.index?.text ?? '_'},${binding.value?.text ?? '_'}`;
}
