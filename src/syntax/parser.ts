import {
  type ConsumeMethodOpts,
  EmbeddedActionsParser,
  EOF,
  type IParserErrorMessageProvider,
  type IToken,
  type TokenType,
} from 'chevrotain';
import type { Span } from '../diagnostics/span.js';
import { formOf, type MatchOperator } from '../operators/operators.js';
import type {
  Aspect,
  CollectionBinding,
  CollectionExpression,
  Expression,
  FieldReference,
  MatchExpression,
  MatchValue,
  Name,
  Selector,
  Value,
  ValueList,
} from './ast.js';
import type { ExpectationName } from './expectation.js';
import { classifyFailure } from './classify-failure.js';
import { DialectChecker } from './dialect-checker.js';
import { disambiguate, type Peek } from './disambiguate.js';
import * as make from './factory.js';
import { fail, ParserFailure } from './failure.js';
import { listMark, operatorOf } from './operator-words.js';
import { PathBuilder, readPointer } from './path-builder.js';
import { readCaseless, readClock, readNumber, readText, readTyped } from './read-value.js';
import * as type from './tokens.js';
import type { Level } from './dialect.js';
import type { Lexeme } from './tokens.js';

/** What can stand at one place; kept in fields, because it is only made once there. */
type Forms<T> = { readonly GATE?: () => boolean; readonly ALT: () => T }[];
interface Choice<T> {
  readonly ERR_MSG: ExpectationName;
  readonly DEF: Forms<T>;
}

/** Chevrotain's own exceptions carry the name of what was expected in place of a message. */
function expecting(name: ExpectationName): { readonly ERR_MSG: ExpectationName } {
  return { ERR_MSG: name };
}

const atEnd = expecting('end');
const atGroupEnd = expecting('groupEnd');
const atBodyEnd = expecting('bodyEnd');
const atAs = expecting('as');
const atBinding = expecting('binding');
const atBindingEnd = expecting('bindingEnd');
const atBindingComma = expecting('bindingComma');
const atBindingName = expecting('bindingName');
const atState = expecting('property');
const atMembership = expecting('membership');
const atPart = expecting('part');
const atBracket = expecting('bracket');
const atMeasured = expecting('negatedMembership');
const atSizeEnd = expecting('sizeEnd');
const atListEnd = expecting('listEnd');

const messages: IParserErrorMessageProvider = {
  buildMismatchTokenMessage: () => 'end',
  buildNoViableAltMessage: ({ customUserDescription }) => customUserDescription ?? 'end',
  buildNotAllInputParsedMessage: () => 'end',
  buildEarlyExitMessage: () => 'end',
};

/** Only the end of a range and the values of a list may be reckoned from the clock; forms and patterns are known beforehand. */
function requireFitting(operator: MatchOperator, value: MatchValue): void {
  const { operand } = formOf(operator).operator;
  if (value.kind === 'value' && value.form === 'now' && operand !== 'bound')
    fail('no-match', 'clock', value.span, value.span.start);
  if (value.kind === 'reference' && operand !== 'literal' && operand !== 'bound')
    fail('no-match', 'reference', value.span, value.span.start);
}

/** The types of operators have their words as names, which, unlike pieces of the text, need not be hashed. */
function wordOf(operator: IToken): string {
  return operator.tokenType.name;
}

const nowhere = make.makeSelector('bexpr', [], [], make.makeSpan(0, 0));

/** Called with the number, from 1, and the first token of each match and collection, and of each value of a list; may throw. */
export type OnTerm = (count: number, first: Lexeme, what: 'terms' | 'values in a list') => void;

/**
 * The grammar of filter expressions, for both dialects: its rules are the productions of grammar/filter.ebnf, without the
 * blanks, which `DialectChecker` looks after. It needs one token of look-ahead: where a word has two readings, `disambiguate`
 * gives its token the type of the right one before the grammar meets it.
 *
 * One instance parses any number of texts, one after the other.
 */
export class FilterParser extends EmbeddedActionsParser {
  private source = '';
  private checker = new DialectChecker('', 'standard');
  private paths = new PathBuilder('');
  private onTerm: OnTerm = () => undefined;
  private terms = 0;
  private level: Level = 1;
  // Of the match being read; matches do not nest.
  private matchStart = 0;
  private aspect: Aspect = 'value';
  private subject: Selector = nowhere;

