import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openAuditFile } from '../../src/audit/audit-file.js';
import { refuseOpenFile } from '../../src/storage/file-mode.js';
import { openLmdbStorage } from '../../src/storage/lmdb.js';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'secrets-mode-'));
});
afterEach(() => rm(directory, { recursive: true }));

describe('a file of secrets', () => {
  it.each([
    [0o600, null],
    [0o400, null],
    [0o640, null],
    [0o644, 'everybody may read it'],
    [0o604, 'everybody may read it'],
    [0o660, 'others than its owner may write it'],
    [0o620, 'others than its owner may write it'],
    [0o602, 'others than its owner may write it'],
    [0o666, 'everybody may read it and others than its owner may write it'],
    [0o777, 'everybody may read it and others than its owner may write it'],
  ])('of the mode %o is refused: %s', async (mode, problem) => {
    const file = join(directory, 'key');
    await writeFile(file, 'secret');
    await chmod(file, mode);
    const written = `0${mode.toString(8)}`;
    const looked = refuseOpenFile(file);
    if (problem === null) await expect(looked).resolves.toBeUndefined();
    else
      await expect(looked).rejects.toThrow(
        `${file} holds secrets and has the mode ${written}: ${problem}. Run chmod 600 on it`,
      );
  });

  it('is no device, and may not be there yet', async () => {
    await expect(refuseOpenFile('/dev/null')).resolves.toBeUndefined();
    await expect(refuseOpenFile(join(directory, 'none'))).resolves.toBeUndefined();
  });
});

describe('an audit log', () => {
  it('that is world-readable is not written, at the start and when it is reopened', async () => {
    const file = join(directory, 'audit.log');
    await writeFile(file, '');
    await chmod(file, 0o644);
    await expect(openAuditFile(file)).rejects.toThrow('0644');
    await chmod(file, 0o640);
    const sink = await openAuditFile(file);
    await chmod(file, 0o666);
    await expect(sink.reopen()).rejects.toThrow('0666');
    await sink.write('goes on\n');
    await sink.close();
  });
});

describe('a store', () => {
  it.each([
    ['directory', 0o777, true],
    ['directory', 0o770, true],
    ['directory', 0o755, false],
    ['directory/secrets.mdb', 0o666, true],
    ['directory/secrets.mdb', 0o644, true],
    ['directory/secrets.mdb', 0o640, false],
  ])('with the %s of mode %o is refused: %s', async (name, mode, isRefused) => {
    const store = join(directory, 'directory');
    await (await openLmdbStorage(store)).close();
    await chmod(join(directory, name), mode);
    const closed = openLmdbStorage(store).then((storage) => storage.close());
    if (isRefused) await expect(closed).rejects.toThrow(`has the mode 0${mode.toString(8)}`);
    else await expect(closed).resolves.toBeUndefined();
  });

  it('creates its files for its owner alone, in a directory of another user too', async () => {
    const store = join(directory, 'made-before');
    await mkdir(store, { mode: 0o755 });
    const storage = await openLmdbStorage(store);
    const modes = ['secrets.mdb', 'secrets.mdb-lock'].map(
      async (name) => (await stat(join(store, name))).mode & 0o777,
    );
    expect(await Promise.all(modes)).toEqual([0o600, 0o600]);
    await storage.close();
  });
});
