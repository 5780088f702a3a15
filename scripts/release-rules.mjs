/**
 * @typedef {{ version?: string, license?: string, link?: boolean, resolved?: string, dev?: boolean,
 *   dependencies?: Record<string, string>, optionalDependencies?: Record<string, string> }} LockEntry
 * @typedef {{ packages: Record<string, LockEntry> }} Lock
 */

/** Licences that require only attribution. */
const allowed = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'Python-2.0',
  'Unlicense',
]);

/**
 * @param {string} version
 * @param {readonly { folder: string, manifest: Record<string, any> }[]} manifests
 * @param {Lock} lock
 * @returns {string[]}
 */
export function versionMistakes(version, manifests, lock) {
  return manifests.flatMap(({ folder, manifest }) => {
    const locked = lock.packages[folder === '.' ? '' : folder]?.version;
    return [
      ...(manifest['version'] === version ? [] : [`${folder}/package.json says ${manifest['version']}`]),
      ...(locked === manifest['version'] ? [] : [`package-lock.json says ${locked} of ${folder}`]),
    ];
  });
}

/**
 * @param {string} text of CHANGELOG.md
 * @param {string} version
 * @returns {{ date: string | null, lines: number, unreleased: number }} `date` null without a section of the version
 */
export function readChangelog(text, version) {
  const sections = text.split(/^## /m).slice(1);
  /** @type {(section: string | undefined) => number} */
  const entries = (section) => (section ?? '').split('\n').filter((line) => line.startsWith('- ')).length;
  const own = sections.find((section) => section.startsWith(`${version} - `));
  const date = /^\S+ - (\d{4}-\d\d-\d\d)$/m.exec(own ?? '')?.[1] ?? null;
  return {
    date,
    lines: entries(own),
    unreleased: entries(sections.find((section) => section.startsWith('Unreleased'))),
  };
}

/**
 * What is installed with a package, as the lock has it, and which of it has a licence that a maintainer should review.
 *
 * @param {Lock} lock
 * @param {string} folder of the package, empty for the root
 * @returns {{ count: number, foreign: string[] }}
 */
export function foreignLicenses({ packages }, folder) {
  /** @type {Set<string>} */
  const found = new Set();
  /** @type {(from: string) => void} */
  const visit = (from) => {
    const { dependencies, optionalDependencies } = packages[from] ?? {};
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const path = resolve(packages, from, name);
      // An optional package that the lock does not have is installed nowhere.
      if (path === null || found.has(path)) continue;
      found.add(path);
      visit(path);
    }
  };
  visit(folder);
  const foreign = [...found].flatMap((path) => {
    const { license } = packages[path] ?? {};
    return isAllowed(license)
      ? []
      : [`${path.replace(/^.*node_modules\//, '')} is under ${license ?? 'no licence'}`];
  });
  return { count: found.size, foreign };
}

/**
 * As Node looks for a package: in the nearest node_modules, going up.
 *
 * @param {Record<string, LockEntry>} packages
 * @param {string} from
 * @param {string} name
 */
function resolve(packages, from, name) {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
    const path = `${at === '' ? '' : `${at}/`}node_modules/${name}`;
    if (packages[path] !== undefined) return path;
    if (at === '') return null;
  }
}

/** @param {string | undefined} license an SPDX expression */
function isAllowed(license = '') {
  const alternatives = license.replace(/[()]/g, '').split(' OR ');
  return alternatives.some((each) => each.split(' AND ').every((one) => allowed.has(one)));
}
