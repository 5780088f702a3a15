import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig, type Options } from 'tsup';
import { slimChevrotain } from './scripts/slim/plugin.js';

/** What programs import: the package itself and its subpaths. */
const library: Readonly<Record<string, string>> = {
  index: 'src/index.ts',
  access: 'src/entries/access.ts',
  builder: 'src/entries/builder.ts',
  clickhouse: 'src/entries/clickhouse.ts',
  client: 'src/entries/client.ts',
  columns: 'src/entries/columns.ts',
  convert: 'src/entries/convert.ts',
  drizzle: 'src/entries/drizzle.ts',
  editor: 'src/entries/editor.ts',
  explain: 'src/entries/explain.ts',
  'filter-set': 'src/entries/filter-set.ts',
  hints: 'src/entries/hints.ts',
  http: 'src/entries/http.ts',
  lint: 'src/entries/lint.ts',
  internal: 'src/entries/internal.ts',
  'json-schema': 'src/entries/json-schema.ts',
  mysql: 'src/entries/mysql.ts',
  portable: 'src/entries/portable.ts',
  query: 'src/entries/query.ts',
  sql: 'src/entries/sql.ts',
  table: 'src/entries/table.ts',
  zod: 'src/entries/zod.ts',
};

/**
 * The engine by itself, as bundles for browsers have it, and what it is equipped with elsewhere. What all others import
 * is written by `equipped`.
 */
const engine = Object.fromEntries(
  [...Object.entries(library), ['node-defaults', 'src/entries/node-defaults.ts'] as const].map(
    ([name, file]) => [`engine/${name}`, file],
  ),
);

/** The same as the compiler has declared it (scripts/build.mjs): gathering that takes a tenth of declaring it here. */
const declarations = Object.fromEntries(
  Object.entries(library).map(([name, file]) => [
    name,
    file.replace(/^src\/(.*)\.ts$/, '.cache/build/types/$1.d.ts'),
  ]),
);

/** What has no engine in it. */
const bare: readonly string[] = ['client', 'internal'];

/** Writes for each name what programs import everywhere but in bundles for browsers: the same, once the engine is equipped. */
const equipped: NonNullable<Options['plugins']>[number] = {
  name: 'equipped',
  buildEnd() {
    for (const name of Object.keys(library)) {
      const isBare = bare.includes(name);
      const [suffix, text] =
        this.format === 'cjs'
          ? [
              'cjs',
              `'use strict';\n${isBare ? '' : `require('./engine/node-defaults.cjs').installDefaults();\n`}module.exports = require('./engine/${name}.cjs');\n`,
            ]
          : [
              'js',
              isBare
                ? `export * from './engine/${name}.js';\n`
                : `import { installDefaults } from './engine/node-defaults.js';\nexport * from './engine/${name}.js';\ninstallDefaults();\n`,
            ];
      writeFileSync(join(this.options.outDir, `${name}.${suffix}`), text);
    }
  },
};

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

const shared: Options = {
  // What copies of one version share (src/runtime/shared-identity.ts).
  define: { TAMIS_VERSION: JSON.stringify(version) },
  target: 'node20',
  platform: 'neutral',
  sourcemap: false,
  minify: false,
  // For the licences of what is bundled (scripts/licenses.mjs).
  metafile: true,
  // Chevrotain takes 300 ms to load from node_modules and about 40 ms bundled. The others belong to the CLI.
  noExternal: ['chevrotain', 'picocolors', 'cli-table3'],
  esbuildPlugins: [slimChevrotain()],
  plugins: [equipped],
  // An optional part of cli-table3 that would bring 100 KB for colours that we set ourselves.
  external: ['@colors/colors', '@colors/colors/safe'],
  // Each format has the engine once: the subpaths and the command share it as chunks.
  splitting: true,
  esbuildOptions: (options) => {
    options.chunkNames = 'engine/part-[hash]';
  },
};

/** What runs here, at once; or, with `--env.part rest`, what only others need: CommonJS and declarations. */
export default defineConfig(({ env }) =>
  env?.['part'] === 'rest'
    ? [
        { ...shared, entry: engine, format: ['cjs'] },
        {
          entry: declarations,
          format: ['esm'],
          // Those for CommonJS are made of these (scripts/build.mjs). tsup sets `baseUrl`, which TypeScript 6 deprecates.
          dts: { only: true, compilerOptions: { ignoreDeprecations: '6.0' } },
        },
      ]
    : { ...shared, entry: { ...engine, cli: 'src/command/main.ts' }, format: ['esm'] },
);
