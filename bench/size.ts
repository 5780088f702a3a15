// Prints what a program that imports parts of tamis takes on: each bundled by itself with esbuild, minified, gzip -9.
//
//   npm run size
//   npm run size -- --rooms    also what each room of the sources has in it
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build, type BuildOptions } from 'esbuild';
import { slimChevrotain } from '../scripts/slim/plugin.js';

/** Where a program runs: bundles for browsers leave out the hints (`tamis/hints` has them) and the code by shape. */
export type Place = 'browser' | 'elsewhere';

/**
 * What is measured: imports that programs make, and at most how many kB (1,000 bytes) each may weigh. Level 1 of the language
 * is 6 kB of parse and 25 kB of compileFilter: what a filter needs is known only once its text is read, too late to load it.
 * What bounds compiling (charges for patterns, folding and names that cost what they find) is 1.5 kB of it.
 */
export const weights: readonly {
  readonly name: string;
  /** The subpath that it comes from, where it is not `tamis` itself. */
  readonly from?: string;
  readonly place: Place;
  readonly most: number;
}[] = [
  { name: 'parse', place: 'browser', most: 30 },
  { name: 'parse', place: 'elsewhere', most: 54 },
  { name: 'compileFilter', place: 'browser', most: 93 },
  { name: 'compileFilter', place: 'elsewhere', most: 117 },
  // compileFilter and 15: what translates. Lists and the comparison with the catalogue are functions of their own.
  { name: 'sqlSource', from: 'tamis/sql', place: 'browser', most: 108 },
];

/** In bytes. */
export interface Weight {
  readonly minified: number;
  readonly compressed: number;
}

/** A program that imports one name. `from`: a module, or a file from `folder`. */
function bundleOf(name: string, from: string, folder: string, place: Place): BuildOptions {
  return {
    stdin: { contents: `import { ${name} } from '${from}';\nconsole.log(${name});`, resolveDir: folder },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'neutral',
    conditions: place === 'browser' ? ['browser'] : [],
    // Dynamic imports become chunks of their own; the entry stands first.
    splitting: true,
    outdir: folder,
    write: false,
    logLevel: 'silent',
  };
}

/** The weight of what an import of one name brings, without what is loaded later. */
export async function weigh(name: string, place: Place, folder: string, from = 'tamis'): Promise<Weight> {
  const { outputFiles = [] } = await build(bundleOf(name, from, folder, place));
  const entry = outputFiles.find(({ path }) => path.endsWith('stdin.js'));
  if (entry === undefined) throw new Error('esbuild wrote no entry');
  return { minified: entry.contents.length, compressed: gzipSync(entry.contents, { level: 9 }).length };
}

/**
 * What is left out of the bundle of a name, for each room of the sources, when the room is: bytes of gzip, the heaviest
 * first. Rooms share words, so that the sum is a little less than the whole.
 */
async function weighRooms(name: string, root: string): Promise<[room: string, bytes: number][]> {
  const { outputFiles = [] } = await build({
    ...bundleOf(name, './src/index.ts', root, 'browser'),
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
  for (const { name, from, place, most } of weights) {
    const { minified, compressed } = await weigh(name, place, process.cwd(), from);
    const figures = `${inKilobytes(compressed)} gzip, ${inKilobytes(minified)} minified`;
    process.stdout.write(`${name}, ${place}: ${figures} (at most ${String(most)} kB gzip)\n`);
  }
  if (!withRooms) return;
  for (const name of ['parse', 'compileFilter']) {
    process.stdout.write(`\nThe rooms of ${name} in a browser:\n`);
    for (const [room, bytes] of await weighRooms(name, process.cwd()))
      process.stdout.write(`  ${inKilobytes(bytes).padStart(8)}  ${room}\n`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await print(process.argv.includes('--rooms'));
