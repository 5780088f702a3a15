import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const rule = '-'.repeat(80);

/** @typedef {{ outputs: Record<string, { inputs: Record<string, { bytesInOutput: number }> }> }} Metafile of esbuild */
/** @typedef {{ name: string, version: string, license: string, author: string | null, texts: string[] }} Bundled */

/**
 * The packages that gave at least one byte to an output, in order.
 *
 * @param {string} root the folder in which the paths of the metafiles lie
 * @param {readonly Metafile[]} metafiles
 * @returns {Bundled[]}
 */
export function bundledPackages(root, metafiles) {
  const folders = new Set();
  for (const { outputs } of metafiles) {
    for (const { inputs } of Object.values(outputs)) {
      for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
        const folder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0];
        if (folder !== undefined && bytesInOutput > 0) folders.add(folder);
      }
    }
  }
  const bundled = [...folders].map((folder) => readBundled(join(root, folder)));
  return bundled.sort((left, right) => (describe(left) < describe(right) ? -1 : 1));
}

/**
 * @param {string} folder
 * @returns {Bundled}
 */
function readBundled(folder) {
  const { name, version, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|notice|copying)([.-].*)?$/i.test(file));
  if (typeof license !== 'string') throw new Error(`${name} names no licence; look at it and decide`);
  if (files.length === 0) throw new Error(`${name} (${license}) is bundled and ships no licence text`);
  const texts = files
    .sort()
    .map((file) => readFileSync(join(folder, file), 'utf8').replace(/\r\n/g, '\n').trim());
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
 * @param {string} intro what the text begins with
 */
export function renderLicenses(bundled, intro) {
  /** @type {Map<string, Bundled[]>} */
  const byText = new Map();
  for (const entry of bundled) {
    const text = entry.texts.join('\n\n');
    byText.set(text, [...(byText.get(text) ?? []), entry]);
  }
  const sections = [...byText].map(([text, entries]) =>
    [rule, ...entries.map(describe), rule, '', text].join('\n'),
  );
  return `${[intro, ...sections].join('\n\n')}\n`;
}

/** @param {Bundled} entry */
export function describe({ name, version, license, author }) {
  return `${name} ${version} (${license})${author === null ? '' : `, ${author}`}`;
}
