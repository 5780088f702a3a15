import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { formatAge, formatSpan } from '@tamis/scheduler-command/terminal/ages.js';
import { cut, widthOf } from '@tamis/scheduler-command/terminal/cut.js';
import { sanitizeForTerminal, sanitizeLines } from '@tamis/scheduler-command/terminal/escape-terminal.js';
import { createPalette, usesColour } from '@tamis/scheduler-command/terminal/palette.js';
import { fieldLines, fitWidths, tableLines, type Column } from '@tamis/scheduler-command/terminal/table.js';
import { createTerminalText } from '@tamis/scheduler-command/terminal/terminal-text.js';

const plain = createPalette(false);
const anyText = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('\u001b[2J', '\u202eevil', '界界', '👩‍👩‍👧', 'e\u0301', '\u0000', 'a\nb', '\ud800'),
);

describe('untrusted strings', () => {
  it('never has what steers a terminal', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(sanitizeForTerminal(text)).not.toMatch(/[\p{Cc}\p{Bidi_Control}\u2028\u2029\ufeff]/u);
        expect(sanitizeLines(text).replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
      }),
    );
  });

  it.each([
    ['\u001b[31m', '\\x1b[31m'],
    ['a\u202eb', 'a\\u202eb'],
    ['\u{e0041}', '\\u{e0041}'],
    ['Grüße 界 👩‍👩‍👧 ❤️ 👩🏽‍🚀', 'Grüße 界 👩‍👩‍👧 ❤️ 👩🏽‍🚀'],
    ['run\u200dning \u061c', 'run\\u200dning \\u061c'],
  ])('%j is shown as %j', (text, printed) => expect(sanitizeForTerminal(text)).toBe(printed));
});

describe('cutting', () => {
  it('stays within the width, and leaves what fits as it is', () => {
    fc.assert(
      fc.property(
        anyText.map(sanitizeForTerminal),
        fc.nat(40),
        fc.constantFrom('end', 'middle'),
        (text, columns, place) => {
          const printed = cut(text, columns, place as 'end');
          expect(widthOf(printed)).toBeLessThanOrEqual(columns);
          if (stringWidth(text) <= columns && text.length <= 64) expect(printed).toBe(text);
        },
      ),
    );
  });

  it('does not go through a megabyte for a few columns', () => {
    expect(cut('x'.repeat(2 ** 20), 11, 'middle')).toBe('xxxxx…xxxxx');
    expect(widthOf(cut('e\u0301'.repeat(2 ** 19), 5))).toBeLessThanOrEqual(5);
  });
});

describe('tables', () => {
  const columns: readonly Column<readonly string[]>[] = [
    { title: 'ID', cell: ([one = '']) => one, cut: 'middle' },
    { title: 'LESS', cell: ([, two = '']) => two, isOptional: true },
    { title: 'STATUS', cell: ([, , three = '']) => three, isStatus: true },
  ];

  it('has no line wider than the terminal, for any cell content', () => {
    const rows = fc.array(fc.array(anyText, { minLength: 3, maxLength: 3 }), { maxLength: 4 });
    fc.assert(
      fc.property(rows, fc.integer({ min: 12, max: 140 }), (cells, width) => {
        for (const line of tableLines(columns, cells, { width, palette: plain }))
          expect(stringWidth(line)).toBeLessThanOrEqual(width);
      }),
    );
  });

  it('drops columns before it truncates others beyond legibility', () => {
    const row = ['a-long-id-of-a-job-that-somebody-has', 'much less of that', 'running'];
    expect(tableLines(columns, [row], { width: null, palette: plain })).toEqual([
      'ID                                    LESS               STATUS',
      'a-long-id-of-a-job-that-somebody-has  much less of that  running',
    ]);
    expect(tableLines(columns, [row], { width: 40, palette: plain })).toEqual([
      'ID                               STATUS',
      'a-long-id-of-a-…at-somebody-has  running',
    ]);
  });

  it('gives the room to those who need it', () => {
    expect(fitWidths([5, 50, 10], 40)).toEqual([5, 21, 10]);
    expect(fitWidths([5, 5], 40)).toEqual([5, 5]);
    expect(fitWidths([30, 30, 30], 5)).toEqual([1, 1, 1]);
    expect(fitWidths([30], null)).toEqual([30]);
  });

  it('paints a status, and only where colours are wanted', () => {
    const [, line = ''] = tableLines(columns, [['x', '', 'failed']], {
      width: 80,
      palette: createPalette(true),
    });
    expect(line).toBe('x         \u001b[31mfailed\u001b[39m');
    expect(usesColour(true, {})).toBe(true);
    expect(usesColour(false, {})).toBe(false);
    expect(usesColour(true, { NO_COLOR: '1' })).toBe(false);
    expect(usesColour(true, { NO_COLOR: '' })).toBe(true);
    expect(usesColour(true, { TERM: 'dumb' })).toBe(false);
  });

  it('shows fields that are not empty', () => {
    const fields = [
      ['ID', 'web'],
      ['Name', ''],
      ['Status', 'dead'],
    ] as const;
    expect(fieldLines(fields, { width: 80, palette: plain })).toEqual(['ID      web', 'Status  dead']);
  });
});

