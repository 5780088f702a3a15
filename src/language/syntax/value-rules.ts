import type { IToken } from 'chevrotain';
import type { FieldReference, Value, ValueList } from './ast.js';
import * as make from './factory.js';
import { fail } from './failure.js';
import { type Alternatives, expecting, type Forms, PathRules } from './path-rules.js';
import { readCaseless, readClock, readNumber, readText, readTyped } from './read-value.js';
import * as type from './tokens.js';
import type { Lexeme } from './tokens.js';

const atListEnd = expecting('listEnd');

/** Called with the number, from 1, and the first token of each match, collection and list value. May throw. */
export type OnTerm = (count: number, first: Lexeme, what: 'terms' | 'values in a list') => void;

/** Grammar rules of values: literals, field references, and lists. */
export class ValueRules extends PathRules {
  protected onTerm: OnTerm = () => undefined;

  protected readonly reference = this.RULE('reference', (): FieldReference => {
    const start = this.nextStart();
    this.CONSUME(type.At);
    const selector = this.SUBRULE(this.selector);
    return make.makeReference(selector, this.spanFrom(start));
  });

  // Shared alternatives instead of a rule, because each rule call takes time.
  protected readonly literalForms: Forms<Value> = [
    { ALT: () => this.text(this.CONSUME(type.Text)) },
    { ALT: () => this.text(this.CONSUME(type.RawText)) },
    { ALT: () => readNumber(this.source, this.CONSUME(type.NumberLiteral)) },
    { ALT: () => this.caseless(this.CONSUME(type.CaselessText)) },
    { ALT: () => readTyped(this.CONSUME(type.Typed)) },
  ];

  private readonly elementForms: Alternatives<Value> = {
    ...expecting('value'),
    DEF: [
      ...this.literalForms,
      { ALT: () => this.text(this.CONSUME(type.Pointer)) },
      { ALT: () => (this.SUBRULE(this.path), this.bareValue()) },
      { ALT: () => readClock(this.CONSUME(type.Clock)) },
    ],
  };

  private readonly valueForms: Alternatives<Value | FieldReference> = {
    ...expecting('value'),
    DEF: [...this.elementForms.DEF, { ALT: () => this.SUBRULE(this.reference) }],
  };

  protected readonly value = this.RULE('value', (): Value | FieldReference => this.OR(this.valueForms));

  protected readonly list = this.RULE('list', (): ValueList => {
    const start = this.nextStart();
    // Brackets are checked as parts of paths, but not here.
    this.CONSUME2(type.LeftBracket);
    const elements = this.OPTION(() => this.SUBRULE(this.elements)) ?? [];
    this.CONSUME(type.RightBracket, atListEnd);
    const span = this.spanFrom(start);
    this.checker.noteList(span);
    return make.makeValueList(elements, span);
  });

  private readonly elements = this.RULE('elements', (): Value[] => {
    const elements = [this.SUBRULE(this.element)];
    this.MANY({
      GATE: () => !type.isOneOf(this.LA(2), type.RightBracket),
      DEF: () => {
        this.CONSUME(type.Comma);
        this.onTerm(elements.length + 1, this.LA(1), 'values in a list');
        elements.push(this.SUBRULE2(this.element));
      },
    });
    this.OPTION(() => this.CONSUME2(type.Comma));
    return elements;
  });

  private readonly element = this.RULE('element', (): Value => this.OR(this.elementForms));

  private bareValue(): Value {
    const selector = this.paths.spanOfSelector();
    if (selector !== null && !this.RECORDING_PHASE) fail('no-match', 'value', selector, selector.start);
    return this.paths.bareValue();
  }

  /** While Chevrotain records the grammar, tokens have no source to decode. */
  private text(literal: IToken): Value {
    return this.RECORDING_PHASE ? this.paths.bareValue() : readText(literal, this.checker);
  }

  private caseless(literal: IToken): Value {
    return this.RECORDING_PHASE ? this.paths.bareValue() : readCaseless(literal);
  }
}
