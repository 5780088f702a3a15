import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['../test/support/property-seed.ts'],
    globalSetup: ['test/support/site.ts'],
    expect: { requireAssertions: true },
    testTimeout: 90_000,
    hookTimeout: 90_000,
  },
});
