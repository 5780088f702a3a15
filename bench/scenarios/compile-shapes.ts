import { filterCases, type FilterCase } from '../cases/cases.js';
import type { Condition } from '../cases/condition.js';
import { oneShots } from '../cases/one-shot.js';
import { writeExpression } from '../competitors/tamis.js';
import { loadRows, type Rows } from '../data/rows.js';
import { createSchemas } from '../data/schemas.js';
import { loadEngine, type Engine } from '../engine.js';
import { duration, percent, type Report } from '../harness/report.js';
import { runRounds, type Contender } from '../harness/rounds.js';
import { geometricMean, median, spread } from '../harness/stats.js';
import type { Scenario, ScenarioContext } from './scenario.js';

export const compileShapesScenario: Scenario = {
  name: 'shapes',
  about: 'parse and compile of the eleven: shapes never seen, and shapes in use with other literals',
  run: measureShapes,
};

/** Filters in one measurement: enough for the clock. */
const batch = 50;
/** How many filters of each kind are compiled before anything is timed. */
const warmUpCount = 1000;

type Schema = ReturnType<Engine['defineSchema']>;

/** What is compiled in one measurement. */
interface Batch {
  readonly texts: readonly string[];
  readonly schema: Schema;
}

async function measureShapes({ rounds, onProgress }: ScenarioContext): Promise<Report> {
  const engine = await loadEngine();
  const rows = loadRows('mono', 2000);
  const schemas = createSchemas(engine);
  const contenders: Contender[] = [];
  for (const filterCase of filterCases) {
    onProgress(`warming ${filterCase.id} up`);
    contenders.push(
      createContender(engine, `${filterCase.id} new`, (turn) => newShapes(engine, filterCase, turn)),
      createKnown(engine, filterCase, rows, schemas[filterCase.kind]),
    );
  }
  onProgress('compiling');
  const timings = await runRounds(contenders, { rounds, minMs: 0, budgetMs: Infinity });
  const timesOf = (name: string): number[] =>
    (timings.get(name) ?? []).flatMap((ms) => (ms === undefined ? [] : [ms / batch]));
  const means = (suffix: string): number =>
    geometricMean(filterCases.map(({ id }) => median(timesOf(`${id} ${suffix}`))));
  const cell = (name: string): string =>
    `${duration(median(timesOf(name)))} ±${percent(spread(timesOf(name)))}`;
  const figures = { 'compile new': means('new') * 1000, 'compile known': means('known') * 1000 };
  return {
    title: 'shapes: text to filter, with a schema, warm',
    header: ['expression', 'new shape', 'known shape'],
    rows: [
      ...filterCases.map(({ id }) => [id, cell(`${id} new`), cell(`${id} known`)]),
      ['geometric mean', duration(means('new')), duration(means('known'))],
    ],
    notes: [
      'New: fields, or keys of maps, that no filter has named before. Known: filters of the shape have run with other',
      'literals. Code that is generated for a shape when its filters run is in neither.',
    ],
    figures,
  };
}

/** Compiles a batch in each run; the next one is created while the clock is stopped. */
function createContender(engine: Engine, name: string, makeBatch: (turn: number) => Batch): Contender {
  for (let turn = 0; turn < warmUpCount / batch; turn += 1) compileAll(engine, makeBatch(turn));
  let turn = warmUpCount / batch;
  let next = makeBatch(turn);
  return {
    name,
    run: () => compileAll(engine, next),
    check: (count) => {
      if (count !== batch) throw new Error(`${name}: ${String(count)} filters are not ${batch}`);
      turn += 1;
      next = makeBatch(turn);
    },
  };
}

function compileAll({ compileFilter }: Engine, { texts, schema }: Batch): number {
  let count = 0;
  for (const text of texts) if (compileFilter(text, { schema }).source === text) count += 1;
  return count;
}

function createKnown(engine: Engine, { id, kind }: FilterCase, rows: Rows, schema: Schema): Contender {
  const condition = oneShots[id]?.condition;
  if (condition === undefined) throw new RangeError(`nothing was written by hand for ${id}`);
  for (let turn = 0; turn < 5; turn += 1) {
    const filter = engine.compileFilter<unknown>(writeExpression(condition(turn)), { schema });
    for (let use = 0; use < 10; use += 1) filter.select<unknown>(rows[kind]);
  }
  return createContender(engine, `${id} known`, (turn) => ({
    texts: Array.from({ length: batch }, (_, index) => writeExpression(condition(turn * batch + index))),
    schema,
  }));
}

/** The case about other fields in each filter. The schema has them all, and has been used once. */
function newShapes(engine: Engine, { condition }: FilterCase, turn: number): Batch {
  const conditions = Array.from({ length: batch }, (_, index) => elsewhere(condition, `${turn}_${index}`));
  const schema = engine.defineSchema({
    first: engine.t.int,
    ...Object.fromEntries(conditions.flatMap((part) => fieldsOf(part, engine.t))),
  });
  engine.compileFilter('first == 1', { schema });
  return { texts: conditions.map(writeExpression), schema };
}

/** The same condition about fields of other names. */
function elsewhere(condition: Condition, suffix: string): Condition {
  if (condition.is === 'both' || condition.is === 'either')
    return { ...condition, of: condition.of.map((part) => elsewhere(part, suffix)) };
  return { ...condition, path: condition.path.map((name) => `${name}_${suffix}`) };
}

type Fields = Parameters<Engine['defineSchema']>[0];

/** What the schema must know for a condition to fit it. */
function fieldsOf(condition: Condition, t: Engine['t']): [name: string, type: Fields[string]][] {
  if (condition.is === 'both' || condition.is === 'either')
    return condition.of.flatMap((part) => fieldsOf(part, t));
  const [first = '', ...rest] = condition.path;
  // A key with a dot is one of a map.
  if (rest.some((name) => name.includes('.'))) return [[first, t.map(t.string)]];
  const type = rest.reduceRight<Fields[string]>(
    (inner, name) => t.struct({ [name]: inner }),
    leafOf(condition, t),
  );
  return [[first, type]];
}

function leafOf(condition: Exclude<Condition, { is: 'both' | 'either' }>, t: Engine['t']): Fields[string] {
  switch (condition.is) {
    case 'equal':
    case 'unequal':
      return typeof condition.value === 'number' ? t.int : t.string;
    case 'contains':
      return t.list(t.string);
    case 'empty':
      return t.map(t.string);
    case 'some':
      return t.list(t.struct({ [condition.field]: t.string }));
    case 'one-of':
    case 'starts-with':
    case 'holds-any-case':
      return t.string;
  }
}
