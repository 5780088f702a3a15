import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

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
  /** SIGSTOP: its connections stay open and nothing answers. */
  freeze(): void;
  thaw(): void;
  /** What it has printed, for the message of a test that fails. */
  log(): string;
}

export function createEtcdProcess(args: readonly string[]): EtcdProcess {
  let child: ChildProcess | undefined;
  let printed = '';

  function begin(): ChildProcess {
    const begun = spawn('etcd', args, { stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [begun.stdout, begun.stderr])
      stream.on('data', (text: Buffer) => (printed = (printed + text.toString()).slice(-20_000)));
    return begun;
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
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
    log: () => printed,
  };
}
