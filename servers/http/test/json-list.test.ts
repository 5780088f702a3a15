import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonList, writeJson } from '../src/index.js';

async function bodyOf(items: readonly unknown[], pretty: boolean): Promise<string> {
  const body = jsonList(items, (item) => writeJson(item, pretty ? 4 : 0, 1), pretty);
  return typeof body === 'string' ? body : text(body);
}

describe('jsonList', () => {
  it('is the JSON of the array, short or long, indented or not', async () => {
    const length = fc.constantFrom(0, 1, 2, 255, 256, 257, 3_000);
    await fc.assert(
      fc.asyncProperty(length, fc.boolean(), fc.jsonValue(), async (count, pretty, item) => {
        const items = Array.from({ length: count }, (_, at) => ({ at, item }));
        const expected = JSON.stringify(items, null, pretty ? 4 : 0);
        expect(await bodyOf(items, pretty)).toBe(pretty ? `${expected}\n` : expected);
      }),
      { numRuns: 30 },
    );
  });

  it('makes a long list only as fast as it is read', async () => {
    let written = 0;
    const write = (item: number): string => {
      written += 1;
      return JSON.stringify('x'.repeat(1_000) + String(item));
    };
    const body = jsonList(
      Array.from({ length: 100_000 }, (_, at) => at),
      write,
      false,
    );
    expect(body).toBeInstanceOf(Readable);
    for await (const slice of body) {
      expect(String(slice).startsWith('["x')).toBe(true);
      break;
    }
    expect(written).toBeLessThan(1_000);
  });
});
