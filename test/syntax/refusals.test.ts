import { describe, expect, it } from 'vitest';
import { FilterSyntaxError } from '../../src/language/diagnostics/errors.js';
import { parse } from '../../src/language/parse.js';
import type { Dialect } from '../../src/language/syntax/dialect.js';

function refusalOf(text: string, dialect: Dialect = 'standard'): FilterSyntaxError {
  try {
    parse(text, { dialect });
  } catch (error) {
    if (error instanceof FilterSyntaxError) return error;
    throw error;
  }
  throw new Error(`a filter: ${text}`);
}

/** A text, the code, the place in go-bexpr's words, the marked source, and what was found. */
type Row = readonly [text: string, code: string, position: string, marked: string, found: string];

const rows: readonly Row[] = [
  ['', 'no-match', '1:1 (0)', '', 'end of input'],
  ['a', 'no-match', '1:2 (1)', '', 'end of input'],
  ['a ', 'no-match', '1:3 (2)', '', 'end of input'],
  ['a = 1', 'no-match', '1:3 (2)', '=', '='],
  ['a == ', 'no-match', '1:6 (5)', '', 'end of input'],
  ['a == - 5', 'no-match', '1:7 (6)', '-', '-'],
  ['a == 1 andy == 2', 'no-match', '1:11 (10)', 'andy', 'andy'],
  ['a isempty', 'no-match', '1:5 (4)', 'isempty', 'isempty'],
  ['a is emptyx', 'no-match', '1:11 (10)', 'emptyx', 'emptyx'],
  ['(a is emptyx)', 'unmatched-parentheses', '1:12 (11)', 'emptyx', 'emptyx'],
  ['a is not x', 'no-match', '1:10 (9)', 'x', 'x'],
  ['a. == 1', 'no-match', '1:3 (2)', '==', '=='],
  ['a == 1\nor b = 2', 'no-match', '2:6 (12)', '=', '='],
  ['é == 1 or b = 2', 'no-match', '1:1 (0)', 'é', 'é'],
  ['a == "é" or b = 2', 'no-match', '1:15 (15)', '=', '='],
  ['a == "😀" ü', 'no-match', '1:10 (12)', 'ü', 'ü'],
  ['😀', 'no-match', '1:1 (0)', '😀', '😀'],
  ['(a == 1 and b  2)', 'unmatched-parentheses', '1:9 (8)', '2', '2'],
  ['((a == 1) and (b  2)) or c == 3', 'unmatched-parentheses', '1:11 (10)', '2', '2'],
  ['(a == 1', 'unmatched-parentheses', '1:8 (7)', '', 'end of input'],
  ['(a == 1 or any L as x { ( x ) })', 'unmatched-parentheses', '1:9 (8)', ')', ')'],
  ['any L as x { x == 1 or ) }', 'no-match', '1:24 (23)', ')', ')'],
  ['a == "x', 'unterminated-string', '1:8 (7)', '"', '"'],
  ['a == "x\\d"', 'bad-string', '1:6 (5)', '\\d', '\\d'],
  ['a["\\d"] == 1', 'bad-string', '1:3 (2)', '\\d', '\\d'],
  ['a == "x\ny"', 'bad-string', '1:6 (5)', '\n', '\n'],
  ['a == -5x.y', 'invalid-number', '1:8 (7)', '-5x.y', '-5x.y'],
  ['-00 in a', 'invalid-number', '1:3 (2)', '-00', '-00'],
  ['a[ 0 ] == 1', 'invalid-index', '1:4 (3)', '0', '0'],
  ['a["x"  y] == 1', 'unclosed-index', '1:8 (7)', 'y', 'y'],
  ['x in "a"', 'invalid-selector', '1:6 (5)', '"a"', '"a"'],
  ['any "/L/" as x { x == 1 }', 'no-match', '1:9 (8)', '"/L/"', '"/L/"'],
  ['any L as x { }', 'no-match', '1:14 (13)', '}', '}'],
  [`a ${'<'.repeat(50)} 1`, 'no-match', '1:3 (2)', '<'.repeat(50), `${'<'.repeat(40)}…`],
];

