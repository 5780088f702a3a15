import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/**
 * Returns why the packages of an extra folder cannot be used, with the command that installs them; null if they can.
 *
 * @param folder one of `extraFolders` or `namedFolders` of scripts/prepare.mjs
 */
export function whyExtraMissing(folder: string): string | null {
  return existsSync(
    fileURLToPath(new URL(`../../${folder}/node_modules/.package-lock.json`, import.meta.url)),
  )
    ? null
    : `${folder} is not installed; run: node scripts/setup.mjs --extra ${folder}`;
}

/** For the title of a test that needs an extra folder: empty, or why it is skipped. */
export function noteOfExtra(folder: string): string {
  const why = whyExtraMissing(folder);
  return why === null ? '' : ` (skipped: ${why})`;
}

/**
 * Loads a package of an extra folder.
 *
 * @throws Error if the folder is not installed
 */
export function requireExtra(folder: string, name: string): unknown {
  const why = whyExtraMissing(folder);
  if (why !== null) throw new Error(why);
  return createRequire(new URL(`../../${folder}/package.json`, import.meta.url))(name);
}
