import { spawn } from 'node:child_process';

/** A server as an operator starts it, in a process of its own that can be killed. */
export interface ServerProcess {
  /** Resolves with its addresses when it listens, and with null when it ended before. */
  readonly listening: Promise<readonly string[] | null>;
  readonly ended: Promise<number | null>;
  /** All that it wrote, to standard output and standard error. */
  output(): string;
  /** Resolves when it has written something that fits, from the start on. */
  wrote(pattern: RegExp): Promise<void>;
  signal(name: 'SIGHUP' | 'SIGTERM' | 'SIGUSR1' | 'SIGUSR2'): void;
  readonly pid: number;
  /** Ends it as the loss of power would: it can do nothing about it. */
  kill(): Promise<void>;
}

/** @param main the built server. @param environment its whole environment, except the path */
export function startServerProcess(
  main: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): ServerProcess {
  const child = spawn(process.execPath, [main, 'server', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], ...environment },
  });
  let output = '';
  const watchers = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (piece: string) => {
      output += piece;
      for (const watch of watchers) watch();
    });
  }
  const ended = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)));
  const wrote = (pattern: RegExp): Promise<void> =>
    new Promise((resolve) => {
      const watch = (): void => {
        if (!pattern.test(output)) return;
        watchers.delete(watch);
        resolve();
      };
      watchers.add(watch);
      watch();
    });
  // The line after the addresses: then all of them are there.
  const welcomed = wrote(/^Logins at .*\n/m).then(() =>
    [...output.matchAll(/^Listening on (\S+)$/gm)].map(([, address = '']) => address),
  );
  return {
    listening: Promise.race([welcomed, ended.then(() => null)]),
    ended,
    output: () => output,
    wrote,
    signal: (name) => void child.kill(name),
    pid: child.pid ?? 0,
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
