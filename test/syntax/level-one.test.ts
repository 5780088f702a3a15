import { describe, expect, it } from 'vitest';
import { FilterError, FilterLimitError, FilterSyntaxError } from '../../src/language/diagnostics/errors.js';
import { parse, type ParseOptions } from '../../src/language/parse.js';
import { print } from '../../src/language/syntax/print.js';
import { textOfTree } from '../../src/language/syntax/read-tree.js';
import { outline } from '../support/outline.js';
import { unlimited } from '../support/unlimited.js';

function read(text: string, options: ParseOptions = {}): string {
  try {
    return outline(parse(text, options).ast);
  } catch (error) {
    if (error instanceof FilterError) return error.code;
    throw error;
  }
}

/** A form, its tree, its canonical text and what of it is not in go-bexpr. */
const forms: readonly (readonly [text: string, tree: string, printed: string, uses: string])[] = [
  ['a<5', '(< a "5")', 'a < 5', 'ordering:<'],
  ['a <= -1.5', '(<= a "-1.5")', 'a <= -1.5', 'ordering:<='],
  ['a>b', '(> a "b")', 'a > "b"', 'ordering:>'],
  ['a >= "5"', '(>= a "5")', 'a >= "5"', 'ordering:>='],
  ['a < now', '(< a "now")', 'a < now', 'ordering:<'],
  ['a < "now"', '(< a "now")', 'a < "now"', 'ordering:<'],
  ['a < now-7d', '(< a now - 7d)', 'a < now - 7d', 'ordering:< clock:now-7d'],
  ['a < now \n + 1h30m', '(< a now + 1h30m)', 'a < now + 1h30m', 'ordering:< clock:now \n + 1h30m'],
  ['len(a) > 3', '(> len(a) "3")', 'len(a) > 3', 'length:len ordering:>'],
  ['len ( "/a/b" )!=3', '(!= len(/a/b) "3")', 'len("/a/b") != 3', 'length:len'],
  [
    'len(a)not in[1 ,2,]',
    '(not in [..] len(a) ["1" "2"])',
    'len(a) not in [1, 2]',
    'length:len value-list:[1 ,2,]',
  ],
  ['a in ["k"]', '(in [..] a ["k"])', 'a in ["k"]', 'value-list:["k"]'],
  ['a.b["c d"] not in []', '(not in [..] a.b."c d" [])', 'a.b["c d"] not in []', 'value-list:[]'],
  ['"/a/b" in [x, `y`]', '(in [..] /a/b ["x" "y"])', '"/a/b" in ["x", "y"]', 'value-list:[x, `y`]'],
  ['a in [b["k"].c]', '(in [..] a ["b.k.c"])', 'a in ["b.k.c"]', 'value-list:[b["k"].c]'],
  [
    'a in [now,now - 1d]',
    '(in [..] a ["now" now - 1d])',
    'a in [now, now - 1d]',
    'value-list:[now,now - 1d] clock:now - 1d',
  ],
  ['a in ["5", 5]', '(in [..] a ["5" "5"])', 'a in ["5", 5]', 'value-list:["5", 5]'],
  ['a starts \n with "x"', '(starts with a "x")', 'a starts with "x"', 'affix:starts \n with'],
  ['a not ends with x', '(not ends with a "x")', 'a not ends with "x"', 'affix:ends with'],
  ['a like "x*"', '(like a "x*")', 'a like "x*"', 'glob:like'],
  ['a not like `\\*`', '(not like a "\\\\*")', 'a not like "\\\\*"', 'glob:like'],
  ['a == "x"i', '(== a "x"i)', 'a == "x"i', 'ignore-case:i'],
  ['a matches `x`i', '(matches a "x"i)', 'a matches "x"i', 'ignore-case:i'],
  ['"/x"i in a', '(in a "/x"i)', '`/x`i in a', 'ignore-case:i'],
  ['a == "5"i', '(== a "5"i)', 'a == "5"i', 'ignore-case:i'],
  ['a == 7d', '(== a 7d)', 'a == 7d', 'typed-literal:7d'],
  ['10.0.0.0/8 in a', '(in a 10.0.0.0/8)', '10.0.0.0/8 in a', 'typed-literal:10.0.0.0/8'],
  [
    'a > 2026-11-01T08:00:00+01:00',
    '(> a 2026-11-01T08:00:00+01:00)',
    'a > 2026-11-01T08:00:00+01:00',
    'ordering:> typed-literal:2026-11-01T08:00:00+01:00',
  ],
  ['a == @b.c', '(== a @b.c)', 'a == @b.c', 'field-reference:@'],
  ['a < @ "/b/c"', '(< a @/b/c)', 'a < @"/b/c"', 'ordering:< field-reference:@'],
  ['@a not in b', '(not in b @a)', '@a not in b', 'field-reference:@'],
  ['a not contains @b', '(not in a @b)', '@b not in a', 'field-reference:@'],
  ['["First Name"] == x', '(== "First Name" "x")', '["First Name"] == "x"', 'field-name:['],
  ['["k"].l[ `m n` ].0 == x', '(== k.l."m n".0 "x")', 'k.l["m n"].0 == "x"', 'field-name:['],
  ['_id == 1', '(== _id "1")', '_id == 1', 'field-name:_id'],
  ['a._b is empty', '(is empty a._b)', 'a["_b"] is empty', 'field-name:_b'],
  ['not (["a b"] == 1)', '(not (== "a b" "1"))', 'not (["a b"] == 1)', 'field-name:['],
  [
    'not not (["a b"] == 1) and ["c d"] is nil',
    '(and (== "a b" "1") (is nil "c d"))',
    '["a b"] == 1 and ["c d"] is nil',
    'field-name:[ field-name:[',
  ],
  ['not _a == 1', '(not (== _a "1"))', 'not _a == 1', 'field-name:_a'],
  [
    'any ["a b"] as x { x == 1 }',
    '(any "a b" as x (== x "1"))',
    'any ["a b"] as x { x == 1 }',
    'field-name:[',
  ],
  ['any _a as x { x == 1 }', '(any _a as x (== x "1"))', 'any _a as x { x == 1 }', 'field-name:_a'],
  ['["a b"] in ["c"]', '(in [..] "a b" ["c"])', '["a b"] in ["c"]', 'field-name:[ value-list:["c"]'],
  ['_a not in ["c"]', '(not in [..] _a ["c"])', '_a not in ["c"]', 'field-name:_a value-list:["c"]'],
  ['x in _a', '(in _a "x")', '"x" in _a', 'field-name:_a'],
  ['["a b"] contains x', '(in "a b" "x")', '["a b"] contains "x"', 'field-name:['],
  ['len(["a b"]) > 3', '(> len("a b") "3")', 'len(["a b"]) > 3', 'length:len field-name:[ ordering:>'],
  ['a == @["b c"].d', '(== a @"b c".d)', 'a == @["b c"].d', 'field-reference:@ field-name:['],
  ['@_b in a', '(in a @_b)', '@_b in a', 'field-reference:@ field-name:_b'],
  ['[""] == 1', '(== "" "1")', '[""] == 1', 'field-name:['],
  ['a starts with @b', '(starts with a @b)', 'a starts with @b', 'affix:starts with field-reference:@'],
];

