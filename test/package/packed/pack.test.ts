import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, inject, it } from 'vitest';
import { npm } from './tarball.js';

const consumer = inject('consumer');
const installed = join(consumer, 'node_modules', 'tamis');

/** Everything that somebody who installs the engine gets. A new line here needs a reason as a new dependency does. */
const allowedPackages = ['tamis'];

function runInConsumer(file: string, source: string): string {
  writeFileSync(join(consumer, file), source);
  return execFileSync(process.execPath, [file], { cwd: consumer, encoding: 'utf8' });
}

interface Tree {
  readonly dependencies?: Readonly<Record<string, Tree>>;
}

function packageNames(tree: Tree): string[] {
  return Object.entries(tree.dependencies ?? {}).flatMap(([name, below]) => [name, ...packageNames(below)]);
}

/** The names in a tar archive: headers of 512 bytes, the size in octal at 124, content padded to 512. */
function tarNames(archive: Buffer): string[] {
  const names: string[] = [];
  for (let at = 0; at < archive.length && archive[at] !== 0;) {
    const field = (start: number, length: number): string =>
      archive.toString('utf8', at + start, at + start + length).replace(/\0.*$/s, '');
    const prefix = field(345, 155);
    names.push(prefix === '' ? field(0, 100) : `${prefix}/${field(0, 100)}`);
    at += 512 + Math.ceil(parseInt(field(124, 12), 8) / 512) * 512;
  }
  return names.map((name) => name.replace(/^package\//, ''));
}

describe('the tarball', () => {
  const names = tarNames(gunzipSync(readFileSync(inject('tarball'))));

  it('holds the library, the command and the papers', () => {
    expect(names).toEqual(
      expect.arrayContaining([
        'LICENSE',
        'THIRD-PARTY-LICENSES.txt',
        'CHANGELOG.md',
        'SECURITY.md',
        'README.md',
        'package.json',
        'dist/cli.js',
        'dist/editor.cjs',
        'dist/editor.d.cts',
        'dist/editor.d.ts',
        'dist/editor.js',
        'dist/index.cjs',
        'dist/index.d.cts',
        'dist/index.d.ts',
        'dist/index.js',
      ]),
    );
  });

  it('holds nothing else', () => {
    const allowed =
      /^(LICENSE|THIRD-PARTY-LICENSES\.txt|(CHANGELOG|README|SECURITY)\.md|package\.json|dist\/[\w.-]+|grammar\/.+)$/;
    expect(names.filter((name) => !allowed.test(name))).toEqual([]);
    expect(
      names.filter((name) => /servers|\.(test|spec)\.|\.tsx?$|metafile/.test(name.replace(/\.d\.ts$/, ''))),
    ).toEqual([]);
  });
});

describe('an empty project with the tarball installed', () => {
  it('gets the allowed packages only', () => {
    const tree = JSON.parse(npm(['ls', '--all', '--json'], consumer)) as Tree;
    expect(packageNames(tree).sort()).toEqual(allowedPackages);
  });

  const program = `
    const select = compileFilter('Status == running and Meta.tier matches "^w"').select;
    const rows = [{ Status: 'running', Meta: { tier: 'web' } }, { Status: 'dead', Meta: { tier: 'web' } }];
    console.log(JSON.stringify(select(rows)));
  `;
  const answer = '[{"Status":"running","Meta":{"tier":"web"}}]\n';

  it('filters through import', () => {
    expect(runInConsumer('filter.mjs', `import { compileFilter } from 'tamis';${program}`)).toBe(answer);
  });

  it('filters through require', () => {
    expect(runInConsumer('filter.cjs', `const { compileFilter } = require('tamis');${program}`)).toBe(answer);
  });

  const asks = `
    const schema = defineSchema({ Status: t.string });
    console.log(complete('Sta', 3, { schema }).items[0].insert, diagnostics('Stat == x', { schema })[0].hint);
  `;

  it('helps editors through import and require', () => {
    const esm = `import { defineSchema, t } from 'tamis'; import { complete, diagnostics } from 'tamis/editor';`;
    const cjs = `const { defineSchema, t } = require('tamis'); const { complete, diagnostics } = require('tamis/editor');`;
    expect(runInConsumer('editor.mjs', esm + asks)).toBe('Status did you mean Status?\n');
    expect(runInConsumer('editor.cjs', cjs + asks)).toBe('Status did you mean Status?\n');
  });

  it('has the tamis command', () => {
    // What a shell runs: the link in .bin, which needs the shebang and the mode that the tarball carries.
    const tamis = (...args: string[]): string =>
      npm(['exec', '--offline', '--', 'tamis', ...args], consumer).trim();
    const { version } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
      version: string;
    };
    writeFileSync(join(consumer, 'jobs.ndjson'), '{"Status":"running"}\n{"Status":"dead"}\n');
    expect(tamis('--version')).toBe(version);
    expect(tamis('filter', 'Status == dead', 'jobs.ndjson')).toBe('{"Status":"dead"}');
  });

  it('offers the same names to both', () => {
    const esm = runInConsumer(
      'names.mjs',
      `import * as tamis from 'tamis'; console.log(Object.keys(tamis).sort().join());`,
    );
    const cjs = runInConsumer('names.cjs', `console.log(Object.keys(require('tamis')).sort().join());`);
    expect(esm).toBe(cjs);
    expect(esm).toContain('compileFilter');
  });

  it('loads no other package and nothing of Node, in both forms', () => {
    const library = readdirSync(join(installed, 'dist')).filter((file) =>
      /^(index|editor|engine-\w+)\.c?js$/.test(file),
    );
    expect(library.length).toBeGreaterThan(4);
    const loaded = library.flatMap((file) => {
      const text = readFileSync(join(installed, 'dist', file), 'utf8');
      return [...text.matchAll(/(?:^} from |^import |^import .* from |\brequire\()"([^"]+)"/gm)].map(
        (match) => match[1],
      );
    });
    expect(loaded.filter((name) => name?.startsWith('./') === false)).toEqual([]);
    expect(loaded.filter((name) => name?.startsWith('./engine-') === false)).toEqual([]);
    expect(loaded.length).toBeGreaterThan(2);
  });
});

describe('the licences of what is bundled', () => {
  it('are those of the last build', () => {
    const check = (): unknown =>
      execFileSync(process.execPath, ['scripts/licenses.mjs', '--check'], {
        stdio: ['ignore', 'ignore', 'inherit'],
      });
    expect(check).not.toThrow();
  });

  it.each(['chevrotain', '@chevrotain/gast'])('name %s', (name) => {
    const text = readFileSync(join(installed, 'THIRD-PARTY-LICENSES.txt'), 'utf8');
    expect(text).toMatch(new RegExp(`^${name} \\d`, 'm'));
  });
});
