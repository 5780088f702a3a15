import { describe, expect, it } from 'vitest';
import type { MatchExpression } from '../../src/language/syntax/ast.js';
import * as make from '../../src/language/syntax/factory.js';
import { parse } from '../../src/language/parse.js';
import { print } from '../../src/language/syntax/print.js';

const nowhere = make.makeSpan(0, 0);

function matchOf(text: string): MatchExpression {
  const { ast } = parse(text);
  if (ast.kind !== 'match') throw new Error(`no match: ${text}`);
  return ast;
}

/** A text, and the canonical text for the same tree. */
const rows: readonly (readonly [text: string, printed: string])[] = [
  ['a==1', 'a == 1'],
  ['a != -0.50', 'a != -0.50'],
  ['a == "5"', 'a == 5'],
  ['a == "05"', 'a == "05"'],
  ['a == 1.0', 'a == 1.0'],
  ['a == running', 'a == "running"'],
  ['a == `running`', 'a == "running"'],
  ['a == b.c["d e"]', 'a == "b.c.d e"'],
  ['a == ""', 'a == ""'],
  ['a == "/x"', 'a == `/x`'],
  ['a == `/x y`', 'a == "/x y"'],
  ['a == `say "hi"`', 'a == "say \\x22hi\\x22"'],
  ['a == "\\"\\\\"', 'a == "\\x22\\\\"'],
  ['a == "\\n\\r\\t\\x00\\x7f\\u0085\\u2028"', 'a == "\\n\\r\\t\\x00\\x7f\\u0085\\u2028"'],
  ['a == "\\xc3\\xa9é😀"', 'a == "éé😀"'],
  ['a == "\\xfe\\xff"', 'a == "\\xff\\xff"'],
  ['a == "\\ufffd"', 'a == "\ufffd"'],
  ['a == "it\'s"', 'a == "it\'s"'],
  ['a contains x', '"x" in a'],
  ['a not contains "/x"', '`/x` not in a'],
  ['5 in a', '5 in a'],
  ['a is\nnot\tempty', 'a is not empty'],
  ['a matches `^\\d+$`', 'a matches "^\\\\d+$"'],
  ['a . b . 0 == 1', 'a.b.0 == 1'],
  ['a["b"]["c d"][`0`][""] == 1', 'a.b["c d"].0[""] == 1'],
  ['a["b/c"]["_d"]["`"] == 1', 'a.b/c["_d"]["`"] == 1'],
  ['"/a~1b/~0c" == 1', '"/a~1b/~0c" == 1'],
  ['"" is nil', '"" is nil'],
  ['((a == 1))', 'a == 1'],
  ['a == 1 and (b == 2 or c == 3)', 'a == 1 and (b == 2 or c == 3)'],
  ['a == 1 or (b == 2 and c == 3)', 'a == 1 or b == 2 and c == 3'],
  ['(a == 1 and b == 2) and c == 3', '(a == 1 and b == 2) and c == 3'],
  ['a == 1 and (b == 2 and c == 3)', 'a == 1 and b == 2 and c == 3'],
  ['(a == 1 or b == 2) or c == 3', '(a == 1 or b == 2) or c == 3'],
  ['not(a == 1)', 'not a == 1'],
  ['not (a == 1 or b == 2)', 'not (a == 1 or b == 2)'],
  ['not not a == 1', 'a == 1'],
  ['any L as x{x==5}', 'any L as x { x == 5 }'],
  ['all L as i,x { i != 0 }', 'all L as i, x { i != 0 }'],
  ['all L as i,_ { i != 0 }', 'all L as i, _ { i != 0 }'],
  ['all L as _,x { x != 0 }', 'all L as _, x { x != 0 }'],
  ['not any L as x { x == 5 }', 'not (any L as x { x == 5 })'],
  ['any L as x { x == 5 } and a == 1', '(any L as x { x == 5 }) and a == 1'],
  ['any L as x { x == 5 } or a == 1', '(any L as x { x == 5 }) or a == 1'],
  ['a == 1 or (any L as x { x == 5 })', 'a == 1 or any L as x { x == 5 }'],
];

describe('print', () => {
  it.each(rows)('%j', (text, printed) => {
    expect(print(parse(text).ast)).toBe(printed);
    expect(print(parse(printed, { dialect: 'go-bexpr' }).ast)).toBe(printed);
  });

  it('prints selectors and values by themselves', () => {
    const { selector, value } = matchOf('a.b["c d"] == "/x"');
    expect(print(selector)).toBe('a.b["c d"]');
    expect(value && print(value)).toBe('`/x`');
  });

  it('finds a text for trees that none is read as', () => {
    const body = matchOf('x == 1');
    const binding = make.makeBinding(make.makeName('x', nowhere), null, null, nowhere);
    for (const word of ['in', 'contains', 'matches', 'is', 'not', 'as', 'any']) {
      const over = make.makeSelector('bexpr', [word], [nowhere], nowhere);
      const { ast } = parse(print(make.makeCollection('any', over, binding, body, nowhere)), {
        dialect: 'go-bexpr',
      });
      expect(ast).toMatchObject({ kind: 'any', selector: { path: [word] }, body: { kind: 'match' } });
    }
  });

  it.each([
    [[], 'bexpr'],
    [[], 'pointer'],
    [['a b'], 'pointer'],
    [['a', ''], 'pointer'],
  ] as const)('knows no text for the path %j as a %s selector', (path, form) => {
    const spans = path.map(() => nowhere);
    expect(() => print(make.makeSelector(form, path, spans, nowhere))).toThrow(TypeError);
  });
});
