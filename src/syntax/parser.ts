import { EmbeddedActionsParser, EOF, type IParserErrorMessageProvider, type IToken } from 'chevrotain';
import type { SyntaxErrorCode } from '../diagnostics/errors.js';
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
import { type ExpectationName, isExpectationName } from './expectation.js';
import { leadingNegations, type Peek, startsCollection } from './lookahead.js';
import * as make from './make.js';
import { Reading } from './reading.js';
import * as token from './tokens.js';

/** Chevrotain's own errors carry the name of what was expected in place of a message. */
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

  constructor({ validate = false }: { readonly validate?: boolean } = {}) {
    super([...token.vocabulary], {
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
    if (error !== undefined || expression === undefined) {
      const found = error?.token ?? this.LA(1);
      const at = tokens.indexOf(found);
      this.explain(error?.message ?? 'end', found, tokens[at === -1 ? tokens.length - 1 : at - 1]);
    }
    return expression;
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
      this.separate(this.CONSUME(token.Or));
      operands.push(this.SUBRULE2(this.conjunction));
    });
    return this.junction('or', operands, start);
  });

  private readonly conjunction = this.RULE('conjunction', (): Expression => {
    const start = this.nextStart();
    const operands = [this.SUBRULE(this.operand)];
    this.MANY(() => {
      this.separate(this.CONSUME(token.And));
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
      this.gapAfter(this.CONSUME(token.Negation));
      negations += 1;
    });
    const isComposed = this.isComposed || negations > 0;
    this.isComposed = false;
    const isCollection = this.settleSubject(isComposed);
    const operand = this.OR(this.operandForms);
    this.loneCollection = isCollection && !isComposed ? operand.span : null;
    if (isCollection && isComposed) this.reading.noteComposed(operand.span);
    this.reading.noteOperand(this.LA(1));
    return negations === 0 ? operand : make.makeNot(operand, negations, this.spanFrom(start));
  });

  private readonly operandForms = {
    ...expecting('operand'),
    DEF: [
      { ALT: (): Expression => this.SUBRULE(this.comparison) },
      { ALT: (): Expression => this.SUBRULE(this.membership) },
      { ALT: (): Expression => this.SUBRULE(this.group) },
      { ALT: (): Expression => this.SUBRULE(this.collection) },
    ],
  };

  private readonly group = this.RULE('group', (): Expression => {
    this.CONSUME(token.LeftParen);
    this.reading.openParenthesis();
    const expression = this.SUBRULE(this.disjunction);
    this.CONSUME(token.RightParen, atGroupEnd);
    this.reading.close();
    return expression;
  });

  private readonly collection = this.RULE('collection', (): CollectionExpression => {
    const start = this.startTerm();
    const kind = this.OR<'any' | 'all'>([
      { ALT: () => (this.gapAfter(this.CONSUME(token.AnyOf)), 'any') },
      { ALT: () => (this.gapAfter(this.CONSUME(token.AllOf)), 'all') },
    ]);
    const selector = this.SUBRULE(this.selector);
    this.gaps(this.CONSUME(token.As, atAs));
    const binding = this.SUBRULE(this.binding);
    this.CONSUME(token.LeftBrace, atBindingEnd);
    this.reading.openBrace();
    const body = this.SUBRULE(this.disjunction);
    this.CONSUME(token.RightBrace, atBodyEnd);
    this.reading.close();
    return make.makeCollection(kind, selector, binding, body, this.spanFrom(start));
  });

  private readonly binding = this.RULE('binding', (): CollectionBinding => {
    const start = this.nextStart();
    return this.OR<CollectionBinding>({
      ...atBinding,
      DEF: [
        {
          ALT: () => {
            this.CONSUME(token.Underscore);
            this.CONSUME(token.Comma, atBindingComma);
            const value = this.name(this.CONSUME(token.Name, expecting('bindingName')));
            return make.makeBinding(null, null, value, this.spanFrom(start));
          },
        },
        {
          ALT: () => {
            const first = this.name(this.CONSUME2(token.Name));
            const second = this.OPTION(() => this.SUBRULE(this.secondName));
            const span = this.spanFrom(start);
            return second === undefined
              ? make.makeBinding(first, null, null, span)
              : make.makeBinding(null, first, second.text === '_' ? null : second, span);
          },
        },
      ],
    });
  });

  private readonly secondName = this.RULE('secondName', (): Name => {
    this.CONSUME(token.Comma);
    return this.OR<Name>({
      ...atBinding,
      DEF: [
        { ALT: () => this.name(this.CONSUME(token.Name)) },
        { ALT: () => this.name(this.CONSUME(token.Underscore)) },
      ],
    });
  });

  private readonly comparison = this.RULE('comparison', (): MatchExpression => {
    this.matchStart = this.startTerm();
    this.subject = this.SUBRULE(this.selector);
    return this.OR(this.comparisonForms);
  });

  private readonly comparisonForms = {
    ...expecting('operator'),
    DEF: [
      {
        ALT: (): MatchExpression => {
          const operator = this.CONSUME(token.Equal);
          return this.match('==', operator, operator, this.SUBRULE(this.value));
        },
      },
      {
        ALT: (): MatchExpression => {
          const operator = this.CONSUME(token.NotEqual);
          return this.match('!=', operator, operator, this.SUBRULE2(this.value));
        },
      },
      {
        ALT: (): MatchExpression => {
          const operator = this.gaps(this.CONSUME(token.Contains));
          return this.match('in', operator, operator, this.SUBRULE3(this.value));
        },
      },
      {
        ALT: (): MatchExpression => {
          const operator = this.gaps(this.CONSUME(token.Matches));
          return this.match('matches', operator, operator, this.SUBRULE4(this.value));
        },
      },
      { ALT: (): MatchExpression => this.SUBRULE(this.containment) },
      { ALT: (): MatchExpression => this.SUBRULE(this.property) },
      { ALT: (): MatchExpression => this.SUBRULE(this.negated) },
    ],
  };

  private readonly containment = this.RULE('containment', (): MatchExpression => {
    const operator = this.gaps(this.CONSUME(token.In));
    const value = this.reading.bareValue();
    this.subject = this.SUBRULE(this.selector);
    return this.match('in', operator, operator, value);
  });

  private readonly negated = this.RULE('negated', (): MatchExpression => {
    const not = this.gaps(this.CONSUME(token.Not));
    return this.OR<MatchExpression>({
      ...expecting('negatable'),
      DEF: [
        {
          ALT: () => {
            const operator = this.gaps(this.CONSUME(token.In));
            const value = this.reading.bareValue();
            this.subject = this.SUBRULE(this.selector);
            return this.match('not in', not, operator, value);
          },
        },
        {
          ALT: () => {
            const operator = this.gaps(this.CONSUME(token.Contains));
            return this.match('not in', not, operator, this.SUBRULE(this.value));
          },
        },
        {
          ALT: () => {
            const operator = this.gaps(this.CONSUME(token.Matches));
            return this.match('not matches', not, operator, this.SUBRULE2(this.value));
          },
        },
      ],
    });
  });

  private readonly property = this.RULE('property', (): MatchExpression => {
    const is = this.gaps(this.CONSUME(token.Is));
    const not = this.OPTION(() => this.gaps(this.CONSUME(token.Not)));
    return this.OR<MatchExpression>({
      ...expecting('property'),
      DEF: [
        {
          ALT: () => {
            const last = this.CONSUME(token.Empty);
            return this.match(not === undefined ? 'is empty' : 'is not empty', is, last, null);
          },
        },
        {
          ALT: () => {
            const last = this.CONSUME(token.Nil);
            return this.match(not === undefined ? 'is nil' : 'is not nil', is, last, null);
          },
        },
      ],
    });
  });

  private readonly membership = this.RULE('membership', (): MatchExpression => {
    this.matchStart = this.startTerm();
    const value = this.SUBRULE(this.literal);
    const not = this.OPTION(() => this.gaps(this.CONSUME(token.Not)));
    const operator = this.gaps(this.CONSUME(token.In, atMembership));
    this.subject = this.SUBRULE(this.selector);
    return this.match(not === undefined ? 'in' : 'not in', not ?? operator, operator, value);
  });

  private readonly value = this.RULE('value', (): Value => this.OR(this.valueForms));

  private readonly valueForms = {
    ...expecting('value'),
    DEF: [
      { ALT: (): Value => this.SUBRULE(this.literal) },
      { ALT: (): Value => this.string(this.CONSUME(token.Pointer)) },
      {
        ALT: (): Value => {
          this.SUBRULE(this.path);
          return this.reading.bareValue();
        },
      },
    ],
  };

  private readonly literal = this.RULE('literal', (): Value => this.OR(this.literalForms));

  private readonly literalForms = [
    { ALT: (): Value => this.string(this.CONSUME(token.Text)) },
    { ALT: (): Value => this.string(this.CONSUME(token.RawText)) },
    { ALT: (): Value => this.reading.number(this.CONSUME(token.NumberLiteral)) },
  ];

  private readonly selector = this.RULE('selector', (): Selector => this.OR(this.selectorForms));

  private readonly selectorForms = {
    ...expecting('selector'),
    DEF: [
      {
        ALT: (): Selector => {
          this.SUBRULE(this.path);
          return this.reading.selector();
        },
      },
      { ALT: (): Selector => this.reading.pointer(this.CONSUME(token.Pointer)) },
    ],
  };

  private readonly path = this.RULE('path', (): void => {
    this.reading.startPath(this.CONSUME(token.Name));
    this.MANY(this.part);
  });

  private readonly part = (): void => this.OR(this.partForms);

  private readonly partForms = [
    {
      ALT: (): void => {
        const dot = this.unspaced(this.CONSUME(token.Dot));
        this.reading.addName(dot, this.CONSUME2(token.Name, atPart));
      },
    },
    { ALT: (): void => this.reading.addIndex(this.unspaced(this.CONSUME(token.IndexPart))) },
    {
      ALT: (): void => {
        this.unspaced(this.CONSUME(token.LeftBracket));
        const key = this.OR2(this.keyForms);
        this.addKey(key, this.CONSUME(token.RightBracket, atBracket));
      },
    },
  ];

  private readonly keyForms = {
    ...expecting('key'),
    DEF: [
      { ALT: (): IToken => this.CONSUME(token.Text) },
      { ALT: (): IToken => this.CONSUME(token.Pointer) },
      { ALT: (): IToken => this.CONSUME(token.RawText) },
    ],
  };

  // ---- What words mean ----

  private readonly peek: Peek = (k) => this.LA(k);

  /** Retypes the words `not` that negate the operand to come. */
  private settleNegations(): void {
    if (this.LA(1).tokenTypeIdx !== token.Not.tokenTypeIdx) return;
    const { count, abandonedIn } = leadingNegations(this.peek);
    for (let k = 1; k <= count; k += 1) token.retype(this.LA(k), token.Negation);
    if (abandonedIn > 0) this.noteAbandoned(abandonedIn);
  }

  /**
   * Retypes `any` and `all` where they begin a collection, and a quoted pointer where it is a value. Says whether it is a
   * collection.
   */
  private settleSubject(isComposed: boolean): boolean {
    const next = this.LA(1);
    const index = next.tokenTypeIdx;
    if (index === token.Pointer.tokenTypeIdx) {
      const k = token.isOneOf(this.LA(2), token.Not) ? 3 : 2;
      if (token.isOneOf(this.LA(k), token.In)) token.retype(next, token.Text);
      return false;
    }
    const isAny = index === token.Any.tokenTypeIdx;
    if (!isAny && index !== token.All.tokenTypeIdx) return false;
    if (!startsCollection(this.peek)) return false;
    token.retype(next, isAny ? token.AnyOf : token.AllOf);
    // go-bexpr reads the word as a field here, and misses its operator.
    if (isComposed) this.reading.requireParentheses(this.LA(2));
    return true;
  }

  /** go-bexpr wants whitespace around an `in` before it takes offence at what follows. */
  private noteAbandoned(k: number): void {
    const isSpaced = (left: number): boolean => this.reading.isSpaced(this.LA(left), this.LA(left + 1));
    const isNegated = token.isOneOf(this.LA(k - 1), token.Not);
    if (isSpaced(k) && isSpaced(k - 1) && (!isNegated || isSpaced(k - 2))) {
      this.reading.noteAbandoned(this.LA(k), this.LA(k + 1));
    }
  }

  // ---- Pieces ----

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

  private addKey(key: IToken, bracket: IToken): void {
    if (!this.RECORDING_PHASE) this.reading.addKey(key, bracket);
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

  /** Behind `and` and `or`. */
  private separate(word: IToken): void {
    this.gaps(word);
    if (this.loneCollection !== null) this.reading.noteContinued(this.loneCollection, word);
    this.loneCollection = null;
  }

  private gapAfter(word: IToken): IToken {
    this.reading.requireGap(word, this.LA(1));
    return word;
  }

  private gaps(word: IToken): IToken {
    this.reading.requireGap(this.LA(-1), word);
    this.reading.requireGap(word, this.LA(1));
    return word;
  }

  private unspaced(first: IToken): IToken {
    this.reading.forbidGap(this.LA(-1), first);
    return first;
  }

  // ---- Failure ----

  /** Turns Chevrotain's exception into ours. */
  private explain(message: string, found: IToken, previous: IToken = found): never {
    const expected = refine(isExpectationName(message) ? message : 'end', previous);
    const span = token.isOneOf(found, token.Unknown)
      ? this.reading.unknown(found)
      : this.reading.spanOf(found);
    if (token.isOneOf(found, token.Unterminated) && stringPlaces.has(expected)) {
      this.reading.failUnterminated(span, expected);
    }
    const isSpaced = this.reading.isSpaced(previous, found);
    const code: SyntaxErrorCode =
      expected === 'key'
        ? 'invalid-index'
        : expected === 'bracket'
          ? 'unclosed-index'
          : expected === 'container' && isSpaced
            ? 'invalid-selector'
            : 'no-match';
    const place = expected === 'part' ? this.reading.endOf(previous) : this.reading.startOf(found);
    this.reading.fail(code, expected, span, place);
  }
}

/** The places where go-bexpr tries to read a string. */
const stringPlaces: ReadonlySet<ExpectationName> = new Set(['operand', 'value', 'key']);

/** One rule of the grammar can fail at several places; the token before tells which one it was. */
function refine(expected: ExpectationName, previous: IToken): ExpectationName {
  if (expected === 'selector' && token.isOneOf(previous, token.In)) return 'container';
  if (!token.isOneOf(previous, token.Not)) return expected;
  if (expected === 'property') return 'negatedProperty';
  return expected === 'membership' ? 'negatedMembership' : expected;
}
