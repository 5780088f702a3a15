import { describe, expect, it } from 'vitest';
import { FilterSyntaxError } from '../../src/language/diagnostics/errors.js';
import { parse } from '../../src/language/parse.js';
import type { Dialect } from '../../src/language/syntax/dialect.js';
import { outline } from '../support/outline.js';
import { literalOf } from '../../src/language/syntax/ast.js';

/** The tree of a text in one line, or the code of the refusal. */
function read(text: string, dialect: Dialect): string {
  try {
    return outline(parse(text, { dialect }).ast);
  } catch (error) {
    if (error instanceof FilterSyntaxError) return error.code;
    throw error;
  }
}

/** A source and its tree in both dialects; a third column is go-bexpr's own result if it differs. */
type Row = readonly [text: string, standard: string, go?: string];

function table(name: string, rows: readonly Row[]): void {
  describe(name, () => {
    it.each(rows.map(([text, standard, go = standard]) => ({ text, standard, go })))('$text', (row) => {
      const { text, standard, go } = row;
      expect(read(text, 'standard')).toBe(standard);
      expect(read(text, 'go-bexpr')).toBe(go);
    });
  });
}

table('operators', [
  ['Name == web', '(== Name "web")'],
  ['Name!=web', '(!= Name "web")'],
  ['Name matches web', '(matches Name "web")'],
  ['Name not matches web', '(not matches Name "web")'],
  ['web in Tags', '(in Tags "web")'],
  ['web not in Tags', '(not in Tags "web")'],
  ['Tags contains web', '(in Tags "web")'],
  ['Tags not contains web', '(not in Tags "web")'],
  ['Meta is empty', '(is empty Meta)'],
  ['Meta is not empty', '(is not empty Meta)'],
  ['Meta is nil', '(is nil Meta)'],
  ['Meta is not nil', '(is not nil Meta)'],
  ['Meta is\n\tnot\r\nnil', '(is not nil Meta)'],
  ['5 == Name', 'no-match'],
  ['"x" == Name', 'no-match'],
  ['Name = web', 'no-match'],
  ['Name', 'no-match'],
  ['', 'no-match'],
  [' \n', 'no-match'],
  ['Meta is not not empty', 'no-match'],
  ['Name not == web', 'no-match'],
  ['a in b in c', 'no-match'],
  ['x in "Tags"', 'invalid-selector'],
  ['x in 5', 'invalid-selector'],
  ['x in (Tags)', 'invalid-selector'],
  ['x in', 'no-match'],
  ['x in ', 'invalid-selector'],
]);

table('and, or, not and parentheses', [
  ['a==1 and b==2 and c==3', '(and (== a "1") (== b "2") (== c "3"))'],
  ['a == 1 and b == 2 and c == 3', '(and (== a "1") (== b "2") (== c "3"))'],
  ['a == 1 or b == 2 and c == 3', '(or (== a "1") (and (== b "2") (== c "3")))'],
  ['a == 1 and b == 2 or c == 3', '(or (and (== a "1") (== b "2")) (== c "3"))'],
  ['(a == 1 or b == 2) and c == 3', '(and (or (== a "1") (== b "2")) (== c "3"))'],
  ['a == 1 and (b == 2 and c == 3)', '(and (== a "1") (== b "2") (== c "3"))'],
  ['(a == 1 and b == 2) and c == 3', '(and (and (== a "1") (== b "2")) (== c "3"))'],
  ['a == 1 or (b == 2 or (c == 3 or d == 4))', '(or (== a "1") (== b "2") (== c "3") (== d "4"))'],
  ['a == 1 or (b == 2 or c == 3) or d == 4', '(or (== a "1") (or (== b "2") (== c "3")) (== d "4"))'],
  ['(((a == 1)))', '(== a "1")'],
  ['( a == 1\n)', '(== a "1")'],
  ['not a == 1 and b == 2', '(and (not (== a "1")) (== b "2"))'],
  ['not (a == 1 and b == 2)', '(not (and (== a "1") (== b "2")))'],
  ['not not a == 1', '(== a "1")'],
  ['not not not a == 1', '(not (== a "1"))'],
  ['not (not a == 1)', '(== a "1")'],
  ['not (not (not (a == 1)))', '(not (== a "1"))'],
  ['not (not not a == 1)', '(not (== a "1"))'],
  ['not x not in a', '(not (not in a "x"))'],
  ['a == 1 AND b == 2', 'no-match'],
  ['a == 1 && b == 2', 'no-match'],
  ['()', 'no-match'],
  ['(a == 1', 'unmatched-parentheses'],
  ['a == 1)', 'no-match'],
  ['(a == 1 and b)', 'unmatched-parentheses'],
  ['(a)', 'no-match'],
]);

