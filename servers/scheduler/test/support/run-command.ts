import { readFile } from 'node:fs/promises';
import { commandTable } from '../../src/program/local/command-table.js';
import { findCommand } from '@tamis/scheduler-command/find-command.js';
import { runClient } from '../../src/program/local/run-client.js';
import type { Output } from '@tamis/scheduler-command/session.js';
import { secretFiles } from '../../src/program/settings-files.js';

/** What a command said, and how it ended. */
export interface CommandResult {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface CommandOptions {
  /** Base URL of the agent; an unused one if omitted. */
  readonly origin?: string;
  /** Columns of a terminal; a pipe when left out. */
  readonly columns?: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Called with every chunk of output. */
  readonly onText?: (text: string) => void;
}

/** Runs a command that calls an agent, in this process and over real sockets. */
export async function runCommand(
  args: readonly string[],
  { origin = 'http://127.0.0.1:1', columns, env = {}, files = {}, signal, onText }: CommandOptions = {},
): Promise<CommandResult> {
  const said = { out: '', err: '' };
  const output = (name: keyof typeof said): Output => ({
    isTerminal: columns !== undefined,
    columns: columns ?? 80,
    write(text) {
      const written = typeof text === 'string' ? text : Buffer.from(text).toString('utf8');
      said[name] += written;
      onText?.(written);
      return Promise.resolve();
    },
  });
  const requests = findCommand(commandTable, args);
  if (requests.kind !== 'run' || requests.command.kind === 'local')
    throw new Error(`${args.join(' ')} asks no agent`);
  const code = await runClient(requests.command, requests.args, {
    env: { SCHEDULER_ADDR: origin, ...env },
    out: output('out'),
    err: output('err'),
    fetch,
    now: Date.now,
    interrupted: signal ?? new AbortController().signal,
    secretFiles,
    async readFile(path) {
      const text = files[path];
      return text === undefined ? readFile(path) : Buffer.from(text);
    },
  });
  return { code, ...said };
}
