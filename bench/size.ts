// Prints what a program that imports parts of tamis takes on: each bundled by itself with esbuild, minified, gzip -9.
//
//   npm run size
//   npm run size -- --rooms    also what each room of the sources has in it
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build, type BuildOptions } from 'esbuild';
import { slimChevrotain } from '../scripts/slim/plugin.js';

/** Where a program runs: bundles for browsers leave out the hints (`tamis/hints` has them) and the code by shape. */
export type Place = 'browser' | 'elsewhere';

/** Modules, as subpaths of `tamis`, with what is imported of them. */
export type Imports = Readonly<Record<string, string>>;

/** A program that imports names, and where it runs. */
export interface Program {
  readonly name: string;
  readonly place: Place;
  readonly imports: Imports;
  /** Imports that the program has already: their size is subtracted. */
  readonly baseline?: Imports;
  /** In kB (1,000 bytes) of gzip. */
  readonly max: number;
}

/** The part of the engine that filters and lists of rows need, for any storage of rows: plans are useless without their indexes. */
const engine: Imports = {
  '.': 'compileFilter, createPager, defineSchema, fieldIndex, list, orderedIndex, planFilter, t',
};
const browser = { place: 'browser', baseline: engine } as const;

/**
 * What is measured: imports that programs make, and at most how much each may weigh. Level 1 of the language is 6 kB of parse
 * and 25 kB of compileFilter: what a filter needs is known only once its text is read, too late to load it. What bounds
 * compiling (charges for patterns, folding and names that cost what they find) is 1.5 kB of it. `tamis/explain` adds 6 kB.
 */
export const weights: readonly Program[] = [
  { name: 'parse', place: 'browser', imports: { '.': 'parse' }, max: 30.4 },
  { name: 'parse', place: 'elsewhere', imports: { '.': 'parse' }, max: 58.7 },
  { name: 'compileFilter', place: 'browser', imports: { '.': 'compileFilter' }, max: 92 },
  { name: 'compileFilter', place: 'elsewhere', imports: { '.': 'compileFilter' }, max: 118.8 },
  // compileFilter and 17: what translates. Lists and the comparison with the catalogue are functions of their own.
  { name: 'sqlMapping', place: 'browser', imports: { sql: 'sqlMapping' }, max: 109.4 },
  // Without the other dialects.
  { name: 'sqlMapping of MySQL', place: 'browser', imports: { mysql: 'sqlMapping' }, max: 111 },
  { name: 'sqlMapping of ClickHouse', place: 'browser', imports: { clickhouse: 'sqlMapping' }, max: 111.1 },
  { name: 'listClient', place: 'browser', imports: { client: 'listClient' }, max: 3.4 },
  // 2.0 for rows in order and their indexes, 2.0 for what is declared of them and its errors, 1.9 for writes, snapshots and
  // changes, 1.2 for the check and copy of a row, and its size, equality and place as a text.
  { name: 'createTable, in addition to the engine', ...browser, imports: { table: 'createTable' }, max: 10 },
  // Without counts, explanations, waits and watches, which are one part that is loaded on demand. Of 12.7 in addition to the
  // table that part costs 3.6: the names that files exchange, and whole files of which a list needs some or nothing, since
  // esbuild shares files between parts and considers what an entry imports, not what a program uses of it. The others are 2.1 for
  // access paths, 1.9 for sorts, 1.5 for arrays, 1.4 for turns and bounds, and the code that parses queries and caches filters.
  {
    name: 'createTable and createList, in addition to the engine',
    ...browser,
    imports: { table: 'createTable', query: 'createList' },
    max: 27.4,
  },
  {
    name: 'createTable and listEndpoint, in addition to the engine',
    ...browser,
    imports: { table: 'createTable', http: 'listEndpoint' },
    max: 42,
  },
  // With the search by cached results: lists without columns have none of it.
  {
    name: 'columns, in addition to createTable',
    place: 'browser',
    imports: { columns: 'columns' },
    baseline: { ...engine, table: 'createTable' },
    max: 13.9,
  },
];

/** In bytes. */
export interface Weight {
  readonly minified: number;
  readonly compressed: number;
}

