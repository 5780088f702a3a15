import { getEventListeners } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunningTask, TaskExit } from '@tamis/scheduler-node/driver.js';
import { createMockDriver } from '@tamis/scheduler-node/mock-driver.js';
import { createFakeClock, type FakeClock } from '../../scheduler-model/test/support/fake-clock.js';

let directory = '';
let clock: FakeClock;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'mock-'));
  clock = createFakeClock();
});
afterEach(() => rm(directory, { recursive: true, force: true }));

async function start(
  config: Readonly<Record<string, unknown>>,
  stopping = new AbortController().signal,
): Promise<RunningTask> {
  const task = {
    allocation: 'a',
    name: 't',
    config,
    user: '',
    environment: {},
    directory,
    logs: { directory, name: 't', maxFiles: 1, maxFileBytes: 1_000 },
  };
  const starting = createMockDriver(clock).start(task, stopping);
  clock.advance(0);
  return starting;
}

/** How a task ended once the time was moved, null while it runs. */
async function exitAfter(task: RunningTask, milliseconds: number): Promise<TaskExit | null> {
  let exit: TaskExit | null = null;
  void task.exit.then((found) => (exit = found));
  clock.advance(milliseconds);
  await new Promise((resolve) => setImmediate(resolve));
  return exit;
}

describe('mock_driver', () => {
  it('ends immediately without a configured duration', async () => {
    expect(await exitAfter(await start({}), 0)).toEqual({ code: 0, signal: 0, message: '' });
  });

  it('leaves no resources after signals of an allocation that restarts repeatedly', async () => {
    const { signal } = new AbortController();
    await start({ run_for: '10s' }, signal);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('runs for the configured time and ends with the configured result', async () => {
    const task = await start({ run_for: '10s', exit_code: 3, exit_signal: 9, exit_err_msg: 'oops' });
    expect(await exitAfter(task, 9_999)).toBeNull();
    expect(await exitAfter(task, 1)).toEqual({ code: 3, signal: 9, message: 'oops' });
  });

  it('ends when it is stopped, after the time it takes for that', async () => {
    const task = await start({ run_for: '1h', kill_after: '5s', exit_code: 4 });
    task.stop('SIGINT', 60_000);
    expect(await exitAfter(task, 4_999)).toBeNull();
    expect(await exitAfter(task, 1)).toMatchObject({ code: 4 });
  });

  it('writes the configured output, repeated as configured', async () => {
    const task = await start({
      run_for: '1m',
      stdout_string: 'hello\n',
      stdout_repeat: 2,
      stdout_repeat_duration: '10s',
      stderr_string: 'oops\n',
    });
    for (let second = 0; second < 60; second += 10) clock.advance(10_000);
    await task.exit;
    const read = (stream: string): Promise<string> => readFile(join(directory, `t.${stream}.0`), 'utf8');
    await expect.poll(() => read('stdout')).toBe('hello\nhello\nhello\n');
    await expect.poll(() => read('stderr')).toBe('oops\n');
  });

  it.each([
    [{ run_for: 'soon' }, 'Bad config: run_for is no duration such as "10s"'],
    [{ exit_code: 'x' }, 'Bad config: exit_code is not a whole number'],
    [{ run_fro: '1s' }, /^Bad config: unknown key "run_fro", expected one of run_for,/],
  ])('refuses %o', async (config, text) => {
    await expect(start(config)).rejects.toThrow(text);
  });
});
