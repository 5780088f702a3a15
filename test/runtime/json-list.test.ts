import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonListText, writeJson, type ListForm } from '../../src/entries/internal.js';

function formOf(pretty: boolean): ListForm<unknown> {
  return { pretty, write: (item) => writeJson(item, pretty ? 4 : 0, 1) };
}

describe('the JSON of a list', () => {
  it('is that of the array, indented or not, unless it is a long one', () => {
    const length = fc.constantFrom(0, 1, 2, 255, 256, 257, 3_000);
    fc.assert(
      fc.property(length, fc.boolean(), fc.jsonValue(), (count, pretty, item) => {
        const items = Array.from({ length: count }, (_, at) => ({ at, item }));
        const expected = `${JSON.stringify(items, null, pretty ? 4 : 0)}${pretty ? '\n' : ''}`;
        const form = formOf(pretty);
        const whole = jsonListText(items, form);
        expect(whole === null).toBe(count > 256 || expected.length > 262_144);
        if (whole !== null) expect(whole).toBe(expected);
      }),
      { numRuns: 30 },
    );
  });

  it('is no text when few rows are large', () => {
    const items = Array.from({ length: 10 }, () => 'x'.repeat(40_000));
    expect(jsonListText(items, formOf(false))).toBeNull();
  });
});
