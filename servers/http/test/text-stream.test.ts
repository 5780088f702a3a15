import { once } from 'node:events';
import { buffer, text } from 'node:stream/consumers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTimeSlicer, printPieces, textStream, type Chunk } from '../src/index.js';

const newSlices = (budget?: number): ReturnType<typeof createTimeSlicer> =>
  createTimeSlicer({ now: () => performance.now(), defer: (action) => void setImmediate(action) }, budget);

function* endless(count: { made: number } = { made: 0 }): Generator<string> {
  for (;;) {
    count.made += 1;
    yield 'x'.repeat(1_000);
  }
}

describe('a text as a stream', () => {
  it('is its pieces, texts and bytes, in their order', async () => {
    const bytes = fc.uint8Array({ maxLength: 40 }).map((array) => Buffer.from(array));
    const pieces = fc.array(fc.oneof(fc.string({ unit: 'grapheme', maxLength: 40 }), bytes));
    await fc.assert(
      fc.asyncProperty(pieces, fc.constantFrom(0.001, 5), async (all: Chunk[], budget) => {
        const stream = textStream(printPieces(all.values()), newSlices(budget));
        const expected = Buffer.concat(all.map((piece) => Buffer.from(piece)));
        expect((await buffer(stream)).equals(expected)).toBe(true);
      }),
    );
  });

  it('sends bytes as they are given, however often they come', async () => {
    const shared = Buffer.alloc(100_000, 'x');
    const pieces = [shared, 'and', shared, shared];
    const sent: Buffer[] = [];
    const stream = textStream(printPieces(pieces.values()), newSlices());
    stream.on('data', (chunk: Buffer) => sent.push(chunk));
    await once(stream, 'end');
    expect(sent.filter(({ buffer: memory }) => memory === shared.buffer)).toHaveLength(3);
  });

  it('is whole when every slice has time for one piece only', async () => {
    const pieces = Array.from({ length: 700 }, (_, at) => `${at},`);
    let time = 0;
    const slices = createTimeSlicer(
      { now: () => (time += 1), defer: (action) => void setImmediate(action) },
      3,
    );
    expect(await text(textStream(printPieces(pieces.values()), slices))).toBe(pieces.join(''));
  });

  it('is produced only as fast as it is read, and pauses without a reader', async () => {
    const count = { made: 0 };
    const slices = newSlices();
    const body = textStream(printPieces(endless(count)), slices);
    for await (const slice of body) {
      expect(String(slice).startsWith('xx')).toBe(true);
      break;
    }
    expect(body.destroyed).toBe(true);
    expect(slices.waiting).toBe(0);
    expect(count.made).toBeLessThan(1_000);
  });

  it('breaks off with what a piece throws, and with the reason to stop', async () => {
    const slices = newSlices(0.01);
    const broken: Iterator<string> = {
      next() {
        throw new Error('no piece');
      },
    };
    await expect(text(textStream(printPieces(broken), slices))).rejects.toThrow('no piece');
    const reading = textStream(printPieces(endless()), slices);
    const read = expect(text(reading)).rejects.toThrow('stopping');
    const unread = textStream(printPieces(['x'].values()), slices);
    const ended = once(unread, 'error');
    setImmediate(() => slices.stop(new Error('stopping')));
    await read;
    expect(await ended).toEqual([new Error('stopping')]);
    expect(unread.destroyed).toBe(true);
  });
});
