import {
  type ConsumeMethodOpts,
  EmbeddedActionsParser,
  type IParserErrorMessageProvider,
  type IToken,
  type TokenType,
} from 'chevrotain';
import type { Span } from '../diagnostics/span.js';
import type { Name, Selector } from './ast.js';
import { DialectChecker } from './dialect-checker.js';
import type { Peek } from './disambiguate.js';
import type { ExpectationName } from './expectation.js';
import * as make from './factory.js';
import { PathBuilder, readPointer } from './path-builder.js';
import * as type from './tokens.js';

/** The alternatives at one position, stored in fields so that they are created only once. */
export type Forms<T> = { readonly GATE?: () => boolean; readonly ALT: () => T }[];
/** Alternatives, with the name of what was expected if none of them matches. */
export interface Alternatives<T> {
  readonly ERR_MSG: ExpectationName;
  readonly DEF: Forms<T>;
}

/** Chevrotain's own exceptions carry the name of the expectation as their message. */
export function expecting(name: ExpectationName): { readonly ERR_MSG: ExpectationName } {
  return { ERR_MSG: name };
}

const atPart = expecting('part');
const atBracket = expecting('bracket');

const messages: IParserErrorMessageProvider = {
  buildMismatchTokenMessage: () => 'end',
  buildNoViableAltMessage: ({ customUserDescription }) => customUserDescription ?? 'end',
  buildNotAllInputParsedMessage: () => 'end',
  buildEarlyExitMessage: () => 'end',
};

/**
 * Grammar rules of selectors, and members that all rules share: the source and the dialect checker. Chevrotain requires all rules
 * in one object, {@link FilterParser}; each subject is a class that the next one extends.
 */
export class PathRules extends EmbeddedActionsParser {
  protected source = '';
  protected checker = new DialectChecker('', 'standard');
  protected paths = new PathBuilder('');

  /** `validate` makes Chevrotain search for ambiguities and mistakes in the grammar. It is slow and meant for tests. */
  constructor({ validate = false }: { readonly validate?: boolean } = {}) {
    super([...type.vocabulary], {
      maxLookahead: 1,
      recoveryEnabled: false,
      skipValidations: !validate,
      errorMessageProvider: messages,
    });
  }

  protected readonly selector = this.RULE('selector', (): Selector => this.OR(this.selectorForms));

  private readonly selectorForms: Alternatives<Selector> = {
    ...expecting('selector'),
    DEF: [
      { ALT: () => (this.SUBRULE(this.path), this.paths.selector()) },
      { ALT: () => readPointer(this.CONSUME(type.Pointer)) },
    ],
  };

  protected readonly path = this.RULE('path', (): void => {
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

  private readonly keyForms: Alternatives<IToken> = {
    ...expecting('key'),
    DEF: [
      { ALT: () => this.CONSUME(type.Text) },
      { ALT: () => this.CONSUME(type.Pointer) },
      { ALT: () => this.CONSUME(type.RawText) },
    ],
  };

  // ---- Tokens on their way into rules. Chevrotain replaces these methods while it records the grammar. ----

  override CONSUME(role: TokenType, options?: ConsumeMethodOpts): IToken {
    const token = super.CONSUME(role, options);
    if (role !== type.Name) this.checker.accept(token, this.peek);
    return token;
  }

  protected readonly peek: Peek = (k) => this.LA(k);

  // ---- Pieces of rules ----

  protected nextStart(): number {
    return this.LA(1).startOffset;
  }

  protected spanFrom(start: number): Span {
    return make.makeSpan(start, type.endOf(this.LA(0)));
  }

  protected name(word: IToken): Name {
    return make.makeName(word.image, type.spanOf(word));
  }

  private key(key: IToken): void {
    if (!this.RECORDING_PHASE) this.paths.addKey(key);
  }
}
