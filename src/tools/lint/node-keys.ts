import type {
  CollectionExpression,
  Expression,
  MatchExpression,
  MatchValue,
} from '../../language/syntax/ast.js';
import { makeCollection } from '../../language/syntax/factory.js';
import { print } from '../../language/syntax/print.js';

/** Numbers for expressions: equal for those that print alike. Each node is printed once, however deep it lies. */
export class NodeKeys {
  private readonly numbers = new Map<string, number>();
  private readonly known = new Map<Expression, number>();
  private readonly texts = new Map<MatchValue, string>();

  of(node: Expression): number {
    let number = this.known.get(node);
    if (number === undefined) {
      const text = this.textOf(node);
      number = this.numbers.get(text) ?? this.numbers.size;
      this.numbers.set(text, number);
      this.known.set(node, number);
    }
    return number;
  }

  /** The source of a value, printed once. */
  ofValue(value: MatchValue): string {
    let text = this.texts.get(value);
    if (text === undefined) this.texts.set(value, (text = print(value)));
    return text;
  }

  /** A key for the node, with numbers instead of the expressions in it. */
  private textOf(node: Expression): string {
    switch (node.kind) {
      case 'and':
      case 'or':
        return `${node.kind} ${node.operands.map((operand) => this.of(operand)).join()}`;
      case 'not':
        return `not ${this.of(node.operand)}`;
      case 'match':
        return printed(node);
      default:
        return `${this.of(node.body)} ${printed(node)}`;
    }
  }
}

/** A match, or a collection without its body. */
function printed(node: MatchExpression | CollectionExpression): string {
  if (node.kind === 'match') return print(node);
  const { kind, selector, binding, span } = node;
  const body = {
    kind: 'match',
    operator: 'is nil',
    operatorSpan: span,
    aspect: 'value',
    selector,
    value: null,
    span,
  } as const;
  return print(makeCollection(kind, selector, binding, body, span));
}
