import { describe } from '../diagnostics/options.js';
import {
  type CollectionBinding,
  type CollectionExpression,
  type Expression,
  type FieldReference,
  type MatchExpression,
  type MatchValue,
  type Selector,
  type Value,
  type ValueList,
} from './ast.js';
import { valueList, type OperandShape } from '../operators/operand-shape.js';
import { formOf } from '../operators/operators.js';
import { fieldPathText, quote } from './field-path.js';
import { isFieldName, isNumber, isPointer, pointerTo } from './literal.js';
import { extensionWords, infixWords, reversedWords } from './operator-words.js';

/**
 * Returns the canonical source of a tree or part of one, on one line. Both dialects parse it alike, and parsing it gives the same
 * tree except for spans and the form of values. Trees with the same meaning print the same.
 *
 * @throws TypeError if a selector cannot be written in the language; `parse` never creates one.
 */
export function print(node: Expression | Selector | Value | FieldReference | ValueList): string {
  if ((node as unknown) === null || (node as unknown) === undefined) rejectNode(node);
  switch (node.kind) {
    case 'selector':
      return printSelector(node);
    case 'value':
      return printValue(node);
    case 'reference':
    case 'list':
      return printOperand(node, valueList);
    default:
      return printExpression(node);
  }
}

function printExpression(node: Expression): string {
  switch (node.kind) {
    case 'or':
      return printOr(node.operands);
    case 'and':
      return node.operands.map(printTight).join(' and ');
    case 'not':
      return `not ${startsWithBracket(node.operand) ? `(${printExpression(node.operand)})` : printTight(node.operand)}`;
    case 'match':
      return printMatch(node);
    case 'any':
    case 'all':
      return printCollection(node);
    default:
      return rejectNode(node);
  }
}

function rejectNode(node: unknown): never {
  throw new TypeError(`print: node must be a tree such as parse(text).ast, got ${describe(node)}`);
}

/** Prints an `or`. go-bexpr accepts a collection without parentheses only as the last operand. */
function printOr(operands: readonly Expression[]): string {
  const last = operands.length - 1;
  const printed = operands.map((operand, index) => {
    const isLoose = operand.kind === 'or' || (index < last && isCollection(operand));
    return isLoose ? `(${printExpression(operand)})` : printExpression(operand);
  });
  return printed.join(' or ');
}

/** Prints an operand of `and` or `not`: only a match and a `not` need no parentheses. */
function printTight(operand: Expression): string {
  const isTight = operand.kind === 'not' || (operand.kind === 'match' && !looksLikeKey(operand));
  return isTight ? printExpression(operand) : `(${printExpression(operand)})`;
}

/** `not ["k"] == x` tests the field `not.k`, as in go-bexpr. */
function startsWithBracket(node: Expression): boolean {
  if (node.kind !== 'match' || node.aspect === 'length') return false;
  const { form, path } = node.selector;
  return form === 'bexpr' && (!isFieldName(path[0] ?? '') || looksLikeNegation(node));
}

/** `not not in ["a"]` is the negation of a match: the field `not` needs brackets before `not in`. */
function looksLikeNegation({ operator, selector: { path } }: MatchExpression): boolean {
  const isNegative = operator.startsWith('not') && formOf(operator).operator.extension !== undefined;
  return isNegative && path.length === 1 && path[0] === 'not';
}

/** `not in in ["k"]` searches in `in.k`, as in go-bexpr. */
function looksLikeKey({ selector: { path, form }, value }: MatchExpression): boolean {
  return value?.kind === 'list' && form === 'bexpr' && path.length === 1 && beforeOperand.has(path[0]);
}

function isCollection(node: Expression): node is CollectionExpression {
  return node.kind === 'any' || node.kind === 'all';
}

function printMatch(match: MatchExpression): string {
  const { operator, aspect, selector, value } = match;
  const name = looksLikeNegation(match) ? '["not"]' : printSelector(selector);
  const subject = aspect === 'length' ? `len(${printSelector(selector)})` : name;
  if (value === null) return `${subject} ${operator}`;
  const { operand, spellings } = formOf(operator).operator;
  const printed = printOperand(value, operand);
  switch (spellings[0].position) {
    case 'reversed':
      // A bracket after `in` would begin a list.
      return startsWithBracket(match)
        ? `${subject} ${operator.replace('in', 'contains')} ${printed}`
        : `${printed} ${operator} ${subject}`;
    case 'list':
      return `${subject} ${operator.replace('[..]', '')}${printed}`;
    default:
      return `${subject} ${operator} ${printed}`;
  }
}

function printOperand(value: MatchValue, { dependsOnQuotes, list }: OperandShape): string {
  switch (value.kind) {
    case 'value':
      return dependsOnQuotes ? printBound(value) : printValue(value);
    case 'reference':
      return `@${printSelector(value.selector)}`;
    case 'list': {
      const { open, separator, close } = list ?? valueList.list;
      return open + value.elements.map(dependsOnQuotes ? printBound : printValue).join(separator) + close;
    }
  }
}

// Without the space before the closing brace, go-bexpr would not see the end of a number.
function printCollection({ kind, selector, binding, body }: CollectionExpression): string {
  return `${kind} ${printOver(selector)} as ${printBinding(binding)} { ${printExpression(body)} }`;
}

/** The operators that go-bexpr accepts between a field and a value. */
const beforeOperand: ReadonlySet<string | undefined> = new Set(
  [...infixWords, ...reversedWords].filter((word) => !extensionWords.includes(word)),
);

/** `any in as x` would be an invalid match. The parser never creates such a tree, but a program can. */
function printOver(selector: Selector): string {
  const [first, ...rest] = selector.path;
  const looksLikeMatch = rest.length === 0 && beforeOperand.has(first);
  return looksLikeMatch ? printPointer(selector.path) : printSelector(selector);
}

function printBinding({ default: only, index, value }: CollectionBinding): string {
  return only === null ? `${index?.text ?? '_'}, ${value?.text ?? '_'}` : only.text;
}

function printSelector({ form, path }: Selector): string {
  return form === 'pointer' ? printPointer(path) : fieldPathText(path);
}

function printPointer(path: readonly string[]): string {
  const body = pointerTo(path);
  if (body === null) throw new TypeError(`No pointer has the path ${JSON.stringify(path)}.`);
  return `"${body}"`;
}

/**
 * Numbers are printed bare, and strings that go-bexpr would read as a pointer in backticks; they contain nothing that needs
 * escaping.
 */
function printValue(value: Value): string {
  const { text, wellFormed, ignoreCase, form } = value;
  if (form === 'typed' || form === 'now') return text;
  if (ignoreCase) return `${printText(value)}i`;
  return wellFormed && isNumber(text) ? text : printText(value);
}

/** Prints a value that may need quotes to differ from a number or from `now`. */
function printBound(value: Value): string {
  const { text, form, ignoreCase } = value;
  if (form === 'bare' && text === 'now' && !ignoreCase) return text;
  const isText = form === 'quoted' || form === 'raw';
  return isText && !ignoreCase ? printText(value) : printValue(value);
}

function printText({ text, wellFormed }: Value): string {
  // The tree does not contain the invalid bytes, but any invalid byte reads as U+FFFD again.
  if (!wellFormed) return quote(text).replaceAll('\ufffd', '\\xff');
  return text !== '' && isPointer(text) ? `\`${text}\`` : quote(text);
}
