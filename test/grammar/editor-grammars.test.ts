import { readFileSync } from 'node:fs';
import { buildParser } from '@lezer/generator';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FilterError } from '../../src/language/diagnostics/errors.js';
import { writtenForms } from '../../src/language/operators/operators.js';
import type { Expression, Selector } from '../../src/language/syntax/ast.js';
import { parse } from '../../src/language/parse.js';
import { tokenize } from '../../src/language/syntax/lexer.js';
import { endOf, keywordOf, type Token, vocabulary } from '../../src/language/syntax/tokens.js';
import { walk } from '../../src/language/syntax/visit.js';
import { anyText, sentences } from '../support/filter-text.js';
import { readTextMate, type Painted } from '../support/textmate.js';
import { scaled } from '../support/property-runs.js';

const read = (name: string): string =>
  readFileSync(new URL(`../../grammar/${name}`, import.meta.url), 'utf8');

// Texts of both dialects that are filters, no line breaks in double quotes among them.
const filters = fc
  .oneof(sentences('standard'), sentences('go-bexpr'), anyText('standard'))
  .filter((text) => parseOrNull(text) !== null);

function parseOrNull(text: string): Expression | null {
  try {
    return parse(text).ast;
  } catch (error) {
    if (error instanceof FilterError) return null;
    throw error;
  }
}

/** All words of the language. */
const words = new Set(
  vocabulary
    .filter(({ name }) => keywordOf(name.toLowerCase()) !== undefined || name.includes(' '))
    .flatMap(({ name }) => name.toLowerCase().split(' ')),
);

const word = fc.constantFrom(...words, 'x');

