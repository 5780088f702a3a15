import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile, readdir } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { namesOfPath } from '@tamis/scheduler-node/open-inside.js';
import { listDirectory, statFile } from '@tamis/scheduler-node/file-listing.js';
import { openOneFile } from '@tamis/scheduler-node/file-sequence.js';
import { SchedulerError } from '@tamis/scheduler-model/base/errors.js';

/** Nothing outside says anything else, and nothing inside says this. */
const outside = 'what lies outside';

let base = '';
let root = '';
let server: Server;
beforeAll(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'open-inside-')));
  root = join(base, 'allocation');
  await mkdir(join(root, 'alloc', 'data'), { recursive: true });
  for (const part of ['local', 'secrets', 'tmp', 'ü ％'])
    await mkdir(join(root, 'web', part), { recursive: true });
  await writeFile(join(root, 'alloc', 'data', 'file'), 'inside');
  await writeFile(join(root, 'web', 'local', 'file'), 'inside too');
  await writeFile(join(root, 'web', 'ü ％', 'file'), 'inside three');
  await writeFile(join(root, 'web', 'secrets', 'file'), outside);
  await mkdir(join(base, 'outside', 'deep'), { recursive: true });
  for (const place of ['outside', 'outside/deep']) await writeFile(join(base, place, 'file'), outside);
  await symlink(join(base, 'outside'), join(root, 'web', 'local', 'directory'));
  await symlink(join(base, 'outside', 'file'), join(root, 'web', 'local', 'link'));
  await symlink('../../../outside/file', join(root, 'web', 'local', 'relative'));
  await symlink('../..', join(root, 'alloc', 'data', 'up'));
  await symlink('../secrets', join(root, 'web', 'local', 'own'));
  await symlink('loop', join(root, 'web', 'local', 'loop'));
  execFileSync('mkfifo', [join(root, 'web', 'local', 'pipe')]);
  server = createServer().listen(join(root, 'web', 'local', 'socket'));
  await once(server, 'listening');
});
afterAll(async () => {
  server.close();
  await rm(base, { recursive: true, force: true });
});

async function read(path: string): Promise<string> {
  const files = await openOneFile(root, path);
  const handle = await files.open(0);
  try {
    return (await handle?.readFile('utf8')) ?? '';
  } finally {
    await handle?.close();
    await files.close();
  }
}

/** The refusal of a path, as its sender gets it. */
async function refusal(action: Promise<unknown>): Promise<string> {
  const error: unknown = await action.then(
    (value) => expect.fail(`not refused: ${String(value)}`),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(SchedulerError);
  const { code, message } = error as SchedulerError;
  // Reveals no path of this machine.
  expect(message).not.toContain(base);
  return `${code}: ${message}`;
}

describe('a file of an allocation', () => {
  it('is read by its path, with any spaces and slashes in it', async () => {
    for (const path of ['alloc/data/file', '/alloc/data/file', '//alloc/./data//file', 'alloc/data/file/']) {
      expect(await read(path), path).toBe('inside');
    }
    expect(await read('web/ü ％/file')).toBe('inside three');
  });

  it.each([
    ['../outside/file', 'bad-request: The path "../outside/file" has "..": Path escapes the alloc directory'],
    [
      'alloc/../web/local/file',
      'bad-request: The path "alloc/../web/local/file" has "..": Path escapes the alloc directory',
    ],
    ['web/local/link', 'file-refused: "web/local/link" is a link, and links are not followed'],
    ['web/local/relative', 'file-refused: "web/local/relative" is a link, and links are not followed'],
    ['web/local/loop', 'file-refused: "web/local/loop" is a link, and links are not followed'],
    [
      'web/local/directory/file',
      'not-found: "web/local/directory/file" leads through what is no directory, perhaps a link',
    ],
    [
      'web/local/own/file',
      'not-found: "web/local/own/file" leads through what is no directory, perhaps a link',
    ],
    [
      'web/local/file/file',
      'not-found: "web/local/file/file" leads through what is no directory, perhaps a link',
    ],
    ['web/local/none', 'not-found: There is no file "web/local/none" in this allocation'],
    ['web/local', 'bad-request: file "web/local" is a directory'],
    ['/', 'bad-request: file "/" is a directory'],
    ['web/local/pipe', 'bad-request: file "web/local/pipe" is no regular file'],
    ['web/local/socket', 'bad-request: file "web/local/socket" is no regular file'],
    ['web/secrets/file', 'file-refused: Reading secret file prohibited: web/secrets/file'],
    ['/web//secrets/./file', 'file-refused: Reading secret file prohibited: /web//secrets/./file'],
    ['web/\0/file', 'bad-request: The path "web/\\u0000/file" has a zero byte'],
    [
      `web/${'x'.repeat(256)}`,
      `bad-request: The path "web/${'x'.repeat(124)}…" has a name of more than 255 bytes`,
    ],
    ['x/'.repeat(65), `bad-request: The path "${'x/'.repeat(64)}…" has more than 64 names`],
    ['x'.repeat(4_097), `bad-request: The path "${'x'.repeat(128)}…" is longer than 4096 characters`],
  ])('is not read at %j', async (path, expected) => {
    expect(await refusal(read(path))).toBe(expected);
  });

  it('is described without following links', async () => {
    const facts = await listDirectory(root, 'web/local');
    expect(facts.map(({ FileMode, IsDir, Name }) => `${FileMode[0]} ${Name}${IsDir ? '/' : ''}`)).toEqual([
      'L directory',
      '- file',
      'L link',
      'L loop',
      'L own',
      'p pipe',
      'L relative',
      'S socket',
    ]);
    expect(await statFile(root, 'web/local/file')).toMatchObject({ Name: 'file', IsDir: false, Size: 10 });
    expect(await statFile(root, '/')).toMatchObject({ Name: '/', IsDir: true });
    expect(await refusal(listDirectory(root, 'web/secrets'))).toContain('prohibited');
    expect(await refusal(listDirectory(root, 'web/local/directory'))).toBe(
      'bad-request: "web/local/directory" is no directory',
    );
  });
});

const names = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('alloc', 'data', 'web', 'local', 'file', 'secrets', 'swap', 'up') },
  {
    weight: 3,
    arbitrary: fc.constantFrom('directory', 'link', 'relative', 'own', 'loop', 'pipe', 'socket', 'outside'),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      '..',
      '.',
      '',
      '...',
      '%2e%2e',
      '..%2f',
      '．．',
      '..\\',
      '~',
      'SECRETS',
      'secrets ',
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('\0', '..\0', 'proc', 'self', 'fd', 'root', '/etc/passwd', 'ü ％'),
  },
  { weight: 1, arbitrary: fc.string({ maxLength: 300 }) },
);
const paths = fc
  .array(names, { maxLength: 70, size: 'medium' })
  .chain((parts) => fc.constantFrom(parts.join('/'), `/${parts.join('/')}`, `${base}/${parts.join('/')}`));

