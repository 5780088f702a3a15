import { createWriteStream, type WriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import type { TaskLogs } from './driver.js';

/**
 * Keeps the output of a task in files `<task>.<stream>.0`, `.1`, …: a full file is followed by the next, and the oldest
 * goes, so that no task fills the disk. Without a directory nothing is kept.
 */
export function openTaskOutput(
  { directory, name, maxFiles, maxFileBytes }: TaskLogs,
  stream: 'stdout' | 'stderr',
): Writable {
  if (directory === null) return new Writable({ write: (_chunk, _encoding, done) => done() });
  const pathOf = (number: number): string => join(directory, `${name}.${stream}.${number}`);
  let number = 0;
  let length = 0;
  let file = openFile(pathOf(number));

  async function turnOver(): Promise<void> {
    await closeFile(file);
    number += 1;
    length = 0;
    file = openFile(pathOf(number));
    if (number >= maxFiles) await rm(pathOf(number - maxFiles), { force: true });
  }

  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      length += chunk.length;
      file.write(chunk, (error) => {
        if ((error !== null && error !== undefined) || length < maxFileBytes) done(error);
        else turnOver().then(() => done(), done);
      });
    },
    final(done) {
      closeFile(file).then(() => done(), done);
    },
  });
}

function openFile(path: string): WriteStream {
  const file = createWriteStream(path, { mode: 0o600 });
  // What goes wrong is told to whoever writes.
  file.on('error', () => undefined);
  return file;
}

function closeFile(file: WriteStream): Promise<void> {
  return new Promise((resolve) => file.end(() => resolve()));
}
