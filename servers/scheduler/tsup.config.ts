import { defineConfig } from 'tsup';

export default defineConfig({
  entry: { main: 'src/main.ts' },
  format: ['esm'],
  platform: 'node',
  target: 'node20',
  // What takes the first signal stands alone.
  splitting: true,
  clean: true,
  // The kit is private to this repository and is not installed with the package.
  noExternal: [/^@tamis\//],
  external: ['tamis'],
  banner: { js: '#!/usr/bin/env node' },
});
