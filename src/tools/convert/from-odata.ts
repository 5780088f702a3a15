import { describe } from '../../language/diagnostics/options.js';
import { not, type Condition } from '../builder/condition.js';
import type { Scalar } from '../builder/literal.js';
import { ignoringCase, now, type CaselessText, type Clock } from '../builder/operand.js';
import { field as fieldOf } from '../builder/reference.js';
import { checkConvertOptions, refuse, type Conversion, type ConvertOptions } from './conversion.js';
import { checkInstance, Importer, join, type ImportedField } from './importer.js';

/**
 * Returns the filter that selects the rows for which a `$filter` of OData 4.01 is true (URL conventions, 5.1.1). The names of its
 * paths are those of fields, and `/` separates them. Arithmetic, `has`, and functions except contains, startswith, endswith,
 * tolower, toupper, length and now are refused.
 *
 * @throws TypeError if an option is invalid.
 */
export function fromOData(text: string, options: ConvertOptions): Conversion<Condition> {
  checkConvertOptions('fromOData', options);
  if (typeof text !== 'string')
    throw new TypeError(`fromOData: text must be a string, got ${describe(text)}`);
  const importer = new Importer(options);
  return importer.import(() => {
    const { maxLength } = importer.limits;
    if (text.length > maxLength) refuse('offset 0', `longer than ${maxLength} characters`);
    return new Parser(text, importer).whole();
  });
}

interface Token {
  readonly kind: 'string' | 'number' | 'instant' | 'text' | 'name' | 'sign' | 'end';
  readonly text: string;
  readonly at: number;
}

const tokens =
  /\s*(?:('(?:[^']|'')*')|([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})|(\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[-+]\d\d:\d\d))?)|(-?\d+(?:\.\d+)?(?:e[-+]?\d+)?)|(\$?[\p{L}_][\p{L}\p{N}_.]*)|([(),/:]))/iuy;
const kinds = ['string', 'text', 'instant', 'number', 'name', 'sign'] as const;

function* tokenize(text: string): Generator<Token> {
  let at = 0;
  while (text.slice(at).trim() !== '') {
    tokens.lastIndex = at;
    const found = tokens.exec(text);
    if (found === null)
      return refuse(`offset ${at}`, `${describe(text.slice(at, at + 20))} is not part of a $filter`);
    const group = kinds.findIndex((_, index) => found[index + 1] !== undefined);
    const token = found[group + 1] as string;
    yield { kind: kinds[group] as Token['kind'], text: token, at: tokens.lastIndex - token.length };
    at = tokens.lastIndex;
  }
  yield { kind: 'end', text: 'the end', at: text.length };
}

/** An operand: a field, possibly with a function around it, or a literal. */
type Operand =
  | {
      readonly kind: 'field';
      readonly field: ImportedField;
      readonly path: readonly string[];
      readonly by: 'tolower' | 'toupper' | 'length' | null;
    }
  | { readonly kind: 'literal'; readonly value: Scalar | Clock | null };

type Comparison = 'is' | 'isNot' | 'below' | 'atMost' | 'above' | 'atLeast';

/** The method of each comparison, and the comparison with exchanged sides. */
const comparisons: Readonly<Record<string, readonly [method: Comparison, reversed: string]>> = {
  eq: ['is', 'eq'],
  ne: ['isNot', 'ne'],
  lt: ['below', 'gt'],
  le: ['atMost', 'ge'],
  gt: ['above', 'lt'],
  ge: ['atLeast', 'le'],
};

const searches = {
  contains: ['contains', 'notContains'],
  startswith: ['startsWith', 'notStartsWith'],
  endswith: ['endsWith', 'notEndsWith'],
} as const;
type Search = keyof typeof searches;

/** Parses and converts in one pass. Negations are applied to the parts, because a function of null is null, and so is its negation. */
class Parser {
  readonly #tokens: readonly Token[];
  #next = 0;
  /** The elements of the enclosing `any` and `all`, by variable. */
  readonly #elements = new Map<string, ImportedField>();

  constructor(
    text: string,
    private readonly importer: Importer,
  ) {
    this.#tokens = [...tokenize(text)];
  }

