import { createReadStream } from 'node:fs';
import type { ClientCommand } from '../commands/command.js';
import { CommandError } from '../commands/command-error.js';
import { runClient } from '../commands/run-client.js';
import type { Output } from '../commands/session.js';
import { secretFiles } from './settings-files.js';

/** Runs a command that asks an agent, in this process. Ctrl-C ends what it waits for. @returns its exit code */
export async function runInProcess(command: ClientCommand, args: readonly string[]): Promise<number> {
  const interruption = new AbortController();
  process.once('SIGINT', () => interruption.abort());
  process.once('SIGTERM', () => interruption.abort());
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
  // Who writes is told; without a listener a reader who has seen enough would end the process with a stack trace.
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

/** Largest file that a command sends, in bytes: more than any server takes. Stops devices, which never end. */
const maxFile = 16 * 2 ** 20;

async function readWhole(path: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of path === '-' ? process.stdin : createReadStream(path)) {
    length += (chunk as Buffer).length;
    if (length > maxFile)
      throw new CommandError(`${path === '-' ? 'Standard input' : path} is longer than ${maxFile} bytes`);
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}
