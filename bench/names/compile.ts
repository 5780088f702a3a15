import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { drawRenaming } from './renaming.js';
import { createRewriter } from './rewrite.js';
import { readVocabulary, speaksOfRows, type Source } from './vocabulary.js';

/** The files of the harness. */
export function readSources(folder: string): Source[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter(
      (path) => !/^(node_modules|\.cache)\//.test(path) && path.endsWith('.ts') && !path.endsWith('.d.ts'),
    )
    .sort()
    .map((path) => ({ path, text: readFileSync(join(folder, path), 'utf8') }));
}

/** Compiles the harness into a folder, the names in it drawn from the seed. */
export function compileHarness(sources: readonly Source[], target: string, seed: number): void {
  const rewriter = createRewriter(drawRenaming(readVocabulary(sources), seed));
  for (const { path, text } of sources) {
    const { outputText } = ts.transpileModule(text, {
      fileName: path,
      compilerOptions: {
        module: ts.ModuleKind.ESNext,
        target: ts.ScriptTarget.ES2022,
        verbatimModuleSyntax: true,
      },
      ...(speaksOfRows(path) ? { transformers: { before: [rewriter] } } : {}),
    });
    const file = join(target, path.replace(/\.ts$/, '.js'));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, outputText);
  }
}
