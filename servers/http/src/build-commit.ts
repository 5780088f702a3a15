import { readFileSync } from 'node:fs';

/**
 * Returns the commit that this program was built from, which the build wrote next to the bundle: twelve hexadecimal digits,
 * followed by `-dirty` if the sources differed from the commit. Empty if unknown, as in sources without version control.
 */
export function buildCommit(): string {
  try {
    return readFileSync(new URL('commit.txt', import.meta.url), 'utf8').trim();
  } catch {
    return '';
  }
}

/** Returns a version with its commit for display: `0.2.0 (3f2a9c81d0b4)`, or `0.2.0` if the commit is unknown. */
export function withCommit(version: string, commit = buildCommit()): string {
  return commit === '' ? version : `${version} (${commit})`;
}