/** A program that imports names, whose modules are looked for from a folder. */
function bundleOf(imports: Imports, folder: string, place: Place): BuildOptions {
  const all = Object.entries(imports);
  const lines = all.map(([from, names]) => `import { ${names} } from '${moduleOf(from)}';`);
  const names = all.map(([, each]) => each).join();
  return {
    stdin: { contents: `${lines.join('\n')}\nconsole.log(${names});`, resolveDir: folder },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'neutral',
    conditions: place === 'browser' ? ['browser'] : [],
    // Dynamic imports become chunks of their own; the entry is first.
    splitting: true,
    outdir: folder,
    write: false,
    logLevel: 'silent',
  };
}

function moduleOf(from: string): string {
  if (/^[.@]/.test(from) && from !== '.') return from;
  return from === '.' ? 'tamis' : `tamis/${from}`;
}

/** The weight of what a program imports, without what is loaded later, and without the baseline. */
export async function weigh({ imports, baseline, place }: Program, folder: string): Promise<Weight> {
  const whole = await weighBundle({ ...baseline, ...imports }, place, folder);
  if (baseline === undefined) return whole;
  const known = await weighBundle(baseline, place, folder);
  return { minified: whole.minified - known.minified, compressed: whole.compressed - known.compressed };
}

async function weighBundle(imports: Imports, place: Place, folder: string): Promise<Weight> {
  const { outputFiles = [], metafile } = await build({ ...bundleOf(imports, folder, place), metafile: true });
  const outputs = new Map(
    Object.entries(metafile.outputs).map(([path, output]) => [basename(path), output] as const),
  );
  // Code shared with parts that are loaded later is in files of its own, which come with the entry.
  const loaded = new Set(['stdin.js']);
  for (const name of loaded) {
    for (const { path, kind } of outputs.get(name)?.imports ?? []) {
      if (kind === 'import-statement') loaded.add(basename(path));
    }
  }
  const files = outputFiles.filter(({ path }) => loaded.has(basename(path)));
  if (files.length !== loaded.size) throw new Error('esbuild wrote no entry, or not all that it imports');
  return {
    minified: files.reduce((sum, { contents }) => sum + contents.length, 0),
    compressed: files.reduce((sum, { contents }) => sum + gzipSync(contents, { level: 9 }).length, 0),
  };
}

/**
 * What is left out of the bundle of a name, for each room of the sources, when the room is: bytes of gzip, the heaviest
 * first. Rooms share words, so that the sum is a little less than the whole.
 */
async function weighRooms(name: string, root: string): Promise<[room: string, bytes: number][]> {
  const { outputFiles = [] } = await build({
    ...bundleOf({ './src/index.ts': name }, root, 'browser'),
    // Blanks are what the comments with the names of the files come with.
    minifyWhitespace: false,
    minify: false,
    minifyIdentifiers: true,
    minifySyntax: true,
    splitting: false,
    mainFields: ['module', 'main'],
    plugins: [slimChevrotain()],
  });
  const files = (outputFiles[0]?.text ?? '').split(/^\/\/ (?=\S+\.(?:ts|js)\S*$)/m).map((text) => {
    const [path = '', ...lines] = text.split('\n');
    return { room: roomOf(path), code: lines.map((line) => line.trim()).join('') };
  });
  const packed = (isIn: (room: string) => boolean): number =>
    gzipSync(
      files
        .filter(({ room }) => isIn(room))
        .map(({ code }) => code)
        .join(''),
      { level: 9 },
    ).length;
  const whole = packed(() => true);
  const rooms = [...new Set(files.map(({ room }) => room))];
  return rooms
    .map((room): [string, number] => [room, whole - packed((each) => each !== room)])
    .sort(([, a], [, b]) => b - a);
}

function roomOf(path: string): string {
  if (path.includes('chevrotain') || path.includes('slim')) return 'chevrotain';
  return path.replace(/^src\//, '').replace(/\/[^/]*$/, '');
}

function inKilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`;
}

async function print(withRooms: boolean): Promise<void> {
  for (const program of weights) {
    const { minified, compressed } = await weigh(program, process.cwd());
    const figures = `${inKilobytes(compressed)} gzip, ${inKilobytes(minified)} minified`;
    process.stdout.write(
      `${program.name}, ${program.place}: ${figures} (at most ${String(program.max)} kB gzip)\n`,
    );
  }
  if (!withRooms) return;
  for (const name of ['parse', 'compileFilter']) {
    process.stdout.write(`\nThe rooms of ${name} in a browser:\n`);
    for (const [room, bytes] of await weighRooms(name, process.cwd()))
      process.stdout.write(`  ${inKilobytes(bytes).padStart(8)}  ${room}\n`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await print(process.argv.includes('--rooms'));
