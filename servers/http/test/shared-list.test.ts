import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSharedLists, createTimeSlicer, type SharedLists } from '../src/index.js';

const slices = createTimeSlicer({
  now: () => performance.now(),
  defer: (action) => void setImmediate(action),
});

async function textOf(stream: AsyncIterable<Buffer | string>): Promise<string> {
  const pieces: string[] = [];
  for await (const piece of stream) pieces.push(String(piece));
  return pieces.join('');
}

function formOf(pretty: boolean): {
  pretty: boolean;
  write: (item: string) => string;
  printed: () => number;
} {
  let printed = 0;
  return {
    pretty,
    printed: () => printed,
    write(item) {
      printed += 1;
      return JSON.stringify(item);
    },
  };
}

const long = (count: number): string[] =>
  Array.from({ length: count }, (_, at) => `${at} ${'x'.repeat(500)}`);

describe('a long list that many read', () => {
  it('is the same for each as one that only one reads', async () => {
    const sizes = fc.array(fc.nat({ max: 40_000 }), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(sizes, fc.boolean(), fc.nat({ max: 200_000 }), async (lengths, pretty, room) => {
        const items = lengths.map((length) => 'ä'.repeat(length));
        const form = formOf(pretty);
        const list = createSharedLists(slices, room).share(items, form);
        const expected = `${JSON.stringify(items, null, pretty ? 4 : 0)}${pretty ? '\n' : ''}`;
        const texts = await Promise.all([textOf(list.read()), textOf(list.read()), textOf(list.read())]);
        expect(texts.map((text) => text === expected)).toEqual([true, true, true]);
      }),
      { numRuns: 50 },
    );
  });

  it('is printed once for all of them', async () => {
    const items = long(2_000);
    const form = formOf(false);
    const list = createSharedLists(slices).share(items, form);
    await Promise.all(Array.from({ length: 50 }, () => textOf(list.read())));
    expect(form.printed()).toBe(2_000);
  });

  it('takes no more room than there is, however many lists and readers there are', async () => {
    const lists: SharedLists = createSharedLists(slices, 300_000);
    const readers = Array.from({ length: 20 }, () => lists.share(long(2_000), formOf(false)).read());
    for (const reader of readers) reader.read();
    let max = 0;
    const texts = readers.map((reader) => textOf(reader));
    const all = Promise.all(texts).then(() => true);
    while (!(await Promise.race([all, nextTurn(false)]))) max = Math.max(max, lists.cached);
    expect(max).toBeGreaterThan(0);
    expect(max).toBeLessThan(300_000);
  });

  it('is made no further than its slowest reader wants', async () => {
    const lists = createSharedLists(slices);
    const reader = lists.share(long(5_000), formOf(false)).read();
    reader.read(0);
    for (let turn = 0; turn < 50; turn += 1) await nextTurn();
    expect(lists.made).toBe(1);
    reader.destroy();
  });
});
