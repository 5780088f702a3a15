import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { delegate } from '../harness/delegate.js';
import type { Measurement } from '../harness/filtering.js';
import { digits, percent, printTable } from '../harness/report.js';
import { median } from '../harness/stats.js';
import type { Builds } from '../harness/task.js';
import type { BenchOptions } from '../options.js';
import { buildRevisions } from './builds.js';
import { judge, type Sample, type Verdict } from './verdict.js';

/** Number of processes that measure each variant. The memory layout of objects differs between processes. */
const processCount = 3;

interface Compared {
  readonly case: string;
  readonly variant: string;
  readonly samples: readonly Sample[];
  readonly verdict: Verdict;
}

type Print = (text: string) => void;

/**
 * Compares two revisions on the cases and prints the result. What looks slower is measured a second time, and counts
 * only if it is slower again: among dozens of cases one is out of bounds by chance.
 *
 * @returns the exit code: 1 when a case got slower, else 0
 */
export async function printComparison(options: BenchOptions, render: Print, print: Print): Promise<number> {
  const root = findRoot();
  const { builds, title, dispose } = buildRevisions(root, options.revisions, render);
  const stop = (): never => {
    dispose();
    process.exit(130);
  };
  process.once('SIGINT', stop);
  try {
    const compared: Compared[] = [];
    for (const variant of options.variants) {
      const found = await compareOn(variant, options.cases, builds, options, render);
      const suspects = found.filter(({ verdict }) => verdict.outcome === 'slower').map((one) => one.case);
      const again = suspects.length === 0 ? [] : await compareOn(variant, suspects, builds, options, render);
      compared.push(
        ...found.map((first) =>
          confirm(
            first,
            again.find((second) => second.case === first.case),
          ),
        ),
      );
    }
    print(options.json ? toJson(compared, options.seed) : toTable(title, compared, options.seed));
    return compared.some(({ verdict }) => verdict.outcome === 'slower') ? 1 : 0;
  } finally {
    process.removeListener('SIGINT', stop);
    dispose();
  }
}

/** The checkout: this file runs from bench/.cache/<process>-<seed>/dist/compare. */
function findRoot(): string {
  let folder = fileURLToPath(import.meta.url);
  for (let level = 0; level < 6; level += 1) folder = dirname(folder);
  return folder;
}

async function compareOn(
  variant: string,
  cases: readonly string[],
  builds: Builds,
  { rounds, requests }: BenchOptions,
  print: Print,
): Promise<Compared[]> {
  const samples = new Map<string, Sample[]>(cases.map((id) => [id, []]));
  for (let run = 0; run < processCount; run += 1) {
    const { measurements } = await delegate(
      { kind: 'comparison', variant, cases, rounds, requests, builds, run },
      (text) => print(`${variant} ${run + 1}/${processCount}  ${text}`),
    );
    for (const [id, list] of samples) list.push(sampleOf(measurements, id));
  }
  return [...samples].map(([id, list]) => ({ case: id, variant, samples: list, verdict: judge(list) }));
}

function sampleOf(measurements: readonly Measurement[], id: string): Sample {
  const ratiosOf = (competitor: string): readonly number[] =>
    measurements.find((one) => one.case === id && one.competitor === competitor)?.ratios ?? [];
  return { base: ratiosOf('base'), twin: ratiosOf('twin'), head: ratiosOf('head') };
}

/** Joins both measurements of a suspect. It is slower only if it was both times. */
function confirm(first: Compared, second: Compared | undefined): Compared {
  if (second === undefined) return first;
  const samples = [...first.samples, ...second.samples];
  const verdict = judge(samples);
  const outcome = second.verdict.outcome === 'slower' ? 'slower' : 'same';
  return { ...first, samples, verdict: { ...verdict, outcome } };
}

function toTable(title: string, compared: readonly Compared[], seed: number): string {
  const ratioOf = (samples: readonly Sample[], build: keyof Sample): string =>
    digits(median(samples.map((sample) => median(sample[build]))));
  const rows = compared.map(({ case: id, variant, samples, verdict }) => [
    `${id} ${variant}`,
    ratioOf(samples, 'base'),
    ratioOf(samples, 'head'),
    `${verdict.change > 0 ? '+' : ''}${percent(verdict.change)}`,
    `±${verdict.band > 9 ? '>900%' : percent(verdict.band)}`,
    verdict.outcome === 'same' ? '' : verdict.outcome,
  ]);
  const count = (outcome: Verdict['outcome']): number =>
    compared.filter(({ verdict }) => verdict.outcome === outcome).length;
  const slower =
    count('slower') === 0
      ? 'Nothing got slower beyond the noise.'
      : `${count('slower')} of ${compared.length} got slower.`;
  const unclear =
    count('unclear') === 0
      ? ''
      : ` ${count('unclear')} could not be judged: the machine has too much else to do.`;
  return `${title}\n\n${printTable(['', 'before', 'after', 'change', 'noise', ''], rows)}\n\n${slower}${unclear}\n\nSeed: ${seed}`;
}

function toJson(compared: readonly Compared[], seed: number): string {
  const lines = compared.map(({ case: id, variant, verdict }) => ({
    case: id,
    variant,
    change: Number(verdict.change.toFixed(4)),
    band: Number(verdict.band.toFixed(4)),
    outcome: verdict.outcome,
    seed,
  }));
  return JSON.stringify(lines, null, 1);
}
