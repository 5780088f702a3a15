import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultRowLimits, InputError, type RawItem } from '../../../src/command/input/raw-row.js';
import { RowSplitter } from '../../../src/command/input/row-splitter.js';
import { parseRowsPath, type RowsPath } from '../../../src/command/input/rows-path.js';
import { scaled } from '../../support/property-runs.js';

/** A path of plain names, or one as it is written. */
function pathOf(path: readonly string[] | string): RowsPath {
  const text = typeof path === 'string' ? path : path.map((name) => JSON.stringify(name)).join('.');
  const namesOf = (names: string): string[] =>
    names.split('.').map((name) => (name.startsWith('"') ? (JSON.parse(name) as string) : name));
  const parsed = parseRowsPath(text, namesOf);
  if (parsed === null) throw new TypeError(`${text} is not a path`);
  return parsed;
}

function rowsAt(text: string, given: readonly string[] | string, size = text.length): string[] {
  const path = pathOf(given);
  const splitter = new RowSplitter('-', { format: 'auto', path, csv: {} }, defaultRowLimits);
  const seen: string[] = [];
  const take = (items: Iterable<RawItem>): void => {
    for (const item of items) {
      if (item instanceof InputError) throw item;
      seen.push(`${item.line}:${item.bytes.toString()}`);
    }
  };
  const bytes = Buffer.from(text);
  try {
    for (let at = 0; at < bytes.length; at += Math.max(1, size))
      take(splitter.push(bytes.subarray(at, at + Math.max(1, size))));
    take(splitter.end());
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    seen.push(`!${error.place.line} ${error.code} ${error.message} | ${error.hint ?? ''}`);
  }
  return seen;
}

describe('the rows at a path of a document', () => {
  it.each<[string, string[], string[]]>([
    ['{"items":[{"a":1},{"a":2}]}', ['items'], ['1:{"a":1}', '1:{"a":2}']],
    [
      '{"n":1,"s":"]}\\"","l":[{"items":[{}]}],\n"items":[\n{"a":1}],"z":{"x":[1]}}\n',
      ['items'],
      ['3:{"a":1}'],
    ],
    ['{"data":{"items":[{"a":1}]},"next":"x"}', ['data', 'items'], ['1:{"a":1}']],
    [
      '{"items":[{"a":1}],"next":null}\n{"items":[{"a":2},{"a":3}]}',
      ['items'],
      ['1:{"a":1}', '2:{"a":2}', '2:{"a":3}'],
    ],
    ['[{"items":[{"a":1}]},\n{"items":[{"a":2}]}]', ['items'], ['1:{"a":1}', '2:{"a":2}']],
    [
      '{"items":[{"a":1}]} garbage',
      ['items'],
      ['1:{"a":1}', '!1 between-values expected another document, found "g" | '],
    ],
    [
      '{"items":[{"a":1}],"next":',
      ['items'],
      ['1:{"a":1}', '!1 cut-off the input ends before the closing } of its document | '],
    ],
    [
      '{"items":[{"a":1}],"next":"x',
      ['items'],
      ['1:{"a":1}', '!1 cut-off the input ends before the closing } of its document | '],
    ],
    [
      '{"items":[{"a":1}],"next"}',
      ['items'],
      ['1:{"a":1}', '!1 between-values expected a colon, found "}" | '],
    ],
    [
      '{"items":[{"a":1}],}',
      ['items'],
      ['1:{"a":1}', '!1 between-values expected a key in double quotes, found "}" | '],
    ],
    [
      '{"items":[{"a":1}] "b":1}',
      ['items'],
      ['1:{"a":1}', '!1 between-values expected a comma or }, found "\\"" | '],
    ],
    [
      '{"items":[{"a":1}]]',
      ['items'],
      ['1:{"a":1}', '!1 between-values expected a comma or }, found "]" | '],
    ],
    [
      '{"items":[{"a":1}],"items":[{"a":2}]}',
      ['items'],
      ['1:{"a":1}', '!1 no-rows the document has "items" twice | '],
    ],
    [
      '{"items":[{"a":1}]}\n{"b":1}',
      ['items'],
      ['1:{"a":1}', '!2 no-rows there is no list of rows at items | the document has "b"'],
    ],
    [
      '{"items":{"items":[1]},"\\u0069tems":0}',
      ['items'],
      ['!1 no-rows items is an object, and not a list of rows | '],
    ],
    ['{"it\\u0065ms":[{"a":1}]}', ['items'], ['1:{"a":1}']],
    ['{"items":[]}', ['items'], []],
    [
      '{"a":1,"b":{}}',
      ['items'],
      ['!1 no-rows there is no list of rows at items | the document has "a", "b"'],
    ],
    [
      '{"data":{"rows":[]}}',
      ['data', 'items'],
      ['!1 no-rows there is no list of rows at data.items | data has "rows"'],
    ],
    ['{"data":[{"items":[]}]}', ['data', 'items'], ['!1 no-rows data is a list, and not an object | ']],
    ['{"items":"text"}', ['items'], ['!1 no-rows items is a string, and not a list of rows | ']],
    ['{"items":7}', ['items'], ['!1 no-rows items is a value of another kind, and not a list of rows | ']],
    [
      '{"items":[{"a":1},',
      ['items'],
      ['1:{"a":1}', '!1 cut-off the input ends before the closing ] of its array | '],
    ],
  ])('%s at %j', (text, path, rows) => {
    expect(rowsAt(text, path)).toEqual(rows);
    expect(rowsAt(text, path, 1)).toEqual(rows);
  });

  it.each(['[]', '[1]', '"text"', '7', ''])('do not exist in %j', (text) => {
    expect(rowsAt(text, ['items'])).toEqual([
      '!1 no-rows there is no list of rows at items | without --rows a list of rows, or rows one after another, are read as they are',
    ]);
  });

  it('are those that JSON.parse finds, however the bytes arrive', () => {
    const value = fc.jsonValue({ maxDepth: 3 });
    const others = fc.dictionary(fc.string(), value);
    const lists = fc.array(fc.dictionary(fc.string(), value), { maxLength: 4 });
    fc.assert(
      fc.property(others, lists, others, fc.nat(20), (before, rows, after, size) => {
        for (const fields of [before, after]) delete fields['items'];
        const text = JSON.stringify({ x: { ...before, items: rows, ...after } });
        const found = rowsAt(text, ['x', 'items'], size);
        expect(found).toEqual(rows.map((row) => `1:${JSON.stringify(row)}`));
      }),
    );
  });
});

