import { hash, timingSafeEqual } from 'node:crypto';

/**
 * Returns the hash by which the secret of a token is looked up. The time of a lookup may depend on how far two hashes agree,
 * which reveals nothing about the secret: an attacker cannot choose a secret with a given hash.
 */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'base64');
}

/** Compares secrets of any length in constant time. */
export function isSameSecret(a: string, b: string): boolean {
  return timingSafeEqual(hash('sha256', a, 'buffer'), hash('sha256', b, 'buffer'));
}
