import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultRowLimits, InputError, type RowLimits } from '../../../src/command/input/raw-row.js';
import { RowSplitter, type RowFormat } from '../../../src/command/input/row-splitter.js';
import type { RowsPath } from '../../../src/command/input/rows-path.js';

interface Options extends Partial<RowLimits> {
  readonly name?: string;
  readonly format?: RowFormat;
  readonly path?: RowsPath | null;
}

/** What comes of bytes in chunks: `2:{"a":1}` for a row on line 2, `!line code message` for an error. */
function split(
  chunks: Iterable<Buffer>,
  { name = '-', format = 'auto', path = null, ...limits }: Options = {},
): string[] {
  const splitter = new RowSplitter(name, { format, path, csv: {} }, { ...defaultRowLimits, ...limits });
  const seen: string[] = [];
  let rows = 0;
  const take = (items: Iterable<unknown>): void => {
    for (const item of items as ReturnType<RowSplitter['push']>) {
      rows += 1;
      if (item instanceof InputError) {
        expect(item.place.row).toBe(rows);
        seen.push(render(item));
        continue;
      }
      expect(item.number).toBe(rows);
      // What is called one line is one; what is not may still be (the last line of an array).
      if (item.onOneLine) expect(item.bytes.includes('\n')).toBe(false);
      seen.push(`${item.line}:${item.bytes.toString()}`);
    }
  };
  try {
    for (const chunk of chunks) take(splitter.push(chunk));
    take(splitter.end());
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    seen.push(render(error));
  }
  return seen;
}

function render({ code, message, place: position }: InputError): string {
  return `!${position.line} ${code} ${message}`;
}

/** Each byte a chunk of its own: every boundary is met. */
function bytewise(text: string): Buffer[] {
  return [...Buffer.from(text)].map((byte) => Buffer.from([byte]));
}

