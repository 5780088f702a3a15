import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findJsonFault } from '../../../src/command/input/json-fault.js';

describe('findJsonFault', () => {
  it.each<[string, string, string, string | null]>([
    // text, what is marked, message, hint
    ['', '', 'expected a value, but the value ends here', null],
    ['{"a": }', '}', 'expected a value, found }', null],
    ['{"a": 1', '', 'expected a comma or }, but the value ends here', null],
    ['[1', '', 'expected a comma or ], but the value ends here', null],
    ['{"a" 1}', '1', 'expected a colon, found 1', null],
    ['{"a": 1 "b": 2}', '"b"', 'expected a comma or }, found "b"', null],
    ['{"a": 1]', ']', 'expected a comma or }, found ]', null],
    ['[1}', '}', 'expected a comma or ], found }', null],
    [
      '{"a": 1,}',
      '}',
      'expected a key in double quotes, found }',
      'remove the comma before the closing bracket',
    ],
    ['[1,]', ']', 'expected a value, found ]', 'remove the comma before the closing bracket'],
    ['[,1]', ',', 'expected a value or ], found ,', null],
    ['{,}', ',', 'expected a key in double quotes or }, found ,', null],
    ["{'a': 1}", "'a'", "expected a key in double quotes or }, found 'a'", 'JSON has double quotes only'],
    ['{a: 1}', 'a', 'expected a key in double quotes or }, found a', 'put the key in double quotes'],
    ['{"a": NaN}', 'NaN', 'expected a value, found NaN', 'write null: JSON has no such value'],
    [
      '{"a": undefined}',
      'undefined',
      'expected a value, found undefined',
      'write null: JSON has no such value',
    ],
    [
      '{"a": -Infinity}',
      '-Infinity',
      'expected a value, found -Infinity',
      'write null: JSON has no such value',
    ],
    ['{"a": True}', 'True', 'expected a value, found True', 'write it in small letters'],
    [
      '{"a": 01}',
      '01',
      'expected a value, found 01',
      'a number begins with a digit or a minus, and has no leading zeros',
    ],
    [
      '{"a": .5}',
      '.5',
      'expected a value, found .5',
      'a number begins with a digit or a minus, and has no leading zeros',
    ],
    ['{"a": 1} // x', '//', 'expected nothing more after the value, found //', 'JSON has no comments'],
    ['{"a": 1} {"b": 2}', '{', 'expected nothing more after the value, found {', null],
    ['{"a": "x}', '"', 'this string has no closing quote', null],
    [
      '{"a": "x\ny"}',
      '\n',
      'a string cannot contain a control character',
      'write it as an escape: \\n for a line end, \\t for a tab',
    ],
    [
      '{"a": "\\x41"}',
      '\\x',
      'this is not an escape sequence sequence',
      'JSON knows \\" \\\\ \\/ \\b \\f \\n \\r \\t and \\u with four hexadecimal digits',
    ],
    [
      '{"a": "\\u12"}',
      '\\u12"}',
      'this is not an escape sequence sequence',
      'JSON knows \\" \\\\ \\/ \\b \\f \\n \\r \\t and \\u with four hexadecimal digits',
    ],
    ['ID,Name', 'ID', 'expected a value, found ID', null],
    ['<html>', '<', 'expected a value, found <', null],
    ['{"a":\u00a01}', '\u00a0', 'expected a value, found \u00a0', null],
  ])('%j', (text, marked, message, hint) => {
    const fault = findJsonFault(text);
    expect(fault).toMatchObject({ message, hint });
    expect(text.slice(fault?.start, fault?.end)).toBe(marked);
  });

  const piece = fc.oneof(
    fc.constantFrom(
      ...'{}[]:,"\\ \n-.0e1'.split(''),
      'true',
      'null',
      '"a"',
      '"a":',
      '1.5',
      'é',
      '\u{1f600}',
      '\\u00e9',
      '1e5',
    ),
    fc.json(),
  );

  it('finds a fault exactly where JSON.parse refuses', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const text = pieces.join('');
        const fault = findJsonFault(text);
        expect(fault === null).toBe(isJson(text));
        if (fault === null) return;
        // Up to the fault all is well: a text that ends there is only cut off, perhaps in a string.
        const before = findJsonFault(text.slice(0, fault.start));
        if (before !== null && text[before.start] !== '"') expect(before.start).toBe(fault.start);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['a long string', `"${'x'.repeat(5_000_000)}`],
    ['many escapes', `"${'\\n'.repeat(2_000_000)}`],
    ['deep nesting', '['.repeat(2_000_000)],
    ['a long number', `[${'1'.repeat(2_000_000)}x]`],
    ['a long word', 'x'.repeat(2_000_000)],
  ])('copes with %s', (_, text) => {
    expect(findJsonFault(text)).not.toBeNull();
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
