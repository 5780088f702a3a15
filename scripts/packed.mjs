import { builtinModules } from 'node:module';
import { gunzipSync } from 'node:zlib';
import { posix } from 'node:path';

/**
 * The files of a tarball of npm's, by their paths in the package.
 *
 * @param {Buffer} archive gzipped tar: headers of 512 bytes, the size in octal at 124, content padded to 512
 * @returns {Map<string, Buffer>}
 */
export function readTarball(archive) {
  const tar = gunzipSync(archive);
  const files = new Map();
  for (let at = 0; at < tar.length && tar[at] !== 0;) {
    /** @type {(start: number, length: number) => string} */
    const field = (start, length) =>
      tar.toString('utf8', at + start, at + start + length).replace(/\0.*$/s, '');
    const prefix = field(345, 155);
    const name = prefix === '' ? field(0, 100) : `${prefix}/${field(0, 100)}`;
    const size = parseInt(field(124, 12), 8);
    files.set(name.replace(/^package\//, ''), tar.subarray(at + 512, at + 512 + size));
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return files;
}

/** What a package should never carry. */
const unwanted =
  /(^|\/)(node_modules|\.git|\.cache|coverage|test|stress)\/|\.(test|spec)\.[cm]?[jt]sx?$|(^|\/)\.(env|npmrc)|\.(pem|key|mdb|tgz|log)$|metafile/;

/**
 * What keeps a package from being installed by itself.
 *
 * @param {Map<string, Buffer>} files
 * @returns {string[]} sentences; empty for a package that is well
 */
export function findPackedMistakes(files) {
  const manifest = JSON.parse(String(files.get('package.json')));
  return [
    ...manifestMistakes(manifest, files),
    ...[...files.keys()].filter((name) => unwanted.test(name)).map((name) => `${name} should not be in it`),
    ...importMistakes(manifest, files),
  ];
}

/**
 * @param {Record<string, any>} manifest
 * @param {Map<string, Buffer>} files
 */
function manifestMistakes(manifest, files) {
  const expected = Object.entries({ ...manifest.dependencies, ...manifest.optionalDependencies });
  /** @type {string[]} */
  const paths = Object.values(manifest.bin ?? {});
  return [
    ...(manifest.private === true ? ['it is private'] : []),
    ...(files.has('LICENSE') || files.has('dist/LICENSE') ? [] : ['it has no LICENSE']),
    ...(files.has('README.md') ? [] : ['it has no README.md']),
    ...expected
      .filter(([, range]) => /^(file|link|workspace|git|https?):/.test(range))
      .map(([name, range]) => `${name} is ${range}, which no other package has`),
    ...paths
      .filter((path) => !String(files.get(posix.normalize(path))).startsWith('#!/usr/bin/env node\n'))
      .map((path) => `${path} is no program`),
  ];
}

/**
 * @param {Record<string, any>} manifest
 * @param {Map<string, Buffer>} files
 */
function importMistakes(manifest, files) {
  const declared = {
    ...manifest.dependencies,
    ...manifest.optionalDependencies,
    ...manifest.peerDependencies,
  };
  const known = new Set([manifest.name, ...Object.keys(declared), ...builtinModules]);
  const mistakes = new Set();
  for (const [name, content] of files) {
    // Files for a browser are bundles that import nothing; a driver imports the implementation that it tests.
    if (!/\.[cm]?js$/.test(name) || /^(dist\/ui|drivers)\//.test(name)) continue;
    for (const specifier of importsOf(String(content))) {
      if (specifier.startsWith('.')) {
        if (!files.has(posix.join(posix.dirname(name), specifier)))
          mistakes.add(`${name} imports ${specifier}, which is not in it`);
      } else if (!specifier.startsWith('node:') && !known.has(packageOf(specifier))) {
        mistakes.add(`${packageOf(specifier)} is imported and no dependency`);
      }
    }
  }
  return [...mistakes];
}

/**
 * What a module imports, as bundles and programs write it: each statement begins a line.
 *
 * @param {string} text
 */
export function importsOf(text) {
  const forms =
    /^(?:import|export|\})(?: [^;"'`]*?from)? ?["']([^"'\n]+)["'];?$|\bimport\(["']([^"'\n]+)["']\)/gm;
  return [...text.matchAll(forms)].map(([, one, other]) => one ?? other ?? '');
}

/** @param {string} specifier */
function packageOf(specifier) {
  return /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;
}