describe('rows in lists of lists and in maps', () => {
  it.each<[text: string, path: string, rows: string[]]>([
    [
      '{"R":[{"I":[{"n":1},{"n":2}]},{"I":[]},{},{"I":[{"n":3}]}]}',
      'R[].I[]',
      ['{"n":1}', '{"n":2}', '{"n":3}'],
    ],
    ['{"R":[{"I":[{"n":1}]}]}', 'R[].I', ['{"n":1}']],
    ['{"R":[[{"n":1}],[]]}', 'R[][]', ['{"n":1}']],
    ['[[{"n":1}],[{"n":2}]]', '[]', ['{"n":1}', '{"n":2}']],
    ['{"R":[]}', 'R[].I[]', []],
    [
      '{"p":{"a b":{"v":1},"":{}, "\\"":{ }}}',
      'p.*',
      ['{"@key":"a b","v":1}', '{"@key":""}', '{"@key":"\\"" }'],
    ],
    ['{"a":{"v":1},"b":{"v":2}}', '*', ['{"@key":"a","v":1}', '{"@key":"b","v":2}']],
    ['{"p":{"a":{"l":[{"n":1}]},"b":{"l":[{"n":2}]}}}', 'p.*.l', ['{"n":1}', '{"n":2}']],
    ['{"p":{"a":{"x":{"n":1}}}}', 'p.*.*', ['{"@key":"x","n":1}']],
    ['{"p":{"a":[{"n":1}],"b":[]}}', 'p.*[]', ['{"n":1}']],
    ['{"p":{}}', 'p.*', []],
    ['{"p":{}}{"p":{"a":{}}}', 'p.*', ['{"@key":"a"}']],
    ['{"*":[{"n":1}],"a[]":[{"n":2}]}', '"*"', ['{"n":1}']],
  ])('are found in %s at %s', (text, path, rows) => {
    for (const size of [1, 3, text.length])
      expect(rowsAt(text, path, size).map((row) => row.replace(/^\d+:/, ''))).toEqual(rows);
  });

  it.each([
    ['{"R":[{"J":[]},{"K":1}],"N":1}', 'R[].I[]', 'there is no list of rows at R[].I[] | R[] has "K"'],
    ['{"R":{"I":[]}}', 'R[].I[]', 'R is an object, and not a list | '],
    ['{"R":[7]}', 'R[].I[]', 'R[] is a value of another kind, and not an object | '],
    ['{"R":[{"I":{}}]}', 'R[].I[]', 'R[].I is an object, and not a list of rows | '],
    ['{"p":[1]}', 'p.*', 'p is a list, and not an object | '],
    ['{"q":1}', 'p.*', 'there is no list of rows at p.* | the document has "q"'],
    ['{"p":{"a":1}', 'p.*', 'the input ends before the closing } of its document | '],
  ])('are an error in %s at %s', (text, path, message) => {
    for (const size of [1, text.length])
      expect(
        rowsAt(text, path, size)
          .at(-1)
          ?.replace(/^!1 [\w-]+ /, ''),
      ).toBe(message);
  });

  it('are those that JSON.parse finds, however the bytes arrive', () => {
    const leaf = fc.record({ n: fc.integer(), s: fc.string() }, { requiredKeys: [] });
    const document = fc.record({
      noise: fc.jsonValue(),
      R: fc.array(fc.record({ x: fc.jsonValue(), I: fc.dictionary(fc.string(), fc.array(leaf)) })),
    });
    fc.assert(
      fc.property(document, fc.integer({ min: 1, max: 9 }), (value, size) => {
        fc.pre(value.R.length > 0);
        const text = JSON.stringify(value);
        const found = rowsAt(text, 'R[].I.*[]', size).map((row) => JSON.parse(row.slice(2)) as unknown);
        const rows = (JSON.parse(text) as typeof value).R.flatMap(({ I }) => Object.values(I).flat());
        expect(found).toEqual(rows);
      }),
      { numRuns: scaled(300) },
    );
  });

  it.each(['', '.', 'a..b', '[', '[0]', 'a.[]', 'a.**', '**', 'a*', 'a.b[]c', '*a', `${'[]'.repeat(33)}`])(
    'are not named by %j',
    (text) => {
      expect(
        parseRowsPath(text, (names) => (/^\w+(\.\w+)*$/.test(names) ? names.split('.') : null)),
      ).toBeNull();
    },
  );
});
