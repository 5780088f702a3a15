import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { eventLoop, systemProcesses } from '@tamis/http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DriverError, type TaskSpec } from '@tamis/scheduler-node/driver.js';
import { killOrphans } from '@tamis/scheduler-node/pid-file.js';
import { openCgroups, type Cgroups } from '@tamis/scheduler-node/cgroups.js';
import { createProcessScan } from '@tamis/scheduler-node/process-scan.js';
import { createRawExecDriver, type RawExecOptions } from '@tamis/scheduler-node/raw-exec-driver.js';
import { systemUsers } from '@tamis/scheduler-node/users.js';
import { until } from '../../scheduler-model/test/support/until.js';

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
const processes = systemProcesses((pid, signal) => process.kill(pid, signal));
const scan = createProcessScan(process.pid);
const nobodyStops = new AbortController().signal;

function createDriver(given: RawExecOptions) {
  const made = createRawExecDriver(given);
  return { ...made, start: (task: TaskSpec, stopping = nobodyStops) => made.start(task, stopping) };
}

const options = {
  enabled: true,
  clock,
  processes,
  scan,
  users: systemUsers(process.geteuid?.() ?? 0),
  cgroups: null,
  searchPath: '/usr/bin:/bin',
  pace: eventLoop,
};
const driver = createDriver(options);

/** Of this test alone: processes are looked for by it. */
let allocation = '';
beforeEach(() => {
  allocation = randomUUID();
});

function script(text: string, more: Partial<TaskSpec> = {}): TaskSpec {
  return {
    allocation,
    name: 't',
    user: '',
    config: { command: '/bin/sh', args: ['-c', text] },
    environment: { GREETING: 'hello', SCHEDULER_ALLOC_ID: allocation, SCHEDULER_TASK_NAME: 't' },
    directory,
    logs: { directory, name: 't', maxFiles: 2, maxFileBytes: 1_000 },
    ...more,
  };
}