  /** `validate` makes Chevrotain look for ambiguities and mistakes in the grammar; for tests, it takes time. */
  constructor({ validate = false }: { readonly validate?: boolean } = {}) {
    super([...type.vocabulary], {
      maxLookahead: 1,
      recoveryEnabled: false,
      skipValidations: !validate,
      errorMessageProvider: messages,
    });
    this.performSelfAnalysis();
  }

  /**
   * Reads a text from its tokens. Throws ParserFailure, what `onTerm` throws, and RangeError where the stack does not
   * suffice.
   */
  read(
    text: string,
    level: Level,
    checker: DialectChecker,
    onTerm: OnTerm,
    tokens = type.tokenize(text, level),
  ): Expression {
    this.source = text;
    this.level = level;
    this.checker = checker;
    this.paths = new PathBuilder(text);
    this.onTerm = onTerm;
    this.terms = 0;
    tokens.push(type.endToken(text));
    this.input = tokens;
    try {
      const expression = this.filter() as Expression | undefined;
      const error = this.errors[0];
      if (expression !== undefined && error === undefined) return expression;
      const found = error?.token ?? this.LA(1);
      classifyFailure(checker, error?.message ?? 'end', found, tokens[tokens.indexOf(found) - 1] ?? found);
    } catch (error) {
      if (error instanceof ParserFailure) {
        error.failure = { ...error.failure, closableAt: checker.closableAt() };
      }
      throw error;
    }
  }

  // ---- The grammar, from the top down ----

  private readonly filter = this.RULE('filter', (): Expression => {
    const expression = this.SUBRULE(this.disjunction);
    this.CONSUME(EOF, atEnd);
    return expression;
  });

  private readonly disjunction = this.RULE('disjunction', (): Expression => {
    const start = this.nextStart();
    const operands = [this.SUBRULE(this.conjunction)];
    this.MANY(() => {
      this.CONSUME(type.Or);
      operands.push(this.SUBRULE2(this.conjunction));
    });
    return this.junction('or', operands, start);
  });

  private readonly conjunction = this.RULE('conjunction', (): Expression => {
    const start = this.nextStart();
    const operands = [this.SUBRULE(this.negation)];
    this.MANY(() => {
      this.CONSUME(type.And);
      operands.push(this.SUBRULE2(this.negation));
    });
    return this.junction('and', operands, start);
  });

  private readonly negation = this.RULE('negation', (): Expression => {
    const start = this.nextStart();
    this.disambiguate();
    let count = 0;
    this.MANY(() => {
      this.CONSUME(type.Negation);
      count += 1;
    });
    const operand = this.OR(this.operand);
    return count === 0 ? operand : make.makeNot(operand, count, this.spanFrom(start));
  });

  private readonly operand: Choice<Expression> = {
    ...expecting('operand'),
    DEF: [
      { ALT: () => this.SUBRULE(this.comparison) },
      { ALT: () => this.SUBRULE(this.measurement) },
      { ALT: () => this.SUBRULE(this.membership) },
      { ALT: () => this.SUBRULE(this.group) },
      { ALT: () => this.SUBRULE(this.collection) },
    ],
  };

  private readonly group = this.RULE('group', (): Expression => {
    this.CONSUME(type.LeftParen);
    const expression = this.SUBRULE(this.disjunction);
    this.CONSUME(type.RightParen, atGroupEnd);
    return expression;
  });

  private readonly collection = this.RULE('collection', (): CollectionExpression => {
    const start = this.startTerm();
    const kind = this.OR(this.quantifier);
    const selector = this.SUBRULE(this.selector);
    this.CONSUME(type.As, atAs);
    const binding = this.SUBRULE(this.binding);
    this.CONSUME(type.LeftBrace, atBindingEnd);
    const body = this.SUBRULE(this.disjunction);
    this.CONSUME(type.RightBrace, atBodyEnd);
    return make.makeCollection(kind, selector, binding, body, this.spanFrom(start));
  });

