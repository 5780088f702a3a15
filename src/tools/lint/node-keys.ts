import type {
  CollectionExpression,
  Expression,
  MatchExpression,
  MatchValue,
} from '../../language/syntax/ast.js';
import { makeCollection } from '../../language/syntax/factory.js';
import { print } from '../../language/syntax/print.js';

/** Assigns numbers to expressions; expressions with the same source get the same number. Prints each node only once, at any depth. */
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

  /** Returns the source of a value; cached. */
  ofValue(value: MatchValue): string {
    let text = this.texts.get(value);
    if (text === undefined) this.texts.set(value, (text = print(value)));
    return text;
  }

  /** Returns a key for the node, in which numbers replace its subexpressions. */
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

/** Prints a match, or a collection without its body. */
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
