import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { linesOfFile, linesOfStream } from '../../src/program/read-lines.js';

const dir = mkdtempSync(join(tmpdir(), 'lines-'));
afterAll(() => rmSync(dir, { recursive: true }));

/** The lines of a file, which are those of a stream in small pieces too. */
async function read(content: string | Buffer): Promise<string[]> {
  const lines = await readFile(content);
  const pieces =
    Buffer.from(content).length < 100 ? [...Buffer.from(content)].map((byte) => Buffer.of(byte)) : [];
  if (pieces.length > 0)
    expect(await collect(linesOfStream(Readable.from(pieces), 'in').lines)).toEqual(lines);
  return lines;
}

async function collect(lines: AsyncIterable<string>): Promise<string[]> {
  const found: string[] = [];
  for await (const line of lines) found.push(line);
  return found;
}

async function readFile(content: string | Buffer): Promise<string[]> {
  const file = join(dir, 'file');
  writeFileSync(file, content);
  const { lines, done } = linesOfFile(file);
  expect(done()).toBe(null);
  const found = await collect(lines);
  expect(done()).toBe(content.length === 0 ? null : 1);
  return found;
}

describe('the lines of a file', () => {
  it.each<[what: string, content: string, lines: string[]]>([
    ['nothing', '', []],
    ['no end of the last line', 'a\nb', ['a', 'b']],
    ['ends of Windows, and empty lines', 'a\r\n\r\n\nb\r\n', ['a', '', '', 'b']],
    ['a return inside', 'a\rb\n\r', ['a\rb', '\r']],
    ['separators that are no ends', 'a\u2028b\u2029\u0085\n', ['a\u2028b\u2029\u0085']],
  ])('with %s', async (_what, content, lines) => {
    expect(await read(content)).toEqual(lines);
  });

  it('are whole where a piece of the file ends in them, or in a character', async () => {
    const lengths = fc.integer({ min: 262_140, max: 262_148 });
    await fc.assert(
      fc.asyncProperty(lengths, fc.constantFrom('é', '😀', '\r', 'x'), async (length, letter) => {
        const text = `${'x'.repeat(length)}${letter}${letter}y\nz`;
        expect(await read(text)).toEqual(text.split('\n'));
      }),
      { numRuns: 20 },
    );
  });

  it('are refused where one has no end', async () => {
    const endless = Buffer.alloc(17_000_000, 'x');
    endless[1] = 10;
    await expect(read(endless)).rejects.toThrow(/file:2: is longer than 16777216 characters/);
  });

  it('are those of no file that is not there', async () => {
    const { lines } = linesOfFile(join(dir, 'none'));
    await expect(lines[Symbol.asyncIterator]().next()).rejects.toThrow(/ENOENT.*none/);
  });
});
