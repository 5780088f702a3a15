import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ReadError } from '../src/worker/read-problem.js';
import { readCsv } from '../src/worker/read-csv.js';
import { readRows } from '../src/worker/read-rows.js';

const problemOf = (text: string): unknown => {
  try {
    readRows(text);
    return null;
  } catch (error) {
    if (error instanceof ReadError) return [error.problem.line, error.problem.message];
    throw error;
  }
};

describe('rows of a text', () => {
  it.each<[string, string, unknown[]]>([
    ['[{"a":1},{"a":2}]', 'json', [{ a: 1 }, { a: 2 }]],
    [' \n{"a":1}', 'json', [{ a: 1 }]],
    ['{"items":[{"a":1},{"a":2}],"next":null}', 'json', [{ a: 1 }, { a: 2 }]],
    [
      '{"a":[{"x":1},{"x":2}],"b":[{"x":1},{"x":2}]}',
      'json',
      [{ a: [{ x: 1 }, { x: 2 }], b: [{ x: 1 }, { x: 2 }] }],
    ],
    ['{"a":1}\n\n{"a":9007199254740993}\n', 'ndjson', [{ a: 1 }, { a: 9007199254740993n }]],
    [
      '\uFEFFa,b\r\n1,x\r\n,"y, z"\r\n',
      'csv',
      [
        { a: 1, b: 'x' },
        { a: null, b: 'y, z' },
      ],
    ],
    [
      'a;b\n1.5;true\n2;FALSE',
      'csv',
      [
        { a: 1.5, b: true },
        { a: 2, b: false },
      ],
    ],
    [
      'a\tb\n007\t\n8\tx',
      'csv',
      [
        { a: '007', b: '' },
        { a: '8', b: 'x' },
      ],
    ],
    ['id,id,\n1,2,3', 'csv', [{ id: 1, id_2: 2, column3: 3 }]],
    ['n\n9223372036854775807', 'csv', [{ n: 9223372036854775807n }]],
    ['a,b\n1', 'csv', [{ a: 1, b: '' }]],
  ])('reads %j as %s', (text, format, rows) => {
    expect(readRows(text)).toEqual({ format, rows, problems: [], problemCount: 0 });
  });

  it.each<[string, number | null, string]>([
    ['  ', null, 'there are no rows: the text is empty'],
    ['[]', 1, 'there are no rows: the list is empty'],
    ['[1]', null, 'row 1 must be an object, not a number'],
    ['[{"a":1},\n[2]]', null, 'row 2 must be an object, not a list'],
    ['a,b\n', null, 'there is a line of names and no row below it'],
    ['a,b\n1,"x', 2, 'the quote that is opened here is never closed'],
    ['a,b\n"1"x,2', 2, 'there is text after a closing quote'],
    [`[${'{"a":'.repeat(101)}1${'}'.repeat(101)}]`, 1, 'rows may be nested 100 deep, and this is deeper'],
    [
      Array.from({ length: 1_001 }, (_, index) => `c${index}`).join(),
      1,
      'the first line has 1001 columns, and 1000 are the most',
    ],
  ])('refuses %.20j', (text, line, message) => {
    expect(problemOf(text)).toEqual([line, message]);
  });

  it('reports the line of an error in a list', () => {
    expect(problemOf('\n[{"a": 1},\n {"a": nil}]')).toEqual([3, expect.stringMatching(/value/)]);
  });

  it('skips lines that are not rows, and reports them', () => {
    const { rows, problems, problemCount } = readRows('{"a":1}\n{"a":\n7\n{"a":2}');
    expect(rows).toEqual([{ a: 1 }, { a: 2 }]);
    expect(problems.map(({ line }) => line)).toEqual([2, 3]);
    expect(problemCount).toBe(2);
  });
});

describe('CSV', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', ';', '\n', '\r', '\t', ' ', 'é') });
  const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

  it('reads back what was written, whatever the cells hold', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(cell, cell), { minLength: 1 }),
        fc.constantFrom('\n', '\r\n'),
        (records, end) => {
          const lines = [['"x","y"'], ...records.map((record) => [record.map(quoted).join(',')])];
          const table = readCsv(lines.join(end));
          expect(table).toEqual({ names: ['x', 'y'], records, isCut: false });
        },
      ),
    );
  });

  it('ends on any text, with rows or with a problem that has a line', () => {
    fc.assert(
      fc.property(cell, (text) => {
        try {
          expect(readCsv(text).records.length).toBeGreaterThanOrEqual(0);
        } catch (error) {
          expect((error as ReadError).problem.line).toBeGreaterThan(0);
        }
      }),
    );
  });
});
