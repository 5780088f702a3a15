import { constants } from 'node:fs';
import { open, statfs, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { badRequest } from '../base/errors.js';
import { refuseOpenFile } from '../storage/file-mode.js';
import type { AuditSink } from './audit-log.js';

interface Waiting {
  readonly lines: string;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

/** File mode: only the owner. The file reveals the activity of callers, even though values are hashed. */
const mode = 0o600;

/**
 * Opens a file for appending. The operator rotates it and then requests that it is reopened. Implemented directly, because
 * streams of loggers do not report whether a line was written. Lines that arrive during a write are written together, so that
 * many requests under load share one system call.
 *
 * @throws SecretsError `bad-request` if other users can read or change the file
 */
export async function openAuditFile(path: string): Promise<AuditSink> {
  let file = await openFile(path);
  let waiting: Waiting[] = [];
  let writing: Promise<void> | null = null;
  /** Whether the last line may be incomplete. If so, the next one begins with a line break. */
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

  /**
   * Opens the file again if it was deleted, because lines in a deleted file are lost. A file that was moved away stays in use.
   */
  async function replaceRemoved(): Promise<void> {
    const removed = file;
    if ((await removed.stat()).nlink > 0) return;
    const fresh = await openFile(path);
    // Another task may have reopened the file meanwhile.
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
      // A pending write completes in the old file.
      await writing;
      await old.close();
    },
    async space() {
      const found = await statfs(dirname(path)).catch(() => null);
      // If the directory was moved, the log was moved with it. Writes show whether it is writable.
      if (found === null) return null;
      const { bavail, blocks, bsize } = found;
      // A file system without blocks, such as `/dev`, has no disk.
      return blocks === 0 ? null : { free: bavail * bsize, total: blocks * bsize };
    },
    async close() {
      await writing;
      await file.close();
    },
  };
}

/** Opens the file for appending. Opening a pipe could wait forever for a reader, so pipes are handled first. */
async function openFile(path: string): Promise<FileHandle> {
  await refuseOpenFile(path);
  const { O_APPEND, O_CREAT, O_NONBLOCK, O_WRONLY } = constants;
  const file = await open(path, O_APPEND | O_CREAT | O_NONBLOCK | O_WRONLY, mode).catch(explainPipe);
  if (!(await file.stat()).isFIFO()) return file;
  // Stays open until the writer has opened the pipe. Otherwise the reader would see the end of the pipe.
  const waiting = await open(path, 'a', mode);
  await file.close();
  return waiting;
}

function explainPipe(error: NodeJS.ErrnoException): never {
  if (error.code !== 'ENXIO') throw error;
  throw badRequest(
    `the audit log ${error.path ?? ''} has no reader: start the reader of the pipe first (a socket is not supported)`,
  );
}