describe('a form of level 1', () => {
  it.each(forms)('%s', (text, tree, printed, uses) => {
    const { ast, relaxations } = parse(text);
    expect(outline(ast)).toBe(tree);
    expect(print(ast)).toBe(printed);
    expect(print(parse(printed).ast)).toBe(printed);
    const used = relaxations.filter(({ kind }) => !/whitespace|pointer/.test(kind));
    expect(used.map(({ kind, span }) => `${kind}:${text.slice(span.start, span.end)}`).join(' ')).toBe(uses);
  });

  it.each(forms)('%s: is refused with a hint where level 0 is read', (text) => {
    for (const options of [
      { level: 0 },
      { dialect: 'go-bexpr' },
      { dialect: 'go-bexpr', level: 1 },
    ] as const) {
      const error = refusalOf(text, options);
      expect(error).toBeInstanceOf(FilterSyntaxError);
      if (options.dialect === undefined)
        expect(error?.hint).toContain('Level 1 of the standard dialect reads this');
    }
  });

  it.each(forms)('%s: comes back from its tree', (text, _, printed) => {
    expect(textOfTree('test', JSON.parse(JSON.stringify(parse(text).ast)), unlimited)).toBe(printed);
  });
});

function refusalOf(text: string, options: ParseOptions): FilterError | null {
  try {
    parse(text, options);
    return null;
  } catch (error) {
    if (error instanceof FilterError) return error;
    throw error;
  }
}

