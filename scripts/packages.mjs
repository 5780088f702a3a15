import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A thing to build: the engine (folder '.') or a workspace.
 *
 * @typedef {object} Package
 * @property {string} name
 * @property {string} folder relative to the root, with forward slashes
 * @property {boolean} builds has a build script
 * @property {readonly string[]} uses names of our own packages that must be built before it
 * @property {readonly string[]} reads folders of others whose sources its build reads, relative to the root: `build.reads` of its manifest
 */

/** Shared inputs: a change here rebuilds everything. */
const sharedInputs = ['package-lock.json', 'tsconfig.base.json'];
/** The root folder also holds the workspaces, the tests and the documents, so the engine names its inputs. */
const engineInputs = [
  'package.json',
  'tsconfig.json',
  'tsconfig.src.json',
  'tsup.config.ts',
  'src',
  'scripts/build.mjs',
  'scripts/slim',
];
/** In a workspace everything is an input but these. */
const notInputs = new Set([
  'node_modules',
  '.cache',
  'dist',
  'coverage',
  'test',
  'README.md',
  'CHANGELOG.md',
]);

/**
 * The engine and the workspaces, each after those that it uses.
 *
 * @param {string} root
 * @param {string} [of] only this folder and what it uses
 * @returns {Package[]}
 */
export function packagesInBuildOrder(root, of) {
  const engine = readPackage(root, '.');
  const all = [engine, ...workspaceFolders(root).map((folder) => readPackage(root, folder))];
  const ours = new Set(all.map((entry) => entry.name));
  /** @type {Package[]} */
  const ordered = [];
  /** @type {Set<string>} */
  const visited = new Set();
  /** @param {Package} entry */
  const visit = (entry) => {
    if (visited.has(entry.name)) return;
    visited.add(entry.name);
    for (const used of all) if (entry.uses.includes(used.name)) visit(used);
    ordered.push({ ...entry, uses: entry.uses.filter((name) => ours.has(name)) });
  };
  for (const entry of all) if (of === undefined || entry.folder === of) visit(entry);
  return ordered;
}

/**
 * The folders of the workspaces, as the root's manifest lists them: `servers/*` is each folder below, `ui` is itself.
 *
 * @param {string} root
 * @returns {string[]} such as "servers/scheduler"
 */
export function workspaceFolders(root) {
  const { workspaces = [] } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return workspaces
    .flatMap((/** @type {string} */ pattern) => expand(root, pattern))
    .filter((/** @type {string} */ folder) => existsSync(join(root, folder, 'package.json')));
}

/**
 * @param {string} root
 * @param {string} pattern
 * @returns {string[]}
 */
function expand(root, pattern) {
  if (!pattern.endsWith('/*')) return [pattern];
  const parent = pattern.slice(0, -2);
  if (!existsSync(join(root, parent))) return [];
  return readdirSync(join(root, parent))
    .sort()
    .map((name) => `${parent}/${name}`);
}

/**
 * @param {string} root
 * @param {string} folder
 * @returns {Package}
 */
function readPackage(root, folder) {
  const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  return {
    name: manifest.name,
    folder,
    builds: folder === '.' || manifest.scripts?.build !== undefined,
    reads: manifest.build?.reads ?? [],
    uses: folder === '.' ? [] : Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }),
  };
}

/**
 * A hash of the content of everything that a package's build reads, the hashes of the packages it uses included.
 *
 * @param {string} root
 * @param {Package} entry
 * @param {ReadonlyMap<string, string>} hashes by package name, of those built before
 */
export function inputHash(root, entry, hashes) {
  const hash = createHash('sha256');
  hash.update(process.versions.node);
  for (const name of entry.uses) hash.update(`${name} ${hashes.get(name)}\n`);
  for (const path of sharedInputs) addPath(hash, root, path);
  if (entry.folder === '.') {
    for (const path of engineInputs) addPath(hash, root, path);
  } else {
    for (const name of readdirSync(join(root, entry.folder)).sort()) {
      if (!notInputs.has(name)) addPath(hash, root, `${entry.folder}/${name}`);
    }
  }
  for (const path of entry.reads) addPath(hash, root, path);
  return hash.digest('hex');
}

/**
 * @param {import('node:crypto').Hash} hash
 * @param {string} root
 * @param {string} path a file or a folder, relative to the root
 */
function addPath(hash, root, path) {
  const full = join(root, path);
  try {
    const content = readFileSync(full);
    hash.update(`${path} ${content.length}\n`).update(content);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EISDIR')
      for (const name of readdirSync(full).sort()) addPath(hash, root, `${path}/${name}`);
    else if (code !== 'ENOENT') throw error;
  }
}
