import { lezer } from '@lezer/generator/rollup';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { defineConfig, type Plugin } from 'vite';
import { compressed } from './compressed.config.js';

/** Where `npx vite servers/console` finds an agent during development. */
const agent = process.env['SCHEDULER_ADDRESS'] ?? 'http://127.0.0.1:4646';

/** The engine is bundled already, with code of others in it. */
const engineLicenses: Plugin = {
  name: 'engine-licenses',
  apply: 'build',
  generateBundle() {
    const source = readFileSync(new URL('../../THIRD-PARTY-LICENSES.txt', import.meta.url));
    this.emitFile({ type: 'asset', fileName: 'licenses-engine.txt', source });
  },
};

export default defineConfig({
  root: import.meta.dirname,
  base: '/ui/',
  plugins: [lezer(), engineLicenses, compressed],
  resolve: { alias: { '@tamis/filter-box': resolve(import.meta.dirname, '../../ui/src') } },
  worker: { format: 'es' },
  // Preact's own: small, and the same components, types and lint rules as everywhere; no compiler of its own.
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // Whose code is in the files, and under which licences.
    license: { fileName: 'licenses.txt' },
    target: 'es2022',
    modulePreload: { polyfill: false },
    // Nothing inline: the policy allows no data addresses.
    assetsInlineLimit: 0,
  },
  server: { proxy: { '/v1': agent } },
});
