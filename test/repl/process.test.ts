import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'tsup';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'tamis-process-'));
const cli = join(folder, 'dist', 'cli.js');

// The sources as one file, as they are packaged: starting it takes a tenth of a second, not a second.
beforeAll(async () => {
  writeFileSync(join(folder, 'package.json'), '{"type":"module","version":"9.8.7"}');
  await build({
    entry: { cli: join(root, 'src/command/main.ts') },
    outDir: join(folder, 'dist'),
    config: false,
    format: ['esm'],
    platform: 'node',
    target: 'node20',
    noExternal: [/./],
    external: ['@colors/colors', '@colors/colors/safe'],
    silent: true,
  });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the program as a process of its own. */
function tamis(args: readonly string[], stdin = ''): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [cli, ...args], { cwd: root }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : null;
      resolve({ code, stdout, stderr });
    });
    child.stdin?.end(stdin);
  });
}

/** Runs a line of shell, in which `tamis` is the program. */
function shell(line: string): Promise<Ended> {
  const script = `tamis() { '${process.execPath}' '${cli}' "$@"; }; ${line}`;
  return new Promise((resolve) => {
    const child = spawn('bash', ['-c', script], { cwd: root });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (data) => (stdout += String(data)));
    child.stderr.on('data', (data) => (stderr += String(data)));
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}

describe('the process', () => {
  it.each<[string[], string, Ended]>([
    [['filter', 'a == 1'], '{"a":1}\n{"a":2}\n', { code: 0, stdout: '{"a":1}\n', stderr: '' }],
    [['filter', 'a == 3'], '{"a":1}\n', { code: 1, stdout: '', stderr: '' }],
    [
      ['filter', 'a == 1', 'no/such/file'],
      '',
      { code: 2, stdout: '', stderr: 'tamis: no/such/file: there is no such file\n' },
    ],
    [
      ['filter', 'a == 1', 'src'],
      '',
      { code: 2, stdout: '', stderr: 'tamis: src: is a directory\n  hint: name the files in it\n' },
    ],
    [['--version'], '', { code: 0, stdout: '9.8.7\n', stderr: '' }],
  ])('%j', async (args, stdin, expected) => {
    expect(await tamis(args, stdin)).toEqual(expected);
  });

  it('reads files larger than a chunk, and ends quietly when the reader goes', async () => {
    const path = join(folder, 'rows.ndjson');
    const rows = Array.from({ length: 50_000 }, (_, at) => `{"ID":"row-${at}","Text":"é\u{1f600}"}`);
    writeFileSync(path, `${rows.join('\n')}\n`);
    const all = await shell(`tamis filter 'Text != ""' '${path}' | cmp - '${path}' && echo same`);
    expect(all).toEqual({ code: 0, stdout: 'same\n', stderr: '' });
    const cut = await shell(`tamis filter 'Text != ""' '${path}' | head -1; echo "\${PIPESTATUS[0]}"`);
    expect(cut).toEqual({ code: 0, stdout: `${rows[0]}\n0\n`, stderr: '' });
    const unread = await shell(
      `tamis filter --limit 1 'Text != ""' < '${path}'; yes '{"Text":1}' | tamis filter -n 2 -c 'Text != 2'`,
    );
    expect(unread).toEqual({ code: 0, stdout: `${rows[0]}\n2\n`, stderr: '' });
  });

  it('holds a dialogue over pipes', async () => {
    const path = join(folder, 'few.json');
    writeFileSync(path, '[{"ID":"a"},{"ID":"b"}]');
    const { code, stdout, stderr } = await tamis(['repl', path], 'ID == "b"\n.exit\n');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('1 of 2 rows');
  });
});
