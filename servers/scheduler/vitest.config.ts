import { defineConfig } from 'vitest/config';

export default defineConfig({
  // Tests run on the engine's sources, so that they need no build and never see an old one.
  resolve: { alias: { tamis: new URL('../../src/index.ts', import.meta.url).pathname } },
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['../../test/support/property-seed.ts'],
    expect: { requireAssertions: true },
    testTimeout: 30_000,
  },
});
