import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { suites, testFiles, type TestSet } from './scripts/suites.mjs';

/** What a suite builds once, before its first file. */
const builds: Partial<Record<(typeof suites)[number], string>> = {
  package: 'test/package/packed/tarball.ts',
  console: 'servers/console/test/support/build-console.ts',
  playground: 'playground/test/support/site.ts',
};

/** Which files run: those of `npm test`, those of `npm run test:all`, or all that a path names. */
const set = process.env.TEST_SET as TestSet | undefined;
const files = testFiles(import.meta.dirname, set);
const countedRuns = path('test/support/fast-check.ts');

// A project for each suite: what a test needs decides, not where it lies. Paths choose among them: `vitest run test/lint`.
export default defineConfig({
  plugins: [
    {
      name: 'share-of-property-runs',
      enforce: 'pre',
      resolveId: (source, importer) =>
        source === 'fast-check' && importer !== countedRuns ? countedRuns : undefined,
    },
  ],
  // Tests run on the engine's sources, so that they need no build and never see an old one.
  resolve: {
    alias: [
      { find: /^tamis$/, replacement: path('src/index.ts') },
      { find: /^tamis\/([\w-]+)$/, replacement: `${path('src/entries')}/$1.ts` },
      { find: /^@tamis\/filter-box\/([\w-]+)$/, replacement: `${path('ui/src')}/$1.ts` },
    ],
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  test: {
    // The process that distributes the files is mostly idle: on two cores, one worker would leave the other core idle. Slow
    // files often wait for other processes: a browser, etcd, a server.
    maxWorkers: Math.max(2, availableParallelism() - 1) + (set === 'slow' ? 1 : 0),
    // Loading the engine takes seconds, a test milliseconds: files share the modules of their worker, and a test that
    // changes shared state restores it. Transformed modules are cached for the next run by their content.
    isolate: false,
    experimental: { fsModuleCache: process.env.CI === undefined },
    setupFiles: ['test/support/property-seed.ts', 'test/support/equipped.ts', 'test/support/file-cost.ts'],
    // No test waits for a machine to be fast: these end what hangs, and nothing else. Tests have no limits of their own.
    expect: { requireAssertions: true, poll: { timeout: 120_000 } },
    testTimeout: 300_000,
    hookTimeout: 300_000,
    projects: suites
      .filter((name) => files.some(({ suite }) => suite === name))
      .map((name) => ({
        extends: true as const,
        test: {
          name,
          include: files.filter(({ suite }) => suite === name).map(({ file }) => file),
          globalSetup: builds[name] ?? [],
        },
      })),
    coverage: { include: ['src/**/*.ts'], exclude: ['src/command/main.ts'] },
  },
});

function path(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}
