import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildAgent, type BuiltAgent } from '../../stress/build-agent.js';

let built: BuiltAgent;
beforeAll(async () => {
  built = await buildAgent();
});
afterAll(() => built.remove());

let directory = '';
/** A marker in the arguments of every process of a test. */
let mark = '';
let ports = { http: 0, rpc: 0, serf: 0 };
const running = new Set<ChildProcess>();
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'restart-'));
  mark = randomUUID();
  const [http = 0, rpc = 0, serf = 0] = await freePorts(3);
  ports = { http, rpc, serf };
});
afterEach(async () => {
  for (const child of running) await end(child, 'SIGKILL');
  for (const pid of taskProcesses()) process.kill(pid, 'SIGKILL');
  await rm(directory, { recursive: true, force: true });
});

async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      return server;
    }),
  );
  const found = servers.map((server) => (server.address() as AddressInfo).port);
  for (const server of servers) server.close();
  return found;
}

/** Starts an agent and waits until it listens. */
async function start(...args: readonly string[]): Promise<ChildProcess> {
  const child = spawn(process.execPath, [built.main, 'agent', '--log-level', 'error', ...args], {
    env: { PATH: process.env['PATH'] ?? '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.add(child);
  let out = '';
  for await (const piece of child.stdout) {
    out += String(piece);
    if (out.includes('istening on')) return child;
  }
  throw new Error(`The agent ended before it listened: ${args.join(' ')}`);
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    child.kill(signal);
    await once(child, 'exit');
  }
  running.delete(child);
}

const serverArgs = (): string[] => [
  ...['--data-dir', join(directory, 'server'), '--port', String(ports.http)],
  ...['--rpc-port', String(ports.rpc), '--serf-port', String(ports.serf)],
];
const runPrograms = ['--client', '--raw-exec'];
const clientArgs = (): string[] => [
  ...['--no-server', ...runPrograms, '--data-dir', join(directory, 'client')],
  ...['--port', '0', '--rpc-port', '0', '--serf-port', '0', '--servers', `127.0.0.1:${ports.rpc}`],
];

async function call<T>(method: string, path: string, body?: object): Promise<T> {
  const response = await fetch(`http://127.0.0.1:${ports.http}${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  expect(response.status, `${method} ${path}`).toBe(200);
  return (await response.json()) as T;
}

/** Looks again and again, for two minutes at most. */
async function until<T>(look: () => Promise<T> | T, accept: (found: T) => boolean): Promise<T> {
  let found = await look();
  for (let times = 0; times < 1_200 && !accept(found); times += 1) {
    await pause(100);
    found = await look();
  }
  return found;
}

/** The processes of this test's tasks, those that have ended and wait for their parent left out. */
function taskProcesses(): number[] {
  const pids = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => readProcess(pid, 'cmdline').split('\0').includes(mark));
  // A shell that starts a command is there twice, with one command line, until the command replaces the second one.
  return pids.filter((pid) => !pids.includes(parentOf(pid)));
}

/** The parent of a process; 0 for one that is gone. */
function parentOf(pid: number): number {
  return Number(/^PPid:\s*(\d+)/m.exec(readProcess(pid, 'status'))?.[1] ?? 0);
}

/** A file about a process; empty for one that is gone. */
function readProcess(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

const goFile = (): string => join(directory, 'go');
const doneFile = (): string => join(directory, 'done');

/** Waits for a file, then says that it is done; never without it. */
const program = 'while [ ! -e "$1" ]; do sleep 0.1; done; echo done >> "$2"';

function jobOf(id: string, Type: string, Count: number, more: object = {}): object {
  const go = Type === 'batch' && id === 'batch' ? goFile() : '/never';
  const task = {
    Name: 't',
    Driver: 'raw_exec',
    Config: { command: '/bin/sh', args: ['-c', program, 'sh', go, doneFile(), mark] },
    Resources: { CPU: 10, MemoryMB: 10 },
    KillTimeout: 5e9,
  };
  const group = { Name: 'g', Count, Tasks: [task] };
  return { Job: { ID: id, Type, Datacenters: ['*'], TaskGroups: [group], ...more } };
}

const children = { service: 2, batch: 1, system: 1, periodic: 1 } as const;
const processes = 5;

async function registerAll(): Promise<void> {
  const periodic = { Periodic: { Enabled: true, Spec: '0 0 1 1 *', SpecType: 'cron' } };
  await call('PUT', '/v1/jobs', jobOf('service', 'service', children.service));
  await call('PUT', '/v1/jobs', jobOf('batch', 'batch', children.batch));
  await call('PUT', '/v1/jobs', jobOf('system', 'system', children.system));
  await call('PUT', '/v1/jobs', jobOf('periodic', 'batch', children.periodic, periodic));
  await call('PUT', '/v1/job/periodic/periodic/force');
}

interface Row {
  readonly ID: string;
  readonly JobID: string;
  readonly ClientStatus: string;
  readonly DesiredStatus: string;
  readonly TaskStates: Readonly<Record<string, { readonly Restarts: number; readonly Failed: boolean }>>;
}

/** How many allocations of each job have each status: `service running` 2. */
async function counts(): Promise<Readonly<Record<string, number>>> {
  const rows = await call<Row[]>('GET', '/v1/allocations');
  const counted: Record<string, number> = {};
  for (const { JobID, ClientStatus } of rows) {
    const key = `${JobID.split('/')[0] ?? ''} ${ClientStatus}`;
    counted[key] = (counted[key] ?? 0) + 1;
  }
  return counted;
}

const allRun = { 'service running': 2, 'batch running': 1, 'system running': 1, 'periodic running': 1 };
const sameCounts = (found: object, expected: object): boolean =>
  JSON.stringify(Object.entries(found).sort()) === JSON.stringify(Object.entries(expected).sort());

async function expectAllRunning(extra: Readonly<Record<string, number>> = {}): Promise<void> {
  const expected = { ...allRun, ...extra };
  expect(await until(counts, (found) => sameCounts(found, expected))).toEqual(expected);
  expect(await until(taskProcesses, ({ length }) => length === processes)).toHaveLength(processes);
}

/** The batch work ends when it is stopped, and has been done once. */
async function finishBatch(): Promise<void> {
  writeFileSync(goFile(), '');
  const expected = 'batch complete';
  const found = await until(counts, (now) => now[expected] === 1);
  expect(found).toMatchObject({ [expected]: 1, 'periodic running': 1 });
  expect(readFileSync(doneFile(), 'utf8')).toBe('done\n');
}

const ids = async (): Promise<string[]> =>
  (await call<Row[]>('GET', '/v1/allocations')).map(({ ID }) => ID).sort();

async function expectNoRestarts(): Promise<void> {
  const rows = await call<Row[]>('GET', '/v1/allocations');
  const states = rows.flatMap(({ TaskStates }) => Object.values(TaskStates));
  expect(states.filter(({ Failed, Restarts }) => Failed || Restarts > 0)).toEqual([]);
}

/** A server that gives a node up after seconds. */
const quick = ['--min-heartbeat-ttl', '1s', '--heartbeat-grace', '3s'];
const away = 4_000;

describe('running work', () => {
  it.each([
    ['is told to stop', 'SIGTERM', 0],
    ['is killed', 'SIGKILL', 0],
    ['is away for a while', 'SIGTERM', away],
  ] as const)(
    'runs again, the same allocations, when its agent, server and client, %s',
    async (_how, signal, silence) => {
      const agent = await start(...serverArgs(), ...runPrograms);
      await registerAll();
      await expectAllRunning();
      const before = await ids();
      await end(agent, signal);
      if (signal === 'SIGTERM') expect(taskProcesses()).toEqual([]);
      await pause(silence);
      await start(...serverArgs(), ...runPrograms);
      await expectAllRunning();
      expect(await ids()).toEqual(before);
      await expectNoRestarts();
      await finishBatch();
    },
  );

  it.each([
    ['is told to stop', 'SIGTERM'],
    ['is killed', 'SIGKILL'],
  ] as const)('runs again, the same allocations, when its client %s', async (_how, signal) => {
    await start(...serverArgs());
    const client = await start(...clientArgs());
    await registerAll();
    await expectAllRunning();
    const before = await ids();
    await end(client, signal);
    await start(...clientArgs());
    await expectAllRunning();
    expect(await ids()).toEqual(before);
    await expectNoRestarts();
    await finishBatch();
  });

  it.each(['SIGTERM', 'SIGKILL'] as const)(
    'is replaced, and nothing runs twice, when its client is away for longer than a heartbeat (%s)',
    async (signal) => {
      await start(...serverArgs(), ...quick);
      const client = await start(...clientArgs());
      await registerAll();
      await expectAllRunning();
      await end(client, signal);
      const lost = { 'service lost': 2, 'batch lost': 1, 'system lost': 1, 'periodic lost': 1 };
      // Each job is judged by an evaluation of its own, one after another.
      const isLost = (found: Readonly<Record<string, number>>): boolean =>
        Object.entries(lost).every(([name, count]) => found[name] === count);
      expect(await until(counts, isLost)).toMatchObject(lost);
      await start(...clientArgs());
      await expectAllRunning(lost);
      await finishBatch();
    },
  );

  it.each([
    ['is told to stop', 'SIGTERM', 0],
    ['is killed', 'SIGKILL', 0],
    ['is away for a while', 'SIGTERM', away],
  ] as const)('goes on, the same processes, when its server %s', async (_how, signal, silence) => {
    const server = await start(...serverArgs());
    await start(...clientArgs());
    await registerAll();
    await expectAllRunning();
    const before = { ids: await ids(), processes: taskProcesses() };
    await end(server, signal);
    await pause(silence);
    await start(...serverArgs());
    await until(
      () => call<{ Status: string }[]>('GET', '/v1/nodes'),
      ([node]) => node?.Status === 'ready',
    );
    await expectAllRunning();
    expect({ ids: await ids(), processes: taskProcesses() }).toEqual(before);
    await finishBatch();
  });
});
