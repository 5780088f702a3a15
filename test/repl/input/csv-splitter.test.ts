import fc from 'fast-check';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { defineSchema, t } from '../../../src/index.js';
import { CsvReader } from '../../../src/command/input/csv-reader.js';
import { CsvSplitter, type CsvOptions } from '../../../src/command/input/csv-splitter.js';
import { defaultRowLimits, InputError, type RawItem } from '../../../src/command/input/raw-row.js';

interface Options extends CsvOptions {
  readonly maxRowBytes?: number;
  /** Sizes of the chunks, again and again; one chunk without it. */
  readonly sizes?: readonly number[];
}

/** `2:{"a":1}` for a row on line 2, `!line code message` for an error. */
function split(text: string | Buffer, { sizes = [], ...options }: Options = {}): string[] {
  const { maxRowBytes = defaultRowLimits.maxRowBytes, ...reading } = options;
  const splitter = new CsvSplitter({ ...defaultRowLimits, maxRowBytes }, 'csv', reading);
  const seen: string[] = [];
  const take = (items: Iterable<RawItem>): void => {
    for (const item of items)
      seen.push(item instanceof InputError ? render(item) : `${item.line}:${item.bytes.toString()}`);
  };
  try {
    for (const chunk of chunks(Buffer.from(text), sizes)) take(splitter.push(chunk));
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

function* chunks(bytes: Buffer, sizes: readonly number[]): Generator<Buffer> {
  let turn = 0;
  for (let at = 0; at < bytes.length;) {
    const size = sizes.length === 0 ? bytes.length : (sizes[turn++ % sizes.length] ?? 1);
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

const table = (names: string, ...lines: string[]): string => [names, ...lines, ''].join('\n');

describe('CSV as rows', () => {
  it.each<[string, string, Options, string[]]>([
    [
      'numbers keep their digits',
      table('a,b', '1,1.50', '-2,7'),
      {},
      ['2:{"a":1,"b":1.50}', '3:{"a":-2,"b":7}'],
    ],
    ['integers of 64 bits', table('a', '1645230445788556001'), {}, ['2:{"a":1645230445788556001}']],
    ['truths', table('a', 'TRUE', 'false', ''), {}, ['2:{"a":true}', '3:{"a":false}']],
    [
      'a column with other things has texts',
      table('a,b', '1,x', 'n/a,2'),
      {},
      ['2:{"a":"1","b":"x"}', '3:{"a":"n/a","b":"2"}'],
    ],
    ['leading zeros are no numbers', table('a', '007'), {}, ['2:{"a":"007"}']],
    [
      'cells that are empty or not there',
      table('a,b,c', '1,,x', '2'),
      {},
      ['2:{"a":1,"b":"","c":"x"}', '3:{"a":2,"b":"","c":""}'],
    ],
    [
      'a number that is not there',
      table('a,b', 'x,1', 'y'),
      {},
      ['2:{"a":"x","b":1}', '3:{"a":"y","b":null}'],
    ],
    [
      'quotes, commas, lines',
      'a,b\r\n"x, ""y""","1\n2"\r\nz,w',
      {},
      ['2:{"a":"x, \\"y\\"","b":"1\\n2"}', '4:{"a":"z","b":"w"}'],
    ],
    ['a delimiter that the first line has', table('a;b', '1,5;2'), {}, ['2:{"a":"1,5","b":2}']],
    ['tabs that are told', table('a,b\tc', 'x\ty'), { delimiter: '\t' }, ['2:{"a,b":"x","c":"y"}']],
    ['names that are empty or come twice', table('a,,a', '1,2,3'), {}, ['2:{"a":1,"column2":2,"a_2":3}']],
    ['a byte order mark and blank lines', '\uFEFFa\n\n1\n\n', {}, ['3:{"a":1}']],
    ['all as text', table('a,b', '1,'), { asText: true }, ['2:{"a":"1","b":""}']],
    ['names alone', 'a,b\n', {}, []],
    ['nothing', '', {}, []],
    [
      'too many cells',
      table('a', '1', '1,2', '3'),
      {},
      ['2:{"a":1}', '!3 not-csv the row has 2 cells, and the first line has 1', '4:{"a":3}'],
    ],
    [
      'a quote that stays open',
      'a\n"b\nc\n',
      {},
      ['!2 not-csv the quote that is opened here is never closed'],
    ],
    ['text after a quote', 'a\n"b"c\n', {}, ['!2 not-csv there is text after a closing quote']],
    [
      'a lone CR ends a line',
      'name,city\rAlice,NYC\r\rBob,LA',
      {},
      ['2:{"name":"Alice","city":"NYC"}', '4:{"name":"Bob","city":"LA"}'],
    ],
    ['line ends of all kinds', 'a\r\n1\r2\n3\n\r4', {}, ['2:{"a":1}', '3:{"a":2}', '4:{"a":3}', '6:{"a":4}']],
    ['a CR in quotes', 'a,b\r"x\ry",1\rz,2', {}, ['2:{"a":"x\\ry","b":1}', '4:{"a":"z","b":2}']],
    [
      'blanks around names and cells',
      ' "Year" , "Quantity"\n2020 ,\t5\n 2021,6 \n',
      {},
      ['2:{"Year":2020,"Quantity":5}', '3:{"Year":2021,"Quantity":6}'],
    ],
    ['blanks inside of quotes', '" a ",b\n" x ", y z \n', {}, ['2:{" a ":" x ","b":"y z"}']],
    ['blanks of TSV', 'a\tb\t\n 1 \t x\t\n', { delimiter: '\t' }, ['2:{"a":1,"b":"x","column3":""}']],
    [
      'quoted cells are strings',
      'a,b,c\n"1","true",2\n"3","x",\n',
      {},
      ['2:{"a":"1","b":"true","c":2}', '3:{"a":"3","b":"x","c":null}'],
    ],
    [
      'one quoted cell makes a column of strings',
      'a\n1\n"2"\n3\n',
      {},
      ['2:{"a":"1"}', '3:{"a":"2"}', '4:{"a":"3"}'],
    ],
    ['a quoted empty cell alone', 'a\n""\n\n', {}, ['2:{"a":""}']],
    ['more cells that are empty', 'a,b\n1,2,,\n', {}, ['2:{"a":1,"b":2}']],
    [
      'a delimiter after a name over lines',
      '"Name,\n(full, legal)"; "Sum ""x"", net";c\nx,y;1;2\n',
      {},
      ['3:{"Name,\\n(full, legal)":"x,y","Sum \\"x\\", net":1,"c":2}'],
    ],
    ['a quote inside of a name', '5" a;6" c;d,e\nx;1;2\n', {}, ['2:{"5\\" a":"x","6\\" c":1,"d,e":2}']],
    ['a line that names the delimiter', 'sep=;\na;b,c\n1;2\n', {}, ['3:{"a":1,"b,c":2}']],
    [
      'no header',
      '1,x\n2,y\n',
      { hasHeader: false },
      ['1:{"column1":1,"column2":"x"}', '2:{"column1":2,"column2":"y"}'],
    ],
    ['lines to skip', 'Report, of "today\n\na,b\n1,2\n', { skipLines: 2 }, ['4:{"a":1,"b":2}']],
    ['more lines to skip than there are', 'a\n1\n', { skipLines: 9 }, []],
    [
      'comments',
      '#x,y,z\na,b\n# "\n1,#2\n"#3",4\n#',
      { comment: '#' },
      ['4:{"a":"1","b":"#2"}', '5:{"a":"#3","b":"4"}'],
    ],
    [
      'null tokens',
      'a,b\n1,NA\nNA,x\n,"NA"\n-,y\n',
      { nulls: new Set(['NA', '-']) },
      ['2:{"a":1,"b":null}', '3:{"a":null,"b":"x"}', '4:{"a":null,"b":"NA"}', '5:{"a":null,"b":"y"}'],
    ],
    [
      'empty cells as null',
      'a\nx\n""\n,\n',
      { nulls: new Set(['']), delimiter: ',' },
      ['2:{"a":"x"}', '3:{"a":""}', '4:{"a":null}'],
    ],
    ['a delimiter of its own', 'a~b\n1~"x~y"\n', { delimiter: '~' }, ['2:{"a":1,"b":"x~y"}']],
    ['a delimiter with a meaning in patterns', 'a^b]c\n1^2\n', { delimiter: '^' }, ['2:{"a":1,"b]c":2}']],
  ])('%s', (_, text, options, rows) => {
    expect(split(text, options)).toEqual(rows);
    expect(split(text, { ...options, sizes: [1] })).toEqual(rows);
  });

  const declared = defineSchema({
    zip: t.string,
    n: t.int,
    f: t.float64,
    ok: t.bool,
    at: t.time,
    name: t.nullable(t.string),
    tags: t.list(t.string),
    any: t.any,
  });

  it.each<[string, string, string[]]>([
    ['strings of digits', 'zip\n10001\n"1"\n\n,\n', ['2:{"zip":"10001"}', '3:{"zip":"1"}', '5:{"zip":""}']],
    ['quoted numbers', 'n,f\n"5","1.50"\n', ['2:{"n":5,"f":1.50}']],
    [
      'numbers in other spellings',
      'n,f\n007,.5\n+1,5.\n-0,-00.50e3\n',
      ['2:{"n":7,"f":0.5}', '3:{"n":1,"f":5}', '4:{"n":-0,"f":-0.50e3}'],
    ],
    [
      'empty cells',
      'n,f,ok,name,tags\n,,,,\n"","","","",""\n',
      [
        '2:{"n":null,"f":null,"ok":null,"name":null,"tags":null}',
        '3:{"n":null,"f":null,"ok":null,"name":"","tags":null}',
      ],
    ],
    ['truths', 'ok\nTrue\nF\n0\n', ['2:{"ok":true}', '3:{"ok":false}', '4:{"ok":false}']],
    ['times', 'at\n2026\n', ['2:{"at":"2026"}']],
    ['lists', 'tags\n"[""a"",\n""b""]"\n', ['2:{"tags":["a", "b"]}']],
    ['kinds of other columns', 'zip,other,any\n1,2,3\n', ['2:{"zip":"1","other":2,"any":3}']],
    [
      'cells that do not fit',
      'n,ok,tags\nx,true,[]\n1.5,true,[]\n1,maybe,[]\n1,true,a\n1,true,5\n123456789012345678901,true,[]\n',
      [
        '!2 not-csv column "n" must be an integer, as the schema says, got "x"',
        '!3 not-csv column "n" must be an integer, as the schema says, got "1.5"',
        '!4 not-csv column "ok" must be true or false, as the schema says, got "maybe"',
        '!5 not-csv column "tags" must be a JSON list or object, as the schema says, got "a"',
        '!6 not-csv column "tags" must be a JSON list or object, as the schema says, got "5"',
        '!7 not-csv column "n" must be an integer, as the schema says, got "123456789012345678901"',
      ],
    ],
  ])('reads cells as the schema declares them: %s', (_, text, rows) => {
    expect(split(text, { schema: declared })).toEqual(rows);
    expect(split(text, { schema: declared, sizes: [3] })).toEqual(rows);
  });

  it('reads declared columns by the schema and all others as strings with asText', () => {
    expect(split('zip,n,x\n1,2,3\n', { schema: declared, asText: true })).toEqual([
      '2:{"zip":"1","n":2,"x":"3"}',
    ]);
  });

  it('refuses a quoted cell after the rows that decide', () => {
    const lines = Array.from({ length: 1_000 }, (_, at) => String(at));
    expect(split(table('N', ...lines, '"5"')).at(-1)).toBe(
      '!1002 not-csv column "N" must be an integer, as in the first 1000 rows, got the quoted string "5"',
    );
  });

  it('decides the types by the rows so far on release', () => {
    const splitter = new CsvSplitter(defaultRowLimits, 'csv', {});
    const texts = (items: Iterable<RawItem>): string[] =>
      [...items].map((item) => (item instanceof InputError ? item.message : item.bytes.toString()));
    expect(texts(splitter.push(Buffer.from('a\n1\n')))).toEqual([]);
    expect(splitter.isSampling).toBe(true);
    expect(texts(splitter.release())).toEqual(['{"a":1}']);
    expect(splitter.isSampling).toBe(false);
    expect(texts(splitter.push(Buffer.from('2\nx\n')))).toEqual([
      '{"a":2}',
      'column "a" must be an integer, as in the first 1000 rows, got "x"',
    ]);
  });

  it('bounds columns, rows and their JSON', () => {
    expect(split(`${','.repeat(10_000)}\n`)).toEqual(['!1 not-csv a record must have at most 10000 cells']);
    expect(split(`${'n'.repeat(600)}\nx\n`, { maxRowBytes: 500 })).toEqual([
      '!2 too-large the row has more than 500 bytes as JSON',
    ]);
    expect(split(`${Array(10_000).fill('a').join()}\n`, {})).toEqual([]);
    expect(split(`#${'x'.repeat(5_000)}`, { comment: '#', maxRowBytes: 1_000, sizes: [500] })).toEqual([
      '!1 too-large the row after line 1 has more than 1000 characters',
    ]);
  });

  it('finds the same cells as csv-parse', () => {
    const cell = fc.string({
      unit: fc.constantFrom('a', '1', ',', '""', '\n', '\r\n', '\r', 'é', ' ', '#'),
      maxLength: 5,
    });
    const plain = fc.string({ unit: fc.constantFrom('a', '1', 'é', ' ', '.', '#'), maxLength: 5 });
    const written = fc.oneof(
      plain,
      cell.map((text) => `"${text}"`),
    );
    const blank = fc.constantFrom('', ' ', '\t');
    const records = fc.array(
      fc.array(
        fc.tuple(blank, written, blank).map((parts) => parts.join('')),
        { minLength: 2, maxLength: 4 },
      ),
      { maxLength: 6 },
    );
    fc.assert(
      fc.property(
        records,
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.integer({ min: 1, max: 9 }),
        (lines, end, size) => {
          const text = lines.map((line) => `x${line.join(',')}`.replace(/^x( |\t)*"/, '"') + end).join('');
          fc.pre(!text.startsWith('#'));
          const expected = parse(text, {
            trim: true,
            relax_column_count: true,
            record_delimiter: ['\r\n', '\n', '\r'],
            comment: '#',
            comment_no_infix: true,
          });
          const reader = new CsvReader({ delimiter: ',', comment: '#' });
          const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
          const read = [...pieces.flatMap((piece) => [...reader.push(piece)]), ...reader.end()];
          expect(read.map(({ cells }) => cells)).toEqual(expected);
        },
      ),
    );
  });

  it('leaves out what does not fit the first thousand rows', () => {
    const lines = Array.from({ length: 1_000 }, (_, at) => String(at));
    const found = split(table('N', ...lines, 'n/a', '5'));
    expect(found).toHaveLength(1_002);
    expect(found.slice(-2)).toEqual([
      '!1002 not-csv column "N" must be an integer, as in the first 1000 rows, got "n/a"',
      '1003:{"N":5}',
    ]);
  });

  it('refuses what is not UTF-8, and rows without an end', () => {
    expect(split(Buffer.from('a\nm\xfcll\n', 'latin1'))).toEqual([
      '!1 wrong-encoding the input is not UTF-8 after line 1',
    ]);
    expect(split(`a\n"${'x'.repeat(5_000)}`, { maxRowBytes: 1_000, sizes: [500] })).toEqual([
      '!1 too-large the row after line 1 has more than 1000 characters',
    ]);
  });

  it('is the same however the bytes arrive', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', '1', ',', '"', '\n', '\r', 'é', ' '), maxLength: 5 });
    const tables = fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(tables, fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), (cells, sizes) => {
        const text = cells.map((row) => row.map(quoted).join(',')).join('\n');
        expect(split(text, { sizes, asText: true, delimiter: ',' })).toEqual(
          split(text, { asText: true, delimiter: ',' }),
        );
        const reader = new CsvReader({ delimiter: ',' });
        const read = [...reader.push(text), ...reader.end()].map((record) => record.cells);
        // A line with one empty cell is blank only if the cell is not quoted, and these are.
        expect(read).toEqual(cells);
      }),
    );
  });
});

function quoted(cell: string): string {
  return `"${cell.replaceAll('"', '""')}"`;
}
