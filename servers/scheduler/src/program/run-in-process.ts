import { constants, createReadStream, fstatSync, openSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { ClientCommand } from '@tamis/scheduler-command/command.js';
import { CommandError } from '@tamis/scheduler-command/command-error.js';
import { exitCodes } from '@tamis/scheduler-command/exit-codes.js';
import { runClient } from './local/run-client.js';
import type { Output } from '@tamis/scheduler-command/session.js';
import { secretFiles } from './settings-files.js';

/** Time for a command to finish its output after Ctrl-C, in ms. */
const grace = 2_000;

/** Runs a command that calls an agent, in this process. Ctrl-C aborts its requests. @returns the exit code */
export async function runInProcess(command: ClientCommand, args: readonly string[]): Promise<number> {
  const interruption = new AbortController();
  const interrupt = (): void => {
    interruption.abort();
    // Operations that ignore the signal, such as a blocked terminal, are not awaited.
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
  // Writers receive the error. Without a listener, a closed pipe would end the process with a stack trace.
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

/** Maximum size of a file that a command sends, in bytes, above every server's limit. Prevents endless reads from devices. */
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

/** Opens a file or a pipe. Waiting for the writer of a pipe blocks no thread: a blocked thread would outlive a signal. */
function openFile(path: string): Readable {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  if (!fstatSync(descriptor).isFIFO()) return createReadStream(path, { fd: descriptor });
  return new Socket({ fd: descriptor, readable: true, writable: false });
}
