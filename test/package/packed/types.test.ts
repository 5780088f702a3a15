import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type TypeScript from 'typescript';
import { expect, inject, it } from 'vitest';

// README names the oldest TypeScript that reads these types: set TAMIS_TYPESCRIPT to the path of another `typescript.js` to
// check.
const { default: ts } = (await import(process.env.TAMIS_TYPESCRIPT ?? 'typescript')) as {
  readonly default: typeof TypeScript;
};

const consumer = inject('consumer');
const sources = fileURLToPath(new URL('../../types/consumer/', import.meta.url));

/** As strict as TypeScript goes, the declarations of the package included, and without Node's or the browser's types. */
const options: TypeScript.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2022.d.ts'],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  noImplicitOverride: true,
  verbatimModuleSyntax: true,
  isolatedModules: true,
  skipLibCheck: false,
  noEmit: true,
};

it.each(['esm.mts', 'cjs.cts'])('types of the installed package: %s', (name) => {
  const file = join(consumer, name);
  copyFileSync(join(sources, name), file);
  const program = ts.createProgram([file], options);
  const declarations = program.getSourceFiles().map((source) => source.fileName);
  expect(declarations.filter((each) => each.includes('node_modules/tamis/dist/index.d.'))).toHaveLength(1);
  const problems = ts.getPreEmitDiagnostics(program).map((diagnostic) => {
    const message = ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n');
    const { file: where, start } = diagnostic;
    if (where === undefined || start === undefined) return message;
    return `${where.fileName}:${String(where.getLineAndCharacterOfPosition(start).line + 1)}: ${message}`;
  });
  expect(problems).toEqual([]);
});
