import { pageCases, pageOrder, pageRowCount, type PageCase } from '../cases/pages.js';
import type { Job } from '../data/job.js';
import { loadRows } from '../data/rows.js';
import { createSchemas } from '../data/schemas.js';
import { loadEngine, type Engine } from '../engine.js';
import { requireSameRows } from '../harness/expected-results.js';
import { digits, duration, percent, type Report } from '../harness/report.js';
import { runRounds } from '../harness/rounds.js';
import { median, ratios, spread } from '../harness/stats.js';
import type { Scenario, ScenarioContext } from './scenario.js';

export const pageScenario: Scenario = {
  name: 'page',
  about: 'a page of 50 out of 100,000 rows',
  run: measurePages,
};

const perPage = 50;

async function measurePages({ rounds, onProgress }: ScenarioContext): Promise<Report> {
  const engine = await loadEngine();
  const { jobs } = loadRows('mono', pageRowCount, ['jobs']);
  const rows: string[][] = [];
  for (const pageCase of pageCases) {
    onProgress(pageCase.name);
    rows.push(await measurePage(engine, jobs, pageCase, rounds));
  }
  return {
    title: 'page: 50 of 100,000 jobs ordered by index and id, and the token of the next page',
    header: ['page', 'by hand', 'list()', 'ratio'],
    rows,
    notes: [
      'By hand: a loop from the beginning that knows its place by the index alone. Rows in no order: a full sort before it.',
    ],
  };
}

async function measurePage(
  engine: Engine,
  jobs: readonly Job[],
  { name, expression, byHand, start, sorted }: PageCase,
  rounds: number,
): Promise<string[]> {
  const schema = createSchemas(engine).jobs;
  const filter = expression === null ? undefined : engine.compileFilter<Job>(expression, { schema });
  const order = pageOrder;
  // The start is a position within the rows.
  const first = jobs[start] as Job;
  const nextToken = start === 0 ? null : `${order.index(first)}.${order.text(first)}`;
  const rows = sorted ? jobs : [...jobs].reverse();
  const runList = (): Job[] => engine.list(rows, { filter, order, perPage, nextToken, sorted }).items;
  const runByHand = (): Job[] =>
    takePage(sorted ? rows : [...rows].sort(byIndex), byHand, start === 0 ? 0 : order.index(first));
  const expected = runByHand();
  await requireSameRows(name, runList, rows, expected);
  const check = (items: unknown): Promise<void> =>
    requireSameRows(name, () => items as Job[], rows, expected);
  const timings = await runRounds(
    [
      { name: 'by hand', run: runByHand, check },
      { name: 'list', run: runList, check },
    ],
    { rounds },
  );
  const [hand = [], own = []] = [timings.get('by hand'), timings.get('list')];
  const compared = ratios(own, hand);
  const timeOf = (times: readonly (number | undefined)[]): string =>
    duration(median(times.filter((ms) => ms !== undefined)));
  return [name, timeOf(hand), timeOf(own), `${digits(median(compared))} ±${percent(spread(compared))}`];
}

function byIndex(left: Job, right: Job): number {
  return pageOrder.index(left) - pageOrder.index(right);
}

function takePage(jobs: readonly Job[], test: (job: Job) => boolean, from: number): Job[] {
  const items: Job[] = [];
  for (let index = 0; index < jobs.length; index += 1) {
    // The index is below the length.
    const job = jobs[index] as Job;
    if (pageOrder.index(job) < from || !test(job)) continue;
    // The row after a full page is the one that its token names.
    if (items.length === perPage) break;
    items.push(job);
  }
  return items;
}
