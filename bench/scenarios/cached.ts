import { createShapes } from '../cases/wide-shapes.js';
import { writeExpression } from '../competitors/tamis.js';
import { createWideSchema, drawWideNames, loadWideRows } from '../data/wide.js';
import { loadEngine } from '../engine.js';
import { requireCount } from '../harness/expected-results.js';
import { digits, type Report } from '../harness/report.js';
import { bytesUsed } from './memory.js';
import type { Scenario, ScenarioContext } from './scenario.js';

export const cachedScenario: Scenario = {
  name: 'kept',
  about: 'the memory of 100,000 filters of a hundred shapes that are kept',
  run: measureCachedFilters,
};

const filterCount = 100_000;
/** Each filter is used on so few rows that the runs take seconds and not minutes. */
const rowCount = 20;
const uses = 2;

async function measureCachedFilters({ seed, onProgress }: ScenarioContext): Promise<Report> {
  const engine = await loadEngine();
  const names = drawWideNames(seed);
  const schema = createWideSchema(engine, names);
  const rows = loadWideRows(names, rowCount);
  const shapes = createShapes(names);
  const turns = filterCount / shapes.length;
  const compileAll = (turn: number): ReturnType<typeof engine.compileFilter>[] =>
    shapes.map(({ condition }) =>
      engine.compileFilter<unknown>(writeExpression(condition(turn)), { schema }),
    );
  // What the engine sets up once is not the filters' own.
  for (const filter of compileAll(turns)) for (let use = 0; use < 100; use += 1) filter.select(rows);
  const before = bytesUsed();
  onProgress('compiling');
  const filters = Array.from({ length: turns }, (_, turn) => compileAll(turn)).flat();
  const compiled = bytesUsed();
  onProgress('running');
  for (const filter of filters) for (let use = 0; use < uses; use += 1) filter.select(rows);
  const used = bytesUsed();
  shapes.forEach(({ name, byHand }, index) => {
    const found = filters[index]?.select(rows) ?? [];
    requireCount(name, found, byHand(rows, 0).length);
  });
  requireCount('kept', filters, filterCount);
  const line = (name: string, after: number): string[] => [
    name,
    `${digits((after - before) / 2 ** 20)} MB`,
    `${digits((after - before) / filterCount)} bytes`,
  ];
  return {
    title: 'kept: 100,000 filters of a hundred shapes, each with its own literal',
    header: ['', 'heap', 'for each filter'],
    rows: [line('compiled', compiled), line(`and used ${uses} times on ${rowCount} rows`, used)],
    notes: ['The text of each filter, which it keeps, is among it.'],
    figures: { 'kept bytes': (used - before) / filterCount },
  };
}
