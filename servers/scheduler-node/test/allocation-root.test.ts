import { chmod, mkdir, mkdtemp, readdir, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAllocationDirectories } from '@tamis/scheduler-node/allocation-directories.js';
import { makeAllocationDirectory, taskDirectories } from '@tamis/scheduler-node/allocation-directory.js';
import { makeTemporaryRoot, openAllocationRoot } from '@tamis/scheduler-node/allocation-root.js';
import { createFakeClock } from '../../scheduler-model/test/support/fake-clock.js';
import { noProcesses } from '../../scheduler-model/test/support/processes.js';

let directory = '';
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'root-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const idOf = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const user = process.geteuid?.() ?? 0;

describe('the temporary folder of a client', () => {
  const scan = async () => [];
  const dependencies = { clock: createFakeClock(), scan, processes: noProcesses, user };
  const make = () => makeTemporaryRoot(directory, dependencies);

  it('is gone when the client closes', async () => {
    const root = await make();
    await mkdir(join(root.directory, 'x', 'y'), { recursive: true });
    await root.close();
    expect(await readdir(directory)).toEqual([]);
  });

  it('is cleared away by the next client when its own was killed, and never while that lives', async () => {
    const first = await make();
    const killed = join(directory, 'scheduler-allocations-killed');
    await mkdir(killed);
    // A file refuses connections as the socket of a process does that is gone.
    await writeFile(join(killed, 'alloc.lock.99.0a.elsewhere'), '');
    const second = await make();
    const left = [first, second].map((root) => root.directory.slice(directory.length + 1));
    expect((await readdir(directory)).sort()).toEqual(left.sort());
    await first.close();
    await second.close();
  });

  it('is not guessed: files of other users in it stay', async () => {
    const names = ['none', 'open', 'link', 'file'].map((name) => `scheduler-allocations-${name}`);
    const [none = '', open = '', link = '', file = ''] = names.map((name) => join(directory, name));
    await mkdir(none);
    for (const path of [open, join(directory, 'target')]) {
      await mkdir(path);
      await writeFile(join(path, 'alloc.lock.99.0a.elsewhere'), '');
    }
    await chmod(open, 0o777);
    await symlink('target', link);
    await writeFile(file, '');
    const root = await make();
    expect(await readdir(directory)).toEqual(expect.arrayContaining([...names, 'target']));
    await root.close();
  });

  it('belongs to one client at a time in a data directory', async () => {
    const first = await openAllocationRoot(directory, dependencies);
    await expect(openAllocationRoot(directory, dependencies)).rejects.toThrow(
      `${directory} is in use by process ${process.pid} since `,
    );
    await first.close();
    await (await openAllocationRoot(directory, dependencies)).close();
  });
});

describe('the directories of allocations that are over', () => {
  async function fill(count: number): Promise<void> {
    for (let number = 0; number < count; number += 1) {
      await mkdir(join(directory, idOf(number)));
      await utimes(join(directory, idOf(number)), number, number);
    }
  }
  const names = async (): Promise<string[]> => (await readdir(directory)).sort();

  it('are the last fifty, those of an earlier run among them', async () => {
    await fill(60);
    await mkdir(join(directory, 'something-else'));
    const directories = createAllocationDirectories(directory);
    await directories.adopt((id) => id === idOf(0));
    const retained = [0, ...Array.from({ length: 50 }, (_, at) => at + 10)].map(idOf);
    await expect.poll(names).toEqual([...retained, 'something-else'].sort());
    directories.end(idOf(0));
    await expect.poll(names).not.toContain(idOf(10));
  });

  it('go when the servers have forgotten their allocations', async () => {
    await fill(3);
    const directories = createAllocationDirectories(directory);
    await directories.adopt(() => false);
    directories.retain((id) => id === idOf(1));
    await expect.poll(names).toEqual([idOf(1)]);
  });
});

describe('the directory of an allocation', () => {
  const task = { Name: 't', User: '', DispatchPayload: { File: 'in.txt' } };
  const payload = Buffer.from('hello').toString('base64');

  it('is for the agent alone, unless tasks have users', async () => {
    await makeAllocationDirectory(join(directory, 'a'), [task], null);
    await makeAllocationDirectory(join(directory, 'b'), [{ ...task, User: 'nobody' }], null);
    const modes = async (...parts: string[]): Promise<string> =>
      ((await stat(join(directory, ...parts))).mode & 0o7777).toString(8);
    expect([await modes('a'), await modes('a', 'alloc', 'data'), await modes('a', 't')]).toEqual([
      '700',
      '700',
      '700',
    ]);
    expect([await modes('b'), await modes('b', 'alloc', 'tmp'), await modes('b', 'alloc', 'logs')]).toEqual([
      '711',
      '1777',
      '700',
    ]);
  });

  it('follows no link that a task has left there when it is made again', async () => {
    const alloc = join(directory, 'a');
    await makeAllocationDirectory(alloc, [task], payload);
    const { local } = taskDirectories(alloc, 't');
    await rm(local, { recursive: true });
    await mkdir(join(directory, 'elsewhere'));
    await symlink(join(directory, 'elsewhere'), local);
    await makeAllocationDirectory(alloc, [task], payload);
    expect(await readdir(join(directory, 'elsewhere'))).toEqual([]);
  });

  it('keeps a task from owning what all share, whatever its name', () => {
    const { alloc, task: own } = taskDirectories('/a', 'alloc');
    expect(own).not.toBe(alloc);
    const paths = ['alloc', '..', '../x', 't+process', 't'].map((name) => taskDirectories('/a', name).task);
    expect(new Set(paths).size).toBe(paths.length);
    expect(paths.every((path) => /^\/a\/[^/]+$/.test(path) && !path.endsWith('+process'))).toBe(true);
  });
});