  private readonly quantifier: Forms<'any' | 'all'> = [
    { ALT: () => (this.CONSUME(type.AnyOf), 'any') },
    { ALT: () => (this.CONSUME(type.AllOf), 'all') },
  ];

  private readonly binding = this.RULE('binding', (): CollectionBinding => {
    const start = this.nextStart();
    return this.OR({
      ...atBinding,
      DEF: [
        {
          ALT: () => {
            this.CONSUME(type.Underscore);
            this.CONSUME(type.Comma, atBindingComma);
            const value = this.name(this.CONSUME(type.Name, atBindingName));
            return make.makeBinding(null, null, value, this.spanFrom(start));
          },
        },
        {
          ALT: () => {
            const first = this.name(this.CONSUME2(type.Name));
            const second = this.OPTION(() => this.SUBRULE(this.secondName));
            const span = this.spanFrom(start);
            if (second === undefined) return make.makeBinding(first, null, null, span);
            return make.makeBinding(null, first, second.text === '_' ? null : second, span);
          },
        },
      ],
    });
  });

  private readonly secondName = this.RULE('secondName', (): Name => {
    this.CONSUME(type.Comma);
    return this.OR({
      ...atBinding,
      DEF: [
        { ALT: () => this.name(this.CONSUME(type.Name)) },
        { ALT: () => this.name(this.CONSUME(type.Underscore)) },
      ],
    });
  });

  /** A path in front of `in` and a selector turns out to be a value, and the match a membership. */
  private readonly comparison = this.RULE('comparison', (): MatchExpression => {
    this.matchStart = this.startTerm();
    this.subject = this.SUBRULE(this.selector);
    return this.OR(this.operator);
  });

  private readonly operator: Choice<MatchExpression> = {
    ...expecting('operator'),
    DEF: [
      {
        ALT: () => {
          const operator = this.CONSUME(type.Infix);
          return this.match(wordOf(operator), operator, operator, this.SUBRULE(this.value));
        },
      },
      { ALT: () => this.SUBRULE(this.state) },
      { ALT: () => this.SUBRULE(this.containment) },
      { ALT: () => this.SUBRULE(this.negated) },
    ],
  };

  private readonly state = this.RULE('state', (): MatchExpression => {
    const is = this.CONSUME(type.Is);
    const not = this.OPTION(() => this.CONSUME(type.Not)) === undefined ? '' : 'not ';
    const state = this.CONSUME(type.State, atState);
    return this.match(`is ${not}${wordOf(state)}`, is, state, null);
  });

  private readonly containment = this.RULE('containment', (): MatchExpression => {
    const path = this.paths.bareValue();
    const operator = this.CONSUME(type.Reversed);
    return this.contained(wordOf(operator), operator, operator, path, this.SUBRULE(this.container));
  });

  private readonly negated = this.RULE('negated', (): MatchExpression => {
    const path = this.paths.bareValue();
    const not = this.CONSUME(type.Not);
    return this.OR({
      ...expecting('negatable'),
      DEF: [
        {
          ALT: () => {
            const operator = this.CONSUME(type.Reversed);
            const container = this.SUBRULE(this.container);
            return this.contained(`not ${wordOf(operator)}`, not, operator, path, container);
          },
        },
        {
          ALT: () => {
            const operator = this.CONSUME(type.NegatableInfix);
            return this.match(`not ${wordOf(operator)}`, not, operator, this.SUBRULE(this.value));
          },
        },
      ],
    });
  });

  /** What stands behind `in`: a list of values, or a field with the value in front. */
  private readonly container = this.RULE('container', (): Selector | ValueList =>
    this.OR(this.containerForms),
  );

  private readonly containerForms: Choice<Selector | ValueList> = {
    ...expecting('selector'),
    DEF: [
      { ALT: () => this.SUBRULE(this.selector) },
      { GATE: () => this.level > 0, ALT: () => this.SUBRULE(this.list) },
    ],
  };

