import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

/** The files of the repository; a deleted one that is not committed yet does not count. */
const files = execFileSync('git', ['ls-files', '-z'], { cwd: fileURLToPath(root), encoding: 'utf8' })
  .split('\0')
  .filter((path) => path !== '' && existsSync(new URL(path, root)));

// Put together here, so that this file does not match itself.
const foreign = [
  ['', 'work', ''].join('/'),
  ['registry', 'npmjs'].join('.'),
  ['registry', 'yarnpkg'].join('.'),
  ['npm', 'pkg', 'github'].join('.'),
  ['deb', 'debian', 'org'].join('.'),
];

describe('the repository', () => {
  it.each(foreign)('never mentions %s', (word) => {
    expect(files.filter((path) => read(path).includes(word))).toEqual([]);
  });

  it('keeps build output and packages out', () => {
    expect(files.filter((path) => /(^|\/)(dist|node_modules|coverage|\.cache)\/|\.tgz$/.test(path))).toEqual(
      [],
    );
  });

  it('has only source files of less than a megabyte, next to small stores of earlier versions', () => {
    const isStore = (path: string): boolean => /\/test\/fixtures\/[\d.]+-\w+\.mdb\.gz$/.test(path);
    const fits = (path: string): boolean =>
      isStore(path)
        ? read(path).length < 10_000
        : !read(path).includes('\0') && read(path).length <= 1_000_000;
    expect(files.filter((path) => !fits(path))).toEqual([]);
  });
});

describe.each(files.filter((path) => path.endsWith('package-lock.json')))('%s', (lock) => {
  const { packages } = JSON.parse(read(lock)) as {
    packages: Record<string, Record<string, unknown>>;
  };

  it('records no download address', () => {
    const addressed = Object.entries(packages).filter(
      ([, entry]) => entry['link'] !== true && 'resolved' in entry,
    );
    expect(addressed.map(([path]) => path)).toEqual([]);
  });

  it('can verify every package that it downloads', () => {
    const downloaded = Object.entries(packages).filter(
      ([path, entry]) => path.includes('node_modules/') && entry['link'] !== true,
    );
    expect(downloaded.length).toBeGreaterThan(0);
    expect(
      downloaded.filter(([, entry]) => typeof entry['integrity'] !== 'string').map(([path]) => path),
    ).toEqual([]);
  });
});

describe('every package of the repository', () => {
  const manifests = files
    .filter((path) =>
      /^((servers\/[^/]+|extra\/[^/]+|bench|conformance|ui|playground|editor\/oldest-typescript)\/)?package\.json$/.test(
        path,
      ),
    )
    .map((path) => ({ path, manifest: JSON.parse(read(path)) as Record<string, unknown> }));

  it.each(manifests)(
    '$path declares a licence or is private, and needs no newer Node than the engine',
    ({ manifest }) => {
      expect(manifest['private'] === true || manifest['license'] === 'MIT').toBe(true);
      expect(manifest['engines']).toEqual({ node: '>=20.19' });
    },
  );

  it.each(manifests)('$path pins its dependencies', ({ manifest }) => {
    const expected = ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((group) =>
      Object.entries((manifest[group] ?? {}) as Record<string, string>),
    );
    expect(
      expected.filter(([, range]) => !/^(\d+\.\d+\.\d+(-[\w.]+)?|file:\.\.[\w./-]*)$/.test(range)),
    ).toEqual([]);
  });
});
