import { isInCidrs } from '../base/cidr.js';
import { SecretsError } from '../base/errors.js';
import { getJson } from '../storage/json-entry.js';
import type { Storage } from '../storage/storage.js';
import { openBatchToken } from './batch-token.js';
import { isParentOf, type Token, type TokenEntry } from './token-entry.js';
import { hasGroupEnded, readGroupEnds } from './token-groups.js';
import { tokenPaths } from './token-paths.js';
import { hasEnded, nameOfToken } from './token-repository.js';

/**
 * Reads a batch token in a store that another server writes. Nothing is cached between calls.
 *
 * @param storage as of a moment after all changes that must count. Only single entries are read.
 * @param now milliseconds since 1970.
 * @returns null if the string is not a batch token of this store.
 * @throws SecretsError `permission-denied` for a token that has ended, or is bound to other addresses
 */
export async function readBatchToken(
  storage: Storage,
  id: string,
  { peer, now }: { readonly peer: string; readonly now: number },
): Promise<Token | null> {
  const [salt, key] = [await storage.get(tokenPaths.salt), await storage.get(tokenPaths.batchKey)];
  if (salt === null || key === null) return null;
  const entry = openBatchToken(id, Buffer.from(key));
  if (entry === null) return null;
  const hashOf = (text: string): string => nameOfToken(salt, text);

  async function isAlive(each: TokenEntry): Promise<boolean> {
    if (hasEnded(each, now)) return false;
    if (hasGroupEnded(each, await readGroupEnds(storage, each, hashOf))) return false;
    if (each.parent === null) return true;
    const parent = await getJson<TokenEntry>(storage, tokenPaths.entry(each.parent));
    return parent !== null && isParentOf(parent, each) && isAlive(parent);
  }

  if (!(await isAlive(entry))) throw denied('token has ended');
  const { boundCidrs } = entry;
  if (boundCidrs.length > 0 && !isInCidrs(boundCidrs, peer))
    throw denied('token is bound to other addresses');
  return { id, entry };
}

function denied(reason: string): SecretsError {
  return new SecretsError('permission-denied', 'permission denied', reason);
}
