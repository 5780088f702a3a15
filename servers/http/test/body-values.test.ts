import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limitValues } from '../src/body-values.js';

/** How many values a parsed text holds, itself not counted: every entry of lists and maps, empty ones as one. */
function countOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const items = Object.values(value) as readonly unknown[];
  return Math.max(1, items.length) + items.reduce<number>((sum, item) => sum + countOf(item), 0);
}

function isRefused(text: string, max: number): boolean {
  try {
    limitValues(text, max);
    return false;
  } catch (error) {
    expect(error).toMatchObject({ code: 'too-many-values' });
    return true;
  }
}

describe('the values of a body', () => {
  it('are counted without parsing it', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), fc.nat({ max: 30 }), (text, max) => {
        expect(isRefused(text, max)).toBe(countOf(JSON.parse(text)) > max);
      }),
    );
  });

  it('are not counted inside strings', () => {
    const texts = ['[{,]"', '\\"[[[,,,', '\\\\', '\\\\\\"{{{,,,', ',,,,,,,,"[', '\u2028{', '\\'];
    for (const text of texts) expect(isRefused(JSON.stringify([text, text, text]), 3), text).toBe(false);
    for (const text of texts) expect(isRefused(JSON.stringify([text, text, text]), 2), text).toBe(true);
  });

  it('need not be those of JSON', () => {
    for (const text of ['"', '"\\', '[[[[', ',,,,', '\\"\\"']) {
      expect(isRefused(text.repeat(3), 100), text).toBe(false);
    }
    expect(isRefused('['.repeat(1_000), 100)).toBe(true);
    expect(isRefused(`"${'\\"'.repeat(100_000)}`, 100)).toBe(false);
  });
});