describe('what level 0 reads', () => {
  it.each([
    ['starts == with', '(== starts "with")'],
    ['like == like', '(== like "like")'],
    ['len == 3 and now == 3 and i == i', '(and (== len "3") (== now "3") (== i "i"))'],
    ['a == now', '(== a "now")'],
    ['any as as x { x == 1 }', '(any as as x (== x "1"))'],
    ['any in ["k"] as x { x == 1 }', '(any in.k as x (== x "1"))'],
    ['any like as x { x == 1 }', '(any like as x (== x "1"))'],
    ['all like as and, or { and == 1 }', '(all like as and,or (== and "1"))'],
    ['any len as x { x == 1 }', '(any len as x (== x "1"))'],
    ['not in in ["k"]', '(in in.k "not")'],
    ['not contains in ["k"]', '(in not "in.k")'],
    ['not like == 3', '(not (== like "3"))'],
    ['not like in a', '(not (in a "like"))'],
    ['a in in["k"]', '(in in.k "a")'],
    ['in["k"] == 1', '(== in.k "1")'],
    ['not in["k"] == 1', '(not (== in.k "1"))'],
  ])('%s keeps its meaning', (text, tree) => {
    expect(read(text)).toBe(tree);
    expect(read(text, { level: 0 })).toBe(tree);
    expect(read(print(parse(text).ast))).toBe(tree);
  });

  it.each([
    ['any in ["k"]', '(in [..] any ["k"])'],
    ['any like as', '(like any "as")'],
    ['any like as and b == 1', '(and (like any "as") (== b "1"))'],
    ['all < 5', '(< all "5")'],
    ['not in ["k"]', '(in [..] not ["k"])'],
    ['not not in ["k"]', '(not (in [..] not ["k"]))'],
    ['not in in ["j", "k"]', '(not (in [..] in ["j" "k"]))'],
    ['not (in in ["k"])', '(not (in [..] in ["k"]))'],
    ['not like "x"', '(like not "x")'],
    ['not like like "x"', '(not (like like "x"))'],
    ['not starts with x', '(starts with not "x")'],
    ['not < 5', '(< not "5")'],
    ['not len(a) > 3', '(not (> len(a) "3"))'],
    ['not @a in b', '(not (in b @a))'],
  ])('%s is read as %s, and so is its canonical text', (text, tree) => {
    expect(read(text)).toBe(tree);
    expect(read(print(parse(text).ast))).toBe(tree);
    expect(read(text, { level: 0 })).not.toMatch(/^\(/);
  });
});

describe('what is no form of level 1', () => {
  it.each([
    ['"web" in ["k"]', '[', 'invalid-selector'],
    ['@a in ["k"]', '[', 'invalid-selector'],
    ['5 < a', '<', 'no-match'],
    ['a <', '', 'no-match'],
    ['a => 5', '=>', 'no-match'],
    ['a <= = 5', '=', 'no-match'],
    ['len()', ')', 'no-match'],
    ['len(a', '', 'no-match'],
    ['len(a)', '', 'no-match'],
    ['len("a b") > 3', '"a b"', 'no-match'],
    ['len(a) contains 5', 'contains', 'no-match'],
    ['len(a) is empty', 'is', 'no-match'],
    ['a in [', '', 'no-match'],
    ['a in [,]', ',', 'no-match'],
    ['a in [1,,2]', ',', 'no-match'],
    ['a in [1 2]', '2', 'no-match'],
    ['a in [@b]', '@', 'no-match'],
    ['a like @b', '@b', 'no-match'],
    ['a matches @b', '@b', 'no-match'],
    ['a == @', '', 'no-match'],
    ['a == @"b c"', '"b c"', 'no-match'],
    ['a == now - 7d', 'now - 7d', 'no-match'],
    ['a == "x" i', 'i', 'no-match'],
    ['a == "x"ix', 'ix', 'no-match'],
    ['a["k"i] == 1', '"k"i', 'invalid-index'],
    ['a == "\\d"i', '\\d', 'bad-string'],
    ['a == -5x', '-5x', 'invalid-number'],
    ['a starts "x"', 'starts', 'no-match'],
    ['a startswith "x"', 'startswith', 'no-match'],
  ])('%s is refused at %j, with a hint', (text, marked, code) => {
    const error = refusalOf(text, {});
    expect(error).toMatchObject({ code });
    expect(text.slice(error?.span.start, error?.span.end)).toBe(marked);
    expect(error?.hint).not.toBeNull();
  });

  it('a list has at most maxTerms values', () => {
    const limits = { maxTerms: 3 };
    expect(read('a in [1, 2, 3,]', { limits })).toBe('(in [..] a ["1" "2" "3"])');
    const error = refusalOf('a in [1, 2, 3, 4]', { limits });
    expect(error).toBeInstanceOf(FilterLimitError);
    expect(error).toMatchObject({ code: 'too-many-terms', limit: 3, span: { start: 15, end: 16 } });
    expect(error?.message).toContain('values in a list');
  });
});

describe('a tree that no text has', () => {
  const selector = { kind: 'selector', form: 'bexpr', path: ['a'] };
  const value = { kind: 'value', text: 'x', wellFormed: true };
  it.each([
    [{ operator: '==', aspect: 'size', value }, 'aspect: expected value or length'],
    [{ operator: 'is empty', aspect: 'length' }, 'aspect: expected value, because is empty takes no length'],
    [{ operator: 'in [..]', value }, 'value.kind: expected list'],
    [
      { operator: '==', value: { kind: 'list', elements: [value] } },
      'value.kind: expected value or reference',
    ],
    [{ operator: 'like', value: { kind: 'reference', selector } }, 'value.kind: expected value'],
    [{ operator: '==', value: { ...value, ignoreCase: 1 } }, 'ignoreCase: expected true or false'],
    [{ operator: '<', value: { ...value, form: 'typed' } }, 'text: expected a literal such as 7d'],
    [
      { operator: '<', value: { ...value, form: 'now', text: 'now' } },
      'text: expected a text such as now - 7d',
    ],
  ])('%j', (match, message) => {
    const tree = { kind: 'match', selector, ...match };
    expect(() => textOfTree('test', tree, unlimited)).toThrow(message);
  });
});
