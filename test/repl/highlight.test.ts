import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createHighlighter } from '../../src/command/highlight.js';
import { anyText } from '../support/filter-text.js';

const highlight = createHighlighter(true);
const names: Readonly<Record<string, string>> = {
  31: 'wrong',
  32: 'text',
  33: 'number',
  35: 'word',
  36: 'name',
};

it.each([
  ['Status == "x"', 'name(Status) word(==) text("x")'],
  ['any G as g { g.in != 5 }', 'word(any) name(G) word(as) name(g) { name(g).name(in) word(!=) number(5) }'],
  ['not (a is empty)', 'word(not) (name(a) word(is) word(empty))'],
  ['a = 1', 'name(a) wrong(= 1)'],
  ['a == "open', 'name(a) word(==) "open'],
  ['', ''],
])('%s', (text, expected) => {
  const rendered = highlight(text)
    .split('\u001b[')
    .map((piece) =>
      piece.replace(/^39m/, ')').replace(/^(3[1-6])m/, (_, code: string) => `${names[code] ?? code}(`),
    )
    .join('');
  expect(rendered).toBe(expected);
});

it('changes nothing but colours, and nothing at all where there are none', () => {
  const plain = createHighlighter(false);
  const property = fc.property(anyText('standard'), (text) => {
    expect(stripVTControlCharacters(highlight(text))).toBe(text);
    expect(plain(text)).toBe(text);
  });
  fc.assert(property, { numRuns: 300 });
});
