import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findLocks, lockStore, watchLock, type StoreLock } from '../src/store-lock.js';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'store-lock-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const files = (): Promise<string[]> => readdir(directory);
const inUse = { name: 'StoreLockError', code: 'in-use' };

describe('the lock of a store', () => {
  it('is held by one process at a time, and leaves no files', async () => {
    for (let round = 0; round < 3; round += 1) {
      const lock = await lockStore(directory, 'a');
      expect(lock.isLocked()).toBe(true);
      await expect(lockStore(directory, 'a')).rejects.toMatchObject(inUse);
      expect(await files()).toHaveLength(1);
      await lock.release();
      await lock.release();
      expect(await files()).toEqual([]);
    }
  });

  it('reports its owner and its age', async () => {
    const before = Date.now();
    const lock = await lockStore(directory, 'a');
    const error = (await lockStore(directory, 'a').catch((thrown: unknown) => thrown)) as Error;
    const [, pid, since = ''] =
      / is in use by process (\d+) since (\S+): stop it first/.exec(error.message) ?? [];
    expect(pid).toBe(String(process.pid));
    // A file system counts in ticks of its own.
    expect(Math.abs(Date.parse(since) - before)).toBeLessThan(60_000);
    await lock.release();
  });

  it('is one of several in a directory', async () => {
    const locks = await Promise.all(['a', 'b', 'a.b'].map((name) => lockStore(directory, name)));
    expect(locks.every((lock) => lock.isLocked())).toBe(true);
    await Promise.all(locks.map((lock) => lock.release()));
  });

  it.each([2, 3, 9])('goes to one of %i that start at once', async (count) => {
    for (let round = 0; round < 3; round += 1) {
      const tries = await Promise.allSettled(Array.from({ length: count }, () => lockStore(directory, 'a')));
      const locked = tries.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
      expect(locked).toHaveLength(1);
      const refused = tries.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
      for (const reason of refused) expect(reason).toMatchObject(inUse);
      await Promise.all(locked.map((lock) => lock.release()));
      expect(await files()).toEqual([]);
    }
  });

  it('fits below a path of any length', async () => {
    const deep = join(directory, 'x'.repeat(200), 'y'.repeat(50));
    await mkdir(deep, { recursive: true });
    const lock = await lockStore(deep, 'a');
    expect(await readdir(deep)).toHaveLength(1);
    // Nowhere else: an address that is too long would be cut short.
    expect(await readdir(join(deep, '..'))).toEqual(['y'.repeat(50)]);
    await expect(lockStore(deep, 'a')).rejects.toMatchObject(inUse);
    await lock.release();
    expect(await readdir(deep)).toEqual([]);
  });

  it('is lost if its file is removed, but not if the whole directory is: that cannot be taken over', async () => {
    const first = await lockStore(directory, 'a');
    const [file = ''] = await files();
    await rm(join(directory, file));
    expect(first.isLocked()).toBe(false);
    const second = await lockStore(directory, 'a');
    await writeFile(join(directory, file), '');
    expect(first.isLocked()).toBe(false);
    await rm(directory, { recursive: true });
    expect(second.isLocked()).toBe(true);
    await first.release();
    await second.release();
  });

  it('calls for help once when it is lost', async () => {
    let calls = 0;
    let isLocked = true;
    watchLock(
      () => isLocked,
      () => (calls += 1),
    );
    isLocked = false;
    await expect.poll(() => calls).toBe(1);
  });

  it('is refused where a socket cannot be made, in words', async () => {
    await expect(lockStore('/proc', 'a')).rejects.toMatchObject({
      code: 'unusable',
      message: expect.stringContaining('/proc cannot be held by a socket in it') as string,
    });
    await expect(lockStore(join(directory, 'none'), 'a')).rejects.toMatchObject({ code: 'unusable' });
  });
});

/** Holds a lock in a process of its own until it is stopped. */
async function lockElsewhere(prefix: readonly string[] = []): Promise<{ pid: number; end(): Promise<void> }> {
  const source = fileURLToPath(new URL('../src/store-lock.ts', import.meta.url));
  const script = `
    const { lockStore } = await import(${JSON.stringify(source)});
    const lock = await lockStore(${JSON.stringify(directory)}, 'a');
    console.log('held');
    setInterval(() => lock, 1000);`;
  const command = [...prefix, process.execPath, '--import', 'tsx', '--input-type=module', '-e', script];
  const child = spawn(command[0] ?? '', command.slice(1), { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const [text] = (await Promise.race([once(child.stdout, 'data'), ended])) as [Buffer | number | null];
  expect(String(text)).toBe('held\n');
  return {
    pid: child.pid ?? 0,
    async end() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

async function refusedThenFree(owner: { end(): Promise<void> }): Promise<StoreLock> {
  await expect(lockStore(directory, 'a')).rejects.toMatchObject(inUse);
  expect(await findLocks(directory, 'a')).toEqual({ isLocked: true, wasLocked: false });
  await owner.end();
  expect(await findLocks(directory, 'a')).toEqual({ isLocked: false, wasLocked: true });
  const lock = await lockStore(directory, 'a');
  expect(await files()).toHaveLength(1);
  return lock;
}

describe('a lock of another process', () => {
  it('ends with it, and is cleared away', async () => {
    await (await refusedThenFree(await lockElsewhere())).release();
  });

  it('stays while that process is stopped, with any number of contenders', async () => {
    const owner = await lockElsewhere();
    process.kill(owner.pid, 'SIGSTOP');
    const tries = await Promise.allSettled(Array.from({ length: 50 }, () => lockStore(directory, 'a')));
    expect(tries.every(({ status }) => status === 'rejected')).toBe(true);
    process.kill(owner.pid, 'SIGCONT');
    await (await refusedThenFree(owner)).release();
  });
});
