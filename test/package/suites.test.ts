import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { slowFiles, suites, testFiles } from '../../scripts/suites.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));

describe('the suites of tests', () => {
  const listed = suites.flatMap((suite) =>
    Object.keys(slowFiles[suite] ?? {}).map((file) => [file, suite] as const),
  );

  it('lists slow files', () => expect(listed.length).toBeGreaterThan(20));

  it.each(listed)('lists %s, which exists and belongs to %s', (file, suite) => {
    expect(existsSync(join(root, file))).toBe(true);
    expect(all.find((each) => each.file === file)?.suite).toBe(suite);
  });

  const all = testFiles(root);

  it('runs each file either in npm test or in npm run test:all', () => {
    const fast = testFiles(root, 'fast').map(({ file }) => file);
    const slow = testFiles(root, 'slow').map(({ file }) => file);
    expect([...fast, ...slow].sort()).toEqual(all.map(({ file }) => file).sort());
  });
});
