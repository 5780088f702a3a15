import { EOF } from 'chevrotain';
import type { CollectionBinding, CollectionExpression, Expression, Name, Selector } from './ast.js';
import { classifyFailure } from './classify-failure.js';
import type { Level } from './dialect.js';
import { DialectChecker } from './dialect-checker.js';
import { disambiguate } from './disambiguate.js';
import * as make from './factory.js';
import { fail, ParserFailure } from './failure.js';
import { MatchRules } from './match-rules.js';
import { PathBuilder } from './path-builder.js';
import { type Alternatives, expecting, type Forms } from './path-rules.js';
import { endToken, tokenize } from './lexer.js';
import * as type from './tokens.js';
import type { OnTerm } from './value-rules.js';

const atEnd = expecting('end');
const atGroupEnd = expecting('groupEnd');
const atBodyEnd = expecting('bodyEnd');
const atAs = expecting('as');
const atBinding = expecting('binding');
const atBindingEnd = expecting('bindingEnd');
const atBindingComma = expecting('bindingComma');
const atBindingName = expecting('bindingName');

/**
 * The grammar of filter expressions, for both dialects: its rules are the productions of grammar/filter.ebnf without the blanks,
 * which `DialectChecker` checks. It needs one token of look-ahead: if a word is ambiguous, `disambiguate` gives its token the
 * right type before the grammar reads it.
 *
 * One instance parses any number of sources, one after the other.
 */
export class FilterParser extends MatchRules {
  constructor(options?: { readonly validate?: boolean }) {
    super(options);
    this.performSelfAnalysis();
  }

  /**
   * Parses a source from its tokens. Throws ParserFailure, whatever `onTerm` throws, and RangeError if the stack is exhausted.
   */
  read(
    text: string,
    level: Level,
    checker: DialectChecker,
    onTerm: OnTerm,
    tokens = tokenize(text, level),
  ): Expression {
    this.source = text;
    this.level = level;
    this.checker = checker;
    this.paths = new PathBuilder(text);
    this.onTerm = onTerm;
    this.terms = 0;
    tokens.push(endToken(text));
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

  /** Parses the name of a field. Throws ParserFailure, and RangeError if the stack is exhausted. */
  readSelector(text: string): Selector {
    this.source = text;
    this.level = 1;
    this.checker = new DialectChecker(text, 'standard');
    this.paths = new PathBuilder(text);
    this.input = [...tokenize(text), endToken(text)];
    const selector = this.fieldName() as Selector | undefined;
    if (selector !== undefined && this.errors.length === 0) return selector;
    return fail('no-match', 'selector', make.makeSpan(0, text.length), 0);
  }

  // ---- The grammar, from the top down ----

  private readonly fieldName = this.RULE('fieldName', (): Selector => {
    const selector = this.SUBRULE(this.selector);
    this.CONSUME(EOF, atEnd);
    return selector;
  });

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

  private readonly operand: Alternatives<Expression> = {
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

  private disambiguate(): void {
    const abandonedIn = disambiguate(this.peek, this.level);
    if (abandonedIn > 0) this.checker.abandonReading(this.peek, abandonedIn);
  }

  private junction(kind: 'and' | 'or', operands: readonly Expression[], start: number): Expression {
    // The rules read one operand before they look for more.
    const [first] = operands as readonly [Expression, ...Expression[]];
    return operands.length === 1 ? first : make.makeJunction(kind, operands, this.spanFrom(start));
  }
}

// Created lazily, because building the parser takes milliseconds.
let shared: FilterParser | null = null;

/** Returns the parser that all callers share. */
export function sharedParser(): FilterParser {
  return (shared ??= new FilterParser());
}
