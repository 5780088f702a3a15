import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CsvReader } from '../../../src/command/input/csv-reader.js';
import { CsvSplitter, type CsvReading } from '../../../src/command/input/csv-splitter.js';
import { defaultRowLimits, InputError, type RawItem } from '../../../src/command/input/raw-row.js';

interface Options extends CsvReading {
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
  ])('%s', (_, text, options, rows) => {
    expect(split(text, options)).toEqual(rows);
    expect(split(text, { ...options, sizes: [1] })).toEqual(rows);
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
