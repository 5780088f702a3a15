import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Progress } from '../../../http/stress/proof.js';
import { compareContents } from './contents.js';
import { startNoise } from './noise.js';
import { startRegion, type Region } from './region.js';
import type { RequestedFigure, ClusterCase, Extent, Stage } from './stage.js';

export interface CaseOutcome {
  readonly number: number;
  readonly name: string;
  readonly figures: readonly RequestedFigure[];
  /** Error descriptions; empty if all is well. */
  readonly mistakes: readonly string[];
  /** Seconds. */
  readonly time: number;
}

export interface RunOptions {
  /** The built agent. */
  readonly main: string;
  readonly extent: Extent;
  readonly progress: Progress;
  /** Ends the processes of the case; for interruptions. */
  readonly cleanup: Set<() => Promise<unknown>>;
}

/** Maximum errors shown per case; one fault causes many. */
const maxMistakes = 8;

/** Plays a case on a region of its own, and closes that whatever happens. */
export async function runCase(one: ClusterCase, options: RunOptions): Promise<CaseOutcome> {
  const { main, extent, progress, cleanup } = options;
  const started = performance.now();
  const mistakes = new Set<string>();
  const figures: RequestedFigure[] = [];
  const regions: Region[] = [];
  const folder = mkdtempSync(join(tmpdir(), 'cluster-stress-'));
  const stage: Stage = {
    ...{ extent, folder, main },
    progress: (text) => progress(`${one.number} ${one.name}: ${text}`),
    atEnd: (clean) => void cleanup.add(clean),
    async open(needs) {
      const region = await startRegion({ main, folder }, needs);
      regions.push(region);
      cleanup.add(region.close);
      return region;
    },
    check(isSo, mistake) {
      if (!isSo) mistakes.add(mistake);
    },
    figure: (figure) => void figures.push(figure),
  };
  const stopNoise = startNoise();
  try {
    stage.progress('');
    const needs = typeof one.needs === 'function' ? one.needs(extent) : one.needs;
    await one.play(stage, await stage.open(needs));
    for (const region of regions) {
      for (const mistake of await compareContents(region.live(), one.token?.())) mistakes.add(mistake);
    }
  } catch (error) {
    mistakes.add(error instanceof Error ? error.message : String(error));
    regions.flatMap(({ servers }) => servers).forEach((server) => mistakes.add(lastWords(server)));
    mistakes.delete('');
  } finally {
    figures.push(...stopNoise());
    await Promise.all([...cleanup].map((clean) => clean()));
    cleanup.clear();
    rmSync(folder, { recursive: true, force: true });
  }
  const reported = [...mistakes].slice(0, maxMistakes);
  if (mistakes.size > reported.length) reported.push(`and ${mistakes.size - reported.length} more`);
  const { number, name } = one;
  return { number, name, figures, mistakes: reported, time: (performance.now() - started) / 1_000 };
}

const wordsLength = 500;

function lastWords(server: { readonly name: string; errors(): string }): string {
  const errors = server.errors();
  return errors === '' ? '' : `${server.name} wrote: ${errors.slice(-wordsLength)}`;
}
