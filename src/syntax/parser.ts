import {
  EmbeddedActionsParser,
  EOF,
  type IParserErrorMessageProvider,
  type IToken,
  type TokenType,
} from 'chevrotain';
import type { Span } from '../diagnostics/span.js';
import type {
  CollectionBinding,
  CollectionExpression,
  Expression,
  MatchExpression,
  MatchOperator,
  Name,
  Selector,
  Value,
} from './ast.js';
import type { ExpectationName } from './expectation.js';
import { explain } from './classify-failure.js';
import { leadingNegations, type Peek, startsCollection } from './lookahead.js';
import * as make from './factory.js';
import { Reading } from './reading.js';
import * as type from './tokens.js';

/** What can stand at one place; kept in fields, because it is only made once there. */
type Forms<T> = { readonly ALT: () => T }[];
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
const atMembership = expecting('membership');
const atPart = expecting('part');
const atBracket = expecting('bracket');

const messages: IParserErrorMessageProvider = {
  buildMismatchTokenMessage: () => 'end',
  buildNoViableAltMessage: ({ customUserDescription }) => customUserDescription ?? 'end',
  buildNotAllInputParsedMessage: () => 'end',
  buildEarlyExitMessage: () => 'end',
};

const nowhere = make.makeSelector('bexpr', [], [], make.makeSpan(0, 0));

/**
 * The grammar of filter expressions, for both dialects. It needs one token of look-ahead: where a word has two readings,
 * `settleNegations` and `settleSubject` give its token the type of the right one before the grammar meets it.
 *
 * One instance parses any number of texts, one after the other.
 */
export class FilterParser extends EmbeddedActionsParser {
  private reading: Reading = new Reading('', 'standard', () => undefined);
  /** Whether the operand to come stands behind `and`. */
  private isComposed = false;
  /** The collection just read when it stands alone: without parentheses, `and` and `not`. */
  private loneCollection: Span | null = null;
  // Of the match being read; matches do not nest.
  private matchStart = 0;
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

