import { hash, timingSafeEqual } from 'node:crypto';

/**
 * The form in which the secret of a token is looked up. A search may take longer the more of two hashes agree, which
 * tells nothing about the secret: nobody can choose one with a certain hash.
 */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'base64');
}

/** Compares secrets of any length in a time that does not depend on where they differ. */
export function isSameSecret(a: string, b: string): boolean {
  return timingSafeEqual(hash('sha256', a, 'buffer'), hash('sha256', b, 'buffer'));
}
