import { describe, expect, it } from 'vitest';
import { InputError, type RawRow } from '../../../src/command/input/raw-row.js';
import { readRow } from '../../../src/command/input/row.js';

function raw(text: string | Buffer): RawRow {
  return { bytes: Buffer.from(text), number: 7, line: 40, onOneLine: false };
}

function errorOf(text: string): InputError {
  try {
    readRow(raw(text), 500);
  } catch (error) {
    if (error instanceof InputError) return error;
    throw error;
  }
  throw new Error('no error');
}

describe('readRow', () => {
  it.each<[string, unknown]>([
    ['{"a":1}', { a: 1 }],
    ['[1,2]', [1, 2]],
    ['{"a":1645230445788556001}', { a: 1645230445788556001n }],
    ['{"a":1,"a":2}', { a: 2 }],
    ['{"a":"\u{1f600}"}', { a: '\u{1f600}' }],
    ['{"a":1e400}', { a: Infinity }],
  ])('%s', (text, expected) => {
    expect(readRow(raw(text), 500)).toStrictEqual(expected);
  });

  it('refuses bytes that are not UTF-8, and says where they are', () => {
    const bytes = Buffer.concat([Buffer.from('{"ä":"'), Buffer.from([0xff]), Buffer.from('"}')]);
    expect(() => readRow(raw(bytes), 500)).toThrow(
      expect.objectContaining({
        code: 'wrong-encoding',
        message: 'the byte 0xff is not UTF-8',
        place: expect.objectContaining({ column: 7 }) as unknown,
      }) as Error,
    );
  });

  it.each([
    ['5', 'a number'],
    ['"x"', 'a string'],
    ['null', 'null'],
    ['true', 'true or false'],
    ['1645230445788556001', 'a bigint'],
  ])('refuses %s', (text, kind) => {
    expect(errorOf(text)).toMatchObject({
      code: 'not-an-object',
      message: `a row must be an object, not ${kind.replace('bigint', 'number')}`,
      place: { row: 7, line: 40, column: null },
    });
  });

  it('shows the place of a fault, counted in the file', () => {
    expect(errorOf('{\n  "a": 1,\n  "é": tru\n}')).toMatchObject({
      code: 'not-json',
      message: 'expected a value, found tru',
      place: { row: 7, line: 42, column: 8 },
      frame: '    "é": tru\n         ^^^',
    });
  });

  it.each([
    ['small', '[['.repeat(5_000) + ']]'.repeat(5_000) + ''],
    ['large', '['.repeat(100_000) + ']'.repeat(100_000)],
    ['large, with big integers', `${'['.repeat(100_000)}1645230445788556001${']'.repeat(100_000)}`],
    ['small, with big integers', `${'['.repeat(30_000)}1645230445788556001${']'.repeat(30_000)}`],
  ])('survives deep nesting: %s', (_, text) => {
    try {
      expect(readRow(raw(text), 500)).toBeInstanceOf(Array);
    } catch (error) {
      expect(error).toMatchObject({ code: 'too-deep', message: 'the row is nested more than 500 deep' });
    }
  });

  it('measures large rows outside of strings only', () => {
    const row = JSON.stringify({ a: '[\\"'.repeat(50_000), b: '{' });
    expect(readRow(raw(row), 2)).toEqual(JSON.parse(row));
  });
});