  /** Reads a text. Throws ParserFailure, what the reading throws, and RangeError where the stack does not suffice. */
  read(reading: Reading, tokens: IToken[]): Expression {
    this.reading = reading;
    this.isComposed = false;
    this.loneCollection = null;
    this.input = tokens;
    const expression = this.filter() as Expression | undefined;
    const error = this.errors[0];
    if (expression !== undefined && error === undefined) return expression;
    const found = error?.token ?? this.LA(1);
    const at = tokens.indexOf(found);
    const previous = tokens[at === -1 ? tokens.length - 1 : at - 1];
    explain(reading, error?.message ?? 'end', found, previous ?? found);
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
      this.separator(type.Or);
      operands.push(this.SUBRULE2(this.conjunction));
    });
    return this.junction('or', operands, start);
  });

  private readonly conjunction = this.RULE('conjunction', (): Expression => {
    const start = this.nextStart();
    const operands = [this.SUBRULE(this.operand)];
    this.MANY(() => {
      this.separator(type.And);
      this.isComposed = true;
      operands.push(this.SUBRULE2(this.operand));
    });
    return this.junction('and', operands, start);
  });

  private readonly operand = this.RULE('operand', (): Expression => {
    const start = this.nextStart();
    let negations = 0;
    this.settleNegations();
    this.MANY(() => {
      this.gapAfter(this.CONSUME(type.Negation));
      negations += 1;
    });
    const isComposed = this.isComposed || negations > 0;
    this.isComposed = false;
    const isCollection = this.settleSubject(isComposed);
    const operand = this.OR(this.operandForms);
    this.loneCollection = isCollection && !isComposed ? operand.span : null;
    if (isCollection && isComposed) this.reading.noteComposed(operand.span);
    this.reading.noteClosable(this.nextStart());
    return negations === 0 ? operand : make.makeNot(operand, negations, this.spanFrom(start));
  });

  private readonly operandForms: Choice<Expression> = {
    ...expecting('operand'),
    DEF: [
      { ALT: () => this.SUBRULE(this.comparison) },
      { ALT: () => this.SUBRULE(this.membership) },
      { ALT: () => this.SUBRULE(this.group) },
      { ALT: () => this.SUBRULE(this.collection) },
    ],
  };

  private readonly group = this.RULE('group', (): Expression => {
    this.CONSUME(type.LeftParen);
    this.reading.openParenthesis();
    const expression = this.SUBRULE(this.disjunction);
    this.CONSUME(type.RightParen, atGroupEnd);
    this.reading.close();
    return expression;
  });

  private readonly collection = this.RULE('collection', (): CollectionExpression => {
    const start = this.startTerm();
    const kind = this.OR(this.quantifierForms);
    const selector = this.SUBRULE(this.selector);
    this.gaps(this.CONSUME(type.As, atAs));
    const binding = this.SUBRULE(this.binding);
    this.CONSUME(type.LeftBrace, atBindingEnd);
    this.reading.openBrace();
    const body = this.SUBRULE(this.disjunction);
    this.CONSUME(type.RightBrace, atBodyEnd);
    this.reading.close();
    return make.makeCollection(kind, selector, binding, body, this.spanFrom(start));
  });

  private readonly quantifierForms: Forms<'any' | 'all'> = [
    { ALT: () => (this.gapAfter(this.CONSUME(type.AnyOf)), 'any') },
    { ALT: () => (this.gapAfter(this.CONSUME(type.AllOf)), 'all') },
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

  private readonly comparison = this.RULE('comparison', (): MatchExpression => {
    this.matchStart = this.startTerm();
    this.subject = this.SUBRULE(this.selector);
    return this.OR(this.comparisonForms);
  });

  private readonly comparisonForms: Choice<MatchExpression> = {
    ...expecting('operator'),
    DEF: [
      { ALT: () => this.compare('==', this.CONSUME(type.Equal), this.SUBRULE(this.value)) },
      { ALT: () => this.compare('!=', this.CONSUME(type.NotEqual), this.SUBRULE2(this.value)) },
      { ALT: () => this.compare('in', this.word(type.Contains), this.SUBRULE3(this.value)) },
      { ALT: () => this.compare('matches', this.word(type.Matches), this.SUBRULE4(this.value)) },
      { ALT: () => this.SUBRULE(this.containment) },
      { ALT: () => this.SUBRULE(this.property) },
      { ALT: () => this.SUBRULE(this.negated) },
    ],
  };

  private readonly containment = this.RULE('containment', (): MatchExpression => {
    const value = this.reading.bareValue();
    const operator = this.word(type.In);
    this.subject = this.SUBRULE(this.selector);
    return this.compare('in', operator, value);
  });

  private readonly property = this.RULE('property', (): MatchExpression => {
    const is = this.word(type.Is);
    const not = this.OPTION(() => this.word(type.Not)) !== undefined;
    return this.OR({
      ...expecting('property'),
      DEF: [
        { ALT: () => this.match(not ? 'is not empty' : 'is empty', is, this.CONSUME(type.Empty), null) },
        { ALT: () => this.match(not ? 'is not nil' : 'is nil', is, this.CONSUME(type.Nil), null) },
      ],
    });
  });

  private readonly negated = this.RULE('negated', (): MatchExpression => {
    const value = this.reading.bareValue();
    const not = this.word(type.Not);
    return this.OR({
      ...expecting('negatable'),
      DEF: [
        {
          ALT: () => {
            const operator = this.word(type.In);
            this.subject = this.SUBRULE(this.selector);
            return this.match('not in', not, operator, value);
          },
        },
        { ALT: () => this.match('not in', not, this.word(type.Contains), this.SUBRULE(this.value)) },
        { ALT: () => this.match('not matches', not, this.word(type.Matches), this.SUBRULE2(this.value)) },
      ],
    });
  });

  private readonly membership = this.RULE('membership', (): MatchExpression => {
    this.matchStart = this.startTerm();
    const value = this.SUBRULE(this.literal);
    const not = this.OPTION(() => this.word(type.Not));
    const operator = this.gaps(this.CONSUME(type.In, atMembership));
    this.subject = this.SUBRULE(this.selector);
    return this.match(not === undefined ? 'in' : 'not in', not ?? operator, operator, value);
  });

  private readonly value = this.RULE('value', (): Value => this.OR(this.valueForms));

  private readonly valueForms: Choice<Value> = {
    ...expecting('value'),
    DEF: [
      { ALT: () => this.SUBRULE(this.literal) },
      { ALT: () => this.string(this.CONSUME(type.Pointer)) },
      { ALT: () => (this.SUBRULE(this.path), this.reading.bareValue()) },
    ],
  };

  private readonly literal = this.RULE('literal', (): Value => this.OR(this.literalForms));

  private readonly literalForms: Forms<Value> = [
    { ALT: () => this.string(this.CONSUME(type.Text)) },
    { ALT: () => this.string(this.CONSUME(type.RawText)) },
    { ALT: () => this.reading.number(this.CONSUME(type.NumberLiteral)) },
  ];

  private readonly selector = this.RULE('selector', (): Selector => this.OR(this.selectorForms));

  private readonly selectorForms: Choice<Selector> = {
    ...expecting('selector'),
    DEF: [
      { ALT: () => (this.SUBRULE(this.path), this.reading.selector()) },
      { ALT: () => this.reading.pointer(this.CONSUME(type.Pointer)) },
    ],
  };

  private readonly path = this.RULE('path', (): void => {
    this.reading.startPath(this.CONSUME(type.Name));
    this.MANY(this.part);
  });

  private readonly part = (): void => this.OR(this.partForms);

  private readonly partForms: Forms<void> = [
    {
      ALT: () => {
        const dot = this.unspaced(this.CONSUME(type.Dot));
        this.reading.addName(dot, this.CONSUME2(type.Name, atPart));
      },
    },
    { ALT: () => this.reading.addIndex(this.unspaced(this.CONSUME(type.IndexPart))) },
    {
      ALT: () => {
        this.unspaced(this.CONSUME(type.LeftBracket));
        this.addKey(this.OR2(this.keyForms));
        this.reading.endKey(this.CONSUME(type.RightBracket, atBracket));
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

  // ---- What words mean ----

  private readonly peek: Peek = (k) => this.LA(k);

  /** Retypes the words `not` that negate the operand to come. */
  private settleNegations(): void {
    if (this.LA(1).tokenTypeIdx !== type.Not.tokenTypeIdx) return;
    const { count, abandonedIn } = leadingNegations(this.peek);
    for (let k = 1; k <= count; k += 1) type.retype(this.LA(k), type.Negation);
    if (abandonedIn > 0) this.noteAbandoned(abandonedIn);
  }

  /**
   * Retypes `any` and `all` where they begin a collection, and a quoted pointer where it is a value. Says whether it is a
   * collection.
   */
  private settleSubject(isComposed: boolean): boolean {
    const next = this.LA(1);
    const index = next.tokenTypeIdx;
    if (index === type.Pointer.tokenTypeIdx) {
      const k = type.isOneOf(this.LA(2), type.Not) ? 3 : 2;
      if (type.isOneOf(this.LA(k), type.In)) type.retype(next, type.Text);
      return false;
    }
    const isAny = index === type.Any.tokenTypeIdx;
    if (!isAny && index !== type.All.tokenTypeIdx) return false;
    if (!startsCollection(this.peek)) return false;
    type.retype(next, isAny ? type.AnyOf : type.AllOf);
    if (isComposed) this.reading.requireParentheses(next, this.LA(2));
    return true;
  }

  /** go-bexpr takes offence at an `in` without a selector only where whitespace surrounds it. */
  private noteAbandoned(k: number): void {
    const isSpaced = (left: number): boolean => this.reading.isSpaced(this.LA(left), this.LA(left + 1));
    const isNegated = type.isOneOf(this.LA(k - 1), type.Not);
    if (isSpaced(k) && isSpaced(k - 1) && (!isNegated || isSpaced(k - 2))) {
      this.reading.noteAbandoned(this.LA(k), this.LA(k + 1));
    }
  }

  // ---- Pieces of rules ----

  private nextStart(): number {
    return this.reading.startOf(this.LA(1));
  }

  private spanFrom(start: number): Span {
    return make.makeSpan(start, this.reading.endOf(this.LA(0)));
  }

  private startTerm(): number {
    return this.reading.startTerm(this.LA(1));
  }

  private name(word: IToken): Name {
    return make.makeName(word.image, this.reading.spanOf(word));
  }

  /** While Chevrotain records the grammar, tokens have no text that could be decoded. */
  private string(literal: IToken): Value {
    return this.RECORDING_PHASE ? this.reading.bareValue() : this.reading.string(literal);
  }

  private addKey(key: IToken): void {
    if (!this.RECORDING_PHASE) this.reading.addKey(key);
  }

  private compare(operator: MatchOperator, word: IToken, value: Value): MatchExpression {
    return this.match(operator, word, word, value);
  }

  private match(operator: MatchOperator, first: IToken, last: IToken, value: Value | null): MatchExpression {
    const operatorSpan = make.makeSpan(first.startOffset, this.reading.endOf(last));
    return make.makeMatch(operator, operatorSpan, this.subject, value, this.spanFrom(this.matchStart));
  }

  private junction(kind: 'and' | 'or', operands: readonly Expression[], start: number): Expression {
    // The rules read one operand before they look for more.
    const [first] = operands as readonly [Expression, ...Expression[]];
    return operands.length === 1 ? first : make.makeJunction(kind, operands, this.spanFrom(start));
  }

  /** `and` or `or`. */
  private separator(connective: TokenType): void {
    const word = this.word(connective);
    if (this.loneCollection !== null) this.reading.noteContinued(this.loneCollection, word);
    this.loneCollection = null;
  }

  private word(keyword: TokenType): IToken {
    return this.gaps(this.CONSUME(keyword));
  }

  private gaps(word: IToken): IToken {
    this.reading.requireGap(this.LA(-1), word);
    return this.gapAfter(word);
  }

  private gapAfter(word: IToken): IToken {
    this.reading.requireGap(word, this.LA(1));
    return word;
  }

  private unspaced(first: IToken): IToken {
    this.reading.forbidGap(this.LA(-1), first);
    return first;
  }
}