table('whitespace around words', [
  ['not(a == 1)', '(not (== a "1"))', 'no-match'],
  ['not"x" in a', '(not (in a "x"))', 'no-match'],
  ['not`x`in a', '(not (in a "x"))', 'no-match'],
  ['not-5 in a', '(not (in a "-5"))', 'no-match'],
  ['(a == 1)and(b == 2)', '(and (== a "1") (== b "2"))', 'no-match'],
  ['a=="x"and b==y', '(and (== a "x") (== b "y"))', 'no-match'],
  ['a contains"x"', '(in a "x")', 'no-match'],
  ['a not contains"x"', '(not in a "x")', 'no-match'],
  ['a["k"]is empty', '(is empty a.k)', 'no-match'],
  ['a contains-5', '(in a "-5")', 'no-match'],
  ['"x"in a', '(in a "x")', 'no-match'],
  ['any"/a" as x{x==y}', '(any /a as x (== x "y"))', 'no-match'],
  ['any"/a"as x{x==y}', '(any /a as x (== x "y"))', 'no-match'],
  ['any L as _,x{x==5}', '(any L as _,x (== x "5"))', 'invalid-number'],
  ['(a == 5)', '(== a "5")'],
  ['nota == 1', '(== nota "1")'],
  ['a isempty', 'no-match'],
  ['a == 1and b == 2', 'no-match', 'invalid-number'],
  ['a == xand b == 2', 'no-match'],
  ['a.5in b', 'no-match'],
  ['a == 1\u00a0', 'no-match', 'invalid-number'],
  ['a\u000b== 1', 'no-match'],
  ['\ufeffa == 1', 'no-match'],
]);

table('whitespace inside selectors', [
  ['a . b == 1', '(== a.b "1")', 'no-match'],
  ['a .b == 1', '(== a.b "1")', 'no-match'],
  ['a. b == 1', '(== a.b "1")', 'no-match'],
  ['a . 0 == 1', '(== a.0 "1")', 'no-match'],
  ['a ["k"] == 1', '(== a.k "1")', 'no-match'],
  ['a[ "k" ] == 1', '(== a.k "1")'],
  ['a["k"] ["l"] == 1', '(== a.k.l "1")', 'no-match'],
  ['x == a . b', '(== x "a.b")', 'no-match'],
]);

table('selectors', [
  ['a.b.c == 1', '(== a.b.c "1")'],
  ['a/b == 1', '(== "a/b" "1")'],
  ['a_1.B2 == 1', '(== a_1.B2 "1")'],
  ['a.0.007 == 1', '(== a.0.007 "1")'],
  ['a["k v"].0[`x`] == 1', '(== a."k v".0.x "1")'],
  ['a["\\x41\\""] == 1', '(== a."A\\"" "1")', 'bad-string'],
  ['a["/x/y"] == 1', '(== a."/x/y" "1")'],
  ['a[""] == 1', '(== a."" "1")'],
  ['"/a/b" == 1', '(== /a/b "1")'],
  ['"/a~1b/~0c/~01" == 1', '(== /"a/b"/"~c"/"~1" "1")'],
  ['"/é.½-𝒳" == 1', '(== /"é.½-𝒳" "1")'],
  ['"" == 1', '(== /"" "1")'],
  ['x in "/a"', '(in /a "x")'],
  ['x in ""', '(in /"" "x")'],
  ['"/a" contains x', '(in /a "x")'],
  ['"/" == 1', 'no-match'],
  ['"/a/" == 1', 'no-match'],
  ['"/a b" == 1', 'no-match'],
  ['"\\x2fa" == 1', 'no-match'],
  ['"a" == 1', 'no-match'],
  ['`/a` == 1', 'no-match'],
  ['"/a"["b"] == 1', 'no-match'],
  ['a[0] == 1', 'invalid-index'],
  ['a[b] == 1', 'invalid-index'],
  ['a[] == 1', 'invalid-index'],
  ['a["k" == 1', 'unclosed-index'],
  ['a["k" "l"] == 1', 'unclosed-index'],
  ['a["k] == 1', 'unterminated-string'],
  ['a._ == 1', 'no-match'],
  ['a. == 1', 'no-match'],
  ['_ == 1', 'no-match'],
  ['a..b == 1', 'no-match'],
]);

table('bare values and numbers', [
  ['a == b.c', '(== a "b.c")'],
  ['a == b["c d"].0', '(== a "b.c d.0")'],
  ['a == b/c', '(== a "b/c")'],
  ['a == x-y', 'no-match'],
  ['a == _x', 'no-match'],
  ['a == 0', '(== a "0")'],
  ['a == -0.50', '(== a "-0.50")'],
  ['a == 9007199254740993', '(== a "9007199254740993")'],
  ['any L as x { x == 5}', '(any L as x (== x "5"))', 'invalid-number'],
  ['a == 010', '(== a 010)', 'invalid-number'],
  ['a == 1e5', '(== a 1e5)', 'invalid-number'],
  ['a == 0x10', '(== a 0x10)', 'invalid-number'],
  ['a == 5.', '(== a 5.)', 'invalid-number'],
  ['a == 1.2.3', '(== a 1.2.3)', 'invalid-number'],
  ['a == 5_', '(== a 5_)', 'invalid-number'],
  ['a == 5"x"', 'no-match', 'invalid-number'],
  ['a == .5', 'no-match'],
  ['a == +5', 'no-match'],
  ['a == - 5', 'no-match'],
  ['a == (1)', 'no-match'],
]);