/** Filters whose fields, values and bindings are words of the language. */
const wordy = fc
  .array(
    fc.tuple(
      word,
      word,
      word,
      fc.constantFrom('', 'not ', 'not not '),
      fc.nat(6),
      fc.constantFrom('and', 'or'),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((parts) =>
    parts
      .map(([a, b, c, not, form, joint], index) => {
        const matches = [
          `${a} == ${b}`,
          `${a} in ${b}`,
          `${a} not contains ${b}`,
          `${a} is not empty`,
          `${a}.${b} != 5`,
          `"x" not in ${a}`,
          `(any ${a} as ${b} { ${c} matches ${a} })`,
        ];
        return `${index === 0 ? '' : ` ${joint} `}${not}${matches[form] ?? ''}`;
      })
      .join(''),
  )
  .filter((text) => parseOrNull(text) !== null);

interface Piece {
  readonly start: number;
  readonly end: number;
  readonly class: string;
}

const classes: Readonly<Record<string, string>> = {
  Text: 'text',
  Pointer: 'text',
  RawText: 'raw',
  NumberLiteral: 'number',
  Typed: 'number',
  Clock: 'clock',
  Size: 'keyword',
  IndexPart: 'index',
  Name: 'name',
  UnderscoreName: 'name',
};

function classOfToken({ tokenType: { name }, image }: Token): string {
  if (name === 'CaselessText') return image.startsWith('`') ? 'raw' : 'text';
  if (/^[=!<>]/.test(name)) return 'comparison';
  return classes[name] ?? (words.has(name.toLowerCase().split(' ')[0] ?? '') ? 'keyword' : 'punctuation');
}

/** The engine's own tokens, with keywords as such in any position. */
function engineTokens(text: string): Piece[] {
  return tokenize(text).map((token) => ({
    start: token.startOffset,
    end: endOf(token),
    class: classOfToken(token),
  }));
}

/** The same, each word a piece: of an operator in two words, a literal with its flag, the clock and a distance from it. */
function engineWords(text: string): Piece[] {
  return tokenize(text).flatMap((token) => {
    const name = token.tokenType.name;
    const kind = classOfToken(token);
    const pieces = (pattern: RegExp, classOf: (piece: string) => string): Piece[] =>
      [...token.image.matchAll(pattern)].map(({ 0: piece, index }) => {
        const start = token.startOffset + index;
        return { start, end: start + piece.length, class: classOf(piece) };
      });
    if (name === 'CaselessText')
      return pieces(/i$|.+(?=i$)/gs, (piece) => (piece === 'i' ? 'keyword' : kind));
    if (name === 'Clock') return pieces(/now|[+-]|[0-9].*/g, (piece) => clockClasses[piece] ?? 'number');
    if (name.includes(' ')) return pieces(/[a-z]+/g, () => 'keyword');
    return [{ start: token.startOffset, end: endOf(token), class: kind }];
  });
}

const clockClasses: Readonly<Record<string, string>> = { now: 'keyword', '+': 'sign', '-': 'sign' };

/** A match with each spelling of each operator. */
const spelled = writtenForms().map(({ text, position }) => {
  switch (position) {
    case 'postfix':
      return `Name ${text}`;
    case 'reversed':
      return `"web" ${text} Name`;
    case 'list':
      return `Name ${text.replace('[..]', '["web"]')}`;
    case 'infix':
      return `Name ${text} "web"`;
  }
});

/** Matches with what is not an operator. */
const extended = [
  'Name == "web"i',
  '`web`i in Name',
  'Name == @Other.Name',
  '@Other["k"] in Name',
  'len(Name) > 3',
  'len ( "/Name" ) not in [1, 2]',
  'Name > 7d',
  'Name < 2026-11-01T08:00:00Z',
  'Name in [10.0.0.0/8, 10.1.2.3, "::1"i, now, now-7d, ]',
  'Name in []',
  'Name >= now - 1h30m',
  'Name < now +5',
  'Name starts  with web',
  'Name == now',
  '["First Name"] == x',
  '[`@at`].b._c < 5',
  '_id in ["a"]',
  'len(["a b"]) > @["c d"].e',
  'len(_a) > 3',
];

describe('the TextMate grammar', () => {
  const paint = readTextMate(JSON.parse(read('tamis.tmLanguage.json')));
  const scopes: readonly (readonly [string, string])[] = [
    ['string.quoted.double', 'text'],
    ['string.quoted.other', 'raw'],
    ['variable.other.index', 'index'],
    ['variable.other.member', 'member'],
    ['keyword.operator.comparison', 'comparison'],
    ['keyword', 'keyword'],
    ['support.function', 'keyword'],
    ['constant.other.clock', 'clock'],
    ['variable.other', 'name'],
    ['constant.numeric', 'number'],
    ['punctuation', 'punctuation'],
  ];
  const classOf = ({ scope }: Painted): string =>
    scopes.find(([beginning]) => scope.startsWith(beginning))?.[1] ?? scope;

  /** A dot and the name after it are one token to the grammar, for any word. */
  function coloursOf(text: string): Piece[] {
    const joined: Piece[] = [];
    for (const token of engineTokens(text)) {
      const last = joined.at(-1);
      if (last !== undefined && text.slice(last.start, last.end) === '.') {
        joined[joined.length - 1] = { ...last, end: token.end, class: 'member' };
      } else joined.push(token);
    }
    return joined;
  }

  it('gives every token of a filter the colour of its type', () => {
    let count = 0;
    const property = fc.property(filters, (text) => {
      const pieces = coloursOf(text);
      // An editor paints line by line: a part of a path on the next line is painted as a separate name.
      fc.pre(
        !pieces.some(
          ({ start, end, ...piece }) => piece.class !== 'raw' && /[\r\n]/.test(text.slice(start, end)),
        ),
      );
      fc.pre(!/len[ \t]*[\r\n]/.test(text));
      const painted = paint(text).map((piece) => ({
        start: piece.start,
        end: piece.end,
        class: classOf(piece),
      }));
      expect(painted).toEqual(pieces);
      count += pieces.length;
    });
    fc.assert(property, { numRuns: 1_000 });
    expect(count).toBeGreaterThan(scaled(3_000));
  });

  it.each([...spelled, ...extended])('colours %s', (text) => {
    const classesOf = paint(text).map((piece) => classOf(piece));
    expect(classesOf).toEqual(coloursOf(text).map((piece) => piece.class));
  });

  it.each([
    ['a == "\\d"', 'invalid.illegal.escape.tamis'],
    ['a == "\\x41"', 'constant.character.escape.tamis'],
    ['a $ b', 'invalid.illegal.tamis'],
    ["a == 'x'", 'invalid.illegal.tamis'],
  ])('%s has %s', (text, scope) => {
    expect(paint(text, true).map((piece) => piece.scope)).toContain(scope);
  });
});

describe('the Lezer grammar', () => {
  const parser = buildParser(read('filter.grammar'), {
    warn(message) {
      throw new Error(message);
    },
  });
  const nodes: Readonly<Record<string, string>> = {
    Text: 'text',
    RawText: 'raw',
    Number: 'number',
    Index: 'index',
    Equal: 'comparison',
    NotEqual: 'comparison',
    Less: 'comparison',
    LessEqual: 'comparison',
    Greater: 'comparison',
    GreaterEqual: 'comparison',
    Sign: 'sign',
    Name: 'name',
    UnderscoreName: 'name',
  };

  /** The leaves of the tree; a word is a name or a keyword as the grammar reads it. */
  function leaves(text: string): Piece[] {
    const found: Piece[] = [];
    parser.parse(text).iterate({
      enter({ type, from, to, node }) {
        if (type.isError) found.push({ start: from, end: to, class: 'error' });
        else if (node.firstChild === null && !type.isTop) {
          const kind = nodes[type.name] ?? (/^[a-z]+$/.test(type.name) ? 'keyword' : 'punctuation');
          found.push({ start: from, end: to, class: kind });
        }
      },
    });
    return found;
  }

  it('reads every filter, each word in the sense of the engine', () => {
    let words = 0;
    const property = fc.property(fc.oneof(filters, wordy), (text) => {
      const expected = wordsOf(text);
      words += expected.filter((piece, at) => piece.class !== engineWords(text)[at]?.class).length;
      expect(leaves(text)).toEqual(expected);
    });
    fc.assert(property, { numRuns: 1_000 });
    expect(words).toBeGreaterThan(scaled(500));
  });

  it.each([...spelled, ...extended])('reads %s as a match', (text) => {
    expect(leaves(text)).toEqual(wordsOf(text));
    expect(parser.parse(text).toString()).toMatch(/^Filter\(Match\(/);
  });

  it.each([
    ['not in in ["k"]', 'Filter(Match('],
    ['not contains in ["k"]', 'Filter(Match('],
    ['not in in ["k", "l"]', 'Filter(Not('],
    ['any in ["k"] as x { x == 1 }', 'Filter(Collection('],
    ['any like as x { x == 1 }', 'Filter(Collection('],
    ['not ["k"] == x', 'Filter(Match('],
    ['not not ["k"] == x', 'Filter(Not(not,Match('],
    ['not (["k"] == x)', 'Filter(Not('],
    ['any ["k"] == x', 'Filter(Match('],
    ['any ["k"] as x { x == 1 }', 'Filter(Collection('],
    ['not any ["k"].l as x { _x == 1 }', 'Filter(Not('],
  ])('reads %s as level 0 does, where that can', (text, tree) => {
    expect(leaves(text)).toEqual(wordsOf(text));
    expect(parser.parse(text).toString().slice(0, tree.length)).toBe(tree);
  });

  it('follows what is not finished', () => {
    const tree = parser.parse('Name == "x" and (any Groups as g { g.');
    expect(tree.toString()).toContain('And(Match(Path(Name),Equal,Text),and,');
  });

  /** Keywords that the engine reads as names are names. */
  function wordsOf(text: string): Piece[] {
    const names = namesIn(text);
    return engineWords(text).map((piece) =>
      piece.class === 'keyword' && names.has(piece.start) ? { ...piece, class: 'name' } : piece,
    );
  }

  /** Where names begin: in selectors, bindings and bare values. */
  function namesIn(text: string): Set<number> {
    const starts = new Set<number>();
    const tokens = engineWords(text);
    const addWithin = ({ span }: Pick<Selector, 'span'>): void => {
      for (const { start } of tokens) if (start >= span.start && start < span.end) starts.add(start);
    };
    walk(parse(text).ast, {
      match({ selector, value }) {
        addWithin(selector);
        const operands = value?.kind === 'list' ? value.elements : value === null ? [] : [value];
        for (const each of operands) {
          if (each.kind === 'reference') addWithin(each.selector);
          else if (each.form === 'bare') addWithin(each);
        }
      },
      collection({ selector, binding }) {
        addWithin(selector);
        addWithin(binding);
      },
    });
    return starts;
  }
});
