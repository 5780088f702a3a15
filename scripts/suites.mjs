import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { workspaceFolders } from './packages.mjs';

/**
 * The suites of tests, by what they need: `system` opens ports or starts processes, `package` the tarball of the engine,
 * `console` and `playground` a browser and the pages as they are built. A property draws hundreds of cases. `units` need
 * nothing, and start at once.
 *
 * @typedef {(typeof suites)[number]} Suite
 */
export const suites = /** @type {const} */ ([
  'units',
  'properties',
  'system',
  'etcd',
  'package',
  'console',
  'playground',
]);

const marks = {
  property: /\bfc\.(assert|check)\(/,
  browser: /'playwright-core'|\binject\('(consoleFolder|site)'\)/,
  etcd: /etcd-cluster\.js'/,
  system: /from '(node:(net|http|https|child_process|tls)|typescript)'|\.listen\(/,
};

/**
 * The test files of the engine and the workspaces, each with its suite.
 *
 * @param {string} root
 * @returns {{ file: string, suite: Suite, holdsProperty: boolean }[]} paths from the root, in order
 */
export function testFiles(root) {
  return ['.', ...workspaceFolders(root)]
    .map((folder) => join(folder, 'test'))
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.test\.tsx?$/.test(name))
        .sort()
        .map((name) => join(folder, name)),
    )
    .map((file) => {
      const holdsProperty = marks.property.test(readFileSync(join(root, file), 'utf8'));
      return { file, suite: suiteOf(root, file, holdsProperty), holdsProperty };
    });
}

/**
 * @param {string} root
 * @param {string} file
 * @param {boolean} holdsProperty
 * @returns {Suite}
 */
function suiteOf(root, file, holdsProperty) {
  const texts = [...withHelpers(join(root, file))].map((each) => readFileSync(each, 'utf8'));
  /** @param {RegExp} mark */
  const has = (mark) => texts.some((text) => mark.test(text));
  if (file.includes('/package/packed/')) return 'package';
  if (has(marks.browser)) return file.startsWith('playground') ? 'playground' : 'console';
  if (has(marks.etcd)) return 'etcd';
  if (holdsProperty) return 'properties';
  return has(marks.system) ? 'system' : 'units';
}

/**
 * The file, and what it imports of tests and proofs; not the sources that they try.
 *
 * @param {string} file
 * @param {Set<string>} found
 */
function withHelpers(file, found = new Set()) {
  if (found.has(file)) return found;
  found.add(file);
  for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(/(?:from |import\()'(\.[^']+)\.jsx?'/g)) {
    const helper = [`${path}.ts`, `${path}.tsx`].map((each) => join(dirname(file), each)).find(existsSync);
    if (helper !== undefined && !/\/src\//.test(helper)) withHelpers(helper, found);
  }
  return found;
}
