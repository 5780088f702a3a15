import { filterCases } from '../cases/cases.js';
import { loadEngine } from '../engine.js';
import { duration, percent, type Report } from '../harness/report.js';
import { runRounds } from '../harness/rounds.js';
import { geometricMean, median, spread } from '../harness/stats.js';
import type { Scenario, ScenarioContext } from './scenario.js';

export const parseScenario: Scenario = {
  name: 'parse',
  about: 'reading the eleven expressions, warm',
  run: measureParsing,
};

async function measureParsing({ rounds }: ScenarioContext): Promise<Report> {
  const { parse, print } = await loadEngine();
  const contenders = filterCases.map(({ id, expression }) => ({
    name: id,
    run: () => parse(expression),
    check: (parsed: unknown) => {
      const printed = print((parsed as ReturnType<typeof parse>).ast);
      if (print(parse(printed).ast) !== printed) throw new Error(`${id} was read as ${printed}`);
    },
  }));
  const timings = await runRounds(contenders, { rounds, minMs: 2, warmUpMs: 150 });
  const medians: number[] = [];
  const rows = filterCases.map(({ id, expression }) => {
    const times = (timings.get(id) ?? []).filter((ms) => ms !== undefined);
    medians.push(median(times));
    return [id, `${expression.length}`, duration(median(times)), percent(spread(times))];
  });
  rows.push(['geometric mean', '', duration(geometricMean(medians)), '']);
  return {
    title: 'parse: text to tree, warm',
    header: ['expression', 'characters', 'time', 'spread'],
    rows,
    notes: [],
  };
}
