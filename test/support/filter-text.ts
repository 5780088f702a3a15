import fc from 'fast-check';
import type { Dialect } from '../../src/language/syntax/dialect.js';
import { makeSentence } from './filter-grammar.js';

/** Texts that are mostly filters of a dialect, or another production, built from the grammar. Shrink towards the shortest ones. */
export function sentences(dialect: Dialect, production = 'filter'): fc.Arbitrary<string> {
  return fc.array(fc.nat({ max: 9_999 }), { maxLength: 150 }).map((choices) => {
    let at = 0;
    return makeSentence(dialect, (n) => (choices[at++] ?? 0) % n, production);
  });
}

const keywords = ['and', 'or', 'not', 'in', 'contains', 'matches', 'is', 'empty', 'nil', 'as', 'any', 'all'];
const extensions = [
  'like',
  'starts with',
  'ends\nwith',
  'starts',
  'with',
  'len',
  'len(',
  'now',
  'now - 7d',
  'i',
  '@',
  '@a',
  '<',
  '<=',
  '>',
  '>=',
  '[5, ',
  '"x"i',
  '7d',
  '1.2.3',
  '2026-11-01',
];
const names = ['_id', 'a', 'Meta', 'x1', 'a/b', 'notx', 'inn', 'isempty', 'android', 'order'];
const literals = [
  '"x"',
  '"/a/b"',
  '""',
  '"/"',
  '`r`',
  '`/a`',
  '"a b"',
  '"\\x41"',
  '"\\d"',
  '"\\""',
  '"é"',
  '"un',
  '`un',
];
const numbers = ['5', '0', '-1', '1.5', '010', '1e5', '5.', '.5', '-'];
const signs = [
  '==',
  '!=',
  '=',
  '(',
  ')',
  '{',
  '}',
  '[',
  ']',
  ',',
  '_',
  '.',
  '.0',
  '. 0',
  '.b',
  '["k"]',
  '[`k`]',
  '["a b"]._c',
  '$',
  '\u00a0',
];
const blanks = [' ', ' ', ' ', ' ', ' ', ' ', '', '', '\n', '\t', '  '];

const soupToken = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(...extensions) },
  { weight: 5, arbitrary: fc.constantFrom(...keywords) },
  { weight: 3, arbitrary: fc.constantFrom(...names) },
  { weight: 2, arbitrary: fc.constantFrom(...literals) },
  { weight: 1, arbitrary: fc.constantFrom(...numbers) },
  { weight: 3, arbitrary: fc.constantFrom(...signs) },
);

/** Tokens of all kinds in any order, with and without blanks. */
export const tokenSoups: fc.Arbitrary<string> = fc
  .array(fc.tuple(soupToken, fc.constantFrom(...blanks)), { maxLength: 12 })
  .map((pairs) => pairs.flat().join(''));

/** Words that are operators and names at once, in any order: where the two readings meet. */
export const wordSoups: fc.Arbitrary<string> = fc
  .array(
    fc.constantFrom(
      'not',
      'in',
      'is',
      'any',
      'as',
      'contains',
      'like',
      '["k"]',
      '_k',
      '<',
      'empty',
      'and',
      'x',
      '"s"',
      '(',
      ')',
      '{',
      '}',
    ),
    {
      maxLength: 10,
    },
  )
  .map((words) => words.join(' '));

type Edit = (text: string) => string;

const edits: fc.Arbitrary<Edit> = fc
  .tuple(fc.nat(), fc.nat(), fc.constantFrom('delete', 'insert', 'cut', 'double'), soupToken)
  .map(([first, second, kind, token]) => (text) => {
    const at = first % (text.length + 1);
    const end = Math.min(text.length, at + 1 + (second % 6));
    if (kind === 'insert') return text.slice(0, at) + token + text.slice(at);
    if (kind === 'cut') return text.slice(0, at);
    return kind === 'delete' ? text.slice(0, at) + text.slice(end) : text.slice(0, end) + text.slice(at);
  });

/** Almost-filters: sentences of a dialect with a few edits. */
export function mutants(dialect: Dialect): fc.Arbitrary<string> {
  return fc
    .tuple(sentences(dialect), fc.array(edits, { minLength: 1, maxLength: 3 }))
    .map(([text, changes]) => changes.reduce((changed, edit) => edit(changed), text));
}

/** Something of everything above. */
export function anyText(dialect: Dialect): fc.Arbitrary<string> {
  return fc.oneof(sentences(dialect), mutants(dialect), tokenSoups, wordSoups);
}