table('strings', [
  ['a == ""', '(== a "")'],
  ['a == "\\a\\b\\f\\n\\r\\t\\v\\\\"', `(== a ${JSON.stringify('\x07\b\f\n\r\t\v\\')})`],
  ['a == "\\x41\\101\\u00e9\\U0001F600"', '(== a "AAé😀")'],
  ['a == "\\xc3\\xa9\\303\\251"', '(== a "éé")'],
  ['a == "\\xff"', '(== a "\ufffd"!)'],
  ['a == "\\xe2\\x82x"', '(== a "\ufffd\ufffdx"!)'],
  ['a == "\\ufffd"', '(== a "\ufffd")'],
  ['a == "say \\"hi\\""', `(== a ${JSON.stringify('say "hi"')})`, 'bad-string'],
  ['a == "say \\x22hi\\x22"', `(== a ${JSON.stringify('say "hi"')})`],
  ['a == "\\\\"', `(== a ${JSON.stringify('\\')})`],
  ['a == "\\d+"', 'bad-string'],
  ['a == "\\\'"', 'bad-string'],
  ['a == "\\400"', 'bad-string'],
  ['a == "\\0"', 'bad-string'],
  ['a == "\\x4"', 'bad-string'],
  ['a == "\\ud83d\\ude00"', 'bad-string'],
  ['a == "\\U00110000"', 'bad-string'],
  ['a == "two\nlines"', 'bad-string'],
  ['a == "carriage\rreturn"', `(== a ${JSON.stringify('carriage\rreturn')})`],
  ['a == `two\r\nlines \\d "x"`', `(== a ${JSON.stringify('two\nlines \\d "x"')})`],
  ['a == "open', 'unterminated-string'],
  ['a == "open\\"', 'unterminated-string', 'bad-string'],
  ['a == `open', 'unterminated-string'],
  ["a == 'x'", 'no-match'],
]);

table('quoted values that look like pointers', [
  ['a == "/srv/data"', '(== a "/srv/data")', '(== a "srv/data")'],
  ['a == "/a~1b~0"', '(== a "/a~1b~0")', '(== a "a/b~")'],
  ['"/x/y" in a', '(in a "/x/y")', '(in a "x/y")'],
  ['"/x" not in a', '(not in a "/x")', '(not in a "x")'],
  ['a matches "/x"', '(matches a "/x")', '(matches a "x")'],
  ['a == "/srv/data/"', '(== a "/srv/data/")'],
  ['a == "/srv data"', '(== a "/srv data")'],
  ['a == "/"', '(== a "/")'],
  ['a == `/srv/data`', '(== a "/srv/data")'],
]);

table('words that are names', [
  ['not == 1', '(== not "1")'],
  ['in in in', '(in in "in")'],
  ['not in foo', '(in foo "not")'],
  ['not in in foo', '(not (in foo "in"))'],
  ['not not in foo', '(not (in foo "not"))'],
  ['not in in', '(in in "not")'],
  ['not not in in', '(not (in in "not"))'],
  ['not not not in in', '(in in "not")'],
  ['not contains in', '(in not "in")'],
  ['not contains x', '(in not "x")'],
  ['contains contains contains', '(in contains "contains")'],
  ['not is empty', '(is empty not)'],
  ['not is is empty', '(not (is empty is))'],
  ['is is empty', '(is empty is)'],
  ['not.x == 1', '(== not.x "1")'],
  ['not not.x == 1', '(not (== not.x "1"))'],
  ['not["k"] == 1', '(== not.k "1")'],
  ['and == or and or == and', '(and (== and "or") (== or "and"))'],
  ['a == not and b == 1', '(and (== a "not") (== b "1"))'],
  ['a == any or any == a', '(or (== a "any") (== any "a"))'],
  ['any == 1', '(== any "1")'],
  ['any is empty', '(is empty any)'],
  ['any in as', '(in as "any")'],
  ['not any == 1', '(not (== any "1"))'],
  ['any any as any { any == any }', '(any any as any (== any "any"))'],
  ['any is as x { x == y }', '(any is as x (== x "y"))'],
  ['any not as x { x == y }', '(any not as x (== x "y"))'],
  ['any contains.x as x { x == y }', '(any contains.x as x (== x "y"))'],
  ['any in as x { x == y }', 'no-match'],
  ['any contains as x { x == y }', 'no-match'],
  ['not in contains and x == 1', 'no-match'],
  ['not not', 'no-match'],
  ['not', 'no-match'],
]);

