import { createHash } from 'node:crypto';
import type { SecretsError } from '../base/errors.js';
import { badRequest } from '../base/errors.js';
import { maxPathLength, type Change, type RootStorage, type Storage } from './storage.js';

const format = 'tamis-secrets-backup';
const version = 1;
/** Length of a chunk, in characters. */
const pieceLength = 65_536;
/** Number of entries per write. */
const entriesAtOnce = 500;
/** The entry that marks a store as initialized. Written last, so that an incomplete restore does not count. */
const lastPath = 'core/keyring';

/**
 * Generates a backup in chunks: a header line, a line per entry, and a final line with their number and the SHA-256 of all
 * previous lines. Without it, a backup is invalid.
 *
 * @param entries a consistent snapshot of all entries. @param now milliseconds since 1970.
 */
export async function* backupPieces(
  entries: ReturnType<RootStorage['entries']>,
  now: number,
): AsyncGenerator<string, void> {
  const hash = createHash('sha256');
  let piece = `${JSON.stringify({ format, version, time: new Date(now).toISOString() })}\n`;
  let count = 0;
  for await (const [path, value] of entries) {
    piece += `${JSON.stringify([path, Buffer.from(value).toString('base64')])}\n`;
    count += 1;
    if (piece.length < pieceLength) continue;
    hash.update(piece);
    yield piece;
    piece = '';
  }
  hash.update(piece);
  yield `${piece}${JSON.stringify({ entries: count, sha256: hash.digest('hex') })}\n`;
}

/**
 * Restores a backup into a store. The lines are read twice: nothing is written if the backup is incomplete.
 *
 * @param mustHideNames whether the store may hold no readable names, see `hideNames`.
 * @returns the number of entries.
 * @throws SecretsError `bad-request` for an incomplete backup, or a store that is already initialized.
 */
export async function restoreBackup(
  storage: Storage,
  readLines: () => AsyncIterable<string>,
  mustHideNames = false,
): Promise<number> {
  if ((await storage.get(lastPath)) !== null) {
    throw badRequest('the store is initialized: a backup is restored into a new one');
  }
  const count = await checkBackup(readLines(), mustHideNames);
  // Deletes the entries of an interrupted restore.
  await deleteAll(storage);
  let changes: Change[] = [];
  let last: Change | null = null;
  for await (const line of readLines()) {
    const entry = parseEntry(line);
    if (entry === null) continue;
    const [path, value] = entry;
    if (path === lastPath) last = { path, value };
    else changes.push({ path, value });
    if (changes.length < entriesAtOnce) continue;
    await storage.write(changes);
    changes = [];
  }
  await storage.write([...changes, ...(last === null ? [] : [last])]);
  return count;
}

/** Deletes all entries. */
export async function deleteAll(storage: Storage): Promise<void> {
  const paths = await storage.list('');
  await writeAll(
    storage,
    paths.map((path) => ({ path, value: null })),
  );
}

/** Writes entries a few at a time. */
export async function writeAll(storage: Storage, changes: readonly Change[]): Promise<void> {
  for (let at = 0; at < changes.length; at += entriesAtOnce) {
    await storage.write(changes.slice(at, at + entriesAtOnce));
  }
}

async function checkBackup(lines: AsyncIterable<string>, mustHideNames: boolean): Promise<number> {
  const hash = createHash('sha256');
  let number = 0;
  let count = 0;
  let hasKeyring = false;
  let end: Readonly<Record<string, unknown>> | null = null;
  for await (const line of lines) {
    number += 1;
    if (end !== null) throw notABackup('there is data after its end');
    const value = parse(line);
    const members = (value ?? {}) as Readonly<Record<string, unknown>>;
    if (number === 1 && (members['format'] !== format || members['version'] !== version)) {
      throw notABackup('its first line has a different format');
    }
    if (number > 1 && 'sha256' in members) {
      end = members;
      continue;
    }
    if (number > 1) {
      const problem = entryProblem(line);
      if (problem !== null) throw notABackup(`line ${number} ${problem}`);
      const path = parseEntry(line)?.[0] ?? '';
      if (mustHideNames && !/^(?:core|x)\//.test(path)) throw readableNames();
      hasKeyring ||= path === lastPath;
      count += 1;
    }
    hash.update(`${line}\n`);
  }
  if (end === null) throw notABackup('its end is missing');
  if (end['entries'] !== count || end['sha256'] !== hash.digest('hex')) {
    throw notABackup('its lines are not those that were written');
  }
  if (!hasKeyring) {
    throw notABackup(
      `there is no entry ${lastPath} between its first line and line ${number}, its end: it could not be unsealed`,
    );
  }
  return count;
}

/** Returns why a line is not a valid entry; null if it is one. */
function entryProblem(line: string): string | null {
  const value = parse(line);
  if (parseEntry(line) === null) return 'is not an entry';
  const [path, text] = value as readonly [string, string];
  const length = Buffer.byteLength(path);
  if (length === 0 || length > maxPathLength) {
    return `has a path of ${length} bytes: one has 1 to ${maxPathLength}`;
  }
  // Decoding skips invalid characters.
  return Buffer.from(text, 'base64').toString('base64') === text ? null : 'has a value that is not base64';
}

function parseEntry(line: string): readonly [path: string, value: Buffer] | null {
  const value = parse(line);
  if (!Array.isArray(value) || value.length !== 2) return null;
  const [path, text] = value as readonly unknown[];
  return typeof path === 'string' && typeof text === 'string' ? [path, Buffer.from(text, 'base64')] : null;
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return null;
  }
}

function readableNames(): SecretsError {
  return badRequest(
    'the names in this backup are readable, and this store hides them: restore it into a directory, and move that with secrets operator migrate',
  );
}

function notABackup(why: string): SecretsError {
  return badRequest(`this is not a complete backup: ${why}`);
}
