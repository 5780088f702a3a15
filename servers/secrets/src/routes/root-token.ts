import { createCipheriv, createDecipheriv } from 'node:crypto';
import { badRequest } from '../base/errors.js';

/** Maximum duration of an attempt, in ms. */
const maxAttemptMs = 600_000;
/** Length of a root token, in characters. */
const tokenLength = 45;
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const keyLength = 32;
const nonceLength = 12;
const tagLength = 16;

/**
 * Attempts to create a root token. Each attempt has a one-time pad with which the token is combined, so that the response alone
 * reveals nothing. Attempts are not stored: the nonce contains the encrypted pad. So unauthenticated clients can begin any number
 * of attempts, and cannot end those of others.
 */
export function createAttempts(randomBytes: (length: number) => Buffer, now: () => number) {
  const key = randomBytes(keyLength);
  return {
    begin(): { readonly nonce: string; readonly otp: string; readonly otp_length: number } {
      const otp = Array.from(randomBytes(tokenLength), (byte) => letters[byte & 63]).join('');
      const nonce = randomBytes(nonceLength);
      const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagLength });
      const plain = JSON.stringify({ otp, until: now() + maxAttemptMs });
      const sealed = Buffer.concat([
        nonce,
        cipher.update(plain, 'utf8'),
        cipher.final(),
        cipher.getAuthTag(),
      ]);
      return { nonce: sealed.toString('base64url'), otp, otp_length: tokenLength };
    },
    /**
     * Returns a function that combines a token with the pad of an attempt.
     *
     * @throws SecretsError `bad-request` if the attempt was not begun here, or has expired
     */
    open(given: unknown): (token: string) => string {
      const attempt = typeof given === 'string' ? unseal(key, given) : null;
      if (attempt === null || attempt.until <= now()) {
        throw badRequest('nonce must be that of sys/generate-root/attempt, for 10 minutes');
      }
      return (token) => {
        if (token.length !== tokenLength) throw new TypeError(`A token of ${token.length} characters`);
        const [a, b] = [Buffer.from(token), Buffer.from(attempt.otp)];
        return Buffer.from(a.map((byte, at) => byte ^ (b[at] ?? 0)))
          .toString('base64')
          .replace(/=+$/, '');
      };
    },
  };
}

/** Returns the token that was combined with a pad; null if the string contains none. */
export function decodeRootToken(encoded: string, otp: string): string | null {
  const [a, b] = [Buffer.from(encoded, 'base64'), Buffer.from(otp)];
  if (a.length !== b.length) return null;
  const token = Buffer.from(a.map((byte, at) => byte ^ (b[at] ?? 0))).toString('latin1');
  return /^[\w.-]+$/.test(token) ? token : null;
}

function unseal(key: Buffer, nonce: string): { readonly otp: string; readonly until: number } | null {
  const bytes = Buffer.from(nonce, 'base64url');
  if (bytes.length <= nonceLength + tagLength) return null;
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceLength), {
    authTagLength: tagLength,
  });
  decipher.setAuthTag(bytes.subarray(-tagLength));
  try {
    const plain = [decipher.update(bytes.subarray(nonceLength, -tagLength)), decipher.final()];
    return JSON.parse(Buffer.concat(plain).toString('utf8')) as { otp: string; until: number };
  } catch {
    return null;
  }
}
