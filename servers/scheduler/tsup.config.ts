import { cp } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'tsup';
import manifest from './package.json' with { type: 'json' };

/** What the package says of itself. */
const papers = ['CHANGELOG.md', 'LICENSE', 'THIRD-PARTY-LICENSES.txt'];

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  entry: { main: 'src/main.ts' },
  format: ['esm'],
  platform: 'node',
  target: 'node20',
  // The module that handles the first signal is a chunk of its own.
  splitting: true,
  clean: true,
  // The kits and the engine go into the bundle: what is installed with the package are its dependencies.
  noExternal: [/^@tamis\//, /^tamis(\/|$)/],
  external: Object.keys(manifest.optionalDependencies),
  onSuccess: async () => {
    // The console goes where the program looks for it.
    await cp(at('../console/dist'), at('dist/ui'), { recursive: true });
    for (const paper of papers) await cp(at(`../../${paper}`), at(`dist/${paper}`));
  },
  banner: { js: '#!/usr/bin/env node' },
});
