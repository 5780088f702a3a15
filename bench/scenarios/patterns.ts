import { loadRows } from '../data/rows.js';
import { createSchemas } from '../data/schemas.js';
import type { Job } from '../data/job.js';
import { loadEngine } from '../engine.js';
import { requireSameRows } from '../harness/filtering.js';
import { digits, percent, type Report } from '../harness/report.js';
import { runRounds } from '../harness/rounds.js';
import { geometricMean, median, ratios, spread } from '../harness/stats.js';
import type { Scenario, ScenarioContext } from './scenario.js';

export const patternsScenario: Scenario = {
  name: 'patterns',
  about: '`matches` beside the native RegExp of the same meaning',
  run: measurePatterns,
};

/** RE2's pattern, and the native one that means the same on the names of the rows. */
const patterns: readonly (readonly [pattern: string, native: RegExp])[] = [
  ['^web-', /^web-/],
  ['99$', /99$/],
  ['frontend', /frontend/],
  ['^web-frontend-77$', /^web-frontend-77$/],
  ['^web-.*9$', /^web-.*9$/],
  ['(?i)frontend', /frontend/i],
  ['(?i)^WEB-', /^WEB-/i],
  ['web|api|cron', /web|api|cron/],
  ['^(web|api)-', /^(?:web|api)-/],
  ['-(orders|users|events)-', /-(?:orders|users|events)-/],
  ['^[a-z]+-[a-z]+-[0-9]+$', /^[a-z]+-[a-z]+-[0-9]+$/],
  ['[0-9]{4}$', /[0-9]{4}$/],
  ['^\\w+-\\w+-\\d+$', /^\w+-\w+-\d+$/],
  ['o.*e.*s', /o.*e.*s/],
  ['[^a-z0-9-]', /[^a-z0-9-]/],
  ['\\bdb\\b', /\bdb\b/],
  ['^.{20}$', /^.{20}$/u],
  ['(a|e)(r|s)', /(?:a|e)(?:r|s)/],
  ['^([a-z]+-)+[0-9]+$', /^(?:[a-z]+-)+[0-9]+$/],
  ['.*frontend.*', /.*frontend.*/],
];

async function measurePatterns({ rounds, onProgress }: ScenarioContext): Promise<Report> {
  const engine = await loadEngine();
  const schema = createSchemas(engine).jobs;
  const { jobs } = loadRows('mono', 2000, ['jobs']);
  const means: number[] = [];
  const rows: string[][] = [];
  for (const [pattern, native] of patterns) {
    onProgress(pattern);
    const filter = engine.compileFilter<Job>(`Name matches ${JSON.stringify(pattern)}`, { schema });
    const expected = jobs.filter(({ Name }) => native.test(Name));
    await requireSameRows(pattern, () => filter.select(jobs), jobs, expected);
    const check = (found: unknown): void => {
      if ((found as Job[]).length !== expected.length) throw new Error(`${pattern} found other rows`);
    };
    const timings = await runRounds(
      [
        { name: 'native', run: () => selectNatively(jobs, native), check },
        { name: 'tamis', run: () => filter.select(jobs), check },
      ],
      { rounds, leastMs: 0.5 },
    );
    const byHand = timings.get('native') ?? [];
    const compared = ratios(timings.get('tamis') ?? [], byHand);
    means.push(median(compared));
    const perRow = (median(byHand.filter((ms) => ms !== undefined)) * 1e6) / jobs.length;
    rows.push([
      pattern,
      `${expected.length}`,
      digits(perRow),
      `${digits(median(compared))} ±${percent(spread(compared))}`,
    ]);
  }
  rows.push(['geometric mean', '', '', digits(geometricMean(means))]);
  return {
    title: 'patterns: Name matches "..." on 2,000 jobs',
    header: ['pattern', 'found', 'native ns', 'tamis to native'],
    rows,
    notes: [
      'The native RegExp is what an engine without a guarantee would use: on a pattern such as ^(a+)+$ it can take for ever.',
    ],
  };
}

function selectNatively(jobs: readonly Job[], native: RegExp): Job[] {
  const selected: Job[] = [];
  for (let index = 0; index < jobs.length; index += 1) {
    // The index is below the length.
    const job = jobs[index] as Job;
    if (native.test(job.Name)) selected.push(job);
  }
  return selected;
}