table('readings that go-bexpr does not forgive', [
  ['not in in ', '(in in "not")', 'invalid-selector'],
  ['(not in in )', '(in in "not")', 'invalid-selector'],
  ['(not in in)', '(in in "not")'],
  ['(not contains in )', '(in not "in")', 'invalid-selector'],
  ['not not in in ', '(not (in in "not"))', 'invalid-selector'],
  // The word after the sign is a value and unrelated to operators.
  ['(not==\nin )', '(== not "in")'],
]);

table('collections', [
  ['any L as x { x == y }', '(any L as x (== x "y"))'],
  ['all L as i, x { x == y }', '(all L as i,x (== x "y"))'],
  ['any L as i,_{ i != 0 }', '(any L as i,_ (!= i "0"))'],
  ['any L as _ , x{x == y}', '(any L as _,x (== x "y"))'],
  ['any "/a/b" as x { x == y }', '(any /a/b as x (== x "y"))'],
  ['any L as x { all x.M as y { y == z }}', '(any L as x (all x.M as y (== y "z")))'],
  ['a == 1 or any L as x { x == y }', '(or (== a "1") (any L as x (== x "y")))'],
  ['(any L as x { x == y }) or a == 1', '(or (any L as x (== x "y")) (== a "1"))'],
  ['any L as x { x == y } or a == 1', '(or (any L as x (== x "y")) (== a "1"))', 'no-match'],
  ['any L as x { x == y } and a == 1', '(and (any L as x (== x "y")) (== a "1"))', 'no-match'],
  ['a == 1 and any L as x { x == y }', '(and (== a "1") (any L as x (== x "y")))', 'no-match'],
  ['a == 1 and (any L as x { x == y })', '(and (== a "1") (any L as x (== x "y")))'],
  ['not any L as x { x == y }', '(not (any L as x (== x "y")))', 'no-match'],
  ['not (any L as x { x == y })', '(not (any L as x (== x "y")))'],
  ['not any contains any', '(not (in any "any"))'],
  ['any L as _ { x == y }', 'no-match'],
  ['any L as _, _ { x == y }', 'no-match'],
  ['any L as x.y { x == y }', 'no-match'],
  ['any L as x, y, z { x == y }', 'no-match'],
  ['any L as x {}', 'no-match'],
  ['any L as x { x == y', 'no-match'],
  ['any L x { x == y }', 'no-match'],
  ['any "L" as x { x == y }', 'no-match'],
  ['any 5 as x { x == y }', 'no-match'],
]);

describe('parse', () => {
  it('keeps the source and the dialect', () => {
    expect(parse('a == 1')).toMatchObject({ source: 'a == 1', dialect: 'standard', relaxations: [] });
    expect(parse('a == 1', { dialect: 'go-bexpr' }).dialect).toBe('go-bexpr');
  });

  it('says how each value was written', () => {
    const parsed = parse('a == b or a == 1 or a == "c" or a == `d` or a is nil');
    const forms =
      parsed.ast.kind === 'or'
        ? parsed.ast.operands.map((match) => match.kind === 'match' && literalOf(match)?.form)
        : [];
    expect(forms).toEqual(['bare', 'number', 'quoted', 'raw', undefined]);
  });

  it('freezes all that it returns', () => {
    const parsed = parse('not (a.b["c"] == "/x" and any L as i, x { x in "/y" }) or z is nil');
    const loose: unknown[] = [];
    const visit = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      if (!Object.isFrozen(value)) loose.push(value);
      Object.values(value).forEach(visit);
    };
    visit(parsed);
    expect(loose).toEqual([]);
  });

  it('keeps lone surrogates as they are', () => {
    expect(read('a == "\ud800"', 'standard')).toBe(`(== a ${JSON.stringify('\ud800')})`);
    expect(read('\ud800 == 1', 'standard')).toBe('no-match');
    expect(read('"/\udc00" == 1', 'standard')).toBe('no-match');
  });

  it('starts afresh after a refusal', () => {
    expect(read('(a == 1 and any L as x { ((', 'standard')).toBe('unmatched-parentheses');
    expect(read('any L as x { x == y } or b == 2', 'standard')).toBe(
      '(or (any L as x (== x "y")) (== b "2"))',
    );
  });

  it.each([undefined, null, 5, {}, ['a == 1'], new String('a == 1')])('takes no %s for a filter', (value) => {
    expect(() => parse(value as string)).toThrow(TypeError);
  });

  it('takes no other dialect', () => {
    expect(() => parse('a == 1', { dialect: 'bexpr' as Dialect })).toThrow(TypeError);
  });
});
