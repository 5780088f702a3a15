import { open, statfs, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { refuseOpenFile } from '../storage/file-mode.js';
import type { AuditSink } from './audit-log.js';

interface Waiting {
  readonly lines: string;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

/** Owner alone: the hashes in it tell who does what. */
const mode = 0o600;

/**
 * Appends to a file. Lines that arrive during a write go out together in the next one, so that the log costs a
 * system call for many requests under load and one each without.
 *
 * @throws SecretsError `bad-request` for a file that others than its owner could read or change
 */
export async function openAuditFile(path: string): Promise<AuditSink> {
  const openFile = async (): Promise<FileHandle> => {
    await refuseOpenFile(path);
    return open(path, 'a', mode);
  };
  let file = await openFile();
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

  return {
    write(lines) {
      return new Promise((done, failed) => {
        waiting.push({ lines, done, failed });
        writing ??= drain();
      });
    },
    async reopen() {
      const fresh = await openFile();
      const old = file;
      file = fresh;
      // A write under way goes to the old file to its end.
      await writing;
      await old.close();
    },
    async space() {
      const { bavail, blocks, bsize } = await statfs(dirname(path));
      return { free: bavail * bsize, total: blocks * bsize };
    },
    async close() {
      await writing;
      await file.close();
    },
  };
}
