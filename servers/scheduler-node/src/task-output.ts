import { createWriteStream, type WriteStream } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import type { TaskLogs } from './driver.js';

/**
 * Stores the output of a task in files `<task>.<stream>.0`, `.1`, …. A full file is followed by the next and the oldest is
 * deleted, so that tasks cannot fill the disk. A restarted task continues in the last file. Without a directory nothing is
 * stored. Implemented here because rotating stream packages rename full files, and readers would lose their position.
 */
export function openTaskOutput(logs: TaskLogs, stream: 'stdout' | 'stderr'): Writable {
  const { directory, name, maxFiles, maxFileBytes } = logs;
  return directory === null
    ? new Writable({ write: (_chunk, _encoding, done) => done() })
    : openFiles(directory, `${name}.${stream}.`, { maxFiles, maxFileBytes });
}

function openFiles(
  directory: string,
  prefix: string,
  { maxFiles, maxFileBytes }: Pick<TaskLogs, 'maxFiles' | 'maxFileBytes'>,
): Writable {
  const pathOf = (number: number): string => join(directory, `${prefix}${number}`);
  let number = 0;
  let length = 0;
  let file: WriteStream | null = null;

  async function begin(): Promise<void> {
    const numbers = await numbersAfter(prefix, directory);
    number = numbers.at(-1) ?? 0;
    // An earlier start may have allowed more files.
    for (const old of numbers) if (old <= number - maxFiles) await rm(pathOf(old), { force: true });
    file = await openFile(pathOf(number));
    length = (await stat(pathOf(number))).size;
  }

  async function turnOver(full: WriteStream): Promise<void> {
    await closeFile(full);
    number += 1;
    length = 0;
    file = await openFile(pathOf(number));
    if (number >= maxFiles) await rm(pathOf(number - maxFiles), { force: true });
  }

  async function write(chunk: Buffer): Promise<void> {
    if (file === null) return;
    const current = file;
    length += chunk.length;
    await new Promise<void>((resolve, reject) => {
      current.write(chunk, (error) => (error ? reject(error) : resolve()));
    });
    if (length >= maxFileBytes) await turnOver(current);
  }

  return new Writable({
    construct: (done) => void begin().then(() => done(), done),
    write: (chunk: Buffer, _encoding, done) => void write(chunk).then(() => done(), done),
    final: (done) => void (file === null ? done() : closeFile(file).then(() => done(), done)),
  });
}

/** Returns the numbers of the files with this prefix, ascending. */
async function numbersAfter(prefix: string, directory: string): Promise<number[]> {
  const names = (await readdir(directory)).filter((name) => name.startsWith(prefix));
  const ends = names.map((name) => name.slice(prefix.length)).filter((end) => /^\d{1,15}$/.test(end));
  return ends.map(Number).sort((a, b) => a - b);
}

/** Resolves once the file is open. */
function openFile(path: string): Promise<WriteStream> {
  return new Promise((resolve, reject) => {
    const file = createWriteStream(path, { flags: 'a', mode: 0o600 });
    file.once('open', () => resolve(file));
    // Later errors are reported to the writer.
    file.on('error', reject);
  });
}

function closeFile(file: WriteStream): Promise<void> {
  return new Promise((resolve) => file.end(() => resolve()));
}