  // Chevrotain numbers what stands in a rule several times; the third brackets and commas are those of no path.
  private readonly list = this.RULE('list', (): ValueList => {
    const start = this.nextStart();
    const elements: Value[] = [];
    this.CONSUME3(type.LeftBracket);
    this.OPTION(() => {
      elements.push(this.SUBRULE(this.element));
      this.MANY({
        GATE: () => !type.isOneOf(this.LA(2), type.RightBracket),
        DEF: () => {
          this.CONSUME3(type.Comma);
          this.onTerm(elements.length + 1, this.LA(1), 'values in a list');
          elements.push(this.SUBRULE2(this.element));
        },
      });
      this.OPTION2(() => this.CONSUME4(type.Comma));
    });
    this.CONSUME3(type.RightBracket, atListEnd);
    const span = this.spanFrom(start);
    this.checker.noteList(span);
    return make.makeValueList(elements, span);
  });

  /** `len(...)` and what asks for a number. */
  private readonly measurement = this.RULE('measurement', (): MatchExpression => {
    this.matchStart = this.startTerm();
    this.CONSUME(type.Size);
    this.CONSUME3(type.LeftParen);
    const selector = this.SUBRULE(this.selector);
    this.CONSUME3(type.RightParen, atSizeEnd);
    this.aspect = 'length';
    this.subject = selector;
    return this.OR(this.measure);
  });

  private readonly measure: Choice<MatchExpression> = {
    ...expecting('comparator'),
    DEF: [
      {
        ALT: () => {
          const operator = this.CONSUME(type.Comparator);
          return this.match(wordOf(operator), operator, operator, this.SUBRULE(this.value));
        },
      },
      {
        ALT: () => {
          const not = this.OPTION(() => this.CONSUME(type.Not));
          const operator = this.CONSUME(type.Reversed, atMeasured);
          const word = not === undefined ? wordOf(operator) : `not ${wordOf(operator)}`;
          return this.match(word + listMark, not ?? operator, operator, this.SUBRULE(this.list));
        },
      },
    ],
  };

  private readonly membership = this.RULE('membership', (): MatchExpression => {
    this.matchStart = this.startTerm();
    const value = this.OR(this.sought);
    const not = this.OPTION(() => this.CONSUME(type.Not));
    const operator = this.CONSUME(type.Reversed, atMembership);
    this.subject = this.SUBRULE(this.selector);
    if (not === undefined) return this.match(wordOf(operator), operator, operator, value);
    return this.match(`not ${wordOf(operator)}`, not, operator, value);
  });

  private readonly sought: Forms<Value | FieldReference> = [
    { ALT: () => this.SUBRULE(this.literal) },
    { ALT: () => this.SUBRULE(this.reference) },
  ];

  private readonly value = this.RULE('value', (): Value | FieldReference => this.OR(this.valueForms));

  private readonly valueForms: Choice<Value | FieldReference> = {
    ...expecting('value'),
    DEF: [{ ALT: () => this.SUBRULE(this.element) }, { ALT: () => this.SUBRULE(this.reference) }],
  };

  private readonly reference = this.RULE('reference', (): FieldReference => {
    const start = this.nextStart();
    this.CONSUME(type.At);
    const selector = this.SUBRULE(this.selector);
    return make.makeReference(selector, this.spanFrom(start));
  });

  private readonly element = this.RULE('element', (): Value => this.OR(this.elementForms));

  private readonly elementForms: Choice<Value> = {
    ...expecting('value'),
    DEF: [
      { ALT: () => this.SUBRULE(this.literal) },
      { ALT: () => this.text(this.CONSUME(type.Pointer)) },
      { ALT: () => (this.SUBRULE(this.path), this.paths.bareValue()) },
      { ALT: () => readClock(this.CONSUME(type.Clock)) },
    ],
  };

  private readonly literal = this.RULE('literal', (): Value => this.OR(this.literalForms));

  private readonly literalForms: Forms<Value> = [
    { ALT: () => this.text(this.CONSUME(type.Text)) },
    { ALT: () => this.text(this.CONSUME(type.RawText)) },
    { ALT: () => readNumber(this.source, this.CONSUME(type.NumberLiteral)) },
    { ALT: () => this.caseless(this.CONSUME(type.CaselessText)) },
    { ALT: () => readTyped(this.CONSUME(type.Typed)) },
  ];

  private readonly selector = this.RULE('selector', (): Selector => this.OR(this.selectorForms));