const table: [string, string, string[], Options?][] = [
  ['nothing', '', []],
  ['blanks', ' \n\n\t\r\n', []],
  ['a byte order mark alone', '\ufeff', []],
  ['one row', '{"a":1}', ['1:{"a":1}']],
  ['lines', '{"a":1}\n{"b":2}\n', ['1:{"a":1}', '2:{"b":2}']],
  ['no last newline', '{"a":1}\n{"b":2}', ['1:{"a":1}', '2:{"b":2}']],
  ['CRLF', '{"a":1}\r\n{"b":2}\r\n', ['1:{"a":1}', '2:{"b":2}']],
  ['blank lines', '\n\n{"a":1}\n\n  \n\t{"b":2} \n\n', ['3:{"a":1}', '6:{"b":2}']],
  ['a byte order mark', '\ufeff{"a":1}\n{"b":2}', ['1:{"a":1}', '2:{"b":2}']],
  ['newlines and quotes in strings', '{"a":"\\n\\"}{"}\n{"b":"]["}', ['1:{"a":"\\n\\"}{"}', '2:{"b":"]["}']],
  // The row is no JSON, and two lines all the same: `auto` must not take the second one for the first of NDJSON.
  ['a backslash before a line break', '"\\\n"\n{"a":1}\n[2]', ['1:"\\\n"', '3:{"a":1}', '4:2']],
  ['a damaged line harms no other', '{"a":1}\n{"b":\n{"c":3}', ['1:{"a":1}', '2:{"b":', '3:{"c":3}']],
  ['a line of two values is one row', '{"a":1}\n{} {}\n{"c":3}', ['1:{"a":1}', '2:{} {}', '3:{"c":3}']],
  ['an array in lines is a row', '{"a":1}\n[1]\n', ['1:{"a":1}', '2:[1]']],
  ['scalars as lines', '1\n"a"\nnull\n', ['1:1', '2:"a"', '3:null']],
  ['an array', '[{"a":1},{"b":2}]', ['1:{"a":1}', '1:{"b":2}']],
  ['an empty array', ' [ ] ', []],
  ['an array over lines', '[\n  {"a":1},\n  {\n"b":2}\n]\n', ['2:{"a":1}', '3:{\n"b":2}']],
  ['an array of scalars', '[1,"a]",true,null,-1.5e3]', ['1:1', '1:"a]"', '1:true', '1:null', '1:-1.5e3']],
  ['an array of arrays', '[[1,[2]],[]]', ['1:[1,[2]]', '1:[]']],
  ['several arrays', '[{"a":1}]\n[{"b":2},{"c":3}]\n[]', ['1:{"a":1}', '2:{"b":2}', '2:{"c":3}']],
  ['values over lines', '{\n"a":1\n}\n{\n"b":2}\n', ['1:{\n"a":1\n}', '4:{\n"b":2}']],
  [
    'values without a separator',
    '{"a":1}{"b":2}[{"c":3}]{"d":4}',
    ['1:{"a":1}', '1:{"b":2}', '1:{"c":3}', '1:{"d":4}'],
  ],
  ['values on one line, then more', '{} {}\n{\n}', ['1:{}', '1:{}', '2:{\n}']],
  ['scalars side by side', '1 "a""b"true{}', ['1:1', '1:"a"', '1:"b"', '1:true', '1:{}']],
  ['forced lines', '[1]\n[2]\n{\n', ['1:[1]', '2:[2]', '3:{'], { format: 'lines' }],
  ['forced json', '{"a":1}\n[2]\n{\n}', ['1:{"a":1}', '2:2', '3:{\n}'], { format: 'json' }],
  ['garbage is left to the parser', '{"a":1]{x}', ['1:{"a":1]', '1:{x}']],
  ['no JSON at all', 'ID,Name\n', ['1:ID', '!1 between-values expected a row, found ","']],
  ['a comma between rows', '{},{}', ['1:{}', '!1 between-values expected a row, found ","']],
  ['a stray bracket', '{}\n}', ['1:{}', '2:}']],
  ['a stray bracket in json', '{}}', ['1:{}', '!1 between-values expected a row, found "}"']],
  [
    'no comma',
    '[{}\n{}]',
    ['1:{}', '!2 between-values expected a comma or ] after an element of the array, found "{"'],
  ],
  ['a trailing comma', '[{},]', ['1:{}', '!1 between-values expected an element of the array, found "]"']],
  ['a leading comma', '[,{}]', ['!1 between-values expected an element of the array, found ","']],
  [
    'cut off in a row',
    '[{"a":1},\n{"b":',
    ['1:{"a":1}', '!2 cut-off the input ends inside a row that began on line 2'],
  ],
  ['cut off in a string', '{"a":"x', ['!1 cut-off the input ends inside a string that began on line 1']],
  ['cut off in a top-level string', '"x', ['!1 cut-off the input ends inside a string that began on line 1']],
  ['cut off in an array', '[{}', ['1:{}', '!1 cut-off the input ends before the closing ] of its array']],
  [
    'cut off after a comma',
    '[{},\n',
    ['1:{}', '!2 cut-off the input ends before the closing ] of its array'],
  ],
  ['cut off in a word', '[tru', ['1:tru', '!1 cut-off the input ends before the closing ] of its array']],
  ['UTF-16', 'x\u0000y\u0000', ['!1 wrong-encoding the input is UTF-16 or binary, not UTF-8']],
  ['binary', '\u0000\u0001\u0002\u0003', ['!1 wrong-encoding the input is UTF-16 or binary, not UTF-8']],
  [
    'a row that is too large',
    '{"a":1}\n{"a":"23456789"}\n{"a":2}',
    ['1:{"a":1}', '!2 too-large line 2 has more than 10 bytes', '3:{"a":2}'],
    { maxRowBytes: 10 },
  ],
  [
    'an element that is too large',
    '[{"a":1},\n{"a":"23456789"}]',
    ['1:{"a":1}', '!2 too-large the row that begins on line 2 has more than 10 bytes'],
    { maxRowBytes: 10 },
  ],
  [
    'an array that is larger than a row',
    '[{"a":1},{"a":2},{"a":3}]',
    ['1:{"a":1}', '1:{"a":2}', '1:{"a":3}'],
    { maxRowBytes: 7 },
  ],
  ['nesting', '[[[[1]]],{"a":{"b":{}}}]', ['1:[[[1]]]', '1:{"a":{"b":{}}}'], { maxRowDepth: 3 }],
  [
    'too deep',
    '[[[[1]]]]',
    ['!1 too-deep the row that begins on line 1 is nested more than 2 deep'],
    { maxRowDepth: 2 },
  ],
];

