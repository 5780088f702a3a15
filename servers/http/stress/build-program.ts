import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'tsup';

/** A server as one file, which starts several times faster than its sources. */
export interface BuiltProgram {
  readonly main: string;
  remove(): void;
}

/** A server to build: its folder, and which of its packages are bundled. */
export interface Program {
  readonly folder: URL;
  readonly external: readonly string[];
  readonly noExternal: readonly (string | RegExp)[];
  /** Sources in the place of packages. */
  readonly alias?: Readonly<Record<string, string>>;
}

/** From here the packages that are not built in are found. */
const cache = fileURLToPath(new URL('../../../node_modules/.cache', import.meta.url));

export async function buildProgram({
  folder,
  external,
  noExternal,
  alias = {},
}: Program): Promise<BuiltProgram> {
  mkdirSync(cache, { recursive: true });
  const outDir = mkdtempSync(join(cache, 'server-'));
  await build({
    config: false,
    silent: true,
    entry: { main: fileURLToPath(new URL('src/main.ts', folder)) },
    outDir,
    format: ['esm'],
    platform: 'node',
    target: 'node20',
    splitting: true,
    outExtension: () => ({ js: '.mjs' }),
    external: [...external],
    noExternal: [...noExternal],
    esbuildOptions(options) {
      options.alias = { ...alias };
    },
  });
  return { main: join(outDir, 'main.mjs'), remove: () => rmSync(outDir, { recursive: true }) };
}

/** Uses a server while it is there. */
export async function withBuilt<R>(
  building: Promise<BuiltProgram>,
  use: (main: string) => Promise<R>,
): Promise<R> {
  const built = await building;
  return use(built.main).finally(built.remove);
}
