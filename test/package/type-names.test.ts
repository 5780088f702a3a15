import { readdirSync, readFileSync } from 'node:fs';
import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, it } from 'vitest';

// A reader who meets a type's name somewhere must know which one it is.

const root = new URL('../../', import.meta.url);

/** The types, interfaces and classes that a file exports. */
function exportedTypes(path: string, text: string): string[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  return file.statements.flatMap((statement) => {
    const isType =
      ts.isInterfaceDeclaration(statement) ||
      ts.isTypeAliasDeclaration(statement) ||
      ts.isClassDeclaration(statement);
    const isExported =
      isType && statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
    return isExported === true && statement.name !== undefined ? [statement.name.text] : [];
  });
}

/** Names that several files export, with the files. */
function sharedNames(sources: ReadonlyMap<string, string>): string[] {
  const containers = new Map<string, string[]>();
  for (const [path, text] of sources) {
    for (const name of exportedTypes(path, text)) containers.set(name, [...(containers.get(name) ?? []), path]);
  }
  return [...containers]
    .filter(([, paths]) => paths.length > 1)
    .map(([name, paths]) => `${name}: ${paths.join(', ')}`);
}

function readSources(folder: string): Map<string, string> {
  const url = new URL(folder, root);
  return new Map(
    readdirSync(fileURLToPath(url), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .map((path) => path.split(sep).join('/'))
      .map((path) => [path, readFileSync(new URL(path, url), 'utf8')]),
  );
}

it.each([
  'src/',
  'servers/http/src/',
  'servers/config/src/',
  'servers/scheduler/src/',
  'servers/secrets/src/',
])('no two types that %s exports share a name', (folder) => {
  const sources = readSources(folder);
  expect(sources.size).toBeGreaterThan(5);
  expect(sharedNames(sources)).toEqual([]);
});

it('a name that two files export is found', () => {
  const sources = new Map([
    ['a.ts', 'export interface Place { readonly x: number }\ninterface Own {}'],
    ['b.ts', 'export type Place = string;\nexport class Other {}\nclass Own {}'],
    ['c.ts', "export type { Place } from './a.js';\nexport const Place = 1;"],
  ]);
  expect(sharedNames(sources)).toEqual(['Place: a.ts, b.ts']);
});