/** Documents that are envelopes wherever they are, and the number of their rows. */
const envelopes: [string, string][] = [
  ['a list alone', '{"items":[{"a":1},{"a":2}]}'],
  [
    'kubectl',
    '{"apiVersion":"v1","items":[{"a":1},{"a":2}],"kind":"List","metadata":{"resourceVersion":""}}',
  ],
  ['GitHub', '{"total_count":2,"incomplete_results":false,"items":[{"a":1},{"a":2}]}'],
  ['pages', '{"data":[{"a":1},{"a":2}],"next":"x","cursor":null,"total":9,"count":2,"meta":{},"links":[{}]}'],
  ['Django', '{"count":2,"next":null,"previous":null,"results":[{"a":1},{"a":2}]}'],
  ['OData', '{"@odata.context":"x","value":[{"a":1},{"a":2}],"@odata.nextLink":"y"}'],
  ['GraphQL', '{"edges":[{"a":1},{"a":2}],"pageInfo":{"hasNextPage":false},"totalCount":2}'],
  [
    'GeoJSON',
    '{"type":"FeatureCollection","name":"x","crs":{"a":[1]},"bbox":[1,2],"features":[{"a":1},{"a":2}]}',
  ],
  [
    'Elasticsearch',
    '{"took":1,"timed_out":false,"_shards":{"total":1},"hits":{"total":{"value":2},"max_score":1,"hits":[{"a":1},{"a":2}]}}',
  ],
  ['nested items', '{"data":{"items":[{"a":1},{"a":2}],"nextPageToken":"x"},"kind":"k"}'],
  ['a list first', '{"results":[{"a":1},{"a":2}],"paging":{"next":{"after":"2"}}}'],
  ['brackets in strings', '{"next":"]}\\"{","items":[{"a":1},{"a":2}],"links":"[{"}'],
];

/** Documents that are rows wherever they are. */
const records: [string, string][] = [
  ['an order', '{"id":"o-1","status":"paid","items":[{"sku":"a"}]}'],
  ['a field after the list', '{"items":[{"sku":"a"}],"status":"paid"}'],
  ['two lists', '{"items":[{"a":1}],"data":[{"a":2}]}'],
  ['a list of strings', '{"items":["a","b"]}'],
  ['a list of numbers', '{"data":[1,2],"count":2}'],
  ['no list', '{"count":2,"total":3}'],
  ['a list of another name', '{"users":[{"a":1}]}'],
  ['an object of a known name', '{"items":{"a":1}}'],
  ['null', '{"items":null,"total":0}'],
  ['a geometry', '{"type":"Feature","features":[{"a":1}],"geometry":null}'],
  ['type next to another list', '{"type":"order","items":[{"a":1}]}'],
  ['nothing', '{}'],
  ['hits of a game', '{"hits":{"hits":[{"a":1}],"player":"x"}}'],
];

