import { constants, createReadStream, fstatSync, openSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { ClientCommand } from '@tamis/scheduler-command/command.js';
import { CommandError } from '@tamis/scheduler-command/command-error.js';
import { exitCodes } from '@tamis/scheduler-command/exit-codes.js';
import { runClient } from './local/run-client.js';
import type { Output } from '@tamis/scheduler-command/session.js';
import { secretFiles } from './settings-files.js';

/** Milliseconds after Ctrl-C in which a command can finish its output. */
const grace = 2_000;

/** Runs a command that calls an agent, in this process. Ctrl-C aborts its requests. @returns its exit code */
export async function runInProcess(command: ClientCommand, args: readonly string[]): Promise<number> {
  const interruption = new AbortController();
  const interrupt = (): void => {
    interruption.abort();
    // Anything that ignores the signal, such as a blocked terminal, is not awaited.
    setTimeout(() => process.exit(exitCodes.interrupted), grace).unref();
  };
  process.once('SIGINT', interrupt);
  process.once('SIGTERM', interrupt);
  return runClient(command, args, {
    env: process.env,
    out: outputTo(process.stdout),
    err: outputTo(process.stderr),
    fetch,
    now: Date.now,
    interrupted: interruption.signal,
    secretFiles,
    readFile: readWhole,
  });
}

function outputTo(stream: NodeJS.WriteStream): Output {
  // Writers get the error; without a listener, a closed pipe would end the process with a stack trace.
  stream.on('error', () => undefined);
  return {
    isTerminal: stream.isTTY,
    get columns() {
      return stream.columns > 0 ? stream.columns : 80;
    },
    write: (text) =>
      new Promise((resolve, reject) => {
        stream.write(text, (error) => (error ? reject(error) : resolve()));
      }),
  };
}

/** Maximum file size that a command sends, in bytes; above the limit of any server. Stops endless devices. */
const maxFile = 16 * 2 ** 20;

async function readWhole(path: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of path === '-' ? process.stdin : openFile(path)) {
    length += (chunk as Buffer).length;
    if (length > maxFile)
      throw new CommandError(`${path === '-' ? 'Standard input' : path} is longer than ${maxFile} bytes`);
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

/** Opens a file or a pipe without blocking a thread: a thread blocked on the writer of a pipe would not end on a signal. */
function openFile(path: string): Readable {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  if (!fstatSync(descriptor).isFIFO()) return createReadStream(path, { fd: descriptor });
  return new Socket({ fd: descriptor, readable: true, writable: false });
}
