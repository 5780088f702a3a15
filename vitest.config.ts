import { existsSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename } from 'node:path';
import { defineConfig, type TestProjectConfiguration } from 'vitest/config';

// One project each for the engine (from source, starts at once), the package (packs and installs the built engine)
// and every server, and the playground. `npx vitest run test/syntax` runs what matches; `--project engine` runs one project.
const folders = [...readdirSync('servers').map((name) => `servers/${name}`), 'playground'];
const workspaces: TestProjectConfiguration[] = folders
  .filter((folder) => existsSync(`${folder}/vitest.config.ts`))
  .map((folder) => ({
    extends: `${folder}/vitest.config.ts`,
    root: folder,
    test: { name: basename(folder) },
  }));

export default defineConfig({
  test: {
    // The one who hands out the files hardly works: on two cores one worker alone would leave the other core idle.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      {
        test: {
          name: 'engine',
          include: ['test/**/*.test.ts'],
          exclude: ['test/package/packed/**'],
          setupFiles: ['test/support/property-seed.ts', 'test/support/equipped.ts'],
          expect: { requireAssertions: true },
          testTimeout: 90_000,
        },
      },
      {
        test: {
          name: 'package',
          include: ['test/package/packed/*.test.ts'],
          globalSetup: ['test/package/packed/tarball.ts'],
          setupFiles: ['test/support/equipped.ts'],
          expect: { requireAssertions: true },
          testTimeout: 60_000,
        },
      },
      ...workspaces,
    ],
    coverage: { include: ['src/**/*.ts'], exclude: ['src/repl/main.ts'] },
  },
});
