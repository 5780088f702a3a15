import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Progress } from '../../../http/stress/proof.js';
import { startRegion } from './region.js';
import type { CaseFigure, ClusterCase, Extent, Stage } from './stage.js';

export interface CaseOutcome {
  readonly name: string;
  readonly seconds: number;
  readonly figures: readonly CaseFigure[];
  readonly mistakes: readonly string[];
}

export interface RunOptions extends Extent {
  readonly main: string;
  readonly progress: Progress;
}

/** Plays a case. One that breaks off is a mistake, too. */
export async function runCase(one: ClusterCase, options: RunOptions): Promise<CaseOutcome> {
  const started = performance.now();
  const folder = mkdtempSync(join(tmpdir(), 'secrets-case-'));
  const figures: CaseFigure[] = [];
  const mistakes: string[] = [];
  const endings: (() => Promise<unknown>)[] = [async () => rmSync(folder, { recursive: true, force: true })];
  const progress = (text: string): void => options.progress(`${one.name}: ${text}`);
  const check = (isSo: boolean, mistake: string): void => {
    if (!isSo) mistakes.push(mistake);
  };
  const stage: Stage = {
    ...options,
    folder,
    progress,
    check,
    async open(needs = {}) {
      progress('starting');
      const region = await startRegion(options.main, needs);
      endings.push(() => region.close());
      return region;
    },
    atEnd: (clean) => void endings.push(clean),
    expect({ status, text }, expected, what) {
      check(status === expected, `${what}: returned ${status}, not ${expected}: ${text.slice(0, 200)}`);
    },
    figure: (figure) => void figures.push(figure),
  };
  try {
    await one.play(stage);
  } catch (error) {
    mistakes.push(`it broke off: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  } finally {
    for (const end of endings.toReversed()) await end();
  }
  return { name: one.name, seconds: (performance.now() - started) / 1_000, figures, mistakes };
}
