import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Document, parse, stringify, type Scalar } from 'yaml';
import { filtersOfDocument } from '../src/document-filters.js';

const styles = ['PLAIN', 'QUOTE_DOUBLE', 'QUOTE_SINGLE', 'BLOCK_LITERAL', 'BLOCK_FOLDED'] as const;
const texts = fc.array(
  fc.constantFrom(
    'a',
    'b1',
    ' ',
    '"',
    "'",
    '\\',
    '\n',
    'é',
    '😀',
    '# ',
    ': ',
    '\t',
    'some longer words in a row ',
  ),
  { maxLength: 25 },
);

describe('filters in documents', () => {
  it('are the strings that are named, and each letter is where it is written, in every style of YAML', () => {
    fc.assert(
      fc.property(texts, fc.constantFrom(...styles), (parts, style) => {
        const document = new Document({ rules: [{ filter: parts.join('') }] });
        (document.getIn(['rules', 0, 'filter'], true) as Scalar).type = style;
        const source = String(document);
        const [filter, ...others] = filtersOfDocument(source, { schema: null, at: ['rules', '*', 'filter'] });
        expect(others).toEqual([]);
        // What was written is not always what a reader of YAML finds: a block of blanks is empty to it.
        const { rules } = parse(source) as { readonly rules: readonly [{ readonly filter: string }] };
        const value = rules[0].filter;
        expect(filter?.literal.text).toBe(value);
        let last = 0;
        for (let at = 0; at < value.length; at += 1) {
          const place = filter!.literal.sourceAt(at);
          expect(place).toBeGreaterThanOrEqual(last);
          last = place;
          if (/[a-z0-9]/.test(value.charAt(at))) expect(source.charAt(place)).toBe(value.charAt(at));
        }
      }),
    );
  });

  it('are written so that JSON reads what was meant', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (piece) => {
        const source = JSON.stringify({ filter: 'x' });
        const [filter] = filtersOfDocument(source, { schema: null, at: ['filter'] });
        const at = filter!.literal.sourceAt(0);
        const written = source.slice(0, at) + filter!.literal.write(piece, 0) + source.slice(at + 1);
        expect(JSON.parse(written)).toEqual({ filter: piece });
      }),
    );
  });

  it.each(['', 'x', '[', '{"filter": 7}', stringify({ other: 'Name == 1' })])('are none in %j', (source) => {
    expect(filtersOfDocument(source, { schema: null, at: ['filter'] })).toEqual([]);
  });
});
