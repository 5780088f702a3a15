import './node-version.mjs';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runNode, runNpm } from './command.mjs';
import { whyInstall } from './installed.mjs';
import { withLock } from './lock.mjs';
import { inputHash, packagesInBuildOrder } from './packages.mjs';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const stamps = join(root, '.cache', 'setup');

/** A failure that has been explained: its message is for the terminal, its stack for nobody. */
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
 * @param {{ force?: boolean, build?: boolean }} [options] `force` builds everything again, `build: false` only installs
 */
export async function prepare({ force = false, build: builds = true } = {}) {
  if (!force && whyInstall(root) === null && (!builds || outdated().length === 0)) return;
  try {
    await withLock(
      join(stamps, 'lock'),
      (holder) => say(`waiting for another setup of this checkout (process ${holder.split(' ')[0]})`),
      async () => {
        await install();
        if (force) rmSync(join(stamps, 'built'), { recursive: true, force: true });
        if (builds) await build();
      },
    );
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(error.code);
  }
}

async function install() {
  const reason = whyInstall(root);
  if (reason === null) return;
  await step(`installing packages (${reason})`, async () => {
    const { code, output } = await runNpm(['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd: root,
    });
    if (code === 0) return;
    throw new SetupError(
      `${output.trimEnd()}\n\nsetup: \`npm ci\` failed (exit code ${code}); its own words are above.\n` +
        `It needs the npm registry the first time (see \`npm config get registry\`), and a package-lock.json that\n` +
        `agrees with every package.json (after editing one, run \`npm install\`).`,
      code,
    );
  });
}

/** Reads the packages anew for each one: a server's hash includes the hashes of what was built before it. */
async function build() {
  for (const { entry, hash } of outdated()) {
    const stamp = stampOf(entry.name);
    rmSync(stamp, { force: true });
    await step(`building ${entry.name}`, async () => {
      const options = { cwd: join(root, entry.folder) };
      const { code, output } =
        entry.folder === '.'
          ? await runNode([join(root, 'scripts', 'build.mjs')], options)
          : await runNpm(['run', 'build', '--silent'], options);
      if (code !== 0)
        throw new SetupError(
          `${output.trimEnd()}\n\nsetup: building ${entry.name} failed (exit code ${code}).`,
          code,
        );
    });
    mkdirSync(dirname(stamp), { recursive: true });
    writeFileSync(stamp, hash);
  }
}

/** @returns {{ entry: import('./packages.mjs').Package, hash: string }[]} what must be built, in order */
function outdated() {
  const hashes = new Map();
  const found = [];
  for (const entry of packagesInBuildOrder(root)) {
    const hash = inputHash(root, entry, hashes);
    hashes.set(entry.name, hash);
    if (!entry.builds) continue;
    const current = existsSync(join(root, entry.folder, 'dist')) && readStamp(entry.name) === hash;
    if (!current) found.push({ entry, hash });
  }
  return found;
}

/** @param {string} name */
function stampOf(name) {
  return join(stamps, 'built', name.replace('/', '+'));
}

/** @param {string} name */
function readStamp(name) {
  const file = stampOf(name);
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
