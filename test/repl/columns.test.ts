import { expect, it } from 'vitest';
import { cellText } from '../../src/command/columns.js';

/** Every code point that Unicode calls a control, a format, a surrogate alone, or a separator of lines. */
const unseen = Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code)).filter((each) =>
  /^[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]$/u.test(each),
);

it('a cell shows a dot for invisible characters', () => {
  expect(unseen).toEqual(
    expect.arrayContaining(['\u001b', '\u061c', '\u200b', '\u202e', '\u2028', '\ufeff']),
  );
  const rendered = unseen.filter((each) => cellText(`run${each}ning`, 100) !== 'run·ning');
  expect(rendered.map((each) => each.codePointAt(0)?.toString(16))).toEqual([]);
  const nested = unseen.filter((each) =>
    /[\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(cellText({ [each]: [each] }, 100)),
  );
  expect(nested).toEqual([]);
});

it('a cell leaves all other text as it is', () => {
  for (const text of ['web-1', 'naïve', 'Ω', '漢字', '😀', 'e\u0301', '¡hola!'])
    expect(cellText(text, 100)).toBe(text);
});
