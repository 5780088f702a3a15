import { templates } from '../cases/templates.js';
import { loadCompetitor } from '../competitors/competitors.js';
import { CannotExpress, tryWrite, type Competitor, type Select } from '../competitors/competitor.js';
import type { Job } from '../data/job.js';
import { loadRows, type Rows } from '../data/rows.js';
import { runOthers } from '../harness/filtering.js';
import { digits, duration, percent, type Report } from '../harness/report.js';
import { runRounds, type Contender } from '../harness/rounds.js';
import { median, ratios, spread } from '../harness/stats.js';
import type { Scenario, ScenarioContext } from './scenario.js';

export const freshScenario: Scenario = {
  name: 'fresh',
  about: 'a request: a new filter, compiled and run over the list once',
  run: measureRequests,
};

const sizes = [2000, 20_000];
/** Number of different requests, limited by the values of a template, before they start over. */
const requestCount = 1000;
/** jsonata returns a promise, and asynchronous time cannot be summed up here; the variants of the engine add nothing. */
const leftOut = ['jsonata', 'tamis-closures', 'tamis-test', 'tamis-kept-test', 'tamis-once', 'tamis-open'];
const byHandName = 'hand-written';

async function measureRequests({ rounds, competitors, onProgress }: ScenarioContext): Promise<Report> {
  const rows = loadRows('mono', Math.max(...sizes), ['jobs']);
  const loaded: Competitor[] = [];
  for (const name of competitors.filter((requested) => !leftOut.includes(requested))) {
    const competitor = await loadCompetitor(name);
    await runOthers(competitor, rows);
    loaded.push(competitor);
  }
  const lines = new Map([byHandName, ...loaded.map(({ name }) => name)].map((name) => [name, [name]]));
  for (const size of sizes) {
    onProgress(`${size} rows`);
    // Private copies of code are warm only after many requests; what the first size warmed up serves the next.
    const warmUpMs = size === sizes[0] ? 1500 : 100;
    const cells = await measureSize(
      loaded,
      { ...rows, jobs: rows.jobs.slice(0, size) },
      { rounds, warmUpMs },
    );
    for (const [name, line] of lines) line.push(...(cells.get(name) ?? ['-', '-']));
  }
  return {
    title: 'fresh: the ten kinds of requests, each compiled for the occasion and run once over the list',
    header: ['competitor', ...sizes.flatMap((size) => [`${size} rows`, 'to hand-written'])],
    rows: [...lines.values()],
    notes: [
      'Time for ten requests, one of each kind, in a server that has answered a thousand of them. -: has no words for one.',
    ],
  };
}

async function measureSize(
  competitors: readonly Competitor[],
  { jobs }: Rows,
  { rounds, warmUpMs }: { readonly rounds: number; readonly warmUpMs: number },
): Promise<ReadonlyMap<string, string[]>> {
  const contenders = [
    createByHand(jobs),
    ...competitors.flatMap((competitor) => createContender(competitor, jobs) ?? []),
  ];
  const timings = await runRounds(contenders, { rounds, warmUpMs, budgetMs: 600 });
  const byHand = timings.get(byHandName) ?? [];
  return new Map(
    contenders.map(({ name }) => {
      const own = timings.get(name) ?? [];
      const compared = ratios(own, byHand);
      const times = own.filter((ms) => ms !== undefined);
      return [name, [duration(median(times)), `${digits(median(compared))} ±${percent(spread(compared))}`]];
    }),
  );
}

/** The rows that ten requests find, one of each kind, all with the value of this turn. */
function countByHand(jobs: readonly Job[], turn: number): number {
  return templates.reduce((sum, { byHand }) => sum + byHand(jobs, turn).length, 0);
}

function createByHand(jobs: readonly Job[]): Contender {
  let turn = 0;
  return {
    name: byHandName,
    run: () => {
      turn = (turn + 1) % requestCount;
      return countByHand(jobs, turn);
    },
    check: () => undefined,
  };
}

function createContender(competitor: Competitor, jobs: readonly Job[]): Contender | null {
  const requests: (() => Select)[][] = [];
  for (let turn = 0; turn < requestCount; turn += 1) {
    const compilers: (() => Select)[] = [];
    for (const { condition } of templates) {
      const written = tryWrite(competitor, { condition: condition(turn), kind: 'jobs' });
      if (written instanceof CannotExpress) return null;
      compilers.push(written.compile);
    }
    requests.push(compilers);
  }
  let turn = 0;
  return {
    name: competitor.name,
    run: () => {
      turn = (turn + 1) % requestCount;
      // The turn is below the number of requests.
      const compilers = requests[turn] as (() => Select)[];
      return compilers.reduce((sum, compile) => sum + (compile()(jobs) as readonly unknown[]).length, 0);
    },
    check: (found) => {
      const expected = countByHand(jobs, turn);
      if (found !== expected)
        throw new Error(`${competitor.name} found ${String(found)} rows and not ${expected}`);
    },
  };
}
