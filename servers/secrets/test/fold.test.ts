import { expect, it } from 'vitest';
import { foldName } from '../src/base/fold.js';

it('every letter folds to the same text as its other cases and forms', () => {
  const different: string[] = [];
  for (let code = 0; code < 0x1_f000; code += 1) {
    if (code >= 0xd8_00 && code < 0xe0_00) continue;
    const letter = String.fromCodePoint(code);
    const folded = foldName(letter);
    const forms = ['NFC', 'NFD', 'NFKC', 'NFKD'].map((form) => letter.normalize(form));
    const variants = [letter.toLowerCase(), letter.toUpperCase(), folded, ...forms];
    if (variants.some((variant) => foldName(variant) !== folded)) different.push(letter);
  }
  expect(different).toEqual([]);
});
