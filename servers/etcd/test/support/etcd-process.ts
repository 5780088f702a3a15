import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readdirSync } from 'node:fs';

/** Why there is no etcd to test against; absent when there is one. */
export const etcdMissing: string | undefined =
  missing('etcd', 'etcd-server') ?? missing('etcdctl', 'etcd-client');

function missing(command: string, debianPackage: string): string | undefined {
  const { error } = spawnSync(command, ['--version'], { stdio: 'ignore' });
  return error === undefined ? undefined : `${command} is not installed (Debian package ${debianPackage})`;
}

/** A process of etcd that can be killed, frozen and started again on what it has stored. */
export interface EtcdProcess {
  start(): Promise<void>;
  /** SIGKILL, and waits for the end. */
  kill(): Promise<void>;
  /** SIGSTOP: its connections stay open and nothing responds, from the return on. */
  freeze(): void;
  thaw(): void;
  /** What it has printed, for the message of a test that fails. */
  log(): string;
}

export function createEtcdProcess(args: readonly string[]): EtcdProcess {
  let child: ChildProcess | undefined;
  let printed = '';

  function begin(): ChildProcess {
    const started = spawn('etcd', args, { stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [started.stdout, started.stderr])
      stream.on('data', (text: Buffer) => (printed = (printed + text.toString()).slice(-20_000)));
    return started;
  }

  return {
    async start() {
      child = begin();
      await once(child, 'spawn');
    },
    async kill() {
      const ending = child;
      child = undefined;
      if (ending === undefined || ending.exitCode !== null || ending.signalCode !== null) return;
      const ended = once(ending, 'exit');
      ending.kill('SIGKILL');
      await ended;
    },
    freeze() {
      if (child?.pid === undefined || process.platform !== 'linux') return void child?.kill('SIGSTOP');
      child.kill('SIGSTOP');
      while (!isStopped(child.pid)) continue;
    },
    thaw: () => void child?.kill('SIGCONT'),
    log: () => printed,
  };
}

/** Whether none of its threads runs: each of them stops by itself, when it next leaves or enters the kernel. Linux alone. */
function isStopped(pid: number): boolean {
  const threads = `/proc/${String(pid)}/task`;
  return readdirSync(threads).every((thread) => {
    try {
      const status = readFileSync(`${threads}/${thread}/stat`, 'utf8');
      return /^[TtZX]$/.test(status.charAt(status.lastIndexOf(')') + 2));
    } catch {
      return true;
    }
  });
}