/** Renames again and again, as a task may, so that a name is now a directory and now a link to what is outside. */
function swapForEver(): () => Promise<void> {
  const script = `
    const { renameSync, mkdirSync, symlinkSync, writeFileSync } = require('node:fs');
    const [local, outside] = process.argv.slice(1);
    mkdirSync(local + '/swap'); writeFileSync(local + '/swap/file', 'inside');
    symlinkSync(outside, local + '/swap-link');
    process.stdout.write('.');
    for (;;) {
      renameSync(local + '/swap', local + '/swap-directory'); renameSync(local + '/swap-link', local + '/swap');
      renameSync(local + '/swap', local + '/swap-link'); renameSync(local + '/swap-directory', local + '/swap');
    }`;
  const child = spawn(process.execPath, ['-e', script, join(root, 'web', 'local'), join(base, 'outside')]);
  const exited = once(child, 'exit');
  return async () => {
    child.kill('SIGKILL');
    await exited;
  };
}

describe('ten thousand tricks with paths', () => {
  it('reach nothing outside', async () => {
    const before = (await readdir('/proc/self/fd')).length;
    const stop = swapForEver();
    const codes = new Set<string>();
    const attempt = async (action: () => Promise<string>): Promise<void> => {
      try {
        expect(await action()).not.toContain(outside);
        codes.add('read');
      } catch (error) {
        if (!(error instanceof SchedulerError)) throw error;
        codes.add(error.code);
      }
    };
    const attack = async (path: string): Promise<void> => {
      await attempt(() => read(path));
      await attempt(async () => {
        // What is outside has this size, and a directory that has this name in it.
        const { Size } = await statFile(root, path);
        return Size === outside.length ? outside : '';
      });
      await attempt(async () =>
        (await listDirectory(root, path)).some(({ Name }) => Name === 'deep') ? outside : '',
      );
    };
    try {
      await fc.assert(fc.asyncProperty(paths, attack), { numRuns: 9_000 });
      const swapped = fc.constantFrom('web/local/swap/file', 'web/local/swap', 'web/local/swap/deep/file');
      await fc.assert(fc.asyncProperty(swapped, attack), { numRuns: 1_000 });
    } finally {
      await stop();
    }
    expect([...codes].sort()).toEqual(['bad-request', 'file-refused', 'not-found', 'read']);
    // Nothing stays open.
    expect((await readdir('/proc/self/fd')).length).toBeLessThanOrEqual(before + 3);
  });
});

it('hides the notes of the agent next to the directories of tasks', () => {
  expect(() => namesOfPath('web+process')).toThrow('There is no file');
  expect(namesOfPath('web/local/web+process')).toEqual(['web', 'local', 'web+process']);
});
