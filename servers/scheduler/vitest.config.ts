import { defineConfig } from 'vitest/config';

const engine = new URL('../../src/', import.meta.url).pathname;

export default defineConfig({
  // Tests run on the engine's sources, so that they need no build and never see an old one.
  resolve: {
    alias: [
      { find: /^tamis$/, replacement: `${engine}index.ts` },
      { find: /^tamis\/([\w-]+)$/, replacement: `${engine}$1/index.ts` },
    ],
  },
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['../../test/support/property-seed.ts'],
    expect: { requireAssertions: true },
    testTimeout: 90_000,
  },
});
