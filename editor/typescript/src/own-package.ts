import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Whether the package of a folder is `tamis`. */
const ours = new Map<string, boolean>();

/** Whether a file is one of `tamis`, by the manifest of its package. */
export function isOurs(fileName: string): boolean {
  const visited: string[] = [];
  let result = false;
  for (let folder = dirname(fileName); ; folder = dirname(folder)) {
    const known = ours.get(folder) ?? manifestSays(folder);
    visited.push(folder);
    if (known !== null) {
      result = known;
      break;
    }
    if (dirname(folder) === folder) break;
  }
  if (ours.size > 10_000) ours.clear();
  for (const folder of visited) ours.set(folder, result);
  return result;
}

/** Null for a folder without a manifest of a name. */
function manifestSays(folder: string): boolean | null {
  try {
    const { name } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      readonly name?: unknown;
    };
    return name === undefined ? null : name === 'tamis';
  } catch {
    return null;
  }
}
