import { readFileSync } from 'node:fs';

/**
 * The commit that this program was built from, as the build has left it beside the bundle: twelve hexadecimal digits, with
 * `-dirty` behind them where the sources were not those of the commit. Empty where nobody knows, as in sources that no
 * version control keeps.
 */
export function buildCommit(): string {
  try {
    return readFileSync(new URL('commit.txt', import.meta.url), 'utf8').trim();
  } catch {
    return '';
  }
}

/** A version with its commit, for people: `0.2.0 (3f2a9c81d0b4)`, or `0.2.0` where nobody knows the commit. */
export function withCommit(version: string, commit = buildCommit()): string {
  return commit === '' ? version : `${version} (${commit})`;
}
