import { open, type FileHandle } from 'node:fs/promises';
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
 */
export async function openAuditFile(path: string): Promise<AuditSink> {
  let file: FileHandle = await open(path, 'a', mode);
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
      const fresh = await open(path, 'a', mode);
      const old = file;
      file = fresh;
      // A write under way goes to the old file to its end.
      await writing;
      await old.close();
    },
    async close() {
      await writing;
      await file.close();
    },
  };
}
