import { lezer } from '@lezer/generator/rollup';
import { defineConfig } from 'vite';
import { compressed } from './compressed.config.js';

/** Where `npx vite servers/console` finds an agent while somebody works on the page. */
const agent = process.env['SCHEDULER_ADDRESS'] ?? 'http://127.0.0.1:4646';

export default defineConfig({
  root: import.meta.dirname,
  base: '/ui/',
  plugins: [lezer(), compressed],
  worker: { format: 'es' },
  // Preact's own: small, and the same components, types and lint rules as everywhere; no compiler of its own.
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    // Nothing inline: the policy allows no data addresses.
    assetsInlineLimit: 0,
  },
  server: { proxy: { '/v1': agent } },
});