describe('envelopes and records', () => {
  const repeated = (text: string, times: number): Buffer => Buffer.from(`${text}\n`.repeat(times));

  it.each(envelopes)('opens %s, in one line or in several', (_, text) => {
    for (const times of [1, 2, 3]) {
      const expected = Array.from({ length: times }, (__, at) => [`${at + 1}:{"a":1}`, `${at + 1}:{"a":2}`]);
      expect(split([repeated(text, times)])).toEqual(expected.flat());
      expect(split(bytewise(repeated(text, times).toString()))).toEqual(expected.flat());
    }
    const indented = JSON.stringify(JSON.parse(text), null, 2);
    expect(split([Buffer.from(indented + indented)])).toHaveLength(4);
  });

  it.each(records)('returns %s as a row, in one line or in several', (_, text) => {
    for (const times of [1, 2, 3]) {
      const expected = Array.from({ length: times }, (__, at) => `${at + 1}:${text}`);
      expect(split([repeated(text, times)])).toEqual(expected);
      expect(split(bytewise(repeated(text, times).toString()))).toEqual(expected);
    }
    const indented = JSON.stringify(JSON.parse(text), null, 2);
    expect(split([Buffer.from(`${indented}\n${indented}`)])).toHaveLength(2);
  });

  it.each(envelopes)('returns %s as a row if the file ends in .ndjson or the format is given', (_, text) => {
    for (const options of [
      { name: 'x.ndjson' },
      { name: 'X.JSONL.gz' },
      { format: 'lines' },
      { format: 'json' },
    ] as const)
      expect(split([repeated(text, 2)], options)).toEqual([`1:${text}`, `2:${text}`]);
  });

  it('splits a stream of envelopes and records one by one', () => {
    const text = `{"id":1,"items":[{"b":1}]}\n{"items":[{"a":1}]}\n{"a":2}\n{"items":[]}\n`;
    const rows = ['1:{"id":1,"items":[{"b":1}]}', '2:{"a":1}', '3:{"a":2}'];
    expect(split([Buffer.from(text)])).toEqual(rows);
    expect(split(bytewise(text))).toEqual(rows);
  });

  it.each([
    ['one document', '{"next":"x","items":[', ']}'],
    ['a later line', '{"a":0}\n{"next":"x","items":[', ']}\n{"a":0}\n'],
    ['a document over lines', '{\n"items":[\n', '\n]\n}\n'],
  ])('streams envelopes that are larger than a row: %s', (_, begin, end) => {
    const elements = Array.from({ length: 100 }, (__, at) => `{"a":${at}}`);
    const bytes = Buffer.from(begin + elements.join(',') + end);
    const limits = { maxRowBytes: 200 };
    const rows = split([bytes], limits).map((row) => row.replace(/^\d+:/, ''));
    expect(rows.filter((row) => row !== '{"a":0}')).toEqual(elements.slice(1));
    for (const size of [1, 7, 150]) {
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (__, at) =>
        bytes.subarray(at * size, (at + 1) * size),
      );
      expect(split(chunks, limits).map((row) => row.replace(/^\d+:/, ''))).toEqual(rows);
    }
  });

  it('names --rows if a large document is neither', () => {
    const rows = Array.from({ length: 50 }, (_, at) => `{"a":${at}}`).join(',');
    const chunks = (text: string): Buffer[] => [...text].map((character) => Buffer.from(character));
    expect(split(chunks(`{"items":[${rows}],"status":"ok"}`), { maxRowBytes: 100 }).at(-1)).toBe(
      '!1 too-large the document is larger than a row and has "status" next to its list',
    );
    expect(split(chunks(`{"id":1,"items":[${rows}]}`), { maxRowBytes: 100 })).toEqual([
      '!1 too-large the row that begins on line 1 has more than 100 bytes',
    ]);
  });

  it('reports an envelope that is truncated or has its list twice', () => {
    expect(split([Buffer.from('{"items":[{"a":1},{"a"')])).toEqual([
      '!1 cut-off the input ends inside a document that began on line 1',
    ]);
    expect(split([Buffer.from('{"items":[{"a":1}],"items":[{"a":2}]}')])).toEqual([
      '!1 no-rows the document has "items" twice',
    ]);
    expect(split([Buffer.from('{"a":1}\n{"items":[{"a":1}\n{"a":2}\n')])).toEqual([
      '1:{"a":1}',
      '2:{"items":[{"a":1}',
      '3:{"a":2}',
    ]);
  });
});

