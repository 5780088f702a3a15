import { readFileSync } from 'node:fs';
import { buildParser } from '@lezer/generator';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FilterError } from '../../src/diagnostics/errors.js';
import { writtenForms } from '../../src/operators/operators.js';
import type { Expression, Selector } from '../../src/syntax/ast.js';
import { parse } from '../../src/parse.js';
import { keywordOf, tokenize, vocabulary } from '../../src/syntax/tokens.js';
import { walk } from '../../src/syntax/visit.js';
import { anyText, sentences } from '../support/filter-text.js';
import { readTextMate, type Painted } from '../support/textmate.js';

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
  IndexPart: 'index',
  '==': 'comparison',
  '!=': 'comparison',
  Name: 'name',
};
/** The engine's own tokens, keywords as such wherever they stand; an operator in two words is two. */
function engineTokens(text: string): Piece[] {
  return tokenize(text).flatMap(({ tokenType: { name }, startOffset: start, image }) => {
    if (name.includes(' ')) {
      return [...image.matchAll(/[a-z]+/g)].map(({ 0: each, index }) => ({
        start: start + index,
        end: start + index + each.length,
        class: 'keyword',
      }));
    }
    const kind = classes[name] ?? (words.has(name.toLowerCase()) ? 'keyword' : 'punctuation');
    return [{ start, end: start + image.length, class: kind }];
  });
}

/** A match with each spelling of each operator. */
const spelled = writtenForms().map(({ text, position }) => {
  if (position === 'postfix') return `Name ${text}`;
  return position === 'reversed' ? `"web" ${text} Name` : `Name ${text} "web"`;
});

describe('the TextMate grammar', () => {
  const paint = readTextMate(JSON.parse(read('tamis.tmLanguage.json')));
  const scopes: readonly (readonly [string, string])[] = [
    ['string.quoted.double', 'text'],
    ['string.quoted.other', 'raw'],
    ['variable.other.index', 'index'],
    ['variable.other.member', 'member'],
    ['keyword.operator.comparison', 'comparison'],
    ['keyword', 'keyword'],
    ['variable.other', 'name'],
    ['constant.numeric', 'number'],
    ['punctuation', 'punctuation'],
  ];
  const classOf = ({ scope }: Painted): string =>
    scopes.find(([beginning]) => scope.startsWith(beginning))?.[1] ?? scope;

  /** A dot and the name behind it are one piece to the grammar, whatever word it is. */
  function joinMembers(tokens: readonly Piece[]): Piece[] {
    const joined: Piece[] = [];
    for (const token of tokens) {
      const last = joined.at(-1);
      const isMember = last?.class === 'punctuation' && last.end - last.start === 1 && isDot.has(last);
      if (isMember) joined[joined.length - 1] = { ...last, end: token.end, class: 'member' };
      else joined.push(token);
    }
    return joined;
  }
  const isDot = new Set<Piece>();

  it('gives every token of a filter the colour of its type', () => {
    let count = 0;
    const property = fc.property(filters, (text) => {
      // An editor paints line by line: a part of a path that stands in the next line is painted as a name of its own.
      fc.pre(!/\.\s*[\r\n]/.test(text));
      const tokens = engineTokens(text);
      for (const token of tokens) if (text.slice(token.start, token.end) === '.') isDot.add(token);
      const painted = paint(text).map((piece) => ({
        start: piece.start,
        end: piece.end,
        class: classOf(piece),
      }));
      expect(painted).toEqual(joinMembers(tokens));
      count += tokens.length;
    });
    fc.assert(property, { numRuns: 1_000 });
    expect(count).toBeGreaterThan(3_000);
  });

  it.each(spelled)('colours the operator of %s', (text) => {
    const classesOf = paint(text).map((piece) => classOf(piece));
    expect(classesOf).toEqual(engineTokens(text).map((token) => token.class));
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
    Name: 'name',
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
      const names = namesIn(text);
      const expected = engineTokens(text).map((token) => {
        if (token.class !== 'keyword' || !names.has(token.start)) return token;
        words += 1;
        return { ...token, class: 'name' };
      });
      expect(leaves(text)).toEqual(expected);
    });
    fc.assert(property, { numRuns: 1_000 });
    expect(words).toBeGreaterThan(500);
  });

  it.each(spelled)('reads %s as a match', (text) => {
    expect(leaves(text)).toEqual(
      engineTokens(text).map((token) =>
        text.startsWith('Name', token.start) ? { ...token, class: 'name' } : token,
      ),
    );
    expect(parser.parse(text).toString()).toMatch(/^Filter\(Match\(/);
  });

  it('follows what is not finished', () => {
    const tree = parser.parse('Name == "x" and (any Groups as g { g.');
    expect(tree.toString()).toContain('And(Match(Path(Name),Equal,Text),and,');
  });

  /** Where names begin: in selectors, bindings and bare values. */
  function namesIn(text: string): Set<number> {
    const starts = new Set<number>();
    const tokens = engineTokens(text);
    const addWithin = ({ span }: Pick<Selector, 'span'>): void => {
      for (const { start } of tokens) if (start >= span.start && start < span.end) starts.add(start);
    };
    walk(parse(text).ast, {
      match({ selector, value }) {
        addWithin(selector);
        if (value?.kind === 'value' && value.form === 'bare') addWithin(value);
      },
      collection({ selector, binding }) {
        addWithin(selector);
        addWithin(binding);
      },
    });
    return starts;
  }
});
