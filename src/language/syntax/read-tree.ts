import { FilterLimitError, type LimitErrorCode } from '../diagnostics/errors.js';
import type { Limits } from '../diagnostics/limits.js';
import { describe } from '../diagnostics/options.js';
import { formOf, isMatchOperator, takesLength, takesValue } from '../operators/operators.js';
import type {
  CollectionBinding,
  CollectionExpression,
  Expression,
  MatchExpression,
  MatchOperator,
  MatchValue,
  Name,
  Selector,
  Value,
  ValueForm,
} from './ast.js';
import { isClock, isPlainName, isTyped } from './literal.js';
import {
  makeBinding,
  makeCollection,
  makeJunction,
  makeMatch,
  makeName,
  makeNot,
  makeReference,
  makeSelector,
  makeSpan,
  makeValue,
  makeValueList,
} from './factory.js';
import { print } from './print.js';

/** Whether a value looks like the tree of a filter. Its content is not checked. */
export function looksLikeTree(value: unknown): value is Expression {
  return typeof value === 'object' && value !== null && 'kind' in value && !('source' in value);
}

/**
 * Returns the source of a tree that a program built or rewrote. Each part is read and checked exactly once, so what is printed is
 * what was checked, and nothing in an untrusted tree is assumed valid.
 *
 * @throws TypeError that names the part that no parser creates: an unknown operator, a value that is not a string, a name that
 * cannot be written.
 * @throws FilterLimitError if the tree is deeper, larger or longer than the limits allow. A node that appears in several places
 * counts in each, and one that contains itself is too deep.
 */
export function textOfTree(caller: string, tree: unknown, limits: Limits): string {
  try {
    return print(new TreeReader(caller, limits).expression(tree, 'tree', 0));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw tooMuch('too-deep', Infinity, 'the tree is nested deeper than the call stack allows');
  }
}

const expectedTexts = {
  typed: 'a literal such as 7d',
  now: 'a text such as now - 7d',
};

type Fields = Readonly<Record<string, unknown>>;

const nowhere = makeSpan(0, 0);

class TreeReader {
  private terms = 0;
  private length = 0;

  constructor(
    private readonly caller: string,
    private readonly limits: Limits,
  ) {}

  expression(value: unknown, at: string, depth: number): Expression {
    const { maxDepth } = this.limits;
    if (depth > maxDepth)
      throw tooMuch('too-deep', maxDepth, `the tree is nested more than ${maxDepth} deep`);
    const node = this.object(value, at);
    const { kind } = node;
    switch (kind) {
      case 'or':
      case 'and': {
        const operands = this.array(node.operands, `${at}.operands`, (each, position) =>
          this.expression(each, position, depth + 1),
        );
        if (operands.length < 2) this.refuse(`${at}.operands`, 'two or more operands', operands.length);
        return makeJunction(kind, operands, nowhere);
      }
      case 'not':
        return makeNot(this.expression(node.operand, `${at}.operand`, depth + 1), 1, nowhere);
      case 'match':
        return this.match(node, at);
      case 'any':
      case 'all':
        return this.collection(kind, node, at, depth);
      default:
        return this.refuse(`${at}.kind`, 'or, and, not, match, any or all', kind);
    }
  }

  private match(node: Fields, at: string): MatchExpression {
    this.countTerm();
    const { operator, aspect = 'value' } = node;
    if (!isMatchOperator(operator)) return this.refuse(`${at}.operator`, 'an operator such as ==', operator);
    if (aspect !== 'value' && aspect !== 'length')
      return this.refuse(`${at}.aspect`, 'value or length', aspect);
    if (aspect === 'length' && !takesLength(operator))
      this.refuse(`${at}.aspect`, `value, because ${operator} takes no length`, aspect);
    const selector = this.selector(node.selector, `${at}.selector`);
    return makeMatch(
      operator,
      nowhere,
      aspect,
      selector,
      this.operand(operator, node.value, `${at}.value`),
      nowhere,
    );
  }

  private operand(name: MatchOperator, value: unknown, at: string): MatchValue | null {
    if (!takesValue(name)) {
      return value === null || value === undefined
        ? null
        : this.refuse(at, `null, because ${name} takes no value`, value);
    }
    const { operand } = formOf(name).operator;
    const node = this.object(value, at);
    if (operand.list !== null) {
      if (node.kind !== 'list') return this.refuse(`${at}.kind`, `list, because of ${name}`, node.kind);
      const elements = this.elements(node.elements, `${at}.elements`);
      const { count } = operand.list;
      if (count !== null && elements.length !== count)
        this.refuse(`${at}.elements`, `${count} values, because of ${name}`, elements.length);
      return makeValueList(elements, nowhere);
    }
    if (node.kind === 'list') return this.refuse(`${at}.kind`, 'value or reference', node.kind);
    if (node.kind !== 'reference') return this.value(node, at);
    if (!operand.acceptsReference) return this.refuse(`${at}.kind`, `value, because of ${name}`, node.kind);
    return makeReference(this.selector(node.selector, `${at}.selector`), nowhere);
  }

