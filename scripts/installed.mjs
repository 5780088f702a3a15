import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @typedef {{ version?: string, integrity?: string, link?: boolean, optional?: boolean, dev?: boolean, devOptional?: boolean, resolved?: string,
 *   dependencies?: Record<string, string>, devDependencies?: Record<string, string>, optionalDependencies?: Record<string, string> }} LockEntry
 * @typedef {{ packages: Record<string, LockEntry> }} Lock
 */

/**
 * Compares what package-lock.json requires with what npm recorded in node_modules/.package-lock.json. npm writes that
 * record last, so an interrupted install has none. Better than a stamp of our own: an `npm install` by hand counts too.
 *
 * @param {string} root the folder of package-lock.json
 * @param {{ toStart?: boolean }} [options] `toStart`: what only tests and checks need may be missing
 * @returns {string | null} why `npm ci` must run, or null when node_modules is as the lock says
 */
export function whyInstall(root, { toStart = false } = {}) {
  const installed = readLock(join(root, 'node_modules', '.package-lock.json'));
  if (installed === null) return 'node_modules is missing';
  const expected = readLock(join(root, 'package-lock.json'));
  if (expected === null) return 'package-lock.json cannot be read';
  return whyManifestsDiffer(root, expected) ?? whyPackagesDiffer(root, expected, installed, toStart);
}

/**
 * @param {string} root
 * @param {Lock} expected
 */
function whyManifestsDiffer(root, expected) {
  for (const [path, entry] of Object.entries(expected.packages)) {
    if (path.split('/').includes('node_modules')) continue;
    const manifest = join(root, path, 'package.json');
    if (!existsSync(manifest)) return `${path} is in package-lock.json only`;
    const { dependencies, devDependencies, optionalDependencies } = JSON.parse(
      readFileSync(manifest, 'utf8'),
    );
    if (
      differ(dependencies, entry.dependencies) ||
      differ(devDependencies, entry.devDependencies) ||
      differ(optionalDependencies, entry.optionalDependencies)
    ) {
      return `${join(path, 'package.json')} changed`;
    }
  }
  return null;
}

/**
 * @param {string} root
 * @param {Lock} expected
 * @param {Lock} installed
 * @param {boolean} toStart
 */
function whyPackagesDiffer(root, expected, installed, toStart) {
  for (const [path, entry] of Object.entries(expected.packages)) {
    if (!path.startsWith('node_modules/') && !path.includes('/node_modules/')) continue;
    const have = installed.packages[path];
    if (have === undefined) {
      // Packages for other platforms are in the lock and never installed here.
      if (entry.optional || entry.devOptional || (toStart && entry.dev)) continue;
      return `${path} is not installed`;
    }
    if (have.version !== entry.version || have.integrity !== entry.integrity) return `${path} changed`;
    if (entry.link && !existsSync(join(root, path))) return `${path} is a broken link`;
  }
  const extra = Object.keys(installed.packages).find((path) => expected.packages[path] === undefined);
  return extra === undefined ? null : `${extra} is no longer wanted`;
}

/**
 * @param {Record<string, string> | undefined} left
 * @param {Record<string, string> | undefined} right
 */
function differ(left = {}, right = {}) {
  const names = Object.keys(left);
  return names.length !== Object.keys(right).length || names.some((name) => left[name] !== right[name]);
}

/**
 * @param {string} file
 * @returns {Lock | null}
 */
function readLock(file) {
  try {
    const lock = JSON.parse(readFileSync(file, 'utf8'));
    return typeof lock?.packages === 'object' ? lock : null;
  } catch {
    return null;
  }
}