  private readonly selectorForms: Choice<Selector> = {
    ...expecting('selector'),
    DEF: [
      { ALT: () => (this.SUBRULE(this.path), this.paths.selector()) },
      { ALT: () => readPointer(this.CONSUME(type.Pointer)) },
    ],
  };

  private readonly path = this.RULE('path', (): void => {
    this.paths.start(this.CONSUME(type.Name));
    this.MANY(this.part);
  });

  private readonly part = (): void => this.OR(this.partForms);

  private readonly partForms: Forms<void> = [
    {
      ALT: () => {
        this.CONSUME(type.Dot);
        this.paths.addName(this.CONSUME2(type.Name, atPart));
      },
    },
    { ALT: () => this.paths.addIndex(this.CONSUME(type.IndexPart)) },
    {
      ALT: () => {
        this.CONSUME(type.LeftBracket);
        this.key(this.OR2(this.keyForms));
        this.paths.endKey(this.CONSUME(type.RightBracket, atBracket));
      },
    },
  ];

  private readonly keyForms: Choice<IToken> = {
    ...expecting('key'),
    DEF: [
      { ALT: () => this.CONSUME(type.Text) },
      { ALT: () => this.CONSUME(type.Pointer) },
      { ALT: () => this.CONSUME(type.RawText) },
    ],
  };

  // ---- Tokens on their way into rules. Chevrotain puts others in place of these methods while it records the grammar. ----

  override CONSUME(role: TokenType, options?: ConsumeMethodOpts): IToken {
    const token = super.CONSUME(role, options);
    if (role !== type.Name) this.checker.accept(token, this.peek);
    return token;
  }

  override CONSUME2(role: TokenType, options?: ConsumeMethodOpts): IToken {
    const token = super.CONSUME2(role, options);
    if (role !== type.Name) this.checker.accept(token, this.peek);
    return token;
  }

  private readonly peek: Peek = (k) => this.LA(k);

  private disambiguate(): void {
    const abandonedIn = disambiguate(this.peek, this.level);
    if (abandonedIn > 0) this.checker.abandonReading(this.peek, abandonedIn);
  }

  // ---- Pieces of rules ----

  private nextStart(): number {
    return this.LA(1).startOffset;
  }

  private spanFrom(start: number): Span {
    return make.makeSpan(start, type.endOf(this.LA(0)));
  }

  private startTerm(): number {
    const first = this.LA(1);
    this.checker.startTerm(this.LA(0), first, this.LA(2));
    this.terms += 1;
    this.onTerm(this.terms, first, 'terms');
    this.aspect = 'value';
    return first.startOffset;
  }

  private name(word: IToken): Name {
    return make.makeName(word.image, type.spanOf(word));
  }

  /** While Chevrotain records the grammar, tokens have no text that could be decoded. */
  private text(literal: IToken): Value {
    return this.RECORDING_PHASE ? this.paths.bareValue() : readText(literal, this.checker);
  }

  private caseless(literal: IToken): Value {
    return this.RECORDING_PHASE ? this.paths.bareValue() : readCaseless(literal);
  }

  private key(key: IToken): void {
    if (!this.RECORDING_PHASE) this.paths.addKey(key);
  }

  /** A match that has `in`: a value in a field, or a field in a list. */
  private contained(
    written: string,
    first: IToken,
    last: IToken,
    path: Value,
    container: Selector | ValueList,
  ): MatchExpression {
    if (container.kind === 'list') return this.match(written + listMark, first, last, container);
    this.subject = container;
    return this.match(written, first, last, path);
  }

  private match(written: string, first: IToken, last: IToken, value: MatchValue | null): MatchExpression {
    const operator = operatorOf(written);
    if (value !== null && !this.RECORDING_PHASE) requireFitting(operator, value);
    const operatorSpan = make.makeSpan(first.startOffset, type.endOf(last));
    const span = this.spanFrom(this.matchStart);
    return make.makeMatch(operator, operatorSpan, this.aspect, this.subject, value, span);
  }

  private junction(kind: 'and' | 'or', operands: readonly Expression[], start: number): Expression {
    // The rules read one operand before they look for more.
    const [first] = operands as readonly [Expression, ...Expression[]];
    return operands.length === 1 ? first : make.makeJunction(kind, operands, this.spanFrom(start));
  }
}
