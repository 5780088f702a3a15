import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSchema } from '../../src/index.js';
import { readDatum } from '../conformance/datum.js';
import { readVectors } from '../conformance/vector.js';
import { createRandom } from './random.js';
import { runTrial, type Finding, type FuzzSeeds, type Reached } from './trial.js';

/** Reads what the trials mutate: the expressions, data and types of the conformance vectors. */
export function readSeeds(): FuzzSeeds {
  const folder = join(dirname(fileURLToPath(import.meta.url)), '..', 'conformance', 'vectors');
  const vectors = readVectors(folder, folder);
  const { parse, untyped, typed, datums, structs } = vectors;
  return {
    expressions: [...parse, ...untyped, ...typed].map(({ expr }) => expr),
    sound: [...parse.filter(({ ok }) => ok), ...untyped, ...typed]
      .filter((vector) => !('stage' in vector) || vector.stage !== 'parse')
      .map(({ expr }) => expr),
    rows: [...datums.values()].map((datum) => freezeDeep(readDatum(datum, datum.type, structs))),
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
    answered: 0,
  };
  for (let run = 0; run < runs && findings.length < 10; run += 1) {
    const trial = runTrial(createRandom(first + run), seeds);
    reached[trial.reached] += 1;
    if (trial.finding !== null) findings.push({ ...trial.finding, seed: first + run });
    if ((run + 1) % 10_000 === 0) onProgress(run + 1);
  }
  return { findings, reached };
}
