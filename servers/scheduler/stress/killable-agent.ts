import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Agent } from 'node:http';
import { request } from 'node:http';

/** An agent as an operator starts it, in a process that can be killed. */
export interface KillableAgent {
  /** Resolves with its address when it listens, and with null when it ended before. */
  readonly listening: Promise<string | null>;
  /** What it wrote to standard error. */
  errors(): string;
  /** Ends it as the loss of power would: it can do nothing about it. */
  kill(): Promise<void>;
  /** Asks it to end, and waits until it has. */
  stop(): Promise<void>;
}

const ports = ['--port', '0', '--rpc-port', '0', '--serf-port', '0'];

/**
 * @param main the built agent.
 * @param flags where it keeps the state, such as `['--data-dir', dir]`.
 */
export function startKillableAgent(main: string, flags: readonly string[]): KillableAgent {
  const child = spawn(process.execPath, [main, 'agent', ...flags, '--log-level', 'error', ...ports], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (piece) => (errors += String(piece)));
  const ended = once(child, 'exit');
  return {
    listening: Promise.race([readAddress(child), ended.then(() => null)]),
    errors: () => errors,
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

function readAddress({ stdout }: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    stdout?.on('data', (piece) => {
      text += String(piece);
      const [, address] = /^Listening on (\S+),/m.exec(text) ?? [];
      if (address !== undefined) resolve(address);
    });
  });
}

export interface JobAnswer {
  readonly status: number;
  readonly index: number;
  readonly body: unknown;
}

/** Asks an agent; rejects when it is gone before it has answered. */
export function askAgent(
  agent: Agent,
  address: string,
  method: string,
  path: string,
  body?: object,
): Promise<JobAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request(`${address}${path}`, { agent, method }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      answer.on('error', reject);
      answer.on('end', () => {
        const index = Number(answer.headers['x-scheduler-index']);
        const isJson = answer.headers['content-type'] === 'application/json';
        resolve({
          status: answer.statusCode ?? 0,
          index,
          body: isJson ? (JSON.parse(text) as unknown) : text,
        });
      });
    });
    sent.on('error', reject);
    sent.end(body === undefined ? '' : JSON.stringify(body));
  });
}
