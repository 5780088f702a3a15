import { filterCases, type FilterCase } from '../cases/cases.js';
import { otherFilters } from '../cases/pollution.js';
import { CannotExpress, tryWrite, type Competitor, type Select } from '../competitors/competitor.js';
import { loadRows, type RowKind, type Rows } from '../data/rows.js';
import type { Contender } from './rounds.js';
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
  /** To the hand-written loop: the median of the ratios of the same rounds. */
  readonly ratio: number;
  /** Half the distance between the quartiles of these ratios, as a share of `ratio`. */
  readonly spread: number;
  /** The ratios, round by round. */
  readonly ratios: readonly number[];
}

/** A case that a competitor's language cannot express. */
export interface Gap {
  readonly case: string;
  readonly competitor: string;
  readonly reason: string;
}

/** The name under which the hand-written loop is listed. */
export const handWritten = 'hand-written';

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
    const { contenders, missing } = await enter(filterCase, competitors, rows, variant);
    gaps.push(...missing);
    measurements.push(...(await measureCase(filterCase, contenders, rows, options)));
  }
  return { measurements, gaps };
}

/** How many requests for each of the other filters come before the measurement, unless somebody wants it otherwise. */
export const usualRequests = 10;
/** Milliseconds after which a competitor has had enough of one of them: it is so slow that more requests change nothing. */
const enoughMs = 10;

/** How often the first filter of each kind is used: somebody keeps it, as a page does that refreshes itself. */
const usesOfKept = 5;

/**
 * Runs the other filters over some of the rows as a server does: for each request it compiles the filter, runs it, and
 * lets go of it. Of each kind one is kept for a while and used again.
 */
export async function runOthers(competitor: Competitor, rows: Rows, requests = usualRequests): Promise<void> {
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
      const uses = request === 0 ? usesOfKept : 1;
      for (let use = 0; use < uses && !hasEnough(); use += 1) await select(some[kind]);
    }
  }
}

/** Compiles a case for all who can express it, and makes sure that they find the very rows that the case names. */
async function enter(
  { id, condition, kind, byHand, matches }: FilterCase,
  competitors: readonly Competitor[],
  rows: Rows,
  variant: Variant,
): Promise<{ contenders: Contender[]; missing: Gap[] }> {
  const expected = byHand(rows);
  requireCount(`${id} by hand on ${variant.name}`, expected, matches[variant.size]);
  const contenders = [createContender(handWritten, () => byHand(rows), expected)];
  const missing: Gap[] = [];
  for (const competitor of competitors) {
    const written = tryWrite(competitor, { condition, kind });
    if (written instanceof CannotExpress) {
      missing.push({ case: id, competitor: competitor.name, reason: written.message });
      continue;
    }
    const select = written.compile();
    await requireSameRows(`${id} with ${competitor.name} (${written.form})`, select, rows[kind], expected);
    contenders.push(createContender(competitor.name, () => select(rows[kind]), expected));
  }
  return { contenders, missing };
}

function createContender(name: string, run: () => unknown, expected: readonly unknown[]): Contender {
  const check = (result: unknown): void => requireCount(name, result as readonly unknown[], expected.length);
  return { name, run, check };
}

function requireCount(what: string, rows: readonly unknown[], expected: number): void {
  if (rows.length !== expected) throw new Error(`${what} found ${rows.length} rows and not ${expected}`);
}

/** @throws Error unless the filter finds exactly the expected rows, in their order. */
export async function requireSameRows(
  what: string,
  select: Select,
  rows: readonly unknown[],
  expected: readonly unknown[],
): Promise<void> {
  const found = await select(rows);
  requireCount(what, found, expected.length);
  const wrong = found.findIndex((row, index) => row !== expected[index]);
  if (wrong !== -1) throw new Error(`${what} found another row at position ${wrong}`);
}

async function measureCase(
  { id, kind }: FilterCase,
  contenders: readonly Contender[],
  rows: Rows,
  { variant, rounds, budgetMs }: FilteringOptions,
): Promise<Measurement[]> {
  const timings = await runRounds(contenders, { rounds, budgetMs: budgetMs ?? 8 * rounds });
  const byHand = timings.get(handWritten) ?? [];
  return contenders.map(({ name }) => {
    const own = timings.get(name) ?? [];
    const compared = ratios(own, byHand);
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
