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
import type { Level } from './dialect.js';
import type { Peek } from './disambiguate.js';
import type { ExpectationName } from './expectation.js';
import * as make from './factory.js';
import { fail } from './failure.js';
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

/** The tokens that can follow the bracket before a key; the last one is reported as it is. */
const keyTypes = [type.Text, type.Pointer, type.RawText, type.Unterminated];

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
  protected level: Level = 1;
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

  /** Reads a selector after `in`, where a bracket begins a list. */
  protected readonly namedSelector = this.RULE('namedSelector', (): Selector => this.OR(this.namedForms));

  private readonly namedForms: Alternatives<Selector> = {
    ...expecting('selector'),
    DEF: [
      { ALT: () => (this.SUBRULE(this.path), this.paths.selector()) },
      { ALT: () => readPointer(this.CONSUME(type.Pointer)) },
    ],
  };

  private readonly selectorForms: Alternatives<Selector> = {
    ...expecting('selector'),
    DEF: [...this.namedForms.DEF, { ALT: () => (this.SUBRULE(this.keyedPath), this.paths.selector()) }],
  };

  protected readonly path = this.RULE('path', (): void => {
    const name = this.CONSUME(type.FieldName);
    this.paths.start(name);
    this.addName(name);
    this.MANY(this.part);
  });

  /** Reads a path that begins with a bracket. */
  private readonly keyedPath = this.RULE('keyedPath', (): void => {
    this.SUBRULE(this.firstKey);
    this.MANY(this.part);
  });

  private readonly firstKey = this.RULE('firstKey', (): void => {
    // Not checked as a part after a name.
    this.startKeyed(this.CONSUME2(type.LeftBracket));
    this.key(this.OR(this.keyForms));
    this.paths.endKey(this.CONSUME(type.RightBracket, atBracket));
  });

  private readonly part = (): void => this.OR(this.partForms);

  private readonly partForms: Forms<void> = [
    {
      ALT: () => {
        this.CONSUME(type.Dot);
        this.addName(this.CONSUME2(type.FieldName, atPart));
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
    if (role !== type.Name && role !== type.FieldName) this.checker.accept(token, this.peek);
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

  private startKeyed(bracket: IToken): void {
    const span = type.spanOf(bracket);
    // Level 0 gets here only at the start of an operand. A bracket without a key is a mistake of another kind.
    const isKey = type.isOneOf(this.LA(1), ...keyTypes) && !type.isOneOf(this.LA(2), type.Comma);
    if ((this.level === 0 || !isKey) && !this.RECORDING_PHASE) fail('no-match', 'operand', span, span.start);
    this.checker.noteFieldName(span);
    this.paths.start(bracket);
  }

  private addName(name: IToken): void {
    if (type.isOneOf(name, type.UnderscoreName)) this.checker.noteFieldName(type.spanOf(name));
    this.paths.addName(name);
  }

  private key(key: IToken): void {
    if (!this.RECORDING_PHASE) this.paths.addKey(key);
  }
}
