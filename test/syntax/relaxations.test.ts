import { describe, expect, it } from 'vitest';
import { FilterSyntaxError } from '../../src/language/diagnostics/errors.js';
import { parse } from '../../src/language/parse.js';

/** Each use as its kind and its place, written as `start-end`. */
function relaxationsOf(text: string): string[] {
  return parse(text).relaxations.map(({ kind, span }) => `${kind} ${span.start}-${span.end}`);
}

const rows: readonly (readonly [text: string, ...relaxations: string[]])[] = [
  ['a == 1'],
  ['( a==1 or `/x` in b )'],
  ['not(a == 1)', 'missing-whitespace 3-3'],
  ['(a == 1)and(b == 2)', 'missing-whitespace 8-8', 'missing-whitespace 11-11'],
  ['(a == 1) or(b == 2)', 'missing-whitespace 11-11'],
  ['"x"in a', 'missing-whitespace 3-3'],
  ['"x" not in"/a"', 'missing-whitespace 10-10'],
  ['a contains"x"', 'missing-whitespace 10-10'],
  ['a["k"]is empty', 'missing-whitespace 6-6'],
  ['any"/a"as x{ x == y }', 'missing-whitespace 3-3', 'missing-whitespace 7-7'],
  ['any L as x { x == 5}', 'missing-whitespace 19-19'],
  ['a . b == 1', 'extra-whitespace 1-2', 'extra-whitespace 3-4'],
  ['a.\t\n0 == 1', 'extra-whitespace 2-4'],
  ['a ["k"] == 1', 'extra-whitespace 1-2'],
  ['x == a .b', 'extra-whitespace 6-7'],
  ['not any L as x { x == y }', 'bare-collection 4-25'],
  ['a == 1 and any L as x { x == y }', 'bare-collection 11-32'],
  ['any L as x { x == y } and a == 1', 'bare-collection 0-21'],
  ['any L as x { x == y } or a == 1', 'bare-collection 0-21'],
  ['a == 1 or any L as x { x == y }'],
  ['(any L as x { x == y }) or a == 1'],
  [
    'any L as x { x == y } or all L as x { x == y } and not any L as x { x == y }',
    'bare-collection 0-21',
    'bare-collection 25-46',
    'bare-collection 55-76',
  ],
  ['a == "\\""', 'escaped-quote 6-8'],
  ['a["\\"\\""] == 1', 'escaped-quote 3-5'],
  ['(not in in )', 'abandoned-reading 8-10'],
  ['a == "/x"', 'quoted-pointer-value 5-9'],
  ['"/x" in a', 'quoted-pointer-value 0-4'],
  ['"/x" == 1'],
  ['a == "/x y" or a == "" or a == "/"'],
  [
    'not(a == "/x")and b . c == "\\""',
    'missing-whitespace 3-3',
    'quoted-pointer-value 9-13',
    'missing-whitespace 14-14',
    'extra-whitespace 19-20',
    'extra-whitespace 21-22',
    'escaped-quote 28-30',
  ],
];

describe('relaxations', () => {
  it.each(rows.map(([text, ...relaxations]) => ({ text, relaxations })))('$text', ({ text, relaxations }) => {
    expect(relaxationsOf(text)).toEqual(relaxations);
  });

  it.each(rows.map(([text, ...relaxations]) => ({ text, relaxations })))(
    'are refused by go-bexpr: $text',
    ({ text, relaxations }) => {
      const read = (): unknown => parse(text, { dialect: 'go-bexpr' }).relaxations;
      const isRefused = relaxations.some((relaxation) => !relaxation.startsWith('quoted-pointer-value'));
      if (isRefused) expect(read).toThrow(FilterSyntaxError);
      else expect(read()).toEqual([]);
    },
  );
});