describe('RowSplitter', () => {
  it.each(table)('%s', (_, text, expected, options) => {
    expect(split([Buffer.from(text)], options)).toEqual(expected);
  });

  it.each(table)('%s, byte by byte', (_, text, expected, options) => {
    expect(split(bytewise(text), options)).toEqual(expected);
  });

  it.each([
    ['gzip', [0x1f, 0x8b, 8, 0], 'compressed'],
    ['zstd', [0x28, 0xb5, 0x2f, 0xfd], 'compressed with zstd'],
    ['xz', [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00, 0x00], 'compressed with xz (.xz)'],
    ['bzip2', [0x42, 0x5a, 0x68, 0x39, 0x31, 0x41], 'compressed with bzip2 (.bz2)'],
    ['ZIP', [0x50, 0x4b, 0x03, 0x04], 'a ZIP archive or an Excel workbook'],
    ['UTF-16 LE', [0xff, 0xfe, 0x7b, 0], 'wrong-encoding'],
    ['UTF-16 BE', [0xfe, 0xff, 0, 0x7b], 'wrong-encoding'],
  ])('refuses %s', (_, bytes, code) => {
    expect(split([Buffer.from(bytes)])[0]).toContain(code);
  });

  const json = fc.jsonValue({ maxDepth: 3 });
  const space = fc.constantFrom('', ' ', '\n', '\r\n', '\t', '\n\n');
  const layout = fc.constantFrom(0, 2);

  /** Cuts bytes at arbitrary places. */
  function cut(bytes: Buffer, positions: readonly number[]): Buffer[] {
    const ends = [...new Set(positions.map((position) => position % (bytes.length + 1))), bytes.length].sort(
      (a, b) => a - b,
    );
    return ends.map((end, at) => bytes.subarray(at === 0 ? 0 : ends[at - 1], end));
  }
  const positions = fc.array(fc.nat(), { maxLength: 20 });

  function values(chunks: Iterable<Buffer>, options?: Options): unknown[] {
    return split(chunks, options).map((row) => JSON.parse(row.slice(row.indexOf(':') + 1)) as unknown);
  }

  it('finds the elements of any array, however it is laid out and cut', () => {
    fc.assert(
      fc.property(fc.array(json), layout, space, space, positions, (items, indent, before, after, at) => {
        const text = before + JSON.stringify(items, null, indent) + after;
        expect(values(cut(Buffer.from(text), at))).toEqual(JSON.parse(JSON.stringify(items)));
      }),
    );
  });

  it('finds the rows of any lines', () => {
    fc.assert(
      fc.property(
        fc.array(json),
        fc.constantFrom('\n', '\r\n', '\n\n', ' \n '),
        positions,
        (items, end, at) => {
          const text = items.map((item) => JSON.stringify(item)).join(end);
          expect(values(cut(Buffer.from(text), at), { format: 'lines' })).toEqual(
            JSON.parse(JSON.stringify(items)),
          );
        },
      ),
    );
  });

  const object = fc.dictionary(fc.string(), json, { maxKeys: 4 });

  it('finds objects one after another, and counts lines by itself', () => {
    fc.assert(
      fc.property(fc.array(object), layout, space, positions, (items, indent, between, at) => {
        const text = items.map((item) => JSON.stringify(item, null, indent)).join(between);
        // If the first line is a row, the others must be lines too: that distinguishes the formats.
        fc.pre(indent === 0 || !/^\{\}\s*\n/.test(text));
        expect(values(cut(Buffer.from(text), at))).toEqual(JSON.parse(JSON.stringify(items)));
      }),
    );
  });

  it('gives the same for any bytes, however they are cut', () => {
    const noise = fc
      .array(
        fc.constantFrom(
          '{',
          '}',
          '[',
          ']',
          '"',
          '\\',
          ',',
          ':',
          '\n',
          ' ',
          'a',
          '1',
          '{}',
          '[1]',
          'é',
          '{"items":[',
          '"next":',
        ),
      )
      .map((all) => all.join(''));
    fc.assert(
      fc.property(
        noise,
        positions,
        fc.constantFrom<RowFormat>('auto', 'json', 'lines'),
        (text, at, format) => {
          const bytes = Buffer.from(text);
          expect(split(cut(bytes, at), { format })).toEqual(split([bytes], { format }));
        },
      ),
      { numRuns: 1_000 },
    );
  });
});
