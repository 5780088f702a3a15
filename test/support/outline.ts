import type {
  CollectionBinding,
  Expression,
  MatchExpression,
  MatchValue,
  Selector,
  Value,
} from '../../src/language/syntax/ast.js';

/**
 * A tree in one line, for tables of tests: `(or (== a.b "1") (not (any L as i,x (in x "y"))))`. A pointer begins with a slash,
 * keys that are not words are quoted, and `!` marks a value whose bytes are not UTF-8.
 */
export function outline(node: Expression): string {
  switch (node.kind) {
    case 'or':
    case 'and':
      return `(${node.kind} ${node.operands.map(outline).join(' ')})`;
    case 'not':
      return `(not ${outline(node.operand)})`;
    case 'match':
      return `(${node.operator} ${outlineSubject(node)}${outlineValue(node.value)})`;
    case 'any':
    case 'all':
      return `(${node.kind} ${outlineSelector(node.selector)} as ${outlineBinding(node.binding)} ${outline(node.body)})`;
  }
}

function outlineSelector({ form, path }: Selector): string {
  const parts = path.map((part) => (/^[\w-]+$/.test(part) ? part : JSON.stringify(part)));
  return form === 'pointer' ? `/${parts.join('/')}` : parts.join('.');
}

function outlineSubject({ aspect, selector }: MatchExpression): string {
  return aspect === 'length' ? `len(${outlineSelector(selector)})` : outlineSelector(selector);
}

function outlineValue(value: MatchValue | null): string {
  switch (value?.kind) {
    case undefined:
      return '';
    case 'reference':
      return ` @${outlineSelector(value.selector)}`;
    case 'list':
      return ` [${value.elements.map(outlineLiteral).join(' ')}]`;
    case 'value':
      return ` ${outlineLiteral(value)}`;
  }
}

/** Without quotes where their lack is a difference: `7d`, `now - 7d`. */
function outlineLiteral({ text, wellFormed, ignoreCase, form }: Value): string {
  if (form === 'typed' || form === 'now') return text;
  return `${JSON.stringify(text)}${wellFormed ? '' : '!'}${ignoreCase ? 'i' : ''}`;
}

function outlineBinding(binding: CollectionBinding): string {
  if (binding.default !== null) return binding.default.text;
  return `${binding.index?.text ?? '_'},${binding.value?.text ?? '_'}`;
}
