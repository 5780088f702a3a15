import { compiledCondition, compiledRows } from '../cases/compiled.js';
import { loadCompetitor } from '../competitors/competitors.js';
import { CannotExpress, tryWrite, type Competitor, type Select } from '../competitors/competitor.js';
import { writeExpression } from '../competitors/tamis.js';
import { requireSameRows } from '../harness/expected-results.js';
import { digits, duration, percent, type Report } from '../harness/report.js';
import { runRounds, type Contender } from '../harness/rounds.js';
import { median, ratios, spread } from '../harness/stats.js';
import type { Scenario, ScenarioContext } from './scenario.js';

export const compileScenario: Scenario = {
  name: 'compile',
  about: 'text to filter for an `and` of three, warm',
  run: measureCompiling,
};

/** How many different texts each competitor compiles in turn, so that remembering the last ones does not help. */
const textCount = 500;

async function measureCompiling({ rounds, competitors }: ScenarioContext): Promise<Report> {
  const contenders: Contender[] = [];
  for (const name of competitors.filter((requested) => requested === 'tamis' || !requested.startsWith('tamis'))) {
    const contender = createContender(await loadCompetitor(name));
    if (contender !== null) contenders.push(contender);
  }
  const timings = await runRounds(contenders, { rounds, minMs: 4, warmUpMs: 600, budgetMs: 16 * rounds });
  const first = timings.get(contenders[0]?.name ?? '') ?? [];
  const rows = contenders.map(({ name }) => {
    const own = timings.get(name) ?? [];
    const times = own.filter((ms) => ms !== undefined);
    return [name, duration(median(times)), percent(spread(times)), digits(median(ratios(own, first)))];
  });
  return {
    title: `compile: ${writeExpression(compiledCondition(1))}, warm`,
    header: ['competitor', 'time', 'spread', `to ${contenders[0]?.name ?? 'first'}`],
    rows,
    notes: [
      'From the text, or the object that stands for it, to something that can be asked about a row. What a library puts',
      'off until it meets the first row is not in it.',
    ],
  };
}

function createContender(competitor: Competitor): Contender | null {
  const compilers: (() => Select)[] = [];
  for (let index = 0; index < textCount; index += 1) {
    const written = tryWrite(competitor, { condition: compiledCondition(index), kind: 'jobs' });
    if (written instanceof CannotExpress) return null;
    compilers.push(written.compile);
  }
  let turn = 0;
  return {
    name: competitor.name,
    run: () => {
      turn = (turn + 1) % textCount;
      // The turn is below the number of compilers.
      return (compilers[turn] as () => Select)();
    },
    check: (select) => {
      const list = compiledRows(turn);
      return requireSameRows(`the filter of ${competitor.name}`, select as Select, list, list.slice(1, 2));
    },
  };
}
