import { lstat, readdir, type FileHandle } from 'node:fs/promises';
import { SchedulerError } from '@tamis/scheduler-model/base/errors.js';
import { fileName } from './allocation-directory.js';
import type { OutputStream } from './file-params.js';
import { childOf, namesOfPath, openBelow, openInside, openToRead, pathOf } from './open-inside.js';

/** A file of a sequence, with its number and current size. */
export interface NumberedFile {
  readonly number: number;
  /** Size in bytes. */
  readonly size: number;
}

/** Files read as one in order of their numbers: the rotated files of a log, or a single file. */
export interface FileSequence {
  /** Returns the existing files, ascending. */
  list(): Promise<readonly NumberedFile[]>;
  /** Opens a file for reading; null if it no longer exists. @throws SchedulerError if it is not a regular file */
  open(number: number): Promise<FileHandle | null>;
  /** Returns the path of a file in the directory of the allocation. */
  pathOf(number: number): string;
  close(): Promise<void>;
}

/** Directory of all task output, relative to the allocation's. */
const logDirectory = ['alloc', 'logs'] as const;

/**
 * Opens the stored output of a task. The directory stays open, so that it cannot be replaced.
 *
 * @throws SchedulerError `not-found` if the allocation has none
 */
export async function openLogFiles(root: string, task: string, stream: OutputStream): Promise<FileSequence> {
  const prefix = `${fileName(task)}.${stream}.`;
  const directory = await openInside(root, logDirectory);
  const nameOf = (number: number): string => `${prefix}${number}`;
  const path = (number: number): string => [...logDirectory, nameOf(number)].join('/');
  return {
    pathOf: path,
    async list() {
      const names = (await readdir(pathOf(directory))).filter((name) => name.startsWith(prefix));
      const numbers = names.map((name) => name.slice(prefix.length)).filter((end) => /^\d{1,15}$/.test(end));
      const files = await Promise.all(
        numbers.map(async (text) => ({
          number: Number(text),
          size: await sizeOf(directory, nameOf(Number(text))),
        })),
      );
      return files.flatMap(({ number, size }) => (size === null ? [] : [{ number, size }])).sort(byNumber);
    },
    open: (number) =>
      ifThere(openBelow(directory, [nameOf(number)]).then((found) => openToRead(found, path(number)))),
    close: () => directory.close(),
  };
}

/** Opens one file as a sequence. @throws SchedulerError if it cannot be read */
export async function openOneFile(root: string, path: string): Promise<FileSequence> {
  const names = namesOfPath(path);
  // A permission error is reported before anything else.
  const first = await openToRead(await openInside(root, names), path);
  const { size } = await first.stat();
  let opened: FileHandle | null = first;
  return {
    pathOf: () => names.join('/'),
    list: async () => [{ number: 0, size }],
    // A file that is created later under the same name is a different one.
    async open() {
      const handle = opened;
      opened = null;
      return handle;
    },
    async close() {
      await opened?.close();
    },
  };
}

async function ifThere(opening: Promise<FileHandle>): Promise<FileHandle | null> {
  try {
    return await opening;
  } catch (error) {
    if (error instanceof SchedulerError && error.code === 'not-found') return null;
    throw error;
  }
}

/** Returns the size of a regular file in bytes; null for anything else. */
async function sizeOf(directory: FileHandle, name: string): Promise<number | null> {
  const stats = await lstat(childOf(directory, name)).catch(() => null);
  return stats?.isFile() === true ? stats.size : null;
}

function byNumber(a: NumberedFile, b: NumberedFile): number {
  return a.number - b.number;
}
