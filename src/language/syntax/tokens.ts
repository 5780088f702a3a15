import { createToken, EOF, type IToken, Lexer, type TokenType } from 'chevrotain';
import type { Span } from '../diagnostics/span.js';
import { makeSpan } from './factory.js';
import type { Extension } from '../operators/operator.js';
import { extensionWords, spokenWords, type OperatorWords } from './operator-words.js';

/** The first part of a selector, or a part after a dot: a word, or a name that begins with an underscore. */
export const FieldName = createToken({ name: 'FieldName', pattern: Lexer.NA });
/**
 * Any word. No word is reserved: the keywords below are names too (they are in its category), and the parser decides by position.
 */
export const Name = createToken({
  name: 'Name',
  pattern: /[a-zA-Z][a-zA-Z0-9_/]*/,
  categories: FieldName,
  start_chars_hint: [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'],
});

/** The last words of operators, by position: between selector and value, such as `==` and `contains`. */
export const Infix = createToken({ name: 'Infix', pattern: Lexer.NA });
/** Like `Infix`, after `not`. */
export const NegatableInfix = createToken({ name: 'NegatableInfix', pattern: Lexer.NA });
/** Signs between selector and value that can also follow a length: `==`, `<`. */
export const Comparator = createToken({ name: 'Comparator', pattern: Lexer.NA });
/** Between value and selector: `in`. */
export const Reversed = createToken({ name: 'Reversed', pattern: Lexer.NA });
/** Words that follow `is`. */
export const State = createToken({ name: 'State', pattern: Lexer.NA });

function keyword(name: string): TokenType {
  return createToken({ name, pattern: Lexer.NA, categories: Name });
}

export const And = keyword('And');
export const Or = keyword('Or');
export const Not = keyword('Not');
export const Is = keyword('Is');
export const As = keyword('As');
export const Any = keyword('Any');
export const All = keyword('All');

/** The last words of the operators. Each is in the categories of all operators that it ends. */
const operatorTokens: ReadonlyMap<string, TokenType> = new Map(
  [...new Set(spokenWords.map(lastWord))].map((word) => [word, operatorToken(word)]),
);

function lastWord({ words }: OperatorWords): string {
  return words.at(-1) ?? '';
}

/** Whether a word consists of several words, which can only be an operator and so are one token. */
function isPhrase(word: string): boolean {
  return word.includes(' ');
}

function operatorToken(word: string): TokenType {
  const forms = spokenWords.filter((form) => lastWord(form) === word);
  const isSign = !/^[a-z]/.test(word);
  const categories = [...new Set(forms.map(categoryOf)), ...(isSign ? [Comparator] : [])];
  if (isPhrase(word)) {
    const pattern = new RegExp(`${word.replaceAll(' ', '[ \\t\\r\\n]+')}(?![a-zA-Z0-9_/])`);
    return createToken({
      name: word,
      pattern,
      start_chars_hint: [word.charAt(0)],
      line_breaks: true,
      categories,
    });
  }
  if (!isSign) return createToken({ name: word, pattern: Lexer.NA, categories: [Name, ...categories] });
  // Longer operators of other languages, such as `<>`, are not matched.
  const pattern = extensionWords.includes(word) ? new RegExp(`${word}(?![=<>!&|~^%*?])`) : word;
  return createToken({ name: word, pattern, start_chars_hint: [word.charAt(0)], categories });
}

function categoryOf({ position, words }: OperatorWords): TokenType {
  switch (position) {
    case 'infix':
      return words.length === 1 ? Infix : NegatableInfix;
    case 'reversed':
    case 'list':
      return Reversed;
    case 'postfix':
      return State;
  }
}

/** The last words of operators that go-bexpr lacks, and their extensions. */
export const extensions: ReadonlyMap<TokenType, Extension> = new Map(
  spokenWords.flatMap((form) => {
    const token = operatorTokens.get(lastWord(form));
    return token === undefined || form.extension === null ? [] : [[token, form.extension] as const];
  }),
);

/** The words of the language, by level. */
export const keywords: readonly [ReadonlyMap<string, TokenType>, ReadonlyMap<string, TokenType>] = [
  new Map(keywordsOf((type) => !extensions.has(type))),
  new Map(keywordsOf(() => true)),
];

function keywordsOf(isKnown: (type: TokenType) => boolean): readonly (readonly [string, TokenType])[] {
  return [
    ['and', And],
    ['or', Or],
    ['not', Not],
    ['is', Is],
    ['as', As],
    ['any', Any],
    ['all', All],
    ...[...operatorTokens].filter(([, type]) => type.PATTERN === Lexer.NA && isKnown(type)),
  ];
}

/** Returns the type of a keyword; undefined for other words. */
export function keywordOf(word: string): TokenType | undefined {
  return keywords[1].get(word);
}

/** Words that are no longer read as a name (see `disambiguate`). */
export const Negation = createToken({ name: 'Negation', pattern: Lexer.NA });
export const AnyOf = createToken({ name: 'AnyOf', pattern: Lexer.NA });
export const AllOf = createToken({ name: 'AllOf', pattern: Lexer.NA });

export const LeftParen = createToken({ name: 'LeftParen', pattern: '(' });
export const RightParen = createToken({ name: 'RightParen', pattern: ')' });
export const LeftBrace = createToken({ name: 'LeftBrace', pattern: '{' });
export const RightBrace = createToken({ name: 'RightBrace', pattern: '}' });
export const LeftBracket = createToken({ name: 'LeftBracket', pattern: '[' });
export const RightBracket = createToken({ name: 'RightBracket', pattern: ']' });
export const Comma = createToken({ name: 'Comma', pattern: ',' });
export const Underscore = createToken({ name: 'Underscore', pattern: '_' });
/** A name that begins with an underscore. It can only be a part of a selector. */
export const UnderscoreName = createToken({
  name: 'UnderscoreName',
  pattern: /_[a-zA-Z0-9_/]+/,
  start_chars_hint: ['_'],
  categories: FieldName,
});
export const Dot = createToken({ name: 'Dot', pattern: '.' });

/** `.0`, as one token so that `a.0.5` has two indexes and no number. */
export const IndexPart = createToken({
  name: 'IndexPart',
  pattern: /\.[ \t\r\n]*[0-9]+/,
  start_chars_hint: ['.'],
});
/** A number. Without a sign, nothing may follow that would make it a {@link Typed} literal. */
export const NumberLiteral = createToken({
  name: 'NumberLiteral',
  pattern: /-(?:0|[1-9][0-9]*)(?:\.[0-9]+)?|(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?![0-9A-Za-z_.:/+-])/,
  start_chars_hint: [...'-0123456789'],
});
/** The beginning of a number, at level 0. The parser checks what follows it. */
export const NumberStart = createToken({
  name: 'NumberStart',
  pattern: /(?:0|[1-9][0-9]*)(?:\.[0-9]+)?/,
  start_chars_hint: [...'0123456789'],
});

/** Begins with a digit but is not a number: `7d`, `2026-11-01`, `10.0.0.0/8`. */
export const Typed = createToken({
  name: 'Typed',
  pattern: /[0-9][0-9A-Za-z_.:/+-]*/,
  start_chars_hint: [...'0123456789'],
});
/** The clock with an offset: `now - 7d`. */
export const Clock = createToken({
  name: 'Clock',
  pattern: /now[ \t\r\n]*[+-][ \t\r\n]*[0-9][0-9A-Za-z_.:/+-]*/,
  start_chars_hint: ['n'],
  line_breaks: true,
});
/** The `@` before a field reference. */
export const At = createToken({ name: 'At', pattern: '@' });
/** The word `len` before a parenthesis. */
export const Size = createToken({ name: 'Size', pattern: Lexer.NA });

/** A double-quoted literal that is not a pointer. */
export const Text = createToken({
  name: 'Text',
  pattern: { exec: matchQuoted },
  start_chars_hint: ['"'],
  line_breaks: true,
});
/** A double-quoted literal that may be a selector: `"/a/b"`, `""`. */
export const Pointer = createToken({ name: 'Pointer', pattern: Lexer.NA });
/** A backtick literal. */
export const RawText = createToken({
  name: 'RawText',
  pattern: { exec: matchRaw },
  start_chars_hint: ['`'],
  line_breaks: true,
});
/** A literal in quotes or backticks with its flag: `"web"i`. */
export const CaselessText = createToken({ name: 'CaselessText', pattern: Lexer.NA });
/** A literal without its closing quote. Extends to the end of the source. */
export const Unterminated = createToken({
  name: 'Unterminated',
  pattern: { exec: (text: string, offset: number): [string] => [text.slice(offset)] },
  start_chars_hint: ['"', '`'],
  line_breaks: true,
});
/** Invalid source, from the first character that no token begins with to the end. */
export const Unknown = createToken({ name: 'Unknown', pattern: Lexer.NA });

const Blanks = createToken({
  name: 'Blanks',
  pattern: /[ \t\r\n]+/,
  start_chars_hint: [' ', '\t', '\r', '\n'],
  group: Lexer.SKIPPED,
});

// Written as loops, because regular expressions would use stack space proportional to the literal.
function matchQuoted(text: string, offset: number): [string] | null {
  for (let from = offset + 1; ;) {
    const quote = text.indexOf('"', from);
    if (quote === -1) return null;
    let slashes = 0;
    while (text.charCodeAt(quote - 1 - slashes) === 0x5c && quote - slashes > from) slashes += 1;
    if (slashes % 2 === 0) return [text.slice(offset, quote + 1)];
    from = quote + 1;
  }
}

function matchRaw(text: string, offset: number): [string] | null {
  const quote = text.indexOf('`', offset + 1);
  return quote === -1 ? null : [text.slice(offset, quote + 1)];
}

/** In the order in which the lexer tries them. */
export const lexed: readonly TokenType[] = [
  Blanks,
  ...[...operatorTokens.values()].filter(({ name }) => isPhrase(name)),
  Clock,
  Name,
  Text,
  RawText,
  Unterminated,
  NumberLiteral,
  Typed,
  IndexPart,
  Dot,
  ...[...operatorTokens.values()].filter(({ name }) => !isPhrase(name) && !/^[a-z]/.test(name)),
  LeftParen,
  RightParen,
  LeftBrace,
  RightBrace,
  LeftBracket,
  RightBracket,
  Comma,
  UnderscoreName,
  Underscore,
  At,
];

const classified: readonly TokenType[] = [Negation, AnyOf, AllOf, Pointer, CaselessText, Size, Unknown];
const categories: readonly TokenType[] = [FieldName, Infix, NegatableInfix, Comparator, Reversed, State];

/** All types that the parser may receive. */
export const vocabulary: readonly TokenType[] = [
  ...lexed,
  ...keywords[1].values(),
  ...classified,
  ...categories,
  EOF,
];

/** Follows the last token. */
export const End = EOF;

/** A token whose type may still change. */
export type Token = IToken;

/** Changes the type of a token once its meaning is known. */
export function retype(token: IToken, type: TokenType): void {
  // The parser compares the number, never the object. Tokens are created for each parse.
  token.tokenType = type;
  token.tokenTypeIdx = type.tokenTypeIdx ?? -1;
}

/** The properties of a token that the parser's helpers use. */
export interface Lexeme {
  readonly image: string;
  readonly startOffset: number;
  readonly tokenTypeIdx: number;
}

/** The offset after a token. */
export function endOf(token: Lexeme): number {
  return token.startOffset + token.image.length;
}

/** The span of a token. */
export function spanOf(token: Lexeme): Span {
  return makeSpan(token.startOffset, endOf(token));
}

/** Returns the token types of a category. */
export function typesIn(category: TokenType): readonly TokenType[] {
  return vocabulary.filter(({ tokenTypeIdx = -1 }) => category.categoryMatchesMap?.[tokenTypeIdx] === true);
}

/** Whether the token has exactly one of these types. */
export function isOneOf(token: Lexeme, ...types: readonly { tokenTypeIdx?: number }[]): boolean {
  return types.some((type) => type.tokenTypeIdx === token.tokenTypeIdx);
}

/** Whether the token has the type or, if that is a category, one of its types. */
export function isA(token: Lexeme, type: TokenType): boolean {
  return token.tokenTypeIdx === type.tokenTypeIdx || type.categoryMatchesMap?.[token.tokenTypeIdx] === true;
}

/** Whether the token is a word that may be a name: all words except those with another meaning. */
export function isName(token: Lexeme): boolean {
  return isA(token, Name);
}

/** Whether the token may be a part of a selector: a word, or a name that begins with an underscore. */
export function isFieldName(token: Lexeme): boolean {
  return isA(token, FieldName);
}

/** Returns the numbers of token types. */
export function indexesOf(...types: readonly TokenType[]): ReadonlySet<number | undefined> {
  return new Set(types.map((type) => type.tokenTypeIdx));
}
