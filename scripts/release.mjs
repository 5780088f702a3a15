// Looks at what a release of this commit would be, and packs it. Nothing is published and nothing tagged.
//
//   npm run release -- --dry-run     packs into a folder that is removed again
//   npm run release                  leaves the tarballs and SHA256SUMS in release/
//   npm run release -- --json        prints JSON instead of the table
//
// The exit code is 1 where something speaks against it.
import './node-version.mjs';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { runNpm } from './command.mjs';
import { commitOf } from './commits.mjs';
import { findPackedMistakes, readTarball } from './packed.mjs';
import { workspaceFolders } from './packages.mjs';
import { prepare, root } from './prepare.mjs';
import { foreignLicenses, readChangelog, versionMistakes } from './release-rules.mjs';

/**
 * @typedef {{ name: string, mistakes: string[], says: string }} Check
 * @typedef {{ name: string, version: string, file: string, files: number, size: number, unpacked: number, sha256: string, license: string,
 *   dependencies: number, mistakes: string[] }} Packed
 */

const { values } = parseArgs({
  options: { 'dry-run': { type: 'boolean', default: false }, json: { type: 'boolean', default: false } },
});

await prepare();
const read = (/** @type {string} */ path) => readFileSync(join(root, path), 'utf8');
const manifests = ['.', ...workspaceFolders(root)].map((folder) => ({
  folder,
  manifest: JSON.parse(read(join(folder, 'package.json'))),
}));
const lock = JSON.parse(read('package-lock.json'));
const { version } = JSON.parse(read('package.json'));
const folder = values['dry-run'] ? mkdtempSync(join(tmpdir(), 'tamis-release-')) : join(root, 'release');
if (!values['dry-run']) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
}
try {
  /** @type {Packed[]} */
  const packages = [];
  for (const { folder: from, manifest } of manifests.filter((each) => each.manifest.private !== true)) {
    packages.push(await pack(from, manifest));
  }
  const sums = packages.map(({ sha256, file }) => `${sha256}  ${file}\n`).join('');
  if (!values['dry-run']) writeFileSync(join(folder, 'SHA256SUMS'), sums);
  const checks = [checkCommit(), checkVersions(), checkChangelog(), checkTag()];
  const isWell = [...checks, ...packages].every(({ mistakes }) => mistakes.length === 0);
  const report = { version, commit: commitOf(root) || null, ok: isWell, checks, packages };
  process.stdout.write(values.json ? `${JSON.stringify(report, null, 2)}\n` : render(report));
  process.exitCode = isWell ? 0 : 1;
} finally {
  if (values['dry-run']) rmSync(folder, { recursive: true, force: true });
}

/**
 * @param {string} from
 * @param {Record<string, any>} manifest
 * @returns {Promise<Packed>}
 */
async function pack(from, manifest) {
  const before = new Set(readdirSync(folder));
  // `prepack` runs: what is packed is what `npm publish` would send.
  const { code, output } = await runNpm(['pack', '--silent', '--pack-destination', folder], {
    cwd: join(root, from),
  });
  const file = readdirSync(folder).find((name) => !before.has(name));
  if (code !== 0 || file === undefined) throw new Error(`npm pack in ${from} failed:\n${output}`);
  const archive = readFileSync(join(folder, file));
  const files = readTarball(archive);
  const { count, foreign } = foreignLicenses(lock, from === '.' ? '' : from);
  return {
    name: manifest.name,
    version: manifest.version,
    file: basename(file),
    files: files.size,
    size: archive.length,
    unpacked: [...files.values()].reduce((sum, content) => sum + content.length, 0),
    sha256: createHash('sha256').update(archive).digest('hex'),
    license: manifest.license,
    dependencies: count,
    mistakes: [...findPackedMistakes(files), ...foreign],
  };
}

/** @returns {Check} */
function checkCommit() {
  const commit = commitOf(root);
  const mistakes =
    commit === ''
      ? ['this is no checkout']
      : commit.endsWith('-dirty')
        ? ['files differ from the commit']
        : [];
  return { name: 'commit', says: commit, mistakes };
}

/** @returns {Check} */
function checkVersions() {
  const mistakes = versionMistakes(version, manifests, lock);
  return { name: 'versions', says: `${manifests.length} packages and the lock say ${version}`, mistakes };
}

/** @returns {Check} */
function checkChangelog() {
  const { date, lines, unreleased } = readChangelog(read('CHANGELOG.md'), version);
  const mistakes = [
    ...(date === null ? [`CHANGELOG.md has no section "## ${version} - DATE"`] : []),
    ...(date !== null && lines === 0 ? [`its section of ${version} is empty`] : []),
    ...(unreleased > 0 ? [`${unreleased} lines are under "Unreleased": they belong to no version`] : []),
  ];
  return { name: 'changelog', says: `${version} of ${date}, ${lines} lines`, mistakes };
}

/** @returns {Check} */
function checkTag() {
  const tag = `v${version}`;
  const { status, stdout } = git(['rev-parse', '--verify', '--quiet', `${tag}^{commit}`]);
  if (status !== 0) return { name: 'tag', says: `${tag} is free`, mistakes: [] };
  const isHere = stdout === git(['rev-parse', 'HEAD']).stdout;
  return {
    name: 'tag',
    says: `${tag} is this commit`,
    mistakes: isHere
      ? []
      : [`${tag} is another commit, ${stdout.slice(0, 12)}: this one needs a version of its own`],
  };
}

/** @param {readonly string[]} args */
function git(args) {
  return spawnSync('git', args, { cwd: root, encoding: 'utf8' });
}

/** @param {{ version: string, ok: boolean, checks: Check[], packages: Packed[] }} report */
function render({ version: of, ok, checks, packages }) {
  const head = ['package', 'files', 'packed', 'unpacked', 'licence', 'installs', 'sha256'];
  const rows = packages.map((each) => [
    `${each.name} ${each.version}`,
    String(each.files),
    kilobytes(each.size),
    kilobytes(each.unpacked),
    each.license,
    `${each.dependencies}`,
    each.sha256,
  ]);
  const lines = [head, ...rows];
  const widths = head.map((_, at) => Math.max(...lines.map((line) => (line[at] ?? '').length)));
  const table = lines.map((line) =>
    line
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const found = [
    ...checks.map(({ name, says, mistakes }) => ({ name, says, mistakes })),
    ...packages.map(({ name, mistakes }) => ({ name, says: 'packed as it should be', mistakes })),
  ].flatMap(({ name, says, mistakes }) =>
    mistakes.length === 0 ? [`ok    ${name}: ${says}`] : mistakes.map((text) => `FAIL  ${name}: ${text}`),
  );
  const end = ok ? `${of} can be released` : `${of} cannot be released as it is`;
  return `${[...table, '', ...found, '', end].join('\n')}\n`;
}

/** @param {number} bytes */
function kilobytes(bytes) {
  return `${(bytes / 1000).toFixed(0)} kB`;
}
