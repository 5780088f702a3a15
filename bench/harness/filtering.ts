import { filterCases, type FilterCase } from '../cases/cases.js';
import { otherFilters } from '../cases/pollution.js';
import { CannotExpress, tryWrite, type Competitor } from '../competitors/competitor.js';
import { loadRows, type RowKind, type Rows } from '../data/rows.js';
import { enter, type Entrant, type Gap } from './entrants.js';
import { runRounds } from './rounds.js';
import { median, ratios, spread } from './stats.js';
import type { Variant } from './variant.js';

/** What one competitor took for one case. */
export interface Measurement {
  readonly case: string;
  readonly variant: string;
  readonly competitor: string;
  /** Nanoseconds for each row of the list: the median over the rounds. */
  readonly ns: number;
  /** To what was written by hand for the same purpose: the median of the ratios of the same rounds. */
  readonly ratio: number;
  /** Half the distance between the quartiles of these ratios, as a share of `ratio`. */
  readonly spread: number;
  /** The ratios, round by round. */
  readonly ratios: readonly number[];
}

export interface FilteringOptions {
  readonly variant: Variant;
  readonly cases: readonly FilterCase[];
  readonly competitors: readonly Competitor[];
  readonly rounds: number;
  /** How many requests for each of the other filters come before. */
  readonly requests: number;
  /** See `RoundOptions`. */
  readonly budgetMs?: number;
  readonly onProgress: (text: string) => void;
}

/** Measures filters over the rows of one variant, in server mode: every competitor has first served others. */
export async function measureFiltering(
  options: FilteringOptions,
): Promise<{ measurements: Measurement[]; gaps: Gap[] }> {
  const { variant, cases, competitors, requests, onProgress } = options;
  onProgress('making rows');
  const kinds = [...new Set(cases.map(({ kind }) => kind))];
  const rows = loadRows(variant.mode, variant.size, kinds);
  for (const competitor of competitors) {
    onProgress(`warming ${competitor.name} up`);
    await runOthers(competitor, rows, requests);
  }
  const measurements: Measurement[] = [];
  const gaps: Gap[] = [];
  for (const filterCase of cases) {
    onProgress(filterCase.id);
    const { entrants, missing } = await enter(filterCase, competitors, rows, variant);
    gaps.push(...missing);
    measurements.push(...(await measureCase(filterCase, entrants, rows, options)));
  }
  return { measurements, gaps };
}

/** Default number of requests for each of the other filters before the measurement. */
export const defaultRequests = 10;
/** Milliseconds after which a competitor has had enough of one of them: it is so slow that more requests change nothing. */
const enoughMs = 10;

/** How often the first filter of each kind is used: a caller keeps it, as a page does that refreshes itself. */
const usesOfCached = 5;

/**
 * Runs the other filters over some of the rows as a server does: for each request it compiles the filter, runs it, and
 * lets go of it. Of each kind one is kept for a while and used again.
 */
export async function runOthers(
  competitor: Competitor,
  rows: Rows,
  requests = defaultRequests,
): Promise<void> {
  const some: Record<RowKind, readonly unknown[]> = {
    jobs: rows.jobs.slice(0, 2000),
    nodes: rows.nodes.slice(0, 2000),
  };
  for (const { condition, kind } of otherFilters) {
    const written = tryWrite(competitor, { condition, kind });
    if (written instanceof CannotExpress) continue;
    const start = performance.now();
    const hasEnough = (): boolean => performance.now() - start > enoughMs;
    for (let request = 0; request < requests && !hasEnough(); request += 1) {
      const select = written.compile();
      const uses = request === 0 ? usesOfCached : 1;
      for (let use = 0; use < uses && !hasEnough(); use += 1) await select(some[kind]);
    }
  }
}

async function measureCase(
  { id, kind }: FilterCase,
  entrants: readonly Entrant[],
  rows: Rows,
  { variant, rounds, budgetMs }: FilteringOptions,
): Promise<Measurement[]> {
  const contenders = entrants.map(({ contender }) => contender);
  const timings = await runRounds(contenders, { rounds, budgetMs: budgetMs ?? 8 * rounds });
  return entrants.map(({ contender: { name }, reference }) => {
    const own = timings.get(name) ?? [];
    const compared = ratios(own, timings.get(reference) ?? []);
    const perRow = own.flatMap((ms) => (ms === undefined ? [] : [(ms * 1e6) / rows[kind].length]));
    return {
      case: id,
      variant: variant.name,
      competitor: name,
      ns: median(perRow),
      ratio: median(compared),
      spread: spread(compared),
      ratios: compared,
    };
  });
}

/** The cases with these ids, in the order of the list; all of them for null. */
export function casesOf(ids: readonly string[] | null): FilterCase[] {
  return filterCases.filter(({ id }) => ids === null || ids.includes(id));
}
