import { readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { printComparison } from './compare/compare.js';
import { filterCases } from './cases/cases.js';
import { loadCompetitor } from './competitors/competitors.js';
import { CannotExpress, tryWrite } from './competitors/competitor.js';
import { delegate } from './harness/delegate.js';
import type { Gap } from './harness/entrants.js';
import type { Measurement } from './harness/filtering.js';
import { createProgress, type Progress } from './harness/progress.js';
import { printReport } from './harness/report.js';
import { printSummary } from './harness/summary.js';
import { printGaps, printMeans, printSlowest, printVariant, toJson } from './harness/results.js';
import { help, readOptions, UsageError, type BenchOptions } from './options.js';

try {
  const progress = createProgress(process.stderr, () => performance.now());
  const options = readOptions(process.argv.slice(2));
  process.exitCode = await run(options, progress).finally(progress.clear);
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  process.stderr.write(`bench: ${error.message}\nnpm run bench -- --help says what there is.\n`);
  process.exitCode = 2;
}

/** @returns the exit code */
async function run(options: BenchOptions, progress: Progress): Promise<number> {
  const print = (text: string): void => {
    progress.clear();
    if (text !== '') process.stdout.write(`${text}\n`);
  };
  switch (options.mode) {
    case 'help':
      print(help);
      return 0;
    case 'forms':
      await printForms(options, print);
      return 0;
    case 'quick':
      await (await import('./first.js')).runQuickly(print);
      print(`Seed: ${options.seed}`);
      return 0;
    case 'compare':
      return printComparison(options, progress.print, print);
    case 'all':
      await runAll(options, progress, print);
      return 0;
  }
}

async function runAll(
  options: BenchOptions,
  progress: Progress,
  print: (text: string) => void,
): Promise<void> {
  const measurements: Measurement[] = [];
  const gaps: Gap[] = [];
  const { cases, competitors, rounds, requests, seed } = options;
  const build = stampOfBuild();
  for (const variant of cases.length === 0 ? [] : options.variants) {
    const result = await delegate(
      { kind: 'filtering', variant, cases, competitors, rounds, requests },
      (text) => progress.print(`${variant}  ${text}`),
    );
    measurements.push(...result.measurements);
    gaps.push(...result.gaps);
    if (!options.json) print(printVariant(variant, result.measurements));
  }
  if (options.json) print(JSON.stringify(toJson(measurements, seed), null, 1));
  else if (measurements.length > 0) {
    print(printMeans(measurements));
    print(printGaps(gaps));
    print(printSlowest(measurements, 'tamis'));
  }
  const figures: Record<string, number> = {};
  for (const name of options.scenarios) {
    const report = await delegate({ kind: 'scenario', name, rounds, competitors, seed }, (text) =>
      progress.print(`${name}  ${text}`),
    );
    print(printReport(report));
    Object.assign(figures, report.figures);
  }
  if (!options.json) print(printSummary(measurements, figures, seed));
  if (stampOfBuild() !== build) {
    process.stderr.write('bench: dist/ was built anew meanwhile, so these results are of several builds.\n');
  }
}

/** Distinguishes one build from another: each process of a run loads the one that it finds. */
function stampOfBuild(): string {
  const folder = dirname(fileURLToPath(import.meta.resolve('tamis')));
  return readdirSync(folder)
    .map((name) => `${name} ${statSync(join(folder, name)).mtimeMs}`)
    .join();
}

async function printForms(
  { cases, competitors }: BenchOptions,
  print: (text: string) => void,
): Promise<void> {
  for (const name of competitors) {
    const competitor = await loadCompetitor(name);
    print(`## ${name}: ${competitor.manner}\n`);
    for (const filterCase of filterCases.filter(({ id }) => cases.includes(id))) {
      const written = tryWrite(competitor, filterCase);
      print(
        `${filterCase.id.padEnd(5)}${written instanceof CannotExpress ? `(${written.message})` : written.form}`,
      );
    }
    print(' ');
  }
}
