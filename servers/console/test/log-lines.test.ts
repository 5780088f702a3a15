import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { appendText, noLines, readableLine, type LogLines } from '../src/allocation/log-lines.js';

const limits = { lines: 7, width: 5 };
const add = (log: LogLines, text: string): LogLines => appendText(log, text, limits);

describe('the last lines of a log', () => {
  it('are those of the whole text, however it comes in pieces', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '\n') });
    fc.assert(
      fc.property(fc.array(text), (pieces) => {
        const log = pieces.reduce(add, noLines);
        const all = pieces
          .join('')
          .split('\n')
          .flatMap((line) => line.match(/.{1,5}/g) ?? ['']);
        expect(log.lines.map((line) => line.text)).toEqual(pieces.length === 0 ? [] : all.slice(-7));
        const numbers = log.lines.map(({ number }) => number);
        expect(numbers).toEqual(numbers.map((_, at) => log.count - numbers.length + at));
      }),
    );
  });

  it('do not grow, whatever is written', () => {
    let log = noLines;
    for (let at = 0; at < 1_000; at += 1) log = appendText(log, `${'x'.repeat(3_000)}\n`.repeat(20));
    expect(log.lines.length).toBe(5_000);
    expect(Math.max(...log.lines.map(({ text }) => text.length))).toBe(1_000);
  });

  it.each([
    ['\u001b[1;31mred\u001b[0m', 'red'],
    ['\u001b]0;title\u0007text', 'text'],
    ['\u001b]8;;http://evil/\u001b\\link', 'link'],
    ['a\tb\r', 'a    b'],
    ['<b>\u202e', '<b>\u202e'],
  ])('are read without the codes of terminals: %j', (text, read) => {
    expect(readableLine(text)).toBe(read);
  });
});
