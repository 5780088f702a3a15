import { otherFilters } from '../cases/pollution.js';
import { eventCount, standardCases, type StandardCase } from '../cases/standard.js';
import { createTamis } from '../competitors/tamis.js';
import { loadEvents, type Event } from '../data/event.js';
import { loadRows } from '../data/rows.js';
import { createEventSchema } from '../data/schemas.js';
import { loadEngine, type Engine } from '../engine.js';
import { requireCount, requireSameRows } from '../harness/expected-results.js';
import { runOthers } from '../harness/filtering.js';
import { digits, duration, percent, type Report } from '../harness/report.js';
import { runRounds } from '../harness/rounds.js';
import { median, ratios, spread } from '../harness/stats.js';
import type { Scenario, ScenarioContext } from './scenario.js';

export const standardScenario: Scenario = {
  name: 'standard',
  about: 'features of the standard dialect only, compared with hand-written loops over 100,000 rows',
  run: measureStandard,
};

async function measureStandard({ rounds, onProgress }: ScenarioContext): Promise<Report> {
  const engine = await loadEngine();
  onProgress('making rows');
  const events = loadEvents(eventCount);
  await runOthers(createTamis(engine), loadRows('mono', 2_000));
  const rows: string[][] = [];
  for (const standardCase of standardCases) {
    onProgress(standardCase.expression);
    rows.push(await measureOne(engine, events, standardCase, rounds));
  }
  return {
    title: `standard: filters of 100,000 events, after ${otherFilters.length} other filters`,
    header: ['filter', 'by hand', 'select', 'ratio', 'closures'],
    rows,
    notes: ['Times are for all rows. Closures: the ratio with specialise: false.'],
  };
}

async function measureOne(
  engine: Engine,
  events: readonly Event[],
  { expression, byHand, matches }: StandardCase,
  rounds: number,
): Promise<string[]> {
  const schema = createEventSchema(engine);
  const filter = engine.compileFilter<Event>(expression, { schema });
  const closures = engine.compileFilter<Event>(expression, { schema, specialise: false });
  const expected = byHand(events);
  requireCount(expression, expected, matches);
  const check = (found: unknown): Promise<void> =>
    requireSameRows(expression, () => found as Event[], events, expected);
  const timings = await runRounds(
    [
      { name: 'by hand', run: () => byHand(events), check },
      { name: 'select', run: () => filter.select(events), check },
      { name: 'closures', run: () => closures.select(events), check },
    ],
    { rounds },
  );
  const [hand = [], own = [], slow = []] = [
    timings.get('by hand'),
    timings.get('select'),
    timings.get('closures'),
  ];
  const timeOf = (times: readonly (number | undefined)[]): string =>
    duration(median(times.filter((ms) => ms !== undefined)));
  const ratioOf = (times: readonly (number | undefined)[]): string =>
    `${digits(median(ratios(times, hand)))} ±${percent(spread(ratios(times, hand)))}`;
  const short = expression.length > 40 ? `${expression.slice(0, 39)}…` : expression;
  return [short, timeOf(hand), timeOf(own), ratioOf(own), ratioOf(slow)];
}
