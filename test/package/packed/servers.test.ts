import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { findPackedMistakes, importsOf, readTarball } from '../../../scripts/packed.mjs';
import { findDeadLinks } from './links.js';
import { npm } from './tarball.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'tamis-servers-'));
afterAll(() => rmSync(folder, { recursive: true }));

const maximum = 6_000_000;
/** Not loaded: held at the last version whose own dependencies take every Node that the package takes. */
const pinned: readonly string[] = ['light-my-request'];

describe.each(['scheduler', 'secrets'])('the tarball of the server %s', (name) => {
  npm(['pack', '--silent', '--ignore-scripts', '--pack-destination', folder], join(root, 'servers', name));
  const path = join(
    folder,
    readdirSync(folder).find((file) => file.includes(name))!,
  );
  const files = readTarball(readFileSync(path));
  const manifest = JSON.parse(String(files.get('package.json'))) as {
    version: string;
    dependencies: Record<string, string>;
    optionalDependencies: Record<string, string>;
  };

  it('can be installed by itself', () => {
    expect(findPackedMistakes(files)).toEqual([]);
    expect(statSync(path).size).toBeLessThan(maximum);
  });

  it('has its own code within, and every dependency is one that it loads', () => {
    const imported = new Set(
      [...files].flatMap(([file, content]) =>
        /^dist\/[^/]+\.js$/.test(file) ? importsOf(String(content)) : [],
      ),
    );
    const packages = [...imported].flatMap((each) => /^(?:@[^/]+\/)?[^./@][^/]*/.exec(each)?.[0] ?? []);
    const declared = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies });
    expect(packages).toEqual(expect.arrayContaining(declared.filter((each) => !pinned.includes(each))));
    expect(packages.filter((each) => each === 'tamis' || each.startsWith('@tamis/'))).toEqual([]);
  });

  it('holds whatever its pages link to, and its pages begin with what is installed', () => {
    const pages = [...files].filter(([file]) => file.endsWith('.md') && !file.startsWith('dist/'));
    const { links, dead } = findDeadLinks(new Map(pages.map(([file, text]) => [file, String(text)])), [
      ...files.keys(),
    ]);
    expect(links).toBeGreaterThan(5);
    expect(dead).toEqual([]);
    for (const file of ['README.md', ...(name === 'scheduler' ? ['docs/command.md'] : [])])
      expect(/^```sh\n([^]*?)^```/m.exec(String(files.get(file)))?.[1]).toMatch(new RegExp(`^${name} `));
  });

  it('has what it takes to run it, and says its commit', () => {
    const needed = ['Containerfile', `${name}.hcl`, `${name}.service`, 'sysusers.conf'];
    expect([...files.keys()]).toEqual(
      expect.arrayContaining([
        'README.md',
        'dist/CHANGELOG.md',
        'dist/LICENSE',
        'dist/THIRD-PARTY-LICENSES.txt',
        'docs/install.md',
        ...needed.map((file) => `packaging/${file}`),
      ]),
    );
    expect(String(files.get('dist/commit.txt'))).toMatch(/^[0-9a-f]{12}(-dirty)?\n$/);
  });
});