describe('a refusal', () => {
  it.each(rows)('of %j', (text, code, position, marked, found) => {
    const error = refusalOf(text);
    const { start, end } = error.span;
    expect({ code: error.code, marked: text.slice(start, end), found: error.found }).toEqual({
      code,
      marked,
      found,
    });
    expect(error.goMessage.slice(0, position.length + 1)).toBe(`${position}:`);
    expect(error.source).toBe(text);
  });

  it('lists what was expected', () => {
    expect(refusalOf('a x 1').expected).toEqual([
      '"=="',
      '"!="',
      '"<"',
      '"<="',
      '">"',
      '">="',
      '"in"',
      '"not"',
      '"contains"',
      '"starts with"',
      '"ends with"',
      '"like"',
      '"matches"',
      '"is"',
    ]);
    expect(refusalOf('a == 1 x').expected).toEqual(['"and"', '"or"', 'end of input']);
    expect(refusalOf('a ==').expected).toEqual(['a value']);
  });

  it.each([
    ['a', '1:2 (1): no match found, expected: "!=", ".", "==", "[", [ \\t\\r\\n] or [a-zA-Z0-9_/]'],
    [
      'a ',
      '1:3 (2): no match found, expected: "!=", "==", "contains", "in", "is", "matches", "not" or [ \\t\\r\\n]',
    ],
    ['a == b', null],
    ['a == b-c', '1:7 (6): no match found, expected: ".", "[", [ \\t\\r\\n], [a-zA-Z0-9_/] or EOF'],
    ['a == 1 b', '1:8 (7): no match found, expected: "and", "or", [ \\t\\r\\n] or EOF'],
    ['a == ', '1:6 (5): no match found, expected: "-", "0", "\\"", "`", [ \\t\\r\\n], [1-9] or [a-zA-Z]'],
    ['a == -x', '1:7 (6): no match found, expected: "0" or [1-9]'],
    ['any "x" as y { y == 1 }', '1:6 (5): no match found, expected: "/" or "\\""'],
    ['any "/x/" as y { y == 1 }', '1:9 (8): no match found, expected: [\\pL\\pN-_.~:|]'],
    ['any L as _ { x == 1 }', '1:12 (11): no match found, expected: "," or [ \\t\\r\\n]'],
    ['(a == 1', '1:8 (7): rule "grouping": Unmatched parentheses'],
    ['a == 5x', '1:7 (6): rule "number": Invalid number literal'],
    ['x in ', '1:6 (5): rule "match": Invalid selector'],
  ])('of %j says what go-bexpr says', (text, message) => {
    if (message === null) expect(() => parse(text, { dialect: 'go-bexpr' })).not.toThrow();
    else expect(refusalOf(text, 'go-bexpr').goMessage).toBe(message);
  });

  it('says how to put it right', () => {
    const corrections: readonly (readonly [wrong: string, right: string])[] = [
      ['Status = running', 'Status == running'],
      ['Status === running', 'Status == running'],
      ['Status is "running"', 'Status == "running"'],
      ['Status not == running', 'Status != running'],
      ['a == 1 && b == 2', 'a == 1 and b == 2'],
      ['a == 1 || b == 2', 'a == 1 or b == 2'],
      ['a == 1 AND b == 2', 'a == 1 and b == 2'],
      ['!(a == 1)', 'not (a == 1)'],
      ["a == 'x y'", 'a == "x y"'],
      ['a == “x y”', 'a == "x y"'],
      ['a == host-name', 'a == "host-name"'],
      ['a == /srv/data', 'a == `/srv/data`'],
      ['a == C:\\dir', 'a == `C:\\dir`'],
      ['(a == 1', '(a == 1)'],
      ['a == 1)', 'a == 1'],
      ['5 == a', 'a == 5'],
      ['"x" != a.b', 'a.b != "x"'],
      ['a[0] == 1', 'a.0 == 1'],
      ['a[k] == 1', 'a["k"] == 1'],
      ['a contans b', 'a contains b'],
      ['a is not null', 'a is not nil'],
      ['a is emty', 'a is empty'],
      ['a == "\\d"', 'a == `\\d`'],
    ];
    for (const [wrong, right] of corrections) {
      const [suggestion] = refusalOf(wrong).suggestions;
      const { start, end } = suggestion?.span ?? { start: 0, end: 0 };
      expect(wrong.slice(0, start) + (suggestion?.replacement ?? '') + wrong.slice(end)).toBe(right);
      expect(() => parse(right, { dialect: 'go-bexpr' })).not.toThrow();
    }
  });

  it('becomes JSON', () => {
    const error = refusalOf('a = 1');
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({
      name: 'FilterSyntaxError',
      code: 'no-match',
      line: 1,
      column: 3,
      span: { start: 2, end: 3 },
      found: '=',
      suggestions: [{ replacement: '==' }],
    });
  });
});
