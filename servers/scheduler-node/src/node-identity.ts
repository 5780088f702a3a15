import { readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeDataDirectory } from '@tamis/scheduler-model/base/make-data-directory.js';

/** The identity of a client, stored in its directory. */
export interface NodeIdentity {
  /** UUID of the node. */
  readonly id: string;
  /** UUID known only to this client and the servers. */
  readonly secret: string;
}

const uuidForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Reads the identity of this client from its directory, or creates and stores one. Without a directory, each start creates a new
 * one.
 *
 * @param directory `client` in the data directory
 * @throws Error if the file exists but cannot be read, so that wrong permissions do not make a node lose its allocations.
 * StorageError if the directory cannot be created.
 */
export async function loadNodeIdentity(directory: string | null, uuid: () => string): Promise<NodeIdentity> {
  if (directory === null) return { id: uuid(), secret: uuid() };
  const path = join(directory, 'node-identity.json');
  const stored = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (stored !== null) return parseIdentity(stored, path);
  const identity = { id: uuid(), secret: uuid() };
  makeDataDirectory(dirname(directory));
  makeDataDirectory(directory, 0o700);
  // Written to a temporary file and moved, so that readers never see a partial file.
  await writeFile(`${path}.new`, JSON.stringify(identity), { mode: 0o600 });
  await rename(`${path}.new`, path);
  return identity;
}

function parseIdentity(text: string, path: string): NodeIdentity {
  let parsed: unknown = null;
  try {
    parsed = JSON.parse(text);
  } catch {
    // Reported below, like all other problems of the file.
  }
  const { id, secret } = (parsed ?? {}) as { readonly id?: unknown; readonly secret?: unknown };
  if (typeof id === 'string' && typeof secret === 'string' && uuidForm.test(id) && uuidForm.test(secret)) {
    return { id, secret };
  }
  throw new Error(`${path} does not say who this node is: restore it, or delete it to make a new node`);
}
