import type { FileEntry } from '@tamis/scheduler-model/wire/file-entry.js';
import type { Stats } from 'node:fs';
import { lstat, opendir } from 'node:fs/promises';
import { badRequest } from '@tamis/scheduler-model/base/errors.js';
import { quote } from '@tamis/scheduler-model/quote.js';
import { childOf, explain, isOfAgent, namesOfPath, openInside, pathOf } from './open-inside.js';

/** Maximum entries of a directory. Prevents a task from filling the memory with small files. */
const maxEntries = 10_000;
/** Number of entries examined concurrently. */
const atOnce = 64;

/** Describes the file at a path; links are not followed. @throws SchedulerError */
export async function statFile(root: string, path: string): Promise<FileEntry> {
  const names = namesOfPath(path);
  const found = await openInside(root, names);
  try {
    return fileEntry(names.at(-1) ?? '/', await found.stat());
  } finally {
    await found.close();
  }
}

/** Returns the entries of a directory by name; links are not followed. @throws SchedulerError */
export async function listDirectory(root: string, path: string): Promise<readonly FileEntry[]> {
  const above = namesOfPath(path);
  const directory = await openInside(root, above);
  try {
    if (!(await directory.stat()).isDirectory()) throw badRequest(`${quote(path)} is no directory`);
    const names = (await readNames(pathOf(directory), path)).filter((name) => !isOfAgent([...above, name]));
    const entries: FileEntry[] = [];
    for (let at = 0; at < names.length; at += atOnce) {
      const some = names.slice(at, at + atOnce);
      const stats = await Promise.all(
        some.map((name) =>
          lstat(childOf(directory, name)).then((stat) => fileEntry(name, stat), goneMeanwhile),
        ),
      );
      entries.push(...stats.flat());
    }
    return entries;
  } finally {
    await directory.close();
  }
}

function goneMeanwhile(): readonly FileEntry[] {
  return [];
}

async function readNames(directory: string, path: string): Promise<readonly string[]> {
  const names: string[] = [];
  try {
    for await (const { name } of await opendir(directory)) {
      if (names.length >= maxEntries) {
        throw badRequest(`${quote(path)} has more than ${maxEntries} entries, name a file in it`);
      }
      names.push(name);
    }
  } catch (error) {
    throw explain(error, path);
  }
  return names.sort();
}

function fileEntry(Name: string, stats: Stats): FileEntry {
  return {
    Name,
    IsDir: stats.isDirectory(),
    Size: stats.size,
    FileMode: printMode(stats),
    ModTime: stats.mtime.toISOString(),
  };
}

/** The type letters of non-regular files, in the order of Go. */
const kinds: readonly (readonly [letter: string, isIt: (stats: Stats) => boolean])[] = [
  ['d', (stats) => stats.isDirectory()],
  ['L', (stats) => stats.isSymbolicLink()],
  ['D', (stats) => stats.isBlockDevice() || stats.isCharacterDevice()],
  ['p', (stats) => stats.isFIFO()],
  ['S', (stats) => stats.isSocket()],
  ['u', ({ mode }) => (mode & 0o4000) !== 0],
  ['g', ({ mode }) => (mode & 0o2000) !== 0],
  ['c', (stats) => stats.isCharacterDevice()],
  ['t', ({ mode }) => (mode & 0o1000) !== 0],
];

function printMode(stats: Stats): string {
  const kind = kinds.flatMap(([letter, isIt]) => (isIt(stats) ? [letter] : [])).join('');
  const bits = [...'rwxrwxrwx'].map((letter, at) => ((stats.mode >> (8 - at)) & 1 ? letter : '-')).join('');
  return `${kind === '' ? '-' : kind}${bits}`;
}
