// Bundles the extension, the language server and the grammar.
//
//   node bundle.mjs            into dist
//   node bundle.mjs FOLDER     into that folder
import { copyFileSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';

const folder = resolve(process.argv[2] ?? 'dist');
const repository = resolve(import.meta.dirname, '../..');
const shared = {
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  external: ['vscode'],
  logLevel: 'warning',
  minify: true,
};
mkdirSync(folder, { recursive: true });
copyFileSync(join(repository, 'grammar/tamis.tmLanguage.json'), join(folder, 'tamis.tmLanguage.json'));
await Promise.all([
  build({
    ...shared,
    absWorkingDir: import.meta.dirname,
    entryPoints: ['src/extension.ts'],
    outfile: join(folder, 'extension.cjs'),
  }),
  build({
    ...shared,
    absWorkingDir: join(repository, 'editor/typescript'),
    entryPoints: ['src/server.ts'],
    outfile: join(folder, 'server.cjs'),
  }),
]);
