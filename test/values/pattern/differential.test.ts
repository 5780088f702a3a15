import fc from 'fast-check';
import { RE2JS } from 're2js';
import { describe, expect, it } from 'vitest';
import { createAutomaton } from '../../../src/language/values/pattern/automaton.js';
import { compilePattern } from '../../../src/language/values/pattern/index.js';
import { parsePattern } from '../../../src/language/values/pattern/parser.js';
import { simplify } from '../../../src/language/values/pattern/simplify.js';
import { generatePattern, generateText, randomOf } from './generate.js';

const limits = { maxPatternLength: Infinity, maxPatternSize: Infinity };

describe('compared with re2js', () => {
  it('returns the same, on every path, simplified or not', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const random = randomOf(seed);
        const source = generatePattern(random, 4);
        const oracle = RE2JS.compile(source);
        const { node } = parsePattern(source);
        const pattern = compilePattern(source, limits);
        const raw = createAutomaton(node).test;
        const simplified = createAutomaton(simplify(node)).test;
        for (let i = 0; i < 4; i += 1) {
          const text = generateText(random, node);
          const expected = { source, text, found: oracle.test(text) };
          expect({ source, text, found: pattern.test(text) }, pattern.strategy).toEqual(expected);
          expect({ source, text, found: raw(text) }, 'automaton').toEqual(expected);
          expect({ source, text, found: simplified(text) }, 'simplified').toEqual(expected);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('refuses the same patterns in the same words', () => {
    const pieces = fc.constantFrom(...syntaxPieces);
    fc.assert(
      fc.property(fc.array(pieces, { minLength: 1, maxLength: 7 }), (parts) => {
        const source = parts.join('');
        expect({ source, refusal: refusalOf(() => parsePattern(source)) }).toEqual({
          source,
          refusal: refusalOf(() => RE2JS.compile(source)),
        });
      }),
      { numRuns: 3_000 },
    );
  });
});

/**
 * Pieces whose combinations re2js refuses exactly as Go does. Left out is what it treats otherwise: a lone backslash
 * at the end, names used twice, `(?P<` at the end, `[[:]`, newer names of classes.
 */
const syntaxPieces = [
  ...[
    'a',
    'k',
    'é',
    '😀',
    '.',
    '^',
    '$',
    '|',
    '(',
    ')',
    '(?:',
    '(?i)',
    '(?i:',
    '(?s-m:',
    '(?U)',
    '(?-)',
    '(?i-)',
  ],
  ...[
    '(?P<x y>',
    '(?=',
    '(?',
    '*',
    '+',
    '?',
    '{2}',
    '{2,}',
    '{2,5}',
    '{1001}',
    '{3,2}',
    '{',
    '}',
    '{,2}',
    '{01}',
  ],
  ...['{1000}', '[^', ']', '[a-z]', '[]a]', '[^]a]', '[z-a]', '[a-]', '[-a]', '[[:alpha:]]', '[[:^alpha:]]'],
  ...[
    '[[:foo:]]',
    '[:alpha:]',
    '\\d',
    '\\D',
    '\\w',
    '\\s',
    '\\pL',
    '\\p{Greek}',
    '\\P{Lu}',
    '\\p{^Lu}',
    '\\pX',
  ],
  ...[
    '\\p{Foo}',
    '\\b',
    '\\B',
    '\\A',
    '\\z',
    '\\Z',
    '\\Q',
    '\\E',
    '\\C',
    '\\x4',
    '\\x41',
    '\\x{41}',
    '\\x{}',
  ],
  ...[
    '\\x{110000}',
    '\\x{D800}',
    '\\07',
    '\\1',
    '\\12',
    '\\777',
    '\\8',
    '\\_',
    '\\-',
    '\\é',
    '\\n',
    '\\a',
    '\\c',
  ],
  ...['\\u0041', '-', ':', ',', '1', '\n'],
];

function refusalOf(compile: () => unknown): string | null {
  try {
    compile();
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}
