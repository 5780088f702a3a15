// Prints what a program that imports parts of tamis takes on: each bundled by itself with esbuild, minified, gzip -9.
//
//   npm run size
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

/**
 * What is measured: imports that programs make, and at most how many kB (1,000 bytes) each may weigh. Level 1 of the language
 * is 6 kB of the first and 25 kB of the second: what a filter needs is known only once its text is read, too late to load it.
 */
export const weights = [
  { code: "import { parse } from 'tamis'", most: 52 },
  { code: "import { compileFilter } from 'tamis'", most: 115 },
];

/** In bytes. */
export interface Weight {
  readonly minified: number;
  readonly compressed: number;
}

/** The weight of what a line `import { name } from 'tamis'` brings, without what is loaded later. */
export async function weigh(code: string, folder: string): Promise<Weight> {
  const name = /\{ *(\w+)/.exec(code)?.[1] ?? '';
  const { outputFiles } = await build({
    stdin: { contents: `${code};\nconsole.log(${name});`, resolveDir: folder },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'neutral',
    // Dynamic imports become chunks of their own; the entry stands first.
    splitting: true,
    outdir: folder,
    write: false,
    logLevel: 'silent',
  });
  const entry = outputFiles.find(({ path }) => path.endsWith('stdin.js'));
  if (entry === undefined) throw new Error('esbuild wrote no entry');
  return { minified: entry.contents.length, compressed: gzipSync(entry.contents, { level: 9 }).length };
}

function inKilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const { code, most } of weights) {
    const { minified, compressed } = await weigh(code, process.cwd());
    const figures = `${inKilobytes(compressed)} gzip, ${inKilobytes(minified)} minified`;
    process.stdout.write(`${code}: ${figures} (at most ${String(most)} kB gzip)\n`);
  }
}
