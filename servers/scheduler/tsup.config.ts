import { cp } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'tsup';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

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
  // The console goes where the program looks for it.
  onSuccess: () => cp(at('../console/dist'), at('dist/ui'), { recursive: true }),
  banner: { js: '#!/usr/bin/env node' },
});
