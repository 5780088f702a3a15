import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The repository's own options. */
const ownOptions = ts.parseJsonConfigFileContent(
  ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile).config,
  ts.sys,
  root,
).options;

/** A file that is made by a test and never written. */
const generated = join(root, 'test/types/generated.ts');

/** Files as they were read first, shared by all programs. */
const files = new Map<string, ts.SourceFile | undefined>();

/** A program of files on disk and of one more that is only here. */
function createProgram(names: string[], options: ts.CompilerOptions, made = ''): ts.Program {
  const host = ts.createCompilerHost(options);
  const { getSourceFile } = host;
  host.getSourceFile = (name, version, ...rest) => {
    if (name === generated) return ts.createSourceFile(name, made, version);
    if (!files.has(name)) files.set(name, getSourceFile(name, version, ...rest));
    return files.get(name);
  };
  return ts.createProgram(names, options, host);
}

function problemsOf(program: ts.Program): string[] {
  return ts.getPreEmitDiagnostics(program).map(({ file, start, messageText }) => {
    const line = file === undefined ? 0 : file.getLineAndCharacterOfPosition(start ?? 0).line + 1;
    return `${file?.fileName ?? ''}:${line}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
  });
}

describe('the types', () => {
  it.each<[string, ts.CompilerOptions]>([
    ['as this repository is compiled', {}],
    ['where optional properties may be undefined', { exactOptionalPropertyTypes: false }],
  ])('are what test/types says, %s', (_, more) => {
    const names = ['schema.test-d.ts', 'build.test-d.ts'].map((name) => join(root, 'test/types', name));
    expect(problemsOf(createProgram(names, { ...ownOptions, ...more }))).toEqual([]);
  });
});

/** How many types the compiler makes for a program that defines, filters and reads rows of so many fields. */
function costOf(fieldCount: number): number {
  const kinds = ['t.string', 't.int', 't.list(t.any)', 't.nullable(t.struct({ A: t.map(t.string) }))'];
  const fields = Array.from({ length: fieldCount }, (_, index) => `F${index}: ${kinds[index % 4] ?? ''}`);
  const program = createProgram(
    [generated],
    ownOptions,
    `import { compileFilter, defineSchema, t, type RowOf } from '../../src/index.js';
import { createWhere } from '../../src/entries/builder.js';
    const rows = defineSchema({ ${fields.join(', ')} });
    declare const row: RowOf<typeof rows>;
    const filter = compileFilter('F0 == x', { schema: rows });
    export const [text, kept] = [row.F0.trim(), [row].filter(filter.test)];
    export const condition = createWhere(rows)('F3', 'A', 'k').is('x');`,
  );
  const problems = program.getSemanticDiagnostics(program.getSourceFile(generated));
  expect(problems.map(({ messageText }) => messageText)).toEqual([]);
  return program.getInstantiationCount();
}

describe('the work of the compiler', () => {
  it('grows in proportion to the schema', () => {
    // About 150 types for each field; a path whose parts are worked out for every field needs 40 times as many.
    expect((costOf(300) - costOf(100)) / 200).toBeLessThan(300);
  });
});
