import { readFileSync } from 'node:fs';
import type { Dialect } from '../../src/language/syntax/dialect.js';
import { type Grammar, makeGenerator, readGrammar, recognise, Refusal, type Special } from './ebnf.js';

const source = readFileSync(new URL('../../grammar/filter.ebnf', import.meta.url), 'utf8');

/** The productions of grammar/filter.ebnf for each dialect. */
export const grammars: Readonly<Record<Dialect, Grammar>> = {
  standard: readGrammar(source, 'standard'),
  'go-bexpr': readGrammar(source, 'go-bexpr'),
};

const word = /^[A-Za-z0-9_/]$/;

/** One character, or a few, that match a pattern from a place on. */
function pattern(source: string, ...samples: readonly string[]): Special {
  const sticky = new RegExp(source, 'yu');
  return {
    samples,
    match: (text, at) => {
      sticky.lastIndex = at;
      return sticky.test(text) ? sticky.lastIndex : null;
    },
  };
}

function codePoint(digits: number, ...samples: readonly string[]): Special {
  return {
    samples,
    match: (text, at) => {
      const written = text.slice(at, at + digits);
      if (!new RegExp(`^[0-9a-fA-F]{${digits}}$`).test(written)) return null;
      const point = Number.parseInt(written, 16);
      return point > 0x10ffff || (point >= 0xd800 && point < 0xe000) ? null : at + digits;
    },
  };
}

/** The special sequences of grammar/filter.ebnf, by their words. */
export const specials: ReadonlyMap<string, Special> = new Map([
  ['end of text', pattern(String.raw`$`, '')],
  [
    'letter, number or one of - _ . ~ : |',
    pattern(String.raw`[\p{L}\p{N}\-_.~:|]`, 'a', 'Z', '0', '-', '.', '~1', '|', 'é', '½', '𝒳'),
  ],
  ['any character but `', pattern('[^`]', 'a', ' ', '"', '\\', '\n', '\r', '/')],
  [
    'any character but " \\ and line feed',
    pattern(String.raw`[^"\\\n]`, 'a', ' ', '/', 'b', '`', 'é', '😀', '.'),
  ],
  [
    'space, tab, carriage return or line feed',
    pattern(String.raw`[ \t\r\n]`, ' ', ' ', ' ', '\t', '\r', '\n'),
  ],
  ['blank, closing parenthesis or end of text ahead', pattern(String.raw`(?=[ \t\r\n)]|$)`, '')],
  ['no opening bracket ahead', pattern(String.raw`(?!\[)`, '')],
  ['no sign goes on', pattern('(?![=<>!&|~^%*?])', '')],
  ['no word or dot goes on', pattern(String.raw`(?![A-Za-z0-9_/.])`, '')],
  ['four hexadecimal digits, no surrogate', codePoint(4, '0041', '00e9', 'FFFD')],
  ['eight hexadecimal digits, up to 0010FFFF and no surrogate', codePoint(8, '0001F600', '00000041')],
  [
    'no word goes on',
    {
      samples: [''],
      match: (text, at) => (word.test(text.charAt(at - 1)) && word.test(text.charAt(at)) ? null : at),
    },
  ],
  [
    'refusal of the whole text',
    {
      samples: [''],
      match: () => {
        throw new Refusal();
      },
    },
  ],
]);

/** Whether grammar/filter.ebnf has the text for a filter. */
export function isSentence(text: string, dialect: Dialect): boolean {
  return recognise(grammars[dialect], 'filter', specials, text);
}

/** A text built from a production of grammar/filter.ebnf; one of `filter` is usually a filter. */
export function makeSentence(dialect: Dialect, random: (n: number) => number, production = 'filter'): string {
  const key = `${dialect} ${production}`;
  const generate = generators.get(key) ?? makeGenerator(grammars[dialect], production, specials);
  generators.set(key, generate);
  return generate(random);
}

const generators = new Map<string, ReturnType<typeof makeGenerator>>();