/** Reads a file once it holds what is looked for; the output comes through a pipe. */
async function readUntil(name: string, pattern: RegExp): Promise<string> {
  let text = '';
  const look = async (): Promise<boolean> => {
    text = await readFile(join(directory, name), 'utf8').catch(() => '');
    return pattern.test(text);
  };
  await until(look, { what: `${pattern} in ${name}`, between: () => pause(5) });
  return text;
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

  it('ends a program with the requested signal', async () => {
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

  it('keeps the last files of the output only', async () => {
    const task = await driver.start(
      script('i=0; while [ $i -lt 60 ]; do printf "%0100d" $i; i=$((i+1)); sleep 0.002; done'),
    );
    await task.exit;
    const retained = async (): Promise<string[]> =>
      (await readdir(directory)).filter((name) => name.startsWith('t.stdout'));
    await until(async () => !(await retained()).includes('t.stdout.0'), { between: () => pause(5) });
    expect((await retained()).length).toBeLessThanOrEqual(2);
  });

  it.each([
    [{ command: '/no/such/program' }, /^Cannot start "\/no\/such\/program": there is no such program$/],
    [{ command: '/usr/bin' }, /^Cannot start "\/usr\/bin": it is a directory$/],
    [{ command: '/usr/bin/env/x' }, /^Cannot start "\/usr\/bin\/env\/x": there is no such program$/],
    [{ command: '/dev/null' }, /^Cannot start "\/dev\/null": it is a device$/],
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

  it('reports that a command is a pipe, and does not wait for its other end', async () => {
    await promisify(execFile)('mkfifo', ['-m', '755', join(directory, 'pipe')]);
    const starting = driver.start(script('', { config: { command: './pipe' } }));
    await expect(starting).rejects.toThrow('Cannot start "./pipe": it is a pipe');
  });

  it('finds a program in the search path after a directory of the same name', async () => {
    await mkdir(join(directory, 'first', 'env'), { recursive: true });
    const searchPath = `${join(directory, 'first')}:/usr/bin:/bin`;
    const task = await createDriver({ ...options, searchPath }).start(
      script('', { config: { command: 'env' } }),
    );
    expect(await task.exit).toMatchObject({ code: 0 });
  });

  it('starts one program in a turn, lest a job of thousands holds up the agent', async () => {
    const turns: (() => void)[] = [];
    const slowClient = createDriver({ ...options, pace: { defer: (turn) => void turns.push(turn) } });
    const started: number[] = [];
    const starts = [1, 2, 3].map(async (number) => {
      const task = await slowClient.start(script('exit 0', { name: `t${number}` }));
      started.push(number);
      await task.exit;
    });
    for (const count of [1, 2, 3]) {
      await until(() => turns.length > 0);
      expect(started).toHaveLength(count - 1);
      turns.shift()?.();
      await until(() => started.length === count);
    }
    await Promise.all(starts);
  });

  it('never starts a task that is stopped before its turn', async () => {
    const turns: (() => void)[] = [];
    const slowClient = createDriver({ ...options, pace: { defer: (turn) => void turns.push(turn) } });
    const stopping = new AbortController();
    const refused = expect(slowClient.start(script('touch begun'), stopping.signal)).rejects.toThrow(
      'stopped before it began',
    );
    await until(() => turns.length > 0);
    stopping.abort();
    turns.shift()?.();
    await refused;
    expect(await readdir(directory)).not.toContain('begun');
  });

  it('ends what an agent that was killed has left running, and nothing else', async () => {
    const own = join(directory, allocation, 't');
    await mkdir(own, { recursive: true });
    const task = await driver.start(script('sleep 1000', { directory: own }));
    const other = spawn('/bin/sleep', ['1000']);
    // A number that another process has got since.
    const note = JSON.stringify({ pid: other.pid, birth: 'boot 1', cgroup: null });
    await writeFile(join(directory, allocation, 'u+process'), note);
    await writeFile(join(directory, allocation, 'v+process'), 'no note');
    expect(await killOrphans(directory, processes, { clock, scan })).toBeGreaterThan(0);
    expect(await task.exit).toMatchObject({ signal: 9 });
    expect(other.exitCode).toBeNull();
    expect(await killOrphans(directory, processes, { clock, scan })).toBe(0);
    other.kill('SIGKILL');
  });

  it('forgets a process that is over', async () => {
    const own = join(directory, allocation, 't');
    await mkdir(own, { recursive: true });
    await (
      await driver.start(script('exit 0', { directory: own }))
    ).exit;
    await expect.poll(() => readdir(join(directory, allocation))).not.toContain('t+process');
  });

  it('never begins a task that was stopped before', async () => {
    await expect(driver.start(script('touch made'), AbortSignal.abort())).rejects.toThrow('before it began');
    expect(await readdir(directory)).toEqual([]);
  });

  it('runs nothing unless the operator has allowed it', async () => {
    const disabled = createDriver({ ...options, enabled: false });
    expect(disabled.health()).toMatchObject({ detected: false, healthy: false });
    await expect(disabled.start(script('touch made'))).rejects.toThrow(
      'raw_exec is not enabled on this client',
    );
    expect(await readdir(directory)).toEqual([]);
  });
});

/** Starts a process that detaches from its group and its parent, and writes its number. */
const daemon = 'setsid sh -c "echo daemon \\$\\$; exec sleep 1000" & ';

async function isGone(pid: number): Promise<boolean> {
  const state = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return state === '' || / Z /.test(state);
}

/** The environment of a killed process, by which the driver knows it, is gone before the process is. */
async function expectGone(pid: number): Promise<void> {
  await expect.poll(() => isGone(pid)).toBe(true);
}

const cgroups: Cgroups | null = await openCgroups();

/** On a machine, or for a user, without cgroups there is one way to know the processes of a task. */
const ways: readonly (readonly [string, Cgroups | null])[] = [
  ['environment', null],
  ...(cgroups === null ? [] : [['cgroup', cgroups] as const]),
];

describe.each(ways)('the processes of a task, known by their %s,', (_way, groups) => {
  const grouping = createDriver({ ...options, cgroups: groups });
  const daemonOf = async (): Promise<number> =>
    Number(/daemon (\d+)/.exec(await readUntil('t.stdout.0', /daemon \d+/))?.[1]);

  it('end with the program', async () => {
    const task = await grouping.start(script(`${daemon} while [ ! -e go ]; do sleep 0.01; done; exit 0`));
    const pid = await daemonOf();
    expect(await isGone(pid)).toBe(false);
    await writeFile(join(directory, 'go'), '');
    expect(await task.exit).toEqual({ code: 0, signal: 0, message: '' });
    await expectGone(pid);
  });

  it('get the signal of a stop, and are gone when it is done', async () => {
    const task = await grouping.start(script(`${daemon} trap "exit 7" TERM; while :; do sleep 0.01; done`));
    const pid = await daemonOf();
    task.stop('SIGTERM', 60_000);
    expect(await task.exit).toMatchObject({ code: 7 });
    await expectGone(pid);
  });

  it('are ended by the next agent when theirs was killed', async () => {
    const own = join(directory, allocation, 't');
    await mkdir(own, { recursive: true });
    const task = await grouping.start(script(`${daemon} sleep 1000`, { directory: own }));
    const pid = await daemonOf();
    expect(await killOrphans(directory, processes, { clock, scan })).toBeGreaterThan(1);
    await expectGone(pid);
    await task.exit;
  });

  it('are those of this task only', async () => {
    const sibling = await grouping.start(
      script('sleep 1000', {
        name: 'u',
        logs: { directory, name: 'u', maxFiles: 1, maxFileBytes: 1_000 },
        environment: { SCHEDULER_ALLOC_ID: allocation, SCHEDULER_TASK_NAME: 'u' },
      }),
    );
    const task = await grouping.start(script('exit 0'));
    await task.exit;
    let shouldYield = false;
    void sibling.exit.then(() => (shouldYield = true));
    await scan();
    expect(shouldYield).toBe(false);
    sibling.stop('SIGKILL', 0);
    await sibling.exit;
  });
});

const isRoot = process.geteuid?.() === 0;

describe('the user of a task', () => {
  const printing = 'id -u; id -g; id -G; touch made; stat -c %u made . ';
  const numbers = async (): Promise<string> =>
    (await readUntil('t.stdout.0', /(?:\d[\d ]*\n){5}/)).replaceAll('\n', ' ').trim();

  /** Who may not become another user has this test about that instead. */
  it.runIf(isRoot).each(ways)('is that of its processes and files, known by %s', async (_way, groups) => {
    await makeTaskDirectory();
    const { uid, gid } = await options.users.find('nobody');
    const grouping = createDriver({ ...options, cgroups: groups });
    const task = await grouping.start(script(printing, { user: 'nobody', directory: taskDirectory() }));
    expect(await task.exit).toMatchObject({ code: 0 });
    expect(await numbers()).toBe(`${uid} ${gid} ${gid} ${uid} ${uid}`);
  });

  it.runIf(isRoot)('brings all its groups, and none of the agent', async () => {
    await makeTaskDirectory();
    const inGroups = {
      ...options.users,
      find: async () => ({ name: 'x', uid: 65_534, gid: 65_533, groups: [65_533, 4, 27] }),
    };
    const grouping = createDriver({ ...options, users: inGroups });
    const task = await grouping.start(script(printing, { user: 'x', directory: taskDirectory() }));
    expect(await task.exit).toMatchObject({ code: 0 });
    expect(await numbers()).toBe('65534 65533 65533 4 27 65534 65534');
  });

  it.runIf(isRoot)('gets an error if it cannot reach its files by their path', async () => {
    await makeTaskDirectory();
    const task = await driver.start(script('exit 0', { user: 'nobody', directory: taskDirectory() }));
    expect(task.warning).toBe(
      `User "nobody" cannot reach the files of this task by their path: ${directory} is closed to others`,
    );
    await task.exit;
  });

  it('must be one of this machine', async () => {
    await expect(driver.start(script('exit 0', { user: 'no-such-user' }))).rejects.toThrow(
      'There is no user "no-such-user" on this node',
    );
  });

  it('is refused where the agent may not change users', async () => {
    const users = { ...options.users, self: 1_000, mayChange: async () => false };
    const limited = createDriver({ ...options, users });
    await expect(limited.start(script('exit 0', { user: 'nobody' }))).rejects.toThrow(
      'This agent may not run tasks as user "nobody": it runs as user 1000 itself, and only root may change to others',
    );
  });

  it('may be the agent itself where it may not change users', async () => {
    await makeTaskDirectory();
    const self = process.geteuid?.() ?? 0;
    const users = {
      ...options.users,
      find: async () => ({ name: 'me', uid: self, gid: 0, groups: [0] }),
      mayChange: async () => false,
    };
    const limited = createDriver({ ...options, users });
    const task = await limited.start(script('exit 3', { user: 'me', directory: taskDirectory() }));
    expect(await task.exit).toMatchObject({ code: 3 });
  });

  const taskDirectory = (): string => join(directory, 'task');
  async function makeTaskDirectory(): Promise<void> {
    for (const part of ['local', 'secrets', 'tmp'])
      await mkdir(join(taskDirectory(), part), { recursive: true });
  }
});
