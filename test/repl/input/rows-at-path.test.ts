import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultRowLimits, InputError, type RawItem } from '../../../src/command/input/raw-row.js';
import { RowSplitter } from '../../../src/command/input/row-splitter.js';

function rowsAt(text: string, path: readonly string[], size = text.length): string[] {
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
