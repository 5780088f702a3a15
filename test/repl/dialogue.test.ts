import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { run } from '../../src/command/run.js';
import { createFakeIo, type World } from './fake-io.js';

/** A whole dialogue: what was typed, and what came of it. */
async function converse(
  world: World,
  lines: readonly string[],
  ...argv: string[]
): Promise<{ code: number; text: string }> {
  const input = new PassThrough();
  const output = new PassThrough();
  const io = { ...createFakeIo(world), interactive: { input, output } };
  let text = '';
  output.on('data', (data) => (text += String(data)));
  input.end(lines.map((line) => `${line}\n`).join(''));
  const code = await run(argv, io);
  return { code, text: io.stdout.text() + io.stderr.text() + text };
}

const files = { 'a.json': '[{"ID":"a","N":1},{"ID":"b","N":2}]', 'b.ndjson': '{"ID":"c","N":3}\n' };

describe('tamis repl', () => {
  it('loads rows, responds line by line, and ends with the input', async () => {
    const { code, text } = await converse(
      { files },
      ['N == 2', '.count', '.limit 1', 'N != 9'],
      'repl',
      'a.json',
      'b.ndjson',
    );
    expect(code).toBe(0);
    expect(text.replace(/\(\d+\.\d ms\)/g, '(T)')).toBe(
      [
        '3 rows. Type a filter such as ID == "a", or .help',
        'ID  N',
        'b   2',
        '1 of 3 rows (T)',
        '3',
        'ID  N',
        'a   1',
        '3 of 3 rows, the first 1 shown (T)',
        '',
      ].join('\n'),
    );
  });

  it('joins the lines of an unfinished filter', async () => {
    const { text } = await converse({ files }, ['N == 3 or', '', 'N == 1 or', 'N == 2'], 'repl', 'a.json');
    expect(text).toContain('found end of input');
    expect(text).toContain('2 of 2 rows');
  });

  it('leaves on .exit', async () => {
    const { code, text } = await converse({ files }, ['.exit', 'N == 1'], 'repl', 'a.json');
    expect(code).toBe(0);
    expect(text).not.toContain('of 2 rows');
  });

  it('rejects unknown commands with its own message', async () => {
    const lines = [
      '.bogus',
      '.cuont N == 1',
      '.',
      '.constructor',
      '.__proto__',
      `.${'x'.repeat(99)}`,
      '.\u001b[31mred',
    ];
    const { code, text } = await converse({ files }, lines, 'repl', 'a.json');
    expect(code).toBe(0);
    expect(text).not.toMatch(/REPL|keyword/);
    expect(text).not.toContain('\u001b');
    expect(text).toContain('There is no command .bogus; .help lists all of them\n');
    expect(text).toContain('There is no command .cuont; did you mean .count?\n');
    expect(text.match(/There is no command/g)).toHaveLength(lines.length);
  });

  it('takes a line with a dot in front for the rest of a filter that has begun', async () => {
    const { text } = await converse({ files }, ['N == 1 or', '.bogus == 3', '.bogus'], 'repl', 'a.json');
    expect(text).toContain('.bogus == 3');
    expect(text.match(/There is no command .bogus;/g)).toHaveLength(1);
  });

  it('survives whatever is typed', async () => {
    const lines = ['.nonsense', 'N = 1', '.count N =', '{}', 'process.exit(3)', '__proto__ == 1', 'N == 1'];
    const { code, text } = await converse({ files }, lines, 'repl', 'a.json');
    expect(code).toBe(0);
    expect(text).toContain('1 of 2 rows');
  });

  it('says when not everything was loaded', async () => {
    const { text } = await converse({ files }, ['.count'], 'repl', '--max-rows', '1', 'a.json');
    expect(text).toBe(
      'The input is larger than fits in memory: these are its first 1 row (0 MB).\nFor all of it: tamis filter EXPRESSION FILE\n1 row. Type a filter such as ID == "a", or .help\n1\n',
    );
  });

  it('names the place of a row that cannot be read', async () => {
    const { code, text } = await converse({ files: { x: '{"N":1}\n{"N":}\n' } }, [], 'repl', 'x');
    expect(code).toBe(2);
    expect(text).toBe('tamis: x, line 2, column 6, row 2: expected a value, found }\n  {"N":}\n       ^\n');
  });

  it('checks against a schema', async () => {
    const schema = JSON.stringify({ root: 'Row', structs: { Row: { fields: { ID: { kind: 'string' } } } } });
    const { text } = await converse(
      { files: { ...files, s: schema } },
      ['N == 1', '.schema'],
      'repl',
      '--schema',
      's',
      'a.json',
    );
    expect(text).toContain('N: there is no such field');
    expect(text).toContain('  ID  string    a, b\n');
  });

  it('loads what memory has room for', async () => {
    const lines = Array.from({ length: 100 }, (_, index) => `{"N":${index}}\n`);
    const { code, text } = await converse(
      { files: { many: lines }, heapStep: 0.05, terminals: ['stderr'], tick: 100 },
      ['.count'],
      'repl',
      'many',
    );
    expect(code).toBe(0);
    expect(text).toMatch(/^The input is larger than fits in memory: these are its first 14 rows /);
    expect(text).toContain('\r\u001b[Kloading: 2 rows, 0 MB');
    expect(text.endsWith('\r\u001b[K14\n')).toBe(true);
  });

  it('saves matches in a new file only', async () => {
    const { text } = await converse(
      { files },
      ['N == 2', '.save out.ndjson', '.save a.json', '.save'],
      'repl',
      'a.json',
    );
    expect(text).toContain('1 row written to "out.ndjson"\n');
    expect(text).toContain('"a.json" was not written: there is such a file, and .save overwrites none\n');
    expect(text).toContain('.save takes the name of a file\n');
  });

  it.each([
    ['with colours', {}, true],
    ['without them where NO_COLOR says so', { NO_COLOR: '1' }, false],
  ])('paints what is typed, %s', async (_, env, isPainted) => {
    const input = new PassThrough();
    const output = new PassThrough();
    const world: World = { files, terminals: ['stdin', 'stdout'], env };
    const io = { ...createFakeIo(world), interactive: { input, output } };
    let text = '';
    output.on('data', (data) => (text += String(data)));
    const code = run(['repl', 'a.json'], io);
    for (const key of ['I', 'D', ' ', 'in', ' "', 'b"', '\u001b[D', '\r', '.exit\r']) {
      await new Promise((resolve) => setImmediate(resolve));
      input.write(key);
    }
    expect(await code).toBe(0);
    const painted = 'tamis> \u001b[36mID\u001b[39m \u001b[35min\u001b[39m \u001b[32m"b"\u001b[39m';
    expect(text.includes(painted)).toBe(isPainted);
    expect(text.includes('\u001b[35m')).toBe(isPainted);
    // The line that was entered is what was typed, colours or not.
    expect(text).toContain('error:');
  });

  it('completes and remembers on a terminal', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tamis-dialogue-'));
    const history = join(folder, 'history');
    const input = new PassThrough();
    const output = new PassThrough();
    const world: World = { files, terminals: ['stdin', 'stdout'], env: { NO_COLOR: '1' } };
    const io = {
      ...createFakeIo(world),
      interactive: { input, output },
      prepareHistoryFile: () => Promise.resolve(history),
    };
    let text = '';
    output.on('data', (data) => (text += String(data)));
    const code = run(['repl', 'a.json'], io);
    // A tab that comes in one piece with other keys is pasted text, so each key comes alone, as from a hand.
    for (const key of [
      'I',
      '\t',
      ' == "b',
      '\t',
      '\r',
      '.lim',
      '\t',
      ' 7\r',
      '.limit\r',
      '.fmt N',
      '\t',
      '==1\r',
      '.exit\r',
    ]) {
      await new Promise((resolve) => setImmediate(resolve));
      input.write(key);
    }
    expect(await code).toBe(0);
    // oxlint-disable-next-line no-control-regex -- what moves the cursor is taken away
    const plain = text.replace(/\u001b\[[0-9;]*[A-Za-z]/g, '');
    expect(plain).toContain('1 of 2 rows');
    expect(plain).toContain('N == 1');
    expect(readFileSync(history, 'utf8').split('\n')).toEqual([
      '.exit',
      '.fmt N==1',
      '.limit',
      '.limit 7',
      'ID == "b"',
    ]);
    rmSync(folder, { recursive: true });
  });
});
