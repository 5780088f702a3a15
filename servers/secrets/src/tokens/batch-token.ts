import { createCipheriv, createDecipheriv } from 'node:crypto';
import { badRequest } from '../base/errors.js';
import type { TokenEntry } from './token-entry.js';

const prefix = 'b.';
const associated = Buffer.from('batch-token:1');
const nonceLength = 12;
const tagLength = 16;
/** Maximum length of a token, in characters. Prevents long invalid headers from causing work. */
const maxTokenLength = 16_384;

/**
 * Encrypts an entry into a token that is not stored. It can be read or changed only with the key.
 *
 * @throws SecretsError `bad-request` if the token would be too long for requests
 */
export function sealBatchToken(entry: TokenEntry, key: Buffer, nonce: Buffer): string {
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagLength });
  cipher.setAAD(associated);
  const sealed = Buffer.concat([nonce, cipher.update(JSON.stringify(entry), 'utf8'), cipher.final()]);
  const token = prefix + Buffer.concat([sealed, cipher.getAuthTag()]).toString('base64url');
  if (token.length <= maxTokenLength) return token;
  throw badRequest('a batch token cannot hold so much: use fewer policies and less meta, or a service token');
}

/** Whether a token has the form of a batch token. */
export function isBatchToken(id: string): boolean {
  return id.startsWith(prefix);
}

/** Returns the entry of a batch token; null if it was not sealed with this key. */
export function openBatchToken(id: string, key: Buffer): TokenEntry | null {
  if (id.length > maxTokenLength) return null;
  const text = id.slice(prefix.length);
  const bytes = Buffer.from(text, 'base64url');
  // The decoder skips invalid characters, so this check makes sure that a token has only one valid spelling.
  if (bytes.length <= nonceLength + tagLength || bytes.toString('base64url') !== text) return null;
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceLength), {
    authTagLength: tagLength,
  });
  decipher.setAAD(associated);
  decipher.setAuthTag(bytes.subarray(-tagLength));
  try {
    const opened = Buffer.concat([
      decipher.update(bytes.subarray(nonceLength, -tagLength)),
      decipher.final(),
    ]);
    return JSON.parse(opened.toString('utf8')) as TokenEntry;
  } catch {
    return null;
  }
}
