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

/** A document whose lines name the line before twice. */
function doubled(open: string, close: string, first: string): string {
  const lines = Array.from(
    { length: 60 },
    (_, at) => `a${at + 1}: &a${at + 1} ${open}*a${at}, *a${at}${close}`,
  );
  return `a0: &a0 { x${first}: 1 }\n${lines.join('\n')}\n`;
}

describe('filters in documents', () => {
  it('are the strings that are named, and each letter is where it is written, in every style of YAML', () => {
    fc.assert(
      fc.property(texts, fc.constantFrom(...styles), (parts, style) => {
        const document = new Document({ rules: [{ filter: parts.join('') }] });
        (document.getIn(['rules', 0, 'filter'], true) as Scalar).type = style;
        const source = String(document);
        const [filter, ...others] = filtersOfDocument(source, {
          schema: null,
          at: ['rules', '*', 'filter'],
          syntax: 'yaml',
        });
        expect(others).toEqual([]);
        // What was written is not always what a reader of YAML finds: a block of blanks is empty to it.
        const { rules } = parse(source) as { readonly rules: readonly [{ readonly filter: string }] };
        const value = rules[0].filter;
        expect(filter?.literal.text).toBe(value);
        let last = 0;
        for (let at = 0; at < value.length; at += 1) {
          const position = filter!.literal.sourceAt(at);
          expect(position).toBeGreaterThanOrEqual(last);
          last = position;
          if (/[a-z0-9]/.test(value.charAt(at))) expect(source.charAt(position)).toBe(value.charAt(at));
        }
      }),
    );
  });

  it('are written so that JSON reads what was meant', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (piece) => {
        const source = JSON.stringify({ filter: 'x' });
        const [filter] = filtersOfDocument(source, { schema: null, at: ['filter'], syntax: 'json' });
        const { start, end, text } = filter!.literal.change(0, 1, piece)!;
        expect(JSON.parse(source.slice(0, start) + text + source.slice(end))).toEqual({ filter: piece });
      }),
    );
  });

  it('are changed so that YAML reads what was meant, in every style', () => {
    fc.assert(
      fc.property(
        texts,
        texts,
        fc.constantFrom(...styles),
        fc.nat(),
        fc.nat(),
        (parts, piece, style, one, two) => {
          const document = new Document({ filter: parts.join('') });
          (document.get('filter', true) as unknown as Scalar).type = style;
          const source = `${String(document)}other: 1\n`;
          const [filter] = filtersOfDocument(source, { schema: null, at: ['filter'], syntax: 'yaml' });
          const { text, change } = filter!.literal;
          const [from, to] = [one, two].map((at) => at % (text.length + 1)).sort((a, b) => a - b) as [
            number,
            number,
          ];
          const written = change(from, to, piece.join(''));
          if (written === null) return;
          const made = source.slice(0, written.start) + written.text + source.slice(written.end);
          const { filter: value, other } = parse(made) as { readonly filter: string; readonly other: number };
          // What is blank at the end of a line is no matter to a filter.
          const plain = (each: string): string => each.replaceAll(/\s+/g, ' ').trim();
          expect(plain(value)).toBe(plain(text.slice(0, from) + piece.join('') + text.slice(to)));
          expect(other).toBe(1);
        },
      ),
      {
        examples: [
          [['\n'], ['a'], 'QUOTE_SINGLE', 0, 1],
          [['b1'], [], 'PLAIN', 0, 1],
          [['b1'], [], 'PLAIN', 0, 2],
          [['b1', '\n', ' ', 'a'], [], 'PLAIN', 2, 3],
        ],
      },
    );
  });

  it.each<[string, 'json' | 'yaml', string, readonly string[]]>([
    ['comments', 'json', '// one\n{"f": /* two */ "A" /* three */, // four\n}', ['A']],
    ['commas at the end', 'json', '{"f": "A", "g": [1, 2,],}', ['A']],
    ['a comment in a string', 'json', '{"f": "A /* b */ // c"}', ['A /* b */ // c']],
    ['what is not finished', 'json', '{"f": "A == \\"b\\" an', ['A == "b" an']],
    ['names that stand twice', 'json', '{"f": "A", "f": "B"}', ['A', 'B']],
    ['another depth', 'json', '{"x": {"f": "A"}, "f": ["B"]}', []],
    ['an alias', 'yaml', 'x: &a A\nf: *a\n', ['A']],
    ['an alias of what is quoted, with a tag', 'yaml', "x: &a !!str 'A'\nf: *a\n", ['A']],
    ['an anchor', 'yaml', 'f: &a "A"\n', ['A']],
    ['an alias of a map', 'yaml', 'y: &m { f: A }\n<<: *m\n', ['A']],
    ['maps that are merged', 'yaml', 'y: [&m { f: A }, &n { f: B }]\n<<: [*m, *n]\n', ['A']],
    ['what is given anew', 'yaml', 'y: &m { f: A }\n<<: *m\nf: B\n', ['B']],
    ['what is merged first', 'yaml', 'y: &m { f: A }\nz: &n { <<: *m }\n<<: *n\n', ['A']],
    ['an anchor that is named anew', 'yaml', 'x: &a A\ny: &a B\nf: *a\nz: &a C\n', ['B']],
    ['an alias of nothing', 'yaml', 'f: *a\n', []],
    ['an alias of what it stands in', 'yaml', 'f: &a [*a]\n', []],
    ['an alias as a name', 'yaml', 'x: &a f\n*a : A\n', ['A']],
    ['several documents', 'yaml', 'f: A\n---\nf: B\n', ['A', 'B']],
    ['comments', 'yaml', 'f: A # b\n', ['A ']],
  ])('with %s, in %s: %s', (_, syntax, source, expected) => {
    const found = filtersOfDocument(source, { schema: null, at: ['f'], syntax });
    expect(found.map(({ literal }) => literal.text.trimEnd())).toEqual(
      expected.map((each) => each.trimEnd()),
    );
    for (const { literal, within } of found) {
      expect(within.start).toBe(literal.sourceAt(0));
      expect(source.slice(within.start, within.end).startsWith(literal.text.slice(0, 1))).toBe(true);
    }
  });

  it('are reported once, in document order, regardless of the number of aliases', () => {
    const source =
      'x: &a B\nrules:\n  - filter: A\n  - filter: *a\n  - &r { filter: C }\n  - *r\n  - filter: *a\n';
    const found = filtersOfDocument(source, { schema: null, at: ['rules', '*', 'filter'], syntax: 'yaml' });
    expect(found.map(({ literal }) => literal.text)).toEqual(['B', 'A', 'C']);
  });

  it.each<[string, 'json' | 'yaml', string]>([
    ['lists within lists', 'json', '['.repeat(200_000)],
    ['lists within lists', 'yaml', '['.repeat(200_000)],
    ['maps within maps', 'yaml', '{a: '.repeat(200_000)],
    ['signs behind signs', 'yaml', '- '.repeat(200_000)],
    ['names behind signs', 'yaml', '? '.repeat(200_000)],
    [
      'lines that stand ever further right',
      'yaml',
      Array.from({ length: 1_400 }, (_, at) => `${' '.repeat(at)}a:\n`).join(''),
    ],
    ['blanks', 'yaml', ' '.repeat(200_000)],
    ['aliases of aliases', 'yaml', doubled('[', ']', '')],
    ['maps that merge twice what merges twice', 'yaml', doubled('{ <<: [', '] }', 'f')],
  ])('are found or not, and nothing hangs on %s of %s', (_, syntax, source) => {
    const at = Array.from({ length: 30 }, () => '*');
    expect(filtersOfDocument(source, { schema: null, at, syntax })).toEqual([]);
  });

  it.each(['', 'x', '[', '{"filter": 7}', stringify({ other: 'Name == 1' })])(
    'returns no filters if the document is %j',
    (source) => {
      for (const syntax of ['json', 'yaml'] as const)
        expect(filtersOfDocument(source, { schema: null, at: ['filter'], syntax })).toEqual([]);
    },
  );
});
