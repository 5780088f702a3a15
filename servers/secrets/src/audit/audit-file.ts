import { constants } from 'node:fs';
import { open, statfs, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { SecretsError } from '../base/errors.js';
import { refuseOpenFile } from '../storage/file-mode.js';
import type { AuditSink } from './audit-log.js';

interface Waiting {
  readonly lines: string;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

/** Owner alone: its hashes reveal the activity of callers. */
const mode = 0o600;

/**
 * Appends to a file; the operator rotates it, and then requests that it is reopened. Implemented directly: the streams of loggers
 * do not report whether a line was written. Lines that arrive during a write go out together in the next one, so that the log
 * costs a system call for many requests under load and one each without.
 *
 * @throws SecretsError `bad-request` for a file that others than its owner could read or change
 */
export async function openAuditFile(path: string): Promise<AuditSink> {
  let file = await openFile(path);
  let waiting: Waiting[] = [];
  let writing: Promise<void> | null = null;
  /** True when a line may have been cut short: the next begins on a line of its own. */
  let isTorn = false;

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      const text = (isTorn ? '\n' : '') + batch.map(({ lines }) => lines).join('');
      try {
        await replaceRemoved();
        await file.appendFile(text);
        isTorn = false;
        for (const { done } of batch) done();
      } catch (error) {
        isTorn = true;
        for (const { failed } of batch) failed(error);
      }
    }
    writing = null;
  }

  /** A file that was unlinked keeps nothing, though it can be written. One that was moved away does. */
  async function replaceRemoved(): Promise<void> {
    const removed = file;
    if ((await removed.stat()).nlink > 0) return;
    const fresh = await openFile(path);
    // It may have been reopened meanwhile.
    const unwanted = file === removed ? removed : fresh;
    if (file === removed) file = fresh;
    await unwanted.close();
  }

  return {
    write(lines) {
      return new Promise((done, failed) => {
        waiting.push({ lines, done, failed });
        writing ??= drain();
      });
    },
    async reopen() {
      const fresh = await openFile(path);
      const old = file;
      file = fresh;
      // A write under way goes to the old file to its end.
      await writing;
      await old.close();
    },
    async space() {
      const found = await statfs(dirname(path)).catch(() => null);
      // A folder that was moved away takes the log with it: its writes show whether that can be written.
      if (found === null) return null;
      const { bavail, blocks, bsize } = found;
      // A system without blocks, such as that of open files, is no disk.
      return blocks === 0 ? null : { free: bavail * bsize, total: blocks * bsize };
    },
    async close() {
      await writing;
      await file.close();
    },
  };
}

/** Opening a pipe would wait for a reader, possibly for ever: that is checked first. */
async function openFile(path: string): Promise<FileHandle> {
  await refuseOpenFile(path);
  const { O_APPEND, O_CREAT, O_NONBLOCK, O_WRONLY } = constants;
  const file = await open(path, O_APPEND | O_CREAT | O_NONBLOCK | O_WRONLY, mode).catch(explainPipe);
  if (!(await file.stat()).isFIFO()) return file;
  // The writer must wait for the reader. This one stays open until then, or the reader would see the end.
  const waiting = await open(path, 'a', mode);
  await file.close();
  return waiting;
}

function explainPipe(error: NodeJS.ErrnoException): never {
  if (error.code !== 'ENXIO') throw error;
  throw new SecretsError(
    'bad-request',
    `the audit log ${error.path ?? ''} has no reader: start the reader of the pipe first (a socket is not supported)`,
  );
}
