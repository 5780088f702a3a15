import { templates, type Template } from '../cases/templates.js';
import { loadCompetitor } from '../competitors/competitors.js';
import type { Competitor, Select } from '../competitors/competitor.js';
import type { Job } from '../data/job.js';
import { loadRows, type Rows } from '../data/rows.js';
import { requireSameRows, runOthers } from '../harness/filtering.js';
import { digits, percent, type Report } from '../harness/report.js';
import { runRounds, type Contender } from '../harness/rounds.js';
import { geometricMean, median, ratios, spread } from '../harness/stats.js';
import type { Scenario, ScenarioContext } from './scenario.js';

export const liveScenario: Scenario = {
  name: 'live',
  about: 'many filters alive and running in turn',
  run: measureLiveFilters,
};

const liveCounts = [1, 10, 100, 1000];
/** The engine and the two peers that come closest to it. */
const compared = ['tamis', 'json-logic-engine', 'subscript'];

async function measureLiveFilters({ rounds, competitors, onProgress }: ScenarioContext): Promise<Report> {
  const rows = loadRows('mono', 2000, ['jobs']);
  const table: string[][] = [];
  for (const name of compared.filter((wanted) => competitors.includes(wanted))) {
    const competitor = await loadCompetitor(name);
    await runOthers(competitor, rows);
    const cells: string[] = [];
    for (const count of liveCounts) {
      onProgress(`${name}, ${count} live`);
      cells.push(await measureLive(competitor, count, rows, rounds));
    }
    table.push([name, ...cells]);
  }
  return {
    title: 'live: ratio to hand-written loops, by the number of filters that are alive and run in turn',
    header: ['competitor', ...liveCounts.map(String)],
    rows: table,
    notes: [
      'Geometric mean over ten kinds of filters on 2,000 jobs of one shape. One live filter: each kind alone, in turn.',
    ],
  };
}

/** The mean of the kinds' ratios while `count` filters live, each kind having its share of them. */
async function measureLive(
  competitor: Competitor,
  count: number,
  rows: Rows,
  rounds: number,
): Promise<string> {
  const groups = count === 1 ? templates.map((template) => [template]) : [templates];
  const share = Math.max(1, count / templates.length);
  const means: number[] = [];
  const spreads: number[] = [];
  for (const group of groups) {
    const contenders = (
      await Promise.all(group.map((template) => enterPair(competitor, template, share, rows)))
    ).flat();
    const timings = await runRounds(contenders, { rounds, budgetMs: 1000 });
    for (const { name } of group) {
      const pair = ratios(timings.get(name) ?? [], timings.get(`${name} by hand`) ?? []);
      means.push(median(pair));
      spreads.push(spread(pair));
    }
  }
  return `${digits(geometricMean(means))} ±${percent(median(spreads))}`;
}

/** `share` filters of a kind one after another, and the same by hand. */
async function enterPair(
  competitor: Competitor,
  { name, condition, byHand }: Template,
  share: number,
  { jobs }: Rows,
): Promise<Contender[]> {
  const selects: Select[] = [];
  for (let turn = 0; turn < share; turn += 1) {
    const select = competitor.write({ condition: condition(turn), kind: 'jobs' }).compile();
    await requireSameRows(`${name} ${turn} with ${competitor.name}`, select, jobs, byHand(jobs, turn));
    selects.push(select);
  }
  const expected = selects.reduce((sum, _, turn) => sum + byHand(jobs, turn).length, 0);
  const check = (found: unknown): void => {
    if (found !== expected) throw new Error(`${name} found ${String(found)} rows and not ${expected}`);
  };
  const runByHand = (): number => selects.reduce((sum, _, turn) => sum + byHand(jobs, turn).length, 0);
  const run = (): number => selects.reduce((sum, select) => sum + (select(jobs) as readonly Job[]).length, 0);
  return [
    { name: `${name} by hand`, run: runByHand, check },
    { name, run, check },
  ];
}
