// Bundles each entry, the engine's sources included, into one CommonJS file: a language service loads its plugins with
// `require`, and the engine is that of this version.
//
//   node bundle.mjs            into dist
//   node bundle.mjs FOLDER     into that folder
import { resolve } from 'node:path';
import { build } from 'esbuild';

const folder = resolve(process.argv[2] ?? 'dist');
const shared = {
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  external: ['typescript'],
  logLevel: 'warning',
  minify: true,
  absWorkingDir: import.meta.dirname,
};
await Promise.all([
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
