import './node-version.mjs';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runNode, runNpm } from './command.mjs';
import { leaveCommits } from './commits.mjs';
import { whyInstall } from './installed.mjs';
import { withLock } from './lock.mjs';
import { inputHash, packagesInBuildOrder } from './packages.mjs';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const stamps = join(root, '.cache', 'setup');

/**
 * Folders outside the workspaces, each with a lock file of its own: large packages that only `npm run test:all`, benchmarks
 * and proofs need.
 */
export const extraFolders = [
  'bench',
  'editor/oldest-typescript',
  'extra/attw',
  'extra/convert',
  'extra/filter-box',
  'extra/scheduler-clients',
  'extra/secrets-clients',
  'extra/sql',
  'extra/typedoc',
];

/** Folders of the same kind that `npm run test:all` does not need. Only commands that name them install them. */
export const namedFolders = [
  // 650 MB, for `npm run proof:sql`. Tests that need it are skipped if it is missing.
  'extra/clickhouse',
  'extra/frameworks',
  'extra/site',
];

/** A failure with a complete message for the terminal: its stack is not printed. */
class SetupError extends Error {
  /**
   * @param {string} message
   * @param {number} code
   */
  constructor(message, code) {
    super(message);
    this.name = 'SetupError';
    this.code = code;
  }
}

/**
 * Gets the checkout ready: packages installed, engine and servers built. Does nothing, quickly, when all of it is
 * current. Ends the process with a message when something fails, since no script can go on from there.
 *
 * @param {object} [options]
 * @param {boolean | undefined} [options.force] builds everything again
 * @param {boolean} [options.build] false: only installs
 * @param {string | undefined} [options.toStart] only what starting the server in this folder needs: no packages that test and check, no
 *   other server, no declarations
 */
export async function prepare({ force = false, build: builds = true, toStart } = {}) {
  const stale = () => outdated(toStart);
  if (
    !force &&
    whyInstall(root, { toStart: toStart !== undefined }) === null &&
    (!builds || stale().length === 0)
  ) {
    if (builds) leaveCommits(root);
    return;
  }
  await locked(async () => {
    await install(toStart !== undefined);
    if (force) rmSync(join(stamps, 'built'), { recursive: true, force: true });
    if (builds) await build(stale);
    if (builds) leaveCommits(root);
  });
}

/**
 * Runs `work` while no other setup of this checkout runs. Ends the process with a message if it fails.
 *
 * @param {() => Promise<void>} work
 */
async function locked(work) {
  try {
    await withLock(
      join(stamps, 'lock'),
      (owner) => say(`waiting for another setup of this checkout (process ${owner.split(' ')[0]})`),
      work,
    );
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(error.code);
  }
}

/**
 * Installs the packages of extra folders, those that are not as their lock files say. Ends the process with a message if
 * npm fails.
 *
 * @param {readonly string[]} [folders] some of `extraFolders` and `namedFolders`; all of the first by default
 */
export async function prepareExtras(folders = extraFolders) {
  const known = [...extraFolders, ...namedFolders];
  const unknown = folders.find((folder) => !known.includes(folder));
  if (unknown !== undefined) throw new RangeError(`extra must be one of ${known.join(', ')}; got ${unknown}`);
  const stale = () => folders.filter((folder) => whyInstall(join(root, folder)) !== null);
  if (stale().length === 0) return;
  await locked(async () => {
    for (const folder of stale()) await installFolder(folder, `packages of ${folder}`);
  });
}

/** @param {boolean} toStart */
async function install(toStart) {
  await installFolder('.', toStart ? 'the packages that starting needs' : 'packages', toStart);
}

/**
 * @param {string} folder relative to the root
 * @param {string} what
 * @param {boolean} [toStart]
 */
