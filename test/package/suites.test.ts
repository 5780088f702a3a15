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

  it('runs each file in npm test or in npm run test:all, and all properties in the latter', () => {
    const fast = testFiles(root, 'fast').map(({ file }) => file);
    const slow = testFiles(root, 'slow').map(({ file }) => file);
    expect(new Set([...fast, ...slow])).toEqual(new Set(all.map(({ file }) => file)));
    const inBoth = slow.filter((file) => fast.includes(file));
    expect(inBoth).toEqual(
      all.filter((each) => each.suite === 'properties' && each.isFast).map(({ file }) => file),
    );
  });
});
