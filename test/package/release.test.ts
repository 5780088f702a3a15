import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { findPackedMistakes, readTarball } from '../../scripts/packed.mjs';
import { foreignLicenses, readChangelog, versionMistakes } from '../../scripts/release-rules.mjs';

/** A package as npm packs it. */
function tarball(files: Readonly<Record<string, string>>): Buffer {
  const blocks = Object.entries(files).flatMap(([name, text]) => {
    const content = Buffer.from(text);
    const head = Buffer.alloc(512);
    head.write(`package/${name}`, 0);
    head.write(content.length.toString(8).padStart(11, '0'), 124);
    return [head, content, Buffer.alloc((512 - (content.length % 512)) % 512)];
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]));
}

const mistakesOf = (manifest: object, files: Readonly<Record<string, string>> = {}): string[] => {
  const papers = {
    LICENSE: 'MIT',
    'README.md': '#',
    'package.json': JSON.stringify({ name: 'x', ...manifest }),
  };
  return findPackedMistakes(readTarball(tarball({ ...papers, ...files })));
};

describe('a packed package', () => {
  it('may import what it declares, what Node has, and its own files', () => {
    const main = '#!/usr/bin/env node\nimport { a } from "fastify";\nimport "./chunk.js";\nimport\n';
    const chunk =
      'import {\n  b\n} from "@grpc/grpc-js";\nawait import("./late.js");\nimport "node:fs";\nimport p from "path";\n';
    expect(
      mistakesOf(
        {
          bin: { x: './dist/main.js' },
          dependencies: { fastify: '5' },
          optionalDependencies: { '@grpc/grpc-js': '1' },
        },
        { 'dist/main.js': main, 'dist/chunk.js': chunk, 'dist/late.js': 'export {};\n' },
      ),
    ).toEqual([]);
  });

  it.each([
    [{ private: true }, {}, 'it is private'],
    [{ dependencies: { tamis: 'file:../..' } }, {}, 'tamis is file:../.., which no other package has'],
    [{ dependencies: { tamis: 'workspace:*' } }, {}, 'tamis is workspace:*, which no other package has'],
    [{ bin: { x: 'dist/x.js' } }, { 'dist/x.js': 'text' }, 'dist/x.js is no program'],
    [{ bin: { x: 'dist/x.js' } }, {}, 'dist/x.js is no program'],
    [{}, { 'a.js': 'import "left-pad";\n' }, 'left-pad is imported and no dependency'],
    [{}, { 'a.js': '} from "@a/b/c";\n' }, '@a/b is imported and no dependency'],
    [{}, { 'dist/a.js': 'import("./b.js");\n' }, 'dist/a.js imports ./b.js, which is not in it'],
    [{}, { 'src/a.test.ts': '' }, 'src/a.test.ts should not be in it'],
    [{}, { '.env': 'KEY=1' }, '.env should not be in it'],
    [{}, { 'node_modules/a/index.js': '' }, 'node_modules/a/index.js should not be in it'],
  ])('%j %j: %s', (manifest, files, mistake) => {
    expect(mistakesOf(manifest, files as Record<string, string>)).toEqual([mistake]);
  });
});

describe('a release', () => {
  it('has one version everywhere', () => {
    const manifests = [
      { folder: '.', manifest: { version: '1.0.0' } },
      { folder: 'ui', manifest: { version: '0.9.0' } },
    ];
    const packages = { '': { version: '1.0.0' }, ui: { version: '1.0.0' } };
    expect(versionMistakes('1.0.0', manifests, { packages })).toEqual([
      'ui/package.json says 0.9.0',
      'package-lock.json says 1.0.0 of ui',
    ]);
  });

  it.each([
    [
      '# C\n\n## Unreleased\n\n## 1.0.0 - 2026-01-02\n\nA\n\n- one\n- two\n',
      { date: '2026-01-02', lines: 2, unreleased: 0 },
    ],
    ['# C\n\n## Unreleased\n\n- new\n\n## 1.0.0\n\n- one\n', { date: null, lines: 0, unreleased: 1 }],
    ['# C\n\n## 11.0.0 - 2026-01-02\n\n- one\n', { date: null, lines: 0, unreleased: 0 }],
  ])('reads the changelog: %j', (text, read) => {
    expect(readChangelog(text, '1.0.0')).toEqual(read);
  });

  it('knows the licences of what is installed with it', () => {
    const packages = {
      'servers/a': { dependencies: { b: '1' }, optionalDependencies: { e: '1' } },
      'servers/a/node_modules/b': { license: '(MIT OR GPL-3.0)', dependencies: { c: '1', d: '1' } },
      'node_modules/b': { license: 'SSPL-1.0' },
      'node_modules/c': { license: 'GPL-3.0', dependencies: { b: '1' } },
      'node_modules/d': {},
    };
    expect(foreignLicenses({ packages }, 'servers/a')).toEqual({
      count: 4,
      foreign: ['c is under GPL-3.0', 'b is under SSPL-1.0', 'd is under no licence'],
    });
  });
});
