import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { platform } from 'node:process';
import { badRequest, notFound, SchedulerError } from '@tamis/scheduler-model/base/errors.js';
import { clip, quote } from '@tamis/scheduler-model/quote.js';
import { pidFileSuffix } from './pid-file.js';

/** O_PATH of open(2) on Linux: opens a path without reading it. Node.js has no constant for it. */
const pathOnly = 0o10000000;
const { O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;

/** Maximum length of a path in characters, and maximum number of names in it. Prevents paths that are slow to resolve. */
const maxPathLength = 4_096;
const maxNames = 64;

/**
 * Splits a path in the directory of an allocation, whose root is `/` or empty.
 *
 * @throws SchedulerError `bad-request` for an invalid path or one that leads outside; `file-refused` for the secrets of a
 * task.
 */
export function namesOfPath(path: string): readonly string[] {
  if (path.length > maxPathLength) throw badPath(path, `is longer than ${maxPathLength} characters`);
  if (path.includes('\0')) throw badPath(path, 'has a zero byte');
  const names = path.split('/').filter((name) => name !== '' && name !== '.');
  if (names.length > maxNames) throw badPath(path, `has more than ${maxNames} names`);
  if (names.includes('..')) throw badPath(path, 'has "..": Path escapes the alloc directory');
  if (names.some((name) => Buffer.byteLength(name) > 255))
    throw badPath(path, 'has a name of more than 255 bytes');
  if (isOfAgent(names)) throw notFound(`There is no file ${clip(path)}`);
  // Next to `alloc` are the directories of tasks, each with its own secrets.
  if (names[0] !== 'alloc' && names[1] === 'secrets') {
    throw new SchedulerError('file-refused', `Reading secret file prohibited: ${clip(path)}`);
  }
  return names;
}

/** Whether a path is an internal file of the agent next to the task directories, whose names never contain a plus. */
export function isOfAgent([first = '', ...more]: readonly string[]): boolean {
  return more.length === 0 && first.endsWith(pidFileSuffix);
}

function badPath(path: string, problem: string): SchedulerError {
  return badRequest(`The path ${quote(path)} ${problem}`);
}

/**
 * Opens a path below a directory without reading it. Each name is looked up in the directory opened before, and links are not
 * followed. Nothing outside can be reached, whatever a task renames meanwhile. The result may be any type of file, including a
 * link.
 *
 * @throws SchedulerError `not-found`, `file-refused`, `bad-request`
 */
export async function openInside(root: string, names: readonly string[]): Promise<FileHandle> {
  requireLinux();
  const directory = await openAt(root, O_DIRECTORY, names);
  if (names.length === 0) return directory;
  try {
    return await openBelow(directory, names);
  } finally {
    await directory.close();
  }
}

/** Opens a path below an open directory, which stays open. */
export async function openBelow(directory: FileHandle, names: readonly string[]): Promise<FileHandle> {
  const last = names.length - 1;
  let at = directory;
  for (const [index, name] of names.entries()) {
    const parent = at;
    try {
      at = await openAt(childOf(parent, name), index === last ? 0 : O_DIRECTORY, names);
    } finally {
      if (parent !== directory) await parent.close();
    }
  }
  return at;
}

async function openAt(path: string, flags: number, names: readonly string[]): Promise<FileHandle> {
  try {
    return await open(path, pathOnly | O_NOFOLLOW | flags);
  } catch (error) {
    throw explain(error, names.join('/'));
  }
}

/**
 * Opens a regular file found by {@link openInside} for reading, and closes the given handle. @throws SchedulerError like
 * `openInside`
 */
export async function openToRead(found: FileHandle, path: string): Promise<FileHandle> {
  try {
    return await reopen(found, path);
  } finally {
    await found.close();
  }
}

async function reopen(found: FileHandle, path: string): Promise<FileHandle> {
  const stats = await found.stat();
  if (stats.isDirectory()) throw badRequest(`file ${quote(path)} is a directory`);
  if (stats.isSymbolicLink()) throw isLink(path);
  // A pipe would wait for a writer, and reading a device may have any effect.
  if (!stats.isFile()) throw badRequest(`file ${quote(path)} is no regular file`);
  // A hard link may refer to any file on the disk, and root may have created it.
  if (stats.nlink > 1) throw isHardLink(path);
  try {
    return await open(pathOf(found), O_RDONLY | O_NONBLOCK);
  } catch (error) {
    throw explain(error, path);
  }
}

/** Returns the kernel's path of an open file, which works even after the file is renamed. */
export function pathOf({ fd }: FileHandle): string {
  return `/proc/self/fd/${fd}`;
}

/** Returns the path of a name in an open directory. */
export function childOf(directory: FileHandle, name: string): string {
  return `${pathOf(directory)}/${name}`;
}

function isLink(path: string): SchedulerError {
  return new SchedulerError('file-refused', `${quote(path)} is a link, and links are not followed`);
}

function isHardLink(path: string): SchedulerError {
  const text = `${quote(path)} is a file with another name (a hard link), and links are not followed`;
  return new SchedulerError('file-refused', text);
}

/** Returns the error without the local path. */
export function explain(error: unknown, path: string): Error {
  const { code = '' } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'ENOENT':
      return notFound(`There is no file ${quote(path)} in this allocation`);
    case 'ENOTDIR':
      return notFound(`${quote(path)} leads through what is no directory, perhaps a link`);
    case 'ELOOP':
      return isLink(path);
    case 'EACCES':
    case 'EPERM':
      return new SchedulerError('file-refused', `The agent may not read ${quote(path)}`);
    default:
      return error as Error;
  }
}

/** @throws SchedulerError `bad-request` if files cannot be opened without following links. */
function requireLinux(): void {
  if (platform === 'linux') return;
  throw badRequest('The files of allocations are shown by clients on Linux only');
}
