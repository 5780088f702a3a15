import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { invisibleCharacters } from '../../src/runtime/invisible-characters.js';

const marked = (text: string): string => text.replace(invisibleCharacters, '·');

describe('invisible characters', () => {
  it.each([
    ['plain', 'plain'],
    ['a\tb\n\u0000\u001b[2J\u009b', 'a·b···[2J·'],
    ['\u061c\u200b\u200e\u202e\u2066\u2028\u2029\ufeff', '········'],
    ['soft\u00adhyphen \u034f\u115f\u3164\u{e0041}', 'soft·hyphen ····'],
    ['half \ud800 letter', 'half · letter'],
    ['run\u200dning \u200c', 'run·ning ·'],
    ['Grüße 界 👩‍👩‍👧 ❤️ 👩🏽‍🚀 🏳️‍🌈', 'Grüße 界 👩‍👩‍👧 ❤️ 👩🏽‍🚀 🏳️‍🌈'],
    ['👩\u200d', '👩·'],
  ])('%j becomes %j', (text, rendered) => {
    expect(marked(text)).toBe(rendered);
  });

  it('leave no control or direction characters, in any context', () => {
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }));
    fc.assert(
      fc.property(fc.array(text), (texts) => {
        expect(marked(texts.join(''))).not.toMatch(/[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029\ufeff\u200b]/u);
      }),
    );
  });
});
