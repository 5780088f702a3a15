import type { Draw } from '../support/draw.js';

const pieces = [
  ...[
    `'`,
    `''`,
    `"`,
    `\\`,
    `\\'`,
    `;`,
    `--`,
    `/*`,
    `*/`,
    `$1`,
    `$$`,
    `?`,
    `:a`,
    `%`,
    `_`,
    `{`,
    `}`,
    `[`,
    `]`,
    `(`,
    `)`,
  ],
  ...[
    `' OR 1=1 --`,
    `'; DROP TABLE rows; --`,
    `" OR ""="`,
    `E'\\047'`,
    `U&'\\0027'`,
    `$tag$`,
    `{{x}}`,
    `\u2019`,
    `\uff07`,
    `\n`,
  ],
];

/** A filter whose literals and keys mean something in a statement, and words that none may hold. */
export function hostileFilter(draw: Draw): { readonly filter: string; readonly words: readonly string[] } {
  const words: string[] = [];
  const hostile = (): string => {
    // The middle part is in no statement by chance.
    const word = `q${draw
      .below(36 ** 6)
      .toString(36)
      .padStart(6, 'z')}z`;
    words.push(word);
    return JSON.stringify(
      draw.list(0, 3, () => draw.pick(pieces)).join('') +
        word +
        draw.list(0, 3, () => draw.pick(pieces)).join(''),
    );
  };
  const clause = (): string => {
    const text = hostile();
    return draw.pick([
      `text == ${text}`,
      `owner != ${text}`,
      `strict < ${text}`,
      `text in [${text}, ${hostile()}i]`,
      `text contains ${text}`,
      `owner not starts with ${text}`,
      `strict ends with ${text}`,
      `strict == ${text}i`,
      `${text} in tags`,
      `${text} in notes`,
      `${text} in meta`,
      `meta[${text}] == ${hostile()}`,
      `counts[${text}] > 5`,
      `any groups as g { g.Name == ${text} and ${hostile()} in g.Tags }`,
      `all meta as k, v { k != ${text} or v == ${hostile()} }`,
    ]);
  };
  const filter = draw.list(1, 3, clause).join(draw.pick([' and ', ' or ']));
  return { filter: draw.oneIn(3) ? `not (${filter})` : filter, words };
}
