import { lezer } from '@lezer/generator/rollup';
import { resolve } from 'node:path';
import { defineConfig, type Plugin } from 'vite';

/**
 * What the page may do: its own scripts, styles and worker, and nothing that leaves the browser. The static files carry it
 * themselves, so that any host will do; `npm run playground` sends it as a header too.
 */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "worker-src 'self'",
  "img-src 'self'",
  "connect-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** Only in what is built: during development, Vite puts styles and its own script into it. */
const policy: Plugin = {
  name: 'content-security-policy',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: () => [
      {
        tag: 'meta',
        attrs: { 'http-equiv': 'Content-Security-Policy', content: contentSecurityPolicy },
        injectTo: 'head-prepend',
      },
    ],
  },
};

export default defineConfig({
  root: import.meta.dirname,
  // Addresses in the files are relative: the folder may lie anywhere on a host.
  base: './',
  plugins: [lezer(), policy],
  resolve: { alias: { '@tamis/filter-box': resolve(import.meta.dirname, '../ui/src') } },
  worker: { format: 'es' },
  // Preact's own: small, and the same components, types and lint rules as everywhere; no compiler of its own.
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    // The preload helper would fetch, which the policy forbids; browsers that run this page preload by themselves.
    modulePreload: { polyfill: false },
    // Nothing inline: the policy allows no data addresses.
    assetsInlineLimit: 0,
  },
  preview: {
    headers: {
      'Content-Security-Policy': `${contentSecurityPolicy}; frame-ancestors 'none'`,
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
    },
  },
});
