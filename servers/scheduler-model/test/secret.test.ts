import { describe, expect, it } from 'vitest';
import { hashSecret, isSameSecret } from '@tamis/scheduler-model/secret.js';

describe('a secret', () => {
  it('is found by its hash, whatever the process', () => {
    // The SHA-256 of the three letters, as FIPS 180-4 gives it.
    expect(hashSecret('abc')).toBe('ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=');
    expect(hashSecret('abd')).not.toBe(hashSecret('abc'));
  });

  it('equals itself only, at any length', () => {
    for (const [a, b] of [
      ['', ''],
      ['secret', 'secret'],
      ['sécret', 'sécret'],
    ] as const) {
      expect(isSameSecret(a, b)).toBe(true);
    }
    for (const [a, b] of [
      ['secret', 'Secret'],
      ['secret', 'secre'],
      ['', 'x'],
    ] as const) {
      expect(isSameSecret(a, b)).toBe(false);
    }
  });
});
