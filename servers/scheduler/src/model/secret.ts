import { createHash, timingSafeEqual } from 'node:crypto';

/** The form in which the secret of a token is looked up: how long that takes tells nothing about the secret. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('base64');
}

/** Compares secrets of any length in a time that does not depend on where they differ. */
export function isSameSecret(a: string, b: string): boolean {
  return timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest());
}
