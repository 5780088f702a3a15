// Bundles the entries with the compiled grammar into dist, and writes their types. CodeMirror stays a dependency: an editor of the
// page and the box then share one copy.
import { copyFileSync, readFileSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { buildParserFile } from '@lezer/generator';
import { build } from 'esbuild';
import { runNode } from '../scripts/command.mjs';

const root = import.meta.dirname;
const outdir = resolve(root, 'dist');
rmSync(outdir, { recursive: true, force: true });

/** @type {import('esbuild').Plugin} */
const grammar = {
  name: 'grammar',
  setup({ onLoad }) {
    onLoad({ filter: /\.grammar$/ }, ({ path }) => ({
      contents: buildParserFile(readFileSync(path, 'utf8'), { fileName: path }).parser,
    }));
  },
};

await build({
  absWorkingDir: root,
  entryPoints: ['index', 'box', 'language', 'plain', 'react'].map((name) => `src/${name}.ts`),
  bundle: true,
  splitting: true,
  format: 'esm',
  target: 'es2022',
  packages: 'external',
  // The paths of tsconfig.json lead to the sources of the engine.
  tsconfigRaw: {},
  plugins: [grammar],
  outdir,
  logLevel: 'warning',
});
const { code, output } = await runNode(
  [
    resolve(root, '../node_modules/typescript-native/bin/tsc'),
    ...[
      '--project',
      root,
      '--noEmit',
      'false',
      '--emitDeclarationOnly',
      '--declaration',
      '--incremental',
      'false',
    ],
    ...['--paths', 'null', '--rootDir', resolve(root, 'src'), '--outDir', outdir],
  ],
  { cwd: root },
);
if (code !== 0) throw new Error(`The types could not be written:\n${output}`);
copyFileSync(resolve(root, '../LICENSE'), resolve(outdir, 'LICENSE'));