  private elements(value: unknown, at: string): readonly Value[] {
    const elements = this.array(value, at, (each, position) => this.value(each, position));
    const { maxTerms } = this.limits;
    if (elements.length > maxTerms)
      throw tooMuch('too-many-terms', maxTerms, `a list of the tree has more than ${maxTerms} values`);
    return elements;
  }

  private collection(kind: 'any' | 'all', node: Fields, at: string, depth: number): CollectionExpression {
    this.countTerm();
    const selector = this.selector(node.selector, `${at}.selector`);
    const binding = this.binding(node.binding, `${at}.binding`);
    const body = this.expression(node.body, `${at}.body`, depth + 1);
    return makeCollection(kind, selector, binding, body, nowhere);
  }

  private binding(value: unknown, at: string): CollectionBinding {
    const names = this.object(value, at);
    const only = this.name(names.default, `${at}.default`);
    const index = this.name(names.index, `${at}.index`);
    const element = this.name(names.value, `${at}.value`);
    const isSound = only === null ? index !== null || element !== null : index === null && element === null;
    if (!isSound) this.refuse(at, 'default alone, or index, value or both', names);
    return makeBinding(only, index, element, nowhere);
  }

  private name(value: unknown, at: string): Name | null {
    if (value === null || value === undefined) return null;
    const { text } = this.object(value, at);
    if (typeof text !== 'string' || !isPlainName(text)) return this.refuse(`${at}.text`, 'a name', text);
    this.countText(text);
    return makeName(text, nowhere);
  }

  private selector(value: unknown, at: string): Selector {
    const { form, path } = this.object(value, at);
    if (form !== 'bexpr' && form !== 'pointer') return this.refuse(`${at}.form`, 'bexpr or pointer', form);
    const parts = this.array(path, `${at}.path`, (part, position) => this.text(part, position));
    const selector = makeSelector(form, parts, [], nowhere);
    try {
      print(selector);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      throw new TypeError(`${this.caller}: ${at}.path: ${error.message}`, { cause: error });
    }
    return selector;
  }

  private value(value: unknown, at: string): Value {
    const node = this.object(value, at);
    const text = this.text(node.text, `${at}.text`);
    const { wellFormed } = node;
    if (typeof wellFormed !== 'boolean') return this.refuse(`${at}.wellFormed`, 'true or false', wellFormed);
    if (!wellFormed && !text.includes('\ufffd'))
      return this.refuse(`${at}.text`, 'U+FFFD for the bytes that are not UTF-8', text);
    const { ignoreCase = false } = node;
    if (typeof ignoreCase !== 'boolean') return this.refuse(`${at}.ignoreCase`, 'true or false', ignoreCase);
    const form = this.form(node.form, text, wellFormed && !ignoreCase, at);
    return makeValue(text, wellFormed, ignoreCase, form, nowhere);
  }

  /** Returns the form of the value, if it makes a difference. */
  private form(form: unknown, text: string, isPlain: boolean, at: string): ValueForm {
    if (form === 'typed' || form === 'now') {
      const isSound = isPlain && (form === 'now' ? isClock(text) : isTyped(text));
      return isSound ? form : this.refuse(`${at}.text`, expectedTexts[form], text);
    }
    return form === 'number' || form === 'bare' ? form : 'quoted';
  }

  private text(value: unknown, at: string): string {
    if (typeof value !== 'string') return this.refuse(at, 'a text', value);
    this.countText(value);
    return value;
  }

  private object(value: unknown, at: string): Fields {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return this.refuse(at, 'a node', value);
    }
    return value as Fields;
  }

  private array<T>(value: unknown, at: string, read: (each: unknown, at: string) => T): readonly T[] {
    if (!Array.isArray(value)) return this.refuse(at, 'an array', value);
    const list: readonly unknown[] = value;
    const { maxLength } = this.limits;
    // Read once, because a foreign array may grow while it is read, and its iterator may never end.
    const { length } = list;
    if (length > maxLength)
      throw tooMuch('too-long', maxLength, `a list of the tree is longer than ${maxLength}`);
    return Array.from({ length }, (_, index) => read(list[index], `${at}[${index}]`));
  }

  private countTerm(): void {
    const { maxTerms } = this.limits;
    this.terms += 1;
    if (this.terms > maxTerms)
      throw tooMuch('too-many-terms', maxTerms, `the tree has more than ${maxTerms} terms`);
  }

  private countText(text: string): void {
    const { maxLength } = this.limits;
    // Even an empty string takes one character in the source of the filter, such as the dot before a name.
    this.length += text.length + 1;
    if (this.length > maxLength)
      throw tooMuch('too-long', maxLength, `the texts of the tree are longer than ${maxLength} characters`);
  }

  private refuse(at: string, expected: string, found: unknown): never {
    throw new TypeError(`${this.caller}: ${at}: expected ${expected}, not ${describe(found)}`);
  }
}

/** A tree has no source that an error could point to yet. */
function tooMuch(code: LimitErrorCode, limit: number, goMessage: string): FilterLimitError {
  const label = Number.isFinite(limit) ? `the limit is ${limit}` : 'too deep';
  return new FilterLimitError(
    '',
    { code, goMessage, span: nowhere, label, hint: null, suggestions: [] },
    limit,
  );
}
