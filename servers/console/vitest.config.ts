import { defineConfig } from 'vitest/config';

const engine = new URL('../../src/', import.meta.url).pathname;

export default defineConfig({
  // The agent that the page is tried with runs from its sources, as its own tests have it.
  resolve: {
    alias: [
      { find: /^tamis$/, replacement: `${engine}index.ts` },
      { find: /^tamis\/([\w-]+)$/, replacement: `${engine}$1/index.ts` },
    ],
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  test: {
    include: ['test/**/*.test.{ts,tsx}'],
    setupFiles: ['../../test/support/property-seed.ts'],
    globalSetup: ['test/support/build-console.ts'],
    expect: { requireAssertions: true },
    testTimeout: 90_000,
    hookTimeout: 90_000,
  },
});
