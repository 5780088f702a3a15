import type { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openFrameStream, type FrameStreamLimits } from '../src/frame-stream.js';

const defaults: FrameStreamLimits = { maxItems: 4, batchTime: 10, heartbeat: 100, dropNotice: 50 };

/** A stream of words, of which two fit into a frame, on a clock that is moved by hand. */
function open(limits: Partial<FrameStreamLimits> = {}) {
  const timers = new Set<{ readonly at: number; readonly action: () => void }>();
  let now = 0;
  let push: ((word: string) => void) | null = null;
  const stream = openFrameStream<string>(
    {
      subscribe(listener) {
        push = listener;
        return () => void (push = null);
      },
      takeFrame: (words) => `[${words.splice(0, 2).join(' ')}]`,
      notice: (dropped) => `-${dropped}`,
      heartbeatPiece: '[]',
    },
    { ...defaults, ...limits },
    (milliseconds, action) => {
      const timer = { at: now + milliseconds, action };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
  );
  const advance = (milliseconds: number): void => {
    const end = now + milliseconds;
    for (;;) {
      const [next] = [...timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      if (next === undefined) break;
      timers.delete(next);
      now = next.at;
      next.action();
    }
    now = end;
  };
  return { stream, advance, timers, say: (word: string) => push?.(word), isHeard: () => push !== null };
}

function taken(stream: Readable): string {
  let text = '';
  for (let chunk: unknown = stream.read(); chunk !== null; chunk = stream.read()) text += String(chunk);
  return text;
}

describe('a stream of frames', () => {
  it('waits a moment for more, and puts items together', () => {
    const { stream, advance, say } = open();
    expect(taken(stream)).toBe('');
    for (const word of ['a', 'b', 'c']) say(word);
    expect(taken(stream)).toBe('');
    advance(10);
    expect(taken(stream)).toBe('[a b][c]');
  });

  it('gives signs of life', () => {
    const { stream, advance } = open();
    taken(stream);
    advance(250);
    expect(taken(stream)).toBe('[][]');
  });

  it('drops what has no room, and says how much it was when there is room again', () => {
    const { stream, advance, say } = open({ heartbeat: 100_000 });
    for (const word of ['a', 'b', 'c', 'd', 'e', 'f']) say(word);
    advance(60);
    expect(taken(stream)).toBe('[a b][c d]');
    advance(50);
    expect(taken(stream)).toBe('[-2]');
  });

  it('releases everything when it is destroyed', () => {
    const { stream, timers, say, isHeard } = open();
    say('a');
    stream.destroy();
    expect([timers.size, isHeard()]).toEqual([0, false]);
  });

  it('keeps the order, loses nothing without saying so, and never holds more than it may', () => {
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.constant('say' as const) },
      fc.constantFrom('read' as const, 'wait' as const),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), fc.integer({ min: 1, max: 5 }), (steps, maxItems) => {
        const { stream, advance, say } = open({ maxItems, heartbeat: 1_000_000 });
        let said = 0;
        let text = '';
        for (const one of steps) {
          if (one === 'say') say(`w${(said += 1)}`);
          else if (one === 'wait') advance(60);
          else text += taken(stream);
        }
        for (let round = 0; round < 4; round += 1) {
          text += taken(stream);
          advance(60);
        }
        text += taken(stream);
        const words = text.match(/w\d+|-\d+/g) ?? [];
        const received = words.filter((word) => word.startsWith('w')).map((word) => Number(word.slice(1)));
        const dropped = words
          .filter((word) => word.startsWith('-'))
          .reduce((sum, word) => sum + Number(word.slice(1)), 0);
        expect(received).toEqual(received.toSorted((a, b) => a - b));
        expect(received.length + dropped).toBe(said);
      }),
    );
  });
});
