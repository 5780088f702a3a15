import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { describe, expect, inject, it } from 'vitest';
import { findDeadLinks } from './links.js';
import { npm } from './tarball.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));

const consumer = inject('consumer');
const installed = join(consumer, 'node_modules', 'tamis');

/** What programs import: the package itself and its subpaths. */
const entries = [
  'index',
  'builder',
  'clickhouse',
  'client',
  'columns',
  'drizzle',
  'editor',
  'explain',
  'filter-set',
  'hints',
  'http',
  'lint',
  'internal',
  'json-schema',
  'mysql',
  'portable',
  'query',
  'sql',
  'table',
  'zod',
];

/** Everything that an installation of the engine contains. A new line here needs a reason as a new dependency does. */
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
        ...entries.flatMap((name) => ['cjs', 'd.cts', 'd.ts', 'js'].map((kind) => `dist/${name}.${kind}`)),
      ]),
    );
  });

  it('holds nothing else', () => {
    const allowed =
      /^(LICENSE|THIRD-PARTY-LICENSES\.txt|(CHANGELOG|README|SECURITY)\.md|package\.json|dist\/(engine\/)?[\w.-]+|CONTRIBUTING\.md|grammar\/.+|docs\/(guides\/)?[\w-]+\.md|examples\/frameworks\/[\w-]+\.(mjs|ts))$/;
    expect(names.filter((name) => !allowed.test(name))).toEqual([]);
    expect(
      names.filter((name) =>
        /servers|\.(test|spec)\.|\.tsx?$|metafile/.test(name.replace(/\.d\.ts$|^examples\/.+/, '')),
      ),
    ).toEqual([]);
  });

  /** What the documents of the package link to, but only the repository and the site have. */
  const elsewhere = /^(servers|conformance|src)\/|^docs\/api\//;

  it('holds whatever its documents link to, except pages of the repository that exist', () => {
    const papers = names.filter((name) => name.endsWith('.md'));
    expect(papers).toEqual(expect.arrayContaining(['README.md', 'docs/language.md', 'grammar/README.md']));
    const texts = new Map(papers.map((paper) => [paper, readFileSync(join(installed, paper), 'utf8')]));
    const { links, dead } = findDeadLinks(texts, names);
    expect(links).toBeGreaterThan(10);
    expect(dead.filter(({ file }) => !elsewhere.test(file))).toEqual([]);
    const inRepository = dead.filter(({ file }) => elsewhere.test(file) && !file.startsWith('docs/api/'));
    expect(inRepository.filter(({ file }) => !existsSync(join(root, file)))).toEqual([]);
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
  const result = '[{"Status":"running","Meta":{"tier":"web"}}]\n';

  it('filters through import', () => {
    expect(runInConsumer('filter.mjs', `import { compileFilter } from 'tamis';${program}`)).toBe(result);
  });

  it('filters through require', () => {
    expect(runInConsumer('filter.cjs', `const { compileFilter } = require('tamis');${program}`)).toBe(result);
  });

  const cases = `
    const schema = defineSchema({ Status: t.string });
    console.log(complete('Sta', 3, { schema }).items[0].insert, diagnostics('Stat == x', { schema })[0].hint);
  `;

  it('helps editors through import and require', () => {
    const esm = `import { defineSchema, t } from 'tamis'; import { complete, diagnostics } from 'tamis/editor';`;
    const cjs = `const { defineSchema, t } = require('tamis'); const { complete, diagnostics } = require('tamis/editor');`;
    expect(runInConsumer('editor.mjs', esm + cases)).toBe('Status did you mean Status?\n');
    expect(runInConsumer('editor.cjs', cjs + cases)).toBe('Status did you mean Status?\n');
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

  it.each([
    ['tamis', 'compileFilter'],
    ['tamis/builder', 'where'],
    ['tamis/editor', 'complete'],
    ['tamis/explain', 'diagnose'],
    ['tamis/lint', 'lint'],
    ['tamis/portable', 'portable'],
    ['tamis/filter-set', 'createFilterSet'],
    ['tamis/hints', 'enableHints'],
    ['tamis/internal', 'createTimeSlicer'],
    ['tamis/table', 'createTable'],
    ['tamis/query', 'createList'],
    ['tamis/http', 'listEndpoint'],
    ['tamis/client', 'listClient'],
  ])('offers the same names of %s to both', (module, name) => {
    const esm = runInConsumer(
      'names.mjs',
      `import * as all from '${module}'; console.log(Object.keys(all).sort().join());`,
    );
    const cjs = runInConsumer('names.cjs', `console.log(Object.keys(require('${module}')).sort().join());`);
    expect(esm).toBe(cjs);
    expect(esm.trim().split(',')).toContain(name);
  });

  // A schema, an error or a condition of one subpath is one for all others only where they share their engine.
  it.each(['import', 'require'])('has one engine for all subpaths, through %s', (way) => {
    const load = (name: string): string =>
      way === 'import' ? `await import('${name}')` : `require('${name}')`;
    const source = `
      const { compileFilter, defineSchema, FilterError, t } = ${load('tamis')};
      const { where } = ${load('tamis/builder')};
      const { diagnose } = ${load('tamis/explain')};
      const { lint } = ${load('tamis/lint')};
      const { complete } = ${load('tamis/editor')};
      const schema = defineSchema({ Status: t.string });
      const refused = (act) => { try { act(); return false; } catch (error) { return error instanceof FilterError; } };
      console.log([
        compileFilter(where('Status').is('a'), { schema }).test({ Status: 'a' }),
        refused(() => lint('a ==')),
        refused(() => diagnose('a ==', [])),
        lint('Status == "a" and Status == "b"', { schema }).length === 1,
        complete('Sta', 3, { schema }).items.length === 1,
      ].join());
    `;
    const file = way === 'import' ? 'one.mjs' : 'one.cjs';
    expect(runInConsumer(file, source).trim()).toBe('true,true,true,true,true');
  });

  const engine = join(installed, 'dist', 'engine');

  it.each(['js', 'cjs'])('carries its lexer and parser once (%s)', (kind) => {
    const files = readdirSync(engine).filter((file) => file.endsWith(`.${kind}`));
    const containers = files.filter((file) =>
      readFileSync(join(engine, file), 'utf8').includes('name: "NumberLiteral"'),
    );
    expect(containers).toHaveLength(1);
  });

  it('loads no other package and nothing of Node, in both forms', () => {
    const library = readdirSync(engine).filter((file) => /\.c?js$/.test(file));
    expect(library.length).toBeGreaterThan(2 * entries.length);
    const loaded = library.flatMap((file) => {
      const text = readFileSync(join(engine, file), 'utf8');
      return [...text.matchAll(/(?:^} from |^import |^import .* from |\brequire\()['"]([^'"]+)['"]/gm)].map(
        (match) => match[1],
      );
    });
    expect(loaded.filter((name) => name?.startsWith('./part-') === false)).toEqual([]);
    expect(loaded.length).toBeGreaterThan(entries.length);
  });
});

describe('a bundle', () => {
  const cases = `
    const hintOf = (text) => { try { return parse(text); } catch ({ hint, suggestions }) { return [hint, suggestions.length]; } };
    const compile = globalThis.process.getBuiltinModule('vm').compileFunction;
    let made = 0;
    globalThis.process.getBuiltinModule('vm').compileFunction = (...args) => { made += 1; return compile(...args); };
    const rows = Array.from({ length: 5000 }, (_, n) => ({ n }));
    const found = compileFilter('n < 10', { schema: defineSchema({ n: t.int }) }).select(rows).length;
    console.log(JSON.stringify([hintOf('a = 1'), made > 0, found]));
  `;
  const imports = `import { compileFilter, defineSchema, parse, t } from 'tamis';`;

  async function runBundle(source: string, platform: 'browser' | 'node'): Promise<unknown> {
    const { outputFiles } = await build({
      stdin: { contents: source, resolveDir: consumer },
      ...{ bundle: true, minify: true, write: false, platform, format: 'esm' },
    });
    return JSON.parse(runInConsumer('bundle.mjs', outputFiles[0]?.text ?? ''));
  }

  it('for Node has hints and code by shape', async () => {
    expect(await runBundle(imports + cases, 'node')).toEqual([['Use == for equality.', 1], true, 10]);
  });

  it('for a browser has neither', async () => {
    expect(await runBundle(imports + cases, 'browser')).toEqual([[null, 0], false, 10]);
  });

  it('for a browser has the hints that it imports', async () => {
    const pending = `import { enableHints } from 'tamis/hints'; ${imports} enableHints();`;
    expect(await runBundle(pending + cases, 'browser')).toEqual([['Use == for equality.', 1], false, 10]);
  });

  it.each(['browser', 'node'] as const)(
    'for %s has Filter.explain only if it imports tamis/explain',
    async (platform) => {
      const explains = `let reported = null; try { reported = compileFilter('a == 1').explain({ a: 2 }).matches; } catch (error) { reported = error.message; } console.log(JSON.stringify(reported));`;
      expect(await runBundle(imports + explains, platform)).toMatch("import 'tamis/explain'");
      expect(await runBundle(`import 'tamis/explain'; ${imports} ${explains}`, platform)).toBe(false);
    },
  );

  it('for a browser has an editor that gives hints', async () => {
    const source = `import { diagnostics } from 'tamis/editor'; console.log(JSON.stringify(diagnostics('a = 1')[0].hint));`;
    expect(await runBundle(source, 'browser')).toBe('Use == for equality.');
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

  it.each(['chevrotain', '@chevrotain/utils'])('name %s', (name) => {
    const text = readFileSync(join(installed, 'THIRD-PARTY-LICENSES.txt'), 'utf8');
    expect(text).toMatch(new RegExp(`^${name} \\d`, 'm'));
  });
});
