import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventFrames } from '../../src/live/event-frames.js';
import { covers, followsEvent } from '../../src/live/topics.js';

/** A body that comes in these pieces. */
function bodyOf(pieces: readonly Uint8Array[]): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(new Uint8Array(piece));
      controller.close();
    },
  });
}

async function framesOf(pieces: readonly Uint8Array[]): Promise<unknown[]> {
  const frames: unknown[] = [];
  for await (const frame of eventFrames(bodyOf(pieces), () => undefined)) frames.push(frame);
  return frames;
}

describe('the frames of a stream', () => {
  it('are its lines, wherever the network cuts them', async () => {
    const frames = [{ Index: 1, Events: [] }, {}, { Index: 2, Events: [{ Key: 'ü🙂' }] }];
    const bytes = new TextEncoder().encode(frames.map((frame) => `${JSON.stringify(frame)}\n`).join(''));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: bytes.length }), { maxLength: 8 }), async (cuts) => {
        const ends = [...cuts, bytes.length].sort((a, b) => a - b);
        const pieces = ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
        expect(await framesOf(pieces)).toEqual(frames);
      }),
    );
  });

  it('leave out a line that has no end', async () => {
    const bytes = new TextEncoder().encode('{"Index":1}\n{"Ind');
    expect(await framesOf([bytes])).toEqual([{ Index: 1 }]);
  });

  it('end where a line is longer than any', async () => {
    const piece = new TextEncoder().encode('x'.repeat(1_048_576));
    const pieces = Array.from({ length: 40 }, () => piece);
    await expect(framesOf(pieces)).rejects.toThrow('a line of the stream is too long');
  });
});

describe('topics', () => {
  const event = { Topic: 'Allocation', Key: 'a1', FilterKeys: ['web:x', 'd1'] };

  it.each([
    ['Allocation', true],
    ['Allocation:a1', true],
    ['Allocation:web:x', true],
    ['Allocation:web', false],
    ['Job', false],
    ['Job:a1', false],
  ])('%s has the event: %s', (topic, expected) => {
    expect(followsEvent([topic], event)).toBe(expected);
  });

  it('are covered by a stream of all topics', () => {
    expect(covers(['Job', 'Node:a'], ['Job:web', 'Node:a'])).toBe(true);
    expect(covers(['Job:web'], ['Job'])).toBe(false);
    expect(covers(['Job'], ['Node'])).toBe(false);
  });
});
