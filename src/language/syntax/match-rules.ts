import type { IToken } from 'chevrotain';
import { formOf, type MatchOperator } from '../operators/operators.js';
import type {
  Aspect,
  FieldReference,
  MatchExpression,
  MatchValue,
  Selector,
  Value,
  ValueList,
} from './ast.js';
import type { Span } from '../diagnostics/span.js';
import * as make from './factory.js';
import { fail } from './failure.js';
import { listMark, operatorOf } from './operator-words.js';
import { type Alternatives, expecting, type Forms } from './path-rules.js';
import * as type from './tokens.js';
import { ValueRules } from './value-rules.js';

const atState = expecting('property');
const atMembership = expecting('membership');
const atMeasured = expecting('negatedMembership');
const atSizeEnd = expecting('sizeEnd');

/** Checks that only range bounds and list values use the clock. Forms and patterns are known before. */
function requireFitting(operator: MatchOperator, value: MatchValue): void {
  const { operand } = formOf(operator).operator;
  if (value.kind === 'value' && value.form === 'now' && !operand.dependsOnQuotes)
    fail('no-match', 'clock', value.span, value.span.start);
  if (value.kind === 'reference' && !operand.acceptsReference)
    fail('no-match', 'reference', value.span, value.span.start);
}

/** Token type names contain the operator's words; unlike substrings of the source, they need not be hashed. */
function wordOf(operator: IToken): string {
  return operator.tokenType.name;
}

const nowhere = make.makeSelector('bexpr', [], [], make.makeSpan(0, 0));

/** Grammar rules of matches: a selector or its length, an operator, a value. */
export class MatchRules extends ValueRules {
  protected terms = 0;
  // Start of the match being read; matches do not nest.
  private matchStart = 0;
  private aspect: Aspect = 'value';
  private subject: Selector = nowhere;
  /** The span of the path before `in` if it is not a value; else null. */
  private selectorSpan: Span | null = null;

  /** If a path is followed by `in` and a selector, the path is a value and the match a containment test. */
  protected readonly comparison = this.RULE('comparison', (): MatchExpression => {
    this.matchStart = this.startTerm();
    this.subject = this.SUBRULE(this.selector);
    this.selectorSpan = this.paths.spanOfSelector();
    return this.OR(this.operator);
  });

  private readonly operator: Alternatives<MatchExpression> = {
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

  /** Reads the right side of `in`: a list of values, or a field if the value comes first. */
  private readonly container = this.RULE('container', (): Selector | ValueList =>
    this.OR(this.containerForms),
  );

  private readonly containerForms: Alternatives<Selector | ValueList> = {
    ...expecting('selector'),
    DEF: [
      { ALT: () => this.SUBRULE(this.namedSelector) },
      { GATE: () => this.level > 0, ALT: () => this.SUBRULE(this.list) },
    ],
  };

  /** Reads `len(...)` and a comparison with a number. */
  protected readonly measurement = this.RULE('measurement', (): MatchExpression => {
    this.matchStart = this.startTerm();
    this.CONSUME(type.Size);
    this.CONSUME(type.LeftParen);
    const selector = this.SUBRULE(this.selector);
    this.CONSUME(type.RightParen, atSizeEnd);
    this.aspect = 'length';
    this.subject = selector;
    return this.OR(this.measure);
  });

  private readonly measure: Alternatives<MatchExpression> = {
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

  protected readonly membership = this.RULE('membership', (): MatchExpression => {
    this.matchStart = this.startTerm();
    const value = this.OR(this.sought);
    const not = this.OPTION(() => this.CONSUME(type.Not));
    const operator = this.CONSUME(type.Reversed, atMembership);
    this.subject = this.SUBRULE(this.namedSelector);
    if (not === undefined) return this.match(wordOf(operator), operator, operator, value);
    return this.match(`not ${wordOf(operator)}`, not, operator, value);
  });

  private readonly sought: Forms<Value | FieldReference> = [
    ...this.literalForms,
    { ALT: () => this.SUBRULE(this.reference) },
  ];

  // ---- Pieces of rules ----

  protected startTerm(): number {
    const first = this.LA(1);
    this.checker.startTerm(this.LA(0), first, this.LA(2));
    this.terms += 1;
    this.onTerm(this.terms, first, 'terms');
    this.aspect = 'value';
    return first.startOffset;
  }

  /** Creates a match with `in`: a value in a field, or a field in a list. */
  private contained(
    written: string,
    first: IToken,
    last: IToken,
    path: Value,
    container: Selector | ValueList,
  ): MatchExpression {
    if (container.kind === 'list') return this.match(written + listMark, first, last, container);
    const { selectorSpan } = this;
    if (selectorSpan !== null && !this.RECORDING_PHASE)
      fail('no-match', 'bareValue', selectorSpan, selectorSpan.start);
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
}
