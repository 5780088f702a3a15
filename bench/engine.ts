import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type * as FilterSets from '../src/entries/filter-set.js';
import type * as Tamis from '../src/index.js';

/** The built package. Only its types come from the sources. */
export type Engine = typeof Tamis;

/**
 * Loads the engine: by its name as a user would (that is the build in dist/), or a build that lies elsewhere.
 *
 * @param location a file URL; without one, the package of this repository
 */
export async function loadEngine(location: string | null = null): Promise<Engine> {
  return (await import(location ?? 'tamis')) as Engine;
}

/** The subpath of filter sets. */
export async function loadFilterSets(): Promise<typeof FilterSets> {
  // Not a literal: who reads this file without a build, as tests do, has no such module.
  const subpath = 'filter-set';
  return (await import(`tamis/${subpath}`)) as typeof FilterSets;
}

/**
 * Loads a copy of the build, whose code has inline caches of its own: what one way of using the engine does to them
 * does not weigh on another way that is measured in the same process.
 */
export async function loadEngineCopy(): Promise<Engine> {
  const entry = fileURLToPath(import.meta.resolve('tamis'));
  const folder = mkdtempSync(join(tmpdir(), 'tamis-copy-'));
  // Not at once: the engine may load a part of itself when it first needs it.
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  cpSync(dirname(entry), folder, { recursive: true });
  return loadEngine(pathToFileURL(join(folder, basename(entry))).href);
}
