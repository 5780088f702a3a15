import { defineConfig } from 'tsup';

export default defineConfig({
  entry: { main: 'src/main.ts' },
  format: ['esm'],
  platform: 'node',
  target: 'node20',
  // What takes the first signal stands alone.
  splitting: true,
  clean: true,
  // The kits are private to this repository and are not installed with the package.
  noExternal: ['@tamis/config', '@tamis/etcd', '@tamis/http'],
  banner: { js: '#!/usr/bin/env node' },
});