describe('what a task writes, on a terminal', () => {
  const print = (...pieces: readonly string[]): string => {
    const text = createTerminalText();
    return pieces.map((piece) => text.add(Buffer.from(piece))).join('') + text.end();
  };

  it.each([
    ['colours stay, and are switched off at the end', ['\u001b[31mred'], '\u001b[31mred\u001b[0m'],
    ['the rest is text', ['a\u001b[2J\u001b]0;t\u0007b\u202ec'], 'a\\x1b[2J\\x1b]0;t\\x07b\\u202ec'],
    ['line breaks and tabs stay', ['a\r\n\tb\n'], 'a\n\tb\n'],
    ['a carriage return does not hide what stands before it', ['paid\rfree'], 'paid\\x0dfree'],
    ['a sequence may come in two pieces', ['\u001b[3', '1mred\u001b[0m'], '\u001b[31mred\u001b[0m'],
    ['and so may the end of a line', ['a\r', '\nb'], 'a\nb'],
    ['a sequence without its end is text', ['a\u001b[3'], 'a\\x1b[3'],
  ])('%s', (_what, pieces, printed) => expect(print(...pieces)).toBe(printed));

  it('shows the same however it is cut into pieces', () => {
    const bytes = fc.array(fc.constantFrom('\u001b', '[', '3', '1', 'm', '\r', '\n', 'ü', '界', ';', 'a'), {
      maxLength: 30,
    });
    fc.assert(
      fc.property(bytes, fc.array(fc.nat(60), { maxLength: 5 }), (parts, cuts) => {
        const whole = Buffer.from(parts.join(''));
        const places = [0, ...cuts.filter((at) => at < whole.length).sort((a, b) => a - b), whole.length];
        const text = createTerminalText();
        const pieces = places.slice(1).map((end, at) => text.add(whole.subarray(places[at], end)));
        expect(pieces.join('') + text.end()).toBe(print(parts.join('')));
      }),
    );
  });
});

it.each([
  [0, '0ms'],
  [999, '999ms'],
  [59_999, '59s'],
  [62_000, '1m2s'],
  [3_600_000, '1h'],
  [90_061_000, '1d1h'],
])('%i milliseconds are %s', (milliseconds, text) => expect(formatSpan(milliseconds)).toBe(text));

it('ages are those of times that have been', () => {
  expect(formatAge(0, 1e12)).toBe('');
  expect(formatAge(1e12, 1e12 + 500)).toBe('now');
  expect(formatAge(1e12, 1e12 + 62_000)).toBe('1m2s ago');
  expect(formatAge(1e12 + 62_000, 1e12)).toBe('in 1m2s');
  expect(formatAge(Number.NaN, 1e12)).toBe('');
});
