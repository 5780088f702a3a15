import { defineConfig, type Options } from 'tsup';
import { slimChevrotain } from './scripts/slim/plugin.js';

const shared: Options = {
  target: 'node20',
  platform: 'neutral',
  sourcemap: false,
  minify: false,
  // For the licences of what is bundled (scripts/licenses.mjs).
  metafile: true,
  // Chevrotain takes 300 ms to load from node_modules and about 40 ms bundled. The others belong to the CLI.
  noExternal: ['chevrotain', 'lossless-json', 'picocolors', 'cli-table3'],
  esbuildPlugins: [slimChevrotain()],
  // An optional part of cli-table3 that would bring 100 KB for colours that we set ourselves.
  external: ['@colors/colors', '@colors/colors/safe'],
};

export default defineConfig([
  {
    ...shared,
    entry: { index: 'src/index.ts', editor: 'src/editor/index.ts', cli: 'src/repl/main.ts' },
    format: ['esm'],
    // The engine stands once in the package: the CLI and the library share it as a chunk.
    splitting: true,
    esbuildOptions: (options) => {
      options.chunkNames = 'engine-[hash]';
    },
    // tsup sets `baseUrl`, which TypeScript 6 deprecates.
    dts: { entry: { index: 'src/index.ts' }, compilerOptions: { ignoreDeprecations: '6.0' } },
  },
  {
    ...shared,
    entry: { index: 'src/index.ts', editor: 'src/editor/index.ts' },
    format: ['cjs'],
    splitting: false,
    // Here and not above, where the two declaration files would share a third one that only one module system can read.
    dts: { entry: { editor: 'src/editor/index.ts' }, compilerOptions: { ignoreDeprecations: '6.0' } },
  },
]);
