// Bundles each entry, the engine's sources included, into one CommonJS file: a language service loads its plugins with
// `require`, and the engine is that of this version.
//
//   node bundle.mjs            into dist
//   node bundle.mjs FOLDER     into that folder
import { copyFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { build } from 'esbuild';
import { bundledPackages, renderLicenses } from '../../scripts/bundled-licenses.mjs';

const folder = resolve(process.argv[2] ?? 'dist');
const shared = {
  bundle: true,
  platform: 'node',
  // The main file of jsonc-parser loads its parts in a way that cannot be bundled.
  mainFields: ['module', 'main'],
  format: 'cjs',
  target: 'node20',
  external: ['typescript'],
  logLevel: 'warning',
  minify: true,
  metafile: true,
  absWorkingDir: import.meta.dirname,
};
const built = await Promise.all([
  build({
    ...shared,
    entryPoints: ['src/plugin.ts'],
    outfile: resolve(folder, 'plugin.cjs'),
    // The language service calls what the module is.
    footer: { js: 'module.exports = module.exports.createPlugin;' },
  }),
  build({ ...shared, entryPoints: ['src/eslint.ts'], outfile: resolve(folder, 'eslint.cjs') }),
  build({
    ...shared,
    entryPoints: ['src/server.ts'],
    outfile: resolve(folder, 'server.cjs'),
    banner: { js: '#!/usr/bin/env node' },
  }),
]);
const bundled = bundledPackages(
  import.meta.dirname,
  built.map(({ metafile }) => metafile),
);
const intro =
  'The files in this folder contain code of the packages named below, under the licence that follows\nits name.';
writeFileSync(resolve(folder, 'THIRD-PARTY-LICENSES.txt'), renderLicenses(bundled, intro));
copyFileSync(resolve(import.meta.dirname, '../../LICENSE'), resolve(folder, 'LICENSE'));
