import { readRow, readSuite } from '../../conformance/src/index.mjs';
import { parseSchema } from '../../src/index.js';
import { createRandom } from './random.js';
import { runTrial, type Finding, type FuzzSeeds, type Reached } from './trial.js';

/** Reads what the trials mutate: the recorded expressions, rows and types of the conformance suite. */
export function readSeeds(): FuzzSeeds {
  const suite = readSuite();
  const { structs } = suite.schemas;
  const recorded = suite.cases.filter(({ source }) => source.startsWith('go-bexpr'));
  const rows = new Map(recorded.flatMap(({ row, schema }) => (row === undefined ? [] : [[row, schema]])));
  return {
    expressions: recorded.map(({ expression }) => expression),
    sound: recorded.filter(({ answer: result }) => result.error !== 'syntax').map(({ expression }) => expression),
    rows: [...rows].map(([row, schema]) => freezeDeep(readRow(row, schema, structs))),
    schemas: ['Job', 'Node', 'Deployment', 'Probe'].map((root) => parseSchema({ root, structs })),
  };
}

function freezeDeep(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  for (const part of Object.values(value)) freezeDeep(part);
  return Object.freeze(value);
}

/** What a number of trials found. A trial is repeated by its own seed. */
export interface CampaignResult {
  readonly findings: readonly (Finding & { readonly seed: number })[];
  readonly reached: Readonly<Record<Reached, number>>;
}

/** Runs trials with the seeds `first`, `first + 1`, ... and stops after ten findings. */
export function runCampaign(
  seeds: FuzzSeeds,
  first: number,
  runs: number,
  onProgress: (done: number) => void = () => undefined,
): CampaignResult {
  const findings: (Finding & { seed: number })[] = [];
  const reached: Record<Reached, number> = {
    'refused by the parser': 0,
    'refused by the check': 0,
    'refused by the row': 0,
    evaluated: 0,
  };
  for (let run = 0; run < runs && findings.length < 10; run += 1) {
    const trial = runTrial(createRandom(first + run), seeds);
    reached[trial.reached] += 1;
    if (trial.finding !== null) findings.push({ ...trial.finding, seed: first + run });
    if ((run + 1) % 10_000 === 0) onProgress(run + 1);
  }
  return { findings, reached };
}
