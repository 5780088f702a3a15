import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Agent } from 'node:http';
import { request } from 'node:http';

/** An agent as an operator starts it, in a process that can be killed. */
export interface KillableAgent {
  /** Resolves with its address when it listens, and with null when it ended before. */
  readonly listening: Promise<string | null>;
  /** Undefined if it could not be started. */
  readonly pid: number | undefined;
  /** Its standard error output. */
  errors(): string;
  /** Ends it as the loss of power would: it can do nothing about it. */
  kill(): Promise<void>;
  /** Stops it, and waits until it has ended. */
  stop(): Promise<void>;
  /** Suspends it: its connections stay open without responses. */
  freeze(): void;
  thaw(): void;
}

export interface KillableAgentOptions {
  /** Ports to listen on; default: free ones. */
  readonly ports?: { readonly http: number; readonly rpc: number };
  /** Flags of node itself. */
  readonly nodeFlags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * @param main the built agent.
 * @param flags its storage location, such as `['--data-dir', dir]`.
 */
export function startKillableAgent(
  main: string,
  flags: readonly string[],
  { ports = { http: 0, rpc: 0 }, nodeFlags = [], env = {} }: KillableAgentOptions = {},
): KillableAgent {
  const portFlags = ['--port', `${ports.http}`, '--rpc-port', `${ports.rpc}`, '--serf-port', '0'];
  const child = spawn(
    process.execPath,
    [...nodeFlags, main, 'agent', ...flags, '--log-level', 'error', ...portFlags],
    { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } },
  );
  let errors = '';
  child.stderr.on('data', (piece) => (errors += String(piece)));
  const ended = once(child, 'exit');
  return {
    listening: Promise.race([readAddress(child), ended.then(() => null)]),
    pid: child.pid,
    errors: () => errors,
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
  };
}

function readAddress({ stdout }: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    stdout?.on('data', (piece) => {
      text += String(piece);
      const [, address] = /^Listening on ([^\s,]+)[, ]/m.exec(text) ?? [];
      if (address !== undefined) resolve(address);
    });
  });
}

export interface JobResponse {
  readonly status: number;
  readonly index: number;
  readonly body: unknown;
}

/** Sends a request to an agent; rejects if it ends before the response. */
export function callAgent(
  agent: Agent,
  address: string,
  method: string,
  path: string,
  body?: object,
): Promise<JobResponse> {
  return new Promise((resolve, reject) => {
    const sent = request(`${address}${path}`, { agent, method }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      response.on('error', reject);
      response.on('end', () => {
        const index = Number(response.headers['x-scheduler-index']);
        const isJson = response.headers['content-type'] === 'application/json';
        resolve({
          status: response.statusCode ?? 0,
          index,
          body: isJson ? (JSON.parse(text) as unknown) : text,
        });
      });
    });
    sent.on('error', reject);
    sent.end(body === undefined ? '' : JSON.stringify(body));
  });
}