async function installFolder(folder, what, toStart = false) {
  const cwd = join(root, folder);
  const reason = whyInstall(cwd, { toStart });
  if (reason === null) return;
  await step(`installing ${what} (${reason})`, async () => {
    const omitted = toStart ? ['--omit=dev'] : [];
    // The lock file of ClickHouse has one of its four platforms, which `npm ci` rejects and `npm install` accepts.
    const command = folder === 'extra/clickhouse' ? ['install', '--no-save'] : ['ci'];
    const { code, output } = await runNpm(
      [...command, ...omitted, '--no-audit', '--no-fund', '--loglevel=error'],
      {
        cwd,
      },
    );
    if (code === 0) return;
    throw new SetupError(
      `${output.trimEnd()}\n\nsetup: \`npm ${command[0]}\`${folder === '.' ? '' : ` in ${folder}`} failed (exit code ${code}); its own words are above.\n` +
        `It needs the npm registry the first time (see \`npm config get registry\`), and a package-lock.json that\n` +
        `agrees with every package.json (after editing one, run \`npm install\`).`,
      code,
    );
  });
}

/**
 * Calls `stale` again after each build: a server's hash includes the hashes of what was built before it.
 *
 * @param {() => Build[]} stale
 */
async function build(stale) {
  for (const { title, entry, script, stamp, hash } of stale()) {
    rmSync(stamp, { force: true });
    await step(`building ${title}`, async () => {
      const options = { cwd: join(root, entry.folder) };
      const { code, output } =
        script === null
          ? await runNpm(['run', 'build', '--silent'], options)
          : await runNode(script, options);
      if (code !== 0)
        throw new SetupError(
          `${output.trimEnd()}\n\nsetup: building ${title} failed (exit code ${code}).`,
          code,
        );
    });
    mkdirSync(dirname(stamp), { recursive: true });
    writeFileSync(stamp, hash);
  }
}

/**
 * What is to be built: a workspace by its own script, the engine by ours.
 *
 * @typedef {object} Build
 * @property {string} title
 * @property {import('./packages.mjs').Package} entry
 * @property {string[] | null} script
 * @property {string} stamp the file with the hash of what was built last
 * @property {string} hash
 */

/**
 * What must be built, in order.
 *
 * @param {string} [toStart] the folder of what is to be started
 * @returns {Build[]}
 */
function outdated(toStart) {
  const hashes = new Map();
  /** @type {Build[]} */
  const found = [];
  for (const entry of packagesInBuildOrder(root, toStart)) {
    const hash = inputHash(root, entry, hashes);
    hashes.set(entry.name, hash);
    if (!entry.builds) continue;
    const isEngine = entry.folder === '.';
    const engine = join(root, 'scripts', 'build.mjs');
    const builds = [{ title: entry.name, script: isEngine ? [engine] : null }];
    if (isEngine && toStart === undefined)
      builds.push({ title: `${entry.name}: declarations and CommonJS`, script: [engine, '--rest'] });
    const built = builds.map((each, index) => ({ ...each, entry, hash, stamp: stampOf(entry.name, index) }));
    const dist = existsSync(join(root, entry.folder, 'dist'));
    const stale = built.findIndex(({ stamp }) => !dist || readStamp(stamp) !== hash);
    // Later builds write into the folder of the first one, so a rebuild of the first removes them.
    if (stale >= 0) found.push(...built.slice(stale));
  }
  return found;
}

/**
 * @param {string} name
 * @param {number} index of the build among those of its package
 */
function stampOf(name, index) {
  return join(stamps, 'built', `${name.replace('/', '+')}${index === 0 ? '' : `+${index}`}`);
}

/** @param {string} file */
function readStamp(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}

/**
 * @param {string} title
 * @param {() => Promise<void>} work
 */
async function step(title, work) {
  const start = performance.now();
  process.stderr.write(`setup: ${title} ...`);
  try {
    await work();
    process.stderr.write(` ${((performance.now() - start) / 1000).toFixed(1)} s\n`);
  } catch (error) {
    process.stderr.write(' failed\n');
    throw error;
  }
}

/** @param {string} text */
function say(text) {
  process.stderr.write(`setup: ${text}\n`);
}
