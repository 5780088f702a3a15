import {
  createTokenInstance,
  EOF,
  type ILexerErrorMessageProvider,
  type IToken,
  Lexer,
  type TokenType,
} from 'chevrotain';
import type { Level } from './dialect.js';
import { isPointer } from './literal.js';
import {
  At,
  CaselessText,
  Clock,
  endOf,
  extensions,
  isOneOf,
  keywords,
  LeftParen,
  lexed,
  Name,
  NumberLiteral,
  NumberStart,
  Pointer,
  RawText,
  retype,
  Size,
  Text,
  type Token,
  Typed,
  UnderscoreName,
  Unknown,
} from './tokens.js';

/** The lexer's messages are never shown; errors are formatted elsewhere. */
const messages: ILexerErrorMessageProvider = {
  buildUnexpectedCharactersMessage: () => 'unknown',
  buildUnableToPopLexerModeMessage: () => 'unknown',
};

/** Whether the lexer of level 0 lacks the token type. */
function isExtension(type: TokenType): boolean {
  return extensions.has(type) || type === Clock || type === Typed || type === At || type === UnderscoreName;
}

function typesAt(level: Level): TokenType[] {
  return level === 1 ? [...lexed] : [...lexed.filter((type) => !isExtension(type)), NumberStart];
}

const lexers: [Lexer | null, Lexer | null] = [null, null];

/**
 * Splits a source into tokens. Blanks are omitted; invalid characters end the list as `Unknown`, so this never throws. Takes
 * linear time for any source.
 */
export function tokenize(text: string, level: Level = 1): IToken[] {
  const lexer = (lexers[level] ??= new Lexer(typesAt(level), {
    positionTracking: 'onlyOffset',
    ensureOptimizations: true,
    recoveryEnabled: false,
    skipValidations: true,
    errorMessageProvider: messages,
  }));
  const { tokens, errors } = lexer.tokenize(text);
  for (const token of tokens) classify(token, keywords[level]);
  if (level === 1 && mayExtend.test(text)) extend(tokens);
  const error = errors[0];
  if (error !== undefined) tokens.push(unknownFrom(text, error.offset));
  return tokens;
}

/**
 * Returns the token after the last one: empty, at the end of the source. Created like the lexer's, so that all share one hidden
 * class.
 */
export function endToken(text: string): Token {
  const { tokenTypeIdx = -1 } = EOF;
  return { image: '', startOffset: text.length, tokenTypeIdx, tokenType: EOF };
}

function unknownFrom(text: string, offset: number): IToken {
  return createTokenInstance(Unknown, text.slice(offset), offset, NaN, NaN, NaN, NaN, NaN);
}

function classify(token: IToken, words: ReadonlyMap<string, TokenType>): void {
  if (token.tokenType === Name) {
    const type = words.get(token.image);
    if (type !== undefined) retype(token, type);
  } else if (token.tokenType === Text && isPointer(token.image.slice(1, -1))) {
    retype(token, Pointer);
  } else if (token.tokenType === NumberStart) {
    retype(token, NumberLiteral);
  }
}

/** Sources without these need no second pass by `extend`. */
const mayExtend = /len|["`]i/;

/** Changes token types that depend on their neighbours: a literal's flag, and `len` before a parenthesis. */
function extend(tokens: IToken[]): void {
  let cached = 0;
  let previous: IToken | null = null;
  for (const token of tokens) {
    if (previous !== null && token.tokenType === LeftParen && isWord(previous, 'len')) {
      retype(previous, Size);
    } else if (previous !== null && isWord(token, 'i') && touchesQuote(previous, token)) {
      retype(previous, CaselessText);
      previous.image += token.image;
      continue;
    }
    tokens[cached] = previous = token;
    cached += 1;
  }
  tokens.length = cached;
}

function isWord({ tokenType, image }: IToken, word: string): boolean {
  return tokenType === Name && image === word;
}

function touchesQuote(literal: IToken, { startOffset }: IToken): boolean {
  return endOf(literal) === startOffset && isOneOf(literal, Text, Pointer, RawText);
}
