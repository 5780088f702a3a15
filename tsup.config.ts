import { defineConfig, type Options } from 'tsup';

const shared: Options = {
  target: 'node20',
  sourcemap: false,
  splitting: false,
  minify: false,
  // Chevrotain takes 300 ms to load from node_modules and about 40 ms bundled.
  noExternal: ['chevrotain'],
};

export default defineConfig([
  {
    ...shared,
    entry: { index: 'src/index.ts' },
    format: ['esm', 'cjs'],
    // tsup sets `baseUrl`, which TypeScript 6 deprecates.
    dts: { compilerOptions: { ignoreDeprecations: '6.0' } },
    clean: true,
  },
  {
    ...shared,
    entry: { cli: 'src/repl/main.ts' },
    format: ['esm'],
    platform: 'node',
    noExternal: ['chevrotain', 'lossless-json', 'picocolors', 'cli-table3'],
    banner: { js: '#!/usr/bin/env node' },
  },
]);
