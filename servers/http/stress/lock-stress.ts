import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** A server whose directory two processes want. */
export interface LockedServer {
  readonly name: string;
  /** Of node. */
  readonly commandLine: readonly string[];
  readonly directory: string;
  /** Its output when it listens, with its address. */
  readonly ready: RegExp;
  /** Writes under a key; resolves with whether that was acknowledged, rejects when the connection ends. */
  readonly write: (address: string, key: string, signal: AbortSignal) => Promise<boolean>;
}

/**
 * Which processes get a PID namespace of their own, with a /proc of its own, as in a container: none, those that come
 * second, or all. In two of their own both have the number 1.
 */
export const namespaces = ['one', 'one and another', 'two of their own'] as const;
export type Namespaces = (typeof namespaces)[number];

export interface LockOptions {
  readonly server: LockedServer;
  readonly namespaces: Namespaces;
  /** Minimum time that the lock holder is suspended, in ms. */
  readonly stopped: number;
}

/** The result of a case: what each process did. */
export interface LockCase {
  readonly server: string;
  readonly namespaces: Namespaces;
  readonly event: string;
  readonly first: string;
  readonly second: string;
  /** Whether it is as it must be. */
  readonly isRight: boolean;
}

const inNamespace = ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child'];

/** Why processes cannot be isolated here; null if they can. */
export function namespacesMissing(): string | null {
  const [command = '', ...args] = inNamespace;
  const { error, stderr, status } = spawnSync(command, [...args, 'true'], { encoding: 'utf8' });
  return status === 0 ? null : `no PID namespaces here: ${error?.message ?? stderr.trim()}`;
}

interface Contender {
  /** Its address when it listens; null when it ended before. */
  readonly listening: Promise<string | null>;
  readonly ended: Promise<void>;
  output(): string;
  signal(name: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): void;
}

function start({ commandLine, ready }: LockedServer, apart: boolean): Contender {
  const [command = '', ...args] = [...(apart ? inNamespace : []), process.execPath, ...commandLine];
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'] ?? '' },
  });
  let output = '';
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const ready_ = new Promise<string>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (piece: string) => {
        output += piece;
        const [, address] = ready.exec(output) ?? [];
        if (address !== undefined) resolve(address);
      });
    }
  });
  return {
    listening: Promise.race([ready_, ended.then(() => null)]),
    ended,
    output: () => output,
    signal: (name) => void process.kill(apart ? childOf(child) : (child.pid ?? 0), name),
  };
}

/** The process in the namespace, as it is numbered outside. */
function childOf({ pid }: ChildProcess): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim());
}

/** Timeout for the response of a running process, in ms. */
const timeoutMs = 20_000;

/** Starts two processes with one directory, in every possible case, and reports which one serves. */
export async function proveLock({ server, namespaces, stopped }: LockOptions): Promise<readonly LockCase[]> {
  const cases: LockCase[] = [];
  const running = new Set<Contender>();
  let writes = 0;

  function open(comes: 'first' | 'second'): Contender {
    const isApart = comes === 'first' ? namespaces === 'two of their own' : namespaces !== 'one';
    const contender = start(server, isApart);
    running.add(contender);
    void contender.ended.then(() => running.delete(contender));
    return contender;
  }

  async function write(address: string): Promise<string> {
    writes += 1;
    try {
      const isDone = await server.write(address, `key-${writes}`, AbortSignal.timeout(stopped + timeoutMs));
      return isDone ? 'serves' : 'returns an error';
    } catch {
      return 'does not respond';
    }
  }

  async function outcomeOf(contender: Contender): Promise<string> {
    const address = await contender.listening;
    if (address !== null) return write(address);
    return /is in use by /.test(contender.output()) ? 'is refused' : `fails: ${contender.output()}`;
  }

  const note = (event: string, first: string, second: string, isRight: boolean): void =>
    void cases.push({ server: server.name, namespaces, event, first, second, isRight });

  async function kill(contender: Contender): Promise<void> {
    contender.signal('SIGKILL');
    await contender.ended;
  }

  try {
    const first = open('first');
    const address = (await first.listening) ?? '';
    const [second, still] = [await outcomeOf(open('second')), await write(address)];
    note('both start', still, second, still === 'serves' && second === 'is refused');

    first.signal('SIGSTOP');
    const waiting = write(address);
    const refusals = [await outcomeOf(open('second'))];
    await pause(stopped);
    refusals.push(await outcomeOf(open('second')));
    first.signal('SIGCONT');
    const [result, later] = [await waiting, await outcomeOf(open('second'))];
    const isLocked = [...refusals, later].every((each) => each === 'is refused');
    const refused = isLocked ? 'is refused before, during and after' : refusals.join(', ');
    note(`SIGSTOP for ${stopped / 1000} s, SIGCONT`, result, refused, result === 'serves' && isLocked);

    await kill(first);
    const third = open('first');
    const took = await outcomeOf(third);
    note('kill -9', 'is gone', took, took === 'serves');

    const cached = (await third.listening) ?? '';
    third.signal('SIGSTOP');
    const late = write(cached);
    // What a hurried operator may do.
    for (const file of readdirSync(server.directory)) {
      if (/\.lock\.\d/.test(file)) rmSync(join(server.directory, file));
    }
    const fourth = open('second');
    const tookOver = await outcomeOf(fourth);
    third.signal('SIGCONT');
    const lateResponse = await late;
    await third.ended;
    const its = await fourth.listening;
    const after = its === null ? tookOver : await write(its);
    note(
      'SIGSTOP, its lock removed by hand, SIGCONT',
      `${lateResponse}, ends`,
      tookOver === after ? after : `${tookOver}, then ${after}`,
      lateResponse !== 'serves' && after === tookOver && /^(serves|is refused)$/.test(after),
    );
    return cases;
  } finally {
    for (const contender of running) await kill(contender);
  }
}
