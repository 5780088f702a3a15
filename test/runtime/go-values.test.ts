import { describe, expect, it } from 'vitest';
import { parseGoBool, parseGoDuration } from '../../src/entries/internal.js';

const second = 1_000_000_000n;

describe('parseGoDuration', () => {
  it.each<[text: string, nanoseconds: bigint | null]>([
    ['10s', 10n * second],
    ['1m30s', 90n * second],
    ['1.5h', 5_400n * second],
    ['10000ms', 10n * second],
    ['250us', 250_000n],
    ['250µs', 250_000n],
    ['250μs', 250_000n],
    ['7ns', 7n],
    ['0', 0n],
    ['+0', 0n],
    ['-5s', -5n * second],
    ['.5s', second / 2n],
    ['5.s', 5n * second],
    ['1.0000000001s', second],
    ['9223372036s', 9223372036n * second],
    ['9223372037s', null],
    ['10', null],
    ['', null],
    ['-', null],
    ['.s', null],
    ['s', null],
    ['1d', null],
    ['1 s', null],
    ['1s ', null],
    ['1S', null],
    ['1e3s', null],
    ['abc', null],
    [`${'9'.repeat(200)}s`, null],
    ['1s'.repeat(60), null],
  ])('%s', (text, nanoseconds) => {
    expect(parseGoDuration(text)).toBe(nanoseconds);
  });
});

describe('parseGoBool', () => {
  it.each(['1', 't', 'T', 'TRUE', 'true', 'True'])('%s is true', (text) =>
    expect(parseGoBool(text)).toBe(true),
  );
  it.each(['0', 'f', 'F', 'FALSE', 'false', 'False'])('%s is false', (text) =>
    expect(parseGoBool(text)).toBe(false),
  );
  it.each(['', 'yes', 'tRUE', '01', ' true', 'constructor'])('%j is neither', (text) =>
    expect(parseGoBool(text)).toBeNull(),
  );
});
