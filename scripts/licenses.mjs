// THIRD-PARTY-LICENSES.txt: the licences of every package whose code is in dist/, as the last build's metafiles list it.
//
//   node scripts/licenses.mjs --write    npm run licenses
//   node scripts/licenses.mjs --check    fails when the file does not say what the bundles hold
import './node-version.mjs';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const target = join(root, 'THIRD-PARTY-LICENSES.txt');
const metafiles = ['metafile-esm.json', 'metafile-cjs.json'].map((name) =>
  join(root, '.cache', 'build', name),
);
const rule = '-'.repeat(80);

/** @typedef {{ name: string, version: string, license: string, author: string | null, texts: string[] }} Bundled */

/**
 * The folders of the packages that gave at least one byte to an output.
 *
 * @returns {string[]} relative to the root
 */
function bundledFolders() {
  const folders = new Set();
  for (const file of metafiles) {
    /** @type {{ outputs: Record<string, { inputs: Record<string, { bytesInOutput: number }> }> }} */
    const { outputs } = JSON.parse(readFileSync(file, 'utf8'));
    for (const { inputs } of Object.values(outputs)) {
      for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
        const folder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0];
        if (folder !== undefined && bytesInOutput > 0) folders.add(folder);
      }
    }
  }
  return [...folders];
}

/**
 * @param {string} folder
 * @returns {Bundled}
 */
function readBundled(folder) {
  const full = join(root, folder);
  const { name, version, license, author } = JSON.parse(readFileSync(join(full, 'package.json'), 'utf8'));
  const files = readdirSync(full).filter((file) => /^(licen[cs]e|notice|copying)([.-].*)?$/i.test(file));
  if (typeof license !== 'string') throw new Error(`${name} names no licence; look at it and decide`);
  if (files.length === 0) throw new Error(`${name} (${license}) is bundled and ships no licence text`);
  const texts = files
    .sort()
    .map((file) => readFileSync(join(full, file), 'utf8').replace(/\r\n/g, '\n').trim());
  return { name, version, license, author: authorName(author), texts };
}

/** @param {unknown} author */
function authorName(author) {
  if (typeof author === 'string') return author;
  if (typeof author !== 'object' || author === null || !('name' in author)) return null;
  return typeof author.name === 'string' ? author.name : null;
}

/**
 * Packages with the same texts (a monorepo's) share one section.
 *
 * @param {readonly Bundled[]} bundled
 */
function render(bundled) {
  /** @type {Map<string, Bundled[]>} */
  const byText = new Map();
  for (const entry of bundled) {
    const text = entry.texts.join('\n\n');
    byText.set(text, [...(byText.get(text) ?? []), entry]);
  }
  const sections = [...byText].map(([text, entries]) =>
    [rule, ...entries.map(describe), rule, '', text].join('\n'),
  );
  const intro =
    'The files in dist/ contain code of the packages named below, bundled and, in the case of\n' +
    'Chevrotain, without the parts that are not used, under the licence that follows its name.';
  return `${[intro, ...sections].join('\n\n')}\n`;
}

/** @param {Bundled} entry */
function describe({ name, version, license, author }) {
  return `${name} ${version} (${license})${author === null ? '' : `, ${author}`}`;
}

const bundled = bundledFolders().map(readBundled);
bundled.sort((left, right) => (describe(left) < describe(right) ? -1 : 1));
const text = render(bundled);
if (process.argv.includes('--write')) {
  writeFileSync(target, text);
  process.stdout.write(`${bundled.map(describe).join('\n')}\n`);
} else if (!existsSync(target) || readFileSync(target, 'utf8') !== text) {
  process.stderr.write(
    `THIRD-PARTY-LICENSES.txt does not say what the bundles hold; run \`npm run licenses\`.\n`,
  );
  process.exitCode = 1;
}
