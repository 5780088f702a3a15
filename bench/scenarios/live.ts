import { createShapes, type Shape } from '../cases/wide-shapes.js';
import { loadCompetitor } from '../competitors/competitors.js';
import type { Competitor, Select } from '../competitors/competitor.js';
import { writeExpression } from '../competitors/tamis.js';
import { loadRows } from '../data/rows.js';
import { createWideSchema, drawWideNames, fieldCount, loadWideRows, type WideRow } from '../data/wide.js';
import { loadEngine } from '../engine.js';
import { requireSameRows } from '../harness/expected-results.js';
import { runOthers } from '../harness/filtering.js';
import { digits, percent, type Report } from '../harness/report.js';
import { runRounds, type Contender } from '../harness/rounds.js';
import { geometricMean, median, ratios, spread } from '../harness/stats.js';
import type { Scenario, ScenarioContext } from './scenario.js';

export const liveScenario: Scenario = {
  name: 'live',
  about: 'many filters of a hundred shapes alive and running in turn',
  run: measureLiveFilters,
};

const liveCounts = [1, 10, 100, 1000];
/** The engine and the two peers that come closest to it. */
const compared = ['tamis', 'json-logic-engine', 'subscript'];

type Compile = (shape: Shape, turn: number) => Select;

async function measureLiveFilters({
  rounds,
  competitors,
  seed,
  onProgress,
}: ScenarioContext): Promise<Report> {
  const names = drawWideNames(seed);
  const rows = loadWideRows(names, 2000);
  const shapes = createShapes(names);
  const others = loadRows('mono', 2000);
  const table: string[][] = [];
  const figures: Record<string, number> = {};
  for (const name of compared.filter((requested) => competitors.includes(requested))) {
    const competitor = await loadCompetitor(name);
    await runOthers(competitor, others);
    const engine = name === 'tamis' ? await loadEngine() : null;
    const schema = engine === null ? undefined : createWideSchema(engine, names);
    const compile: Compile = ({ condition }, turn) => {
      if (engine === null || schema === undefined) return writtenBy(competitor, condition(turn));
      const filter = engine.compileFilter<unknown>(writeExpression(condition(turn)), { schema });
      return (list) => filter.select(list);
    };
    const cells: string[] = [];
    for (const count of liveCounts) {
      onProgress(`${name}, ${count} live`);
      const found = await measureLive(compile, shapes, count, rows, rounds);
      cells.push(`${digits(found.mean)} ±${percent(found.spread)}`);
      if (name === 'tamis') figures[`live ${count}`] = found.mean;
    }
    table.push([name, ...cells]);
  }
  return {
    title: 'live: ratio to hand-written loops, by the number of filters that are alive and run in turn',
    header: ['competitor', ...liveCounts.map(String)],
    rows: table,
    notes: [
      'Geometric mean over the shapes on 2,000 rows of one shape: ten kinds of filters on ten fields each. 1: each kind',
      'alone; 10: the ten kinds on one field; 100: the hundred shapes; 1000: with ten literals each.',
    ],
    figures,
  };
}

function writtenBy(competitor: Competitor, condition: ReturnType<Shape['condition']>): Select {
  // The kind of row matters to the engine's schemas only.
  return competitor.write({ condition, kind: 'jobs' }).compile();
}

/** The mean of the shapes' ratios while `count` filters live, each shape having its share of them. */
async function measureLive(
  compile: Compile,
  shapes: readonly Shape[],
  count: number,
  rows: readonly WideRow[],
  rounds: number,
): Promise<{ mean: number; spread: number }> {
  const few = shapes.filter((_, index) => index % fieldCount === 0);
  const groups = count === 1 ? few.map((shape) => [shape]) : [count < shapes.length ? few : shapes];
  const means: number[] = [];
  const spreads: number[] = [];
  for (const group of groups) {
    const contenders: Contender[] = [];
    for (const shape of group)
      contenders.push(...(await enterPair(compile, shape, Math.max(1, count / group.length), rows)));
    const timings = await runRounds(contenders, { rounds, budgetMs: 1000 });
    for (const { name } of group) {
      const pair = ratios(timings.get(name) ?? [], timings.get(`${name} by hand`) ?? []);
      means.push(median(pair));
      spreads.push(spread(pair));
    }
  }
  return { mean: geometricMean(means), spread: median(spreads) };
}

/** `share` filters of a shape one after another, and the same by hand. */
async function enterPair(
  compile: Compile,
  shape: Shape,
  share: number,
  rows: readonly WideRow[],
): Promise<Contender[]> {
  const { name, byHand } = shape;
  const selects: Select[] = [];
  for (let turn = 0; turn < share; turn += 1) {
    const select = compile(shape, turn);
    await requireSameRows(`${name} ${turn}`, select, rows, byHand(rows, turn));
    selects.push(select);
  }
  const runByHand = (): number => selects.reduce((sum, _, turn) => sum + byHand(rows, turn).length, 0);
  const run = (): number =>
    selects.reduce((sum, select) => sum + (select(rows) as readonly unknown[]).length, 0);
  const expected = runByHand();
  const check = (found: unknown): void => {
    if (found !== expected) throw new Error(`${name} found ${String(found)} rows and not ${expected}`);
  };
  return [
    { name: `${name} by hand`, run: runByHand, check },
    { name, run, check },
  ];
}
