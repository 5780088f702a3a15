import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DriverError, type TaskToRun } from '../../src/client/driver.js';
import { endLeftovers } from '../../src/client/process-note.js';
import { createRawExecDriver, signalProcesses } from '../../src/client/raw-exec-driver.js';
import { systemProcesses } from '../../src/storage/owner.js';

let directory = '';
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'raw-exec-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const clock = {
  after(milliseconds: number, action: () => void) {
    const timer = setTimeout(action, milliseconds);
    return () => clearTimeout(timer);
  },
};
const processes = systemProcesses(process.pid, (pid, signal) => process.kill(pid, signal));
const driver = createRawExecDriver({ enabled: true, clock, processes, searchPath: '/usr/bin:/bin' });

function script(text: string, more: Partial<TaskToRun> = {}): TaskToRun {
  return {
    id: 'a/t',
    config: { command: '/bin/sh', args: ['-c', text] },
    environment: { GREETING: 'hello' },
    directory,
    logs: { directory, name: 't', maxFiles: 2, maxFileBytes: 1_000 },
    ...more,
  };
}

/** Reads a file once it holds what is looked for; the output comes through a pipe. */
async function readUntil(name: string, pattern: RegExp): Promise<string> {
  for (;;) {
    const text = await readFile(join(directory, name), 'utf8').catch(() => '');
    if (pattern.test(text)) return text;
    await pause(5);
  }
}

describe('raw_exec', () => {
  it('runs a program in its directory, with its environment and nothing of the agent but a path', async () => {
    const task = await driver.start(script('pwd; env; echo oops >&2; exit 3'));
    expect(await task.exit).toEqual({ code: 3, signal: 0, message: '' });
    const output = await readUntil('t.stdout.0', /GREETING/);
    expect(output.split('\n')[0]).toBe(directory);
    expect(output).toContain('GREETING=hello');
    expect(output).not.toMatch(/^HOME=|^USER=/m);
    expect(await readUntil('t.stderr.0', /oops/)).toBe('oops\n');
  });

  it('ends a program with the signal asked for', async () => {
    const task = await driver.start(
      script('trap "echo bye; exit 7" TERM; echo ready; while :; do sleep 0.01; done'),
    );
    await readUntil('t.stdout.0', /ready/);
    task.stop('SIGTERM', 60_000);
    expect(await task.exit).toMatchObject({ code: 7 });
  });

  it('ends a program by force when it does not listen', async () => {
    const task = await driver.start(script('trap "" TERM; echo ready; while :; do sleep 0.01; done'));
    await readUntil('t.stdout.0', /ready/);
    task.stop('SIGTERM', 20);
    expect(await task.exit).toEqual({ code: 137, signal: 9, message: '' });
  });

  it('ends what a program has started with it', async () => {
    const task = await driver.start(script('sleep 1000 & echo child $!; exit 0'));
    await task.exit;
    const [, pid = ''] = /child (\d+)/.exec(await readUntil('t.stdout.0', /child \d+/)) ?? [];
    const isGone = async (): Promise<boolean> => {
      const state = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
      return state === '' || / Z /.test(state);
    };
    while (!(await isGone())) await pause(5);
    expect(Number(pid)).toBeGreaterThan(1);
  });

  it('keeps the last files of the output only', async () => {
    const task = await driver.start(
      script('i=0; while [ $i -lt 60 ]; do printf "%0100d" $i; i=$((i+1)); sleep 0.002; done'),
    );
    await task.exit;
    const kept = async (): Promise<string[]> =>
      (await readdir(directory)).filter((name) => name.startsWith('t.stdout'));
    while ((await kept()).includes('t.stdout.0')) await pause(5);
    expect((await kept()).length).toBeLessThanOrEqual(2);
  });

  it.each([
    [{ command: '/no/such/program' }, /^Cannot start "\/no\/such\/program": there is no such program$/],
    [{}, /^Bad config: command is missing$/],
    [{ command: 3 }, /^Bad config: command is not text$/],
    [{ command: '/bin/true', args: 'x' }, /^Bad config: args is not a list of texts$/],
    [{ command: '/bin/true', arg: [] }, /^Bad config: unknown key "arg", expected one of command, args$/],
  ])('cannot start %o', async (config, text) => {
    const error = await driver.start(script('', { config })).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(DriverError);
    expect((error as DriverError).message).toMatch(text);
    expect((error as DriverError).isRecoverable).toBe(false);
  });

  it('ends what an agent that was killed has left running, and nothing else', async () => {
    const own = join(directory, 'a', 't');
    await mkdir(own, { recursive: true });
    const task = await driver.start(script('sleep 1000', { directory: own }));
    const other = spawn('/bin/sleep', ['1000']);
    // A number that another process has got since.
    await writeFile(join(directory, 'a', 'u.process'), `${other.pid} boot 1`);
    await writeFile(join(directory, 'a', 'v.process'), 'no number');
    const end = (pid: number): void => signalProcesses(pid, 'SIGKILL');
    expect(await endLeftovers(directory, processes, end)).toBe(1);
    expect(await task.exit).toMatchObject({ signal: 9 });
    expect(other.exitCode).toBeNull();
    expect(await endLeftovers(directory, processes, end)).toBe(0);
    other.kill('SIGKILL');
  });

  it('forgets a process that is over', async () => {
    const own = join(directory, 'a', 't');
    await mkdir(own, { recursive: true });
    await (
      await driver.start(script('exit 0', { directory: own }))
    ).exit;
    await expect.poll(() => readdir(join(directory, 'a')), { timeout: 10_000 }).not.toContain('t.process');
  });

  it('runs nothing unless the operator has allowed it', async () => {
    const disabled = createRawExecDriver({ enabled: false, clock, processes, searchPath: '/bin' });
    expect(disabled.health()).toMatchObject({ detected: false, healthy: false });
    await expect(disabled.start(script('touch made'))).rejects.toThrow(
      'raw_exec is not enabled on this client',
    );
    expect(await readdir(directory)).toEqual([]);
  });
});
