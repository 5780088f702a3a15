// Bundles the extension, the language server and the grammar.
//
//   node bundle.mjs            into dist
//   node bundle.mjs FOLDER     into that folder
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { bundledPackages, renderLicenses } from '../../scripts/bundled-licenses.mjs';

const folder = resolve(process.argv[2] ?? 'dist');
const repository = resolve(import.meta.dirname, '../..');
const shared = {
  bundle: true,
  platform: 'node',
  // As in the bundle of the server alone.
  mainFields: ['module', 'main'],
  format: 'cjs',
  target: 'node20',
  external: ['vscode'],
  logLevel: 'warning',
  minify: true,
  metafile: true,
  absWorkingDir: import.meta.dirname,
};
mkdirSync(folder, { recursive: true });
copyFileSync(join(repository, 'grammar/tamis.tmLanguage.json'), join(folder, 'tamis.tmLanguage.json'));
const builds = await Promise.all([
  build({
    ...shared,
    entryPoints: ['src/extension.ts'],
    outfile: join(folder, 'extension.cjs'),
  }),
  build({
    ...shared,
    entryPoints: ['../typescript/src/server.ts'],
    outfile: join(folder, 'server.cjs'),
  }),
]);
const bundled = bundledPackages(
  import.meta.dirname,
  builds.map(({ metafile }) => metafile),
);
const intro =
  'The files in this folder contain code of the packages named below, under the licence that follows\nits name.';
writeFileSync(join(folder, 'THIRD-PARTY-LICENSES.txt'), renderLicenses(bundled, intro));
