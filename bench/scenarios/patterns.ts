import { patternFilter, patterns, patternSubject, selectNatively } from '../cases/patterns.js';
import { loadRows } from '../data/rows.js';
import { createSchemas } from '../data/schemas.js';
import type { Job } from '../data/job.js';
import { loadEngine } from '../engine.js';
import { requireSameRows } from '../harness/expected-results.js';
import { digits, percent, type Report } from '../harness/report.js';
import { runRounds } from '../harness/rounds.js';
import { geometricMean, median, ratios, spread } from '../harness/stats.js';
import type { Scenario, ScenarioContext } from './scenario.js';

export const patternsScenario: Scenario = {
  name: 'patterns',
  about: '`matches`, compared with the native RegExp of the same meaning',
  run: measurePatterns,
};

async function measurePatterns({ rounds, onProgress }: ScenarioContext): Promise<Report> {
  const engine = await loadEngine();
  const schema = createSchemas(engine).jobs;
  const { jobs } = loadRows('mono', 2000, ['jobs']);
  const means: number[] = [];
  const rows: string[][] = [];
  for (const [pattern, native] of patterns) {
    onProgress(pattern);
    const filter = engine.compileFilter<Job>(patternFilter(pattern), { schema });
    const expected = jobs.filter((job) => native.test(patternSubject(job)));
    await requireSameRows(pattern, () => filter.select(jobs), jobs, expected);
    const check = (found: unknown): void => {
      if ((found as Job[]).length !== expected.length) throw new Error(`${pattern} found other rows`);
    };
    const timings = await runRounds(
      [
        { name: 'native', run: () => selectNatively(jobs, native), check },
        { name: 'tamis', run: () => filter.select(jobs), check },
      ],
      { rounds, minMs: 0.5 },
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
    title: 'patterns: a name that matches, on 2,000 jobs',
    header: ['pattern', 'found', 'native ns', 'tamis to native'],
    rows,
    notes: [
      'The native RegExp is what an engine without a guarantee would use: on a pattern such as ^(a+)+$ it can take for ever.',
    ],
  };
}