  whole(): Condition {
    const condition = this.or(false, 0);
    if (this.#peek().kind !== 'end') this.#expected('and, or or the end');
    return condition;
  }

  or(negated: boolean, depth: number): Condition {
    const parts = [this.and(negated, depth)];
    while (this.#takes('or')) parts.push(this.and(negated, depth));
    return join(negated ? 'and' : 'or', parts) as Condition;
  }

  and(negated: boolean, depth: number): Condition {
    const parts = [this.unary(negated, depth)];
    while (this.#takes('and')) parts.push(this.unary(negated, depth));
    return join(negated ? 'or' : 'and', parts) as Condition;
  }

  unary(negated: boolean, depth: number, afterNot = false): Condition {
    this.importer.enter(this.#at(), depth);
    if (this.#takes('not')) return this.unary(!negated, depth + 1, true);
    if (!this.#takes('(')) return this.predicate(negated, depth, afterNot);
    const inner = this.or(negated, depth + 1);
    this.#take(')');
    return inner;
  }

  predicate(negated: boolean, depth: number, afterNot: boolean): Condition {
    const at = this.#at();
    const name = this.#peek().text.toLowerCase();
    if (Object.hasOwn(searches, name) && this.#peek(1).text === '(')
      return this.search(searches[name as Search], negated);
    const left = this.operand();
    if (left.kind === 'field' && left.by === null) {
      if (this.#takes('/')) return this.lambda(left.field, negated, depth);
      if (this.#takes('in')) return this.list(left.field, negated);
    }
    const operator = this.#peek().text.toLowerCase();
    if (Object.hasOwn(comparisons, operator)) {
      if (afterNot) refuse(at, '"not" precedes comparisons: put this one in parentheses');
      this.#next += 1;
      const [method, reversed] = comparisons[operator] as (typeof comparisons)[string];
      const right = this.operand();
      const condition =
        left.kind === 'field'
          ? this.comparison(at, left, method, right)
          : right.kind === 'field'
            ? this.comparison(at, right, (comparisons[reversed] as (typeof comparisons)[string])[0], left)
            : refuse(at, 'a comparison needs a field');
      return negated ? not(condition) : condition;
    }
    if (left.kind === 'field' && left.by === null && left.field.type.kind === 'bool')
      return this.importer.leaf(at, left.field, (field) => field.is(!negated), false);
    return this.#expected('eq, ne, lt, le, gt, ge or in');
  }

  comparison(
    at: string,
    { field, by }: Operand & { kind: 'field' },
    method: Comparison,
    other: Operand,
  ): Condition {
    const { importer } = this;
    const isNegative = method === 'isNot';
    if (other.kind === 'field') {
      if (by !== null || other.by !== null) refuse(at, 'a function cannot be compared with another field');
      if (other.field.nullable.length > 0 || other.field.isElement)
        refuse(at, `${other.field.name} can be null or is an element, and is not supported on this side`);
      return importer.leaf(
        at,
        field,
        (each) => each[method](fieldOf(...(other.path as [string])) as never),
        isNegative,
      );
    }
    const { value } = other;
    if (value === null) {
      if (method !== 'is' && !isNegative) return refuse(at, 'null has no order');
      return importer.leaf(
        at,
        field,
        (each) => (isNegative ? each.isNotNil() : each.isNil()),
        !isNegative,
        true,
      );
    }
    if (by === 'length')
      return importer.leaf(at, field, (each) => each.length[method](value as number), isNegative);
    if (by === null && (method === 'is' || isNegative)) checkInstance(at, field, value);
    const operand =
      typeof value === 'object'
        ? value
        : by === null
          ? importer.value(at, field, value)
          : foldedTo(at, by, value);
    return importer.leaf(at, field, (each) => each[method](operand as never), isNegative);
  }

  /** `contains(Name, 'x')` */
  search([plain, negative]: (typeof searches)[Search], negated: boolean): Condition {
    this.#next += 2;
    const at = this.#at();
    const text = this.operand();
    this.#take(',');
    const part = this.operand();
    this.#take(')');
    if (
      text.kind !== 'field' ||
      text.by === 'length' ||
      part.kind !== 'literal' ||
      typeof part.value !== 'string'
    )
      return refuse(at, 'a field and a string are expected');
    const value = text.by === null ? part.value : foldedTo(at, text.by, part.value);
    return this.importer.leaf(at, text.field, (field) => field[negated ? negative : plain](value), false);
  }

  /** `Status in ('a', 'b')` */
  list(field: ImportedField, negated: boolean): Condition {
    const at = this.#at();
    const values: Scalar[] = [];
    this.#take('(');
    do {
      const element = this.operand();
      if (element.kind !== 'literal' || element.value === null || typeof element.value === 'object')
        return refuse(at, 'values are expected');
      values.push(element.value);
    } while (this.#takes(','));
    this.#take(')');
    const listed = this.importer.values(at, field, values);
    return this.importer.leaf(
      at,
      field,
      (each) => (negated ? each.noneOf(listed) : each.oneOf(listed)),
      negated,
      true,
    );
  }

  /** `Tags/any(x: x eq 'a')`, `Tags/any()`; the slash is read. */
  lambda(field: ImportedField, negated: boolean, depth: number): Condition {
    const at = this.#at();
    const kind = this.#takes('any') ? 'any' : this.#takes('all') ? 'all' : this.#expected('any or all');
    this.#take('(');
    if (kind === 'any' && this.#takes(')'))
      return this.importer.leaf(at, field, (each) => (negated ? each.isEmpty() : each.isNotEmpty()), negated);
    const variable = this.#name();
    if (this.#elements.has(variable)) refuse(at, `${variable} is the variable of an enclosing any or all`);
    this.#take(':');
    const { type } = field;
    if (type.kind !== 'list' && type.kind !== 'array') return refuse(at, `${field.name} is not a list`);
    const condition = this.importer.leaf(
      at,
      field,
      (each) =>
        each[kind]((element) => {
          this.#elements.set(variable, {
            name: variable,
            type: type.of,
            where: element,
            nullable: type.of.nullDepth > 0 ? [element] : [],
            isElement: true,
          });
          const body = this.or(false, depth + 1);
          this.#elements.delete(variable);
          return body;
        }),
      false,
    );
    this.#take(')');
    return negated ? not(condition) : condition;
  }

  operand(): Operand {
    const token = this.#peek();
    this.#next += 1;
    switch (token.kind) {
      case 'string':
        return { kind: 'literal', value: token.text.slice(1, -1).replaceAll("''", "'") };
      case 'number':
        return {
          kind: 'literal',
          value: /^-?\d+$/.test(token.text) ? BigInt(token.text) : Number(token.text),
        };
      case 'text':
      case 'instant':
        return { kind: 'literal', value: token.text };
      case 'name':
        return this.named(token);
      default:
        this.#next -= 1;
        return this.#expected('a field or a value');
    }
  }

  named({ text, at }: Token): Operand {
    const name = text.toLowerCase();
    if (this.#peek().text === '(') {
      if (name !== 'now' && name !== 'length' && name !== 'tolower' && name !== 'toupper')
        return refuse(`offset ${at}`, `the function ${text} is not supported`);
      this.#take('(');
      const inner = name === 'now' ? null : this.operand();
      this.#take(')');
      if (inner === null) return { kind: 'literal', value: now };
      if (inner.kind !== 'field' || inner.by !== null)
        return refuse(`offset ${at}`, `${text} of a field is expected`);
      return { ...inner, by: name as 'length' };
    }
    if (name === 'null') return { kind: 'literal', value: null };
    if (name === 'true' || name === 'false') return { kind: 'literal', value: name === 'true' };
    if (this.#peek().kind === 'string')
      return refuse(`offset ${at}`, `literals of the type ${text} are not supported`);
    const path: [string, ...string[]] = [text];
    const isMember = (): boolean =>
      this.#peek().text === '/' && !['any', 'all'].includes(this.#peek(1).text.toLowerCase());
    while (isMember() && this.#takes('/')) path.push(this.#name());
    const isCount = path.at(-1) === '$count';
    if (isCount) path.pop();
    const element = this.#elements.get(text);
    const field =
      element === undefined
        ? this.importer.field(`offset ${at}`, path)
        : path.length === 1
          ? element
          : this.importer.field(`offset ${at}`, path.slice(1) as [string], element);
    return { kind: 'field', field, path, by: isCount ? 'length' : null };
  }

  #name(): string {
    const token = this.#peek();
    if (token.kind !== 'name') this.#expected('a name');
    this.#next += 1;
    return token.text;
  }

  #peek(distance = 0): Token {
    return this.#tokens[this.#next + distance] ?? (this.#tokens.at(-1) as Token);
  }

  #at(): string {
    return `offset ${this.#peek().at}`;
  }

  /** Operators are read in any letter case (OData 4.01). */
  #takes(word: string): boolean {
    const { kind, text } = this.#peek();
    if (kind === 'string' || text.toLowerCase() !== word) return false;
    this.#next += 1;
    return true;
  }

  #take(word: string): void {
    if (!this.#takes(word)) this.#expected(word);
  }

  #expected(what: string): never {
    return refuse(this.#at(), `${what} is expected, got ${this.#peek().text}`);
  }
}

/** `tolower(Name) eq 'x'` ignores letter case, if the string is in lower case. */
function foldedTo(at: string, by: 'tolower' | 'toupper' | 'length', value: unknown): CaselessText {
  if (typeof value !== 'string') return refuse(at, 'a string is expected');
  const isFolded = value === (by === 'toupper' ? value.toUpperCase() : value.toLowerCase());
  return isFolded ? ignoringCase(value) : refuse(at, `no result of ${by} is ${JSON.stringify(value)}`);
}
