import benny from 'benny';
import { filterCases, type FilterCase } from './cases/cases.js';
import { loadCompetitor } from './competitors/competitors.js';
import { CannotExpress, tryWrite, type Competitor } from './competitors/competitor.js';
import { loadRows, type Rows } from './data/rows.js';
import { requireSameRows } from './harness/expected-results.js';
import { handWritten } from './harness/entrants.js';
import { runOthers } from './harness/filtering.js';
import { digits, printTable } from './harness/report.js';
import { geometricMean } from './harness/stats.js';

/*
 * The quick benchmark, and the only one that benny runs. Benny times one contender after the other, so that a change of
 * the machine's mood falls on one of them, and it has no ratios of a round. That is good for a look at large
 * differences, and not for a few percent, for which the harness takes turns.
 */

const size = 2000;
const names = ['tamis', 'json-logic-engine', 'subscript', 'filtrex'];

/** Seconds for each contender and case. */
const maxTime = 0.1;

/** Runs the eleven cases on warm rows of one shape and prints the ratios to the hand-written loops. */
export async function runQuickly(print: (text: string) => void): Promise<void> {
  const rows = loadRows('mono', size);
  const competitors: Competitor[] = [];
  for (const name of names) {
    const competitor = await loadCompetitor(name);
    await runOthers(competitor, rows);
    competitors.push(competitor);
  }
  const columns = new Map(names.map((name) => [name, [] as number[]]));
  const table: string[][] = [];
  for (const filterCase of filterCases) {
    const seconds = await timeCase(filterCase, competitors, rows);
    const byHand = seconds.get(handWritten) ?? NaN;
    const cells = names.map((name) => {
      const own = seconds.get(name);
      if (own === undefined) return '-';
      columns.get(name)?.push(own / byHand);
      return digits(own / byHand);
    });
    table.push([
      filterCase.id,
      `${digits((byHand * 1e9) / size)} ns`,
      ...cells,
      filterCase.expression.slice(0, 60),
    ]);
  }
  const means = names.map((name) => digits(geometricMean(columns.get(name) ?? [])));
  table.push(['geometric mean', '', ...means]);
  print(`Ratio to the loop written by hand, ${size} rows of one shape (benny, one after the other)\n`);
  print(printTable(['case', 'by hand', ...names], table));
}

/** Seconds a run, by name. */
async function timeCase(
  { id, condition, kind, byHand, matches }: FilterCase,
  competitors: readonly Competitor[],
  rows: Rows,
): Promise<ReadonlyMap<string, number>> {
  const expected = byHand(rows);
  if (expected.length !== matches[size]) throw new Error(`${id} by hand found ${expected.length} rows`);
  const entries = [benny.add(handWritten, () => void byHand(rows))];
  for (const competitor of competitors) {
    const written = tryWrite(competitor, { condition, kind });
    if (written instanceof CannotExpress) continue;
    const select = written.compile();
    await requireSameRows(`${id} with ${competitor.name}`, select, rows[kind], expected);
    entries.push(benny.add(competitor.name, () => void select(rows[kind])));
  }
  const options = benny.configure({ cases: { maxTime, minSamples: 10 } });
  const { results } = await benny.suite(id, ...entries, options);
  return new Map(results.map(({ name, details }) => [name, details.median]));
}
