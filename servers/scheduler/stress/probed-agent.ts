import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ProbeCall, ProbeReport } from './loop-probe.js';

/** An agent as an operator starts it, watched from inside. */
export interface ProbedAgent {
  readonly origin: string;
  /** Begins to watch its event loop. */
  observe(): Promise<void>;
  report(): Promise<ProbeReport>;
  /** Its standard error output. */
  log(): string;
  close(): Promise<void>;
}

const probe = fileURLToPath(new URL('loop-probe.ts', import.meta.url));
/** Characters of the log that are kept. */
const savedLog = 1_000_000;

/** @param main the built agent. */
export async function startProbedAgent(main: string, flags: readonly string[]): Promise<ProbedAgent> {
  const ports = ['--port', '0', '--rpc-port', '0', '--serf-port', '0'];
  const child = fork(main, ['agent', ...flags, ...ports], {
    execArgv: ['--import', 'tsx', '--import', probe],
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    silent: true,
  });
  let log = '';
  child.stderr?.on('data', (piece) => (log = `${log}${String(piece)}`.slice(-savedLog)));
  const open = new Map<number, (result: unknown) => void>();
  child.on('message', ({ id, result }: { readonly id: number; readonly result?: unknown }) => {
    open.get(id)?.(result);
    open.delete(id);
  });
  const ended = once(child, 'exit');
  let calls = 0;
  function call(method: ProbeCall['method']): Promise<unknown> {
    calls += 1;
    const id = calls;
    const response = new Promise<unknown>((resolve) => open.set(id, resolve));
    child.send({ id, method } satisfies ProbeCall);
    const lost = ended.then(() => Promise.reject(new Error(`The agent has ended: ${log.slice(-2_000)}`)));
    return Promise.race([response, lost]);
  }
  let text = '';
  const origin = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', (piece) => {
      text = `${text}${String(piece)}`.slice(-savedLog);
      const [, address] = /^Listening on (\S+),/m.exec(text) ?? [];
      if (address !== undefined) resolve(address);
    });
    void ended.then(() => reject(new Error(`The agent has not started: ${log}`)));
  });
  return {
    origin,
    observe: () => call('observe') as Promise<void>,
    report: () => call('report') as Promise<ProbeReport>,
    log: () => log,
    async close() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
