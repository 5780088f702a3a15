import { createShapes, type Shape } from '../cases/wide-shapes.js';
import { both, equal, unequal, type Condition } from '../cases/condition.js';
import { writeExpression } from '../competitors/tamis.js';
import {
  createWideSchema,
  drawWideNames,
  fieldCount,
  loadWideRows,
  type WideNames,
  type WideRow,
} from '../data/wide.js';
import { loadEngine, type Engine } from '../engine.js';
import { requireCount } from '../harness/expected-results.js';
import { digits, duration, type Report } from '../harness/report.js';
import { geometricMean, median, quantile } from '../harness/stats.js';
import { bytesUsed } from './memory.js';
import type { Scenario, ScenarioContext } from './scenario.js';

export const floodScenario: Scenario = {
  name: 'flood',
  about: 'a user who sends 100,000 different shapes: memory, and what others notice',
  run: measureFlood,
};

const shapeCount = 100_000;
/** Others have their turn after so many. */
const perTurn = 500;
const rowCount = 2000;
/** The sender's own lists are short, and it sends each filter three times. */
const sentRows = 100;
const sentTimes = 3;

type Schema = ReturnType<Engine['defineSchema']>;

/** A filter that another caller keeps, and the same by hand. */
interface Other {
  readonly run: () => number;
  readonly byHand: () => number;
}

/** What the others' filters took: milliseconds for all of them, and as a ratio to the loops by hand. */
interface Sample {
  readonly ms: number;
  readonly ratio: number;
}

async function measureFlood({ seed, onProgress }: ScenarioContext): Promise<Report> {
  const engine = await loadEngine();
  const names = drawWideNames(seed);
  const schema = createWideSchema(engine, names);
  const rows = loadWideRows(names, rowCount);
  const others = createOthers(engine, schema, createShapes(names), rows);
  for (let turn = 0; turn < 300; turn += 1) sample(others);
  const before = Array.from({ length: 200 }, () => sample(others));
  const heap = { before: bytesUsed(), after: 0 };
  const resident = { before: process.memoryUsage.rss(), max: 0 };
  const during: Sample[] = [];
  const start = performance.now();
  let own = 0;
  for (let first = 0; first < shapeCount; first += perTurn) {
    onProgress(`${first} shapes`);
    own += send(engine, schema, names, rows, first);
    during.push(sample(others));
    resident.max = Math.max(resident.max, process.memoryUsage.rss());
  }
  const elapsed = performance.now() - start;
  heap.after = bytesUsed();
  const after = Array.from({ length: 200 }, () => sample(others));
  const megabytes = (bytes: number): string => `${digits(bytes / 2 ** 20)} MB`;
  const ratioOf = (samples: readonly Sample[]): number => median(samples.map(({ ratio }) => ratio));
  return {
    title:
      'flood: 100,000 different shapes from one user, each sent three times, while others run ten kept filters',
    header: ["others' filters", 'median', 'slowest of 100', 'to hand-written'],
    rows: (
      [
        ['before', before],
        ['meanwhile', during],
        ['after', after],
      ] as const
    ).map(([name, samples]) => [
      name,
      duration(median(samples.map(({ ms }) => ms))),
      duration(
        quantile(
          samples.map(({ ms }) => ms),
          0.99,
        ),
      ),
      digits(ratioOf(samples)),
    ]),
    notes: [
      `Heap ${megabytes(heap.before)} before, ${megabytes(heap.after)} after; resident ${megabytes(resident.before)} before, ${megabytes(resident.max)} at most.`,
      `A filter of the flood: ${duration(own / shapeCount)} for compiling and three runs over ${sentRows} rows; all of it ${duration(elapsed)}.`,
    ],
    figures: {
      'flood heap': (heap.after - heap.before) / 2 ** 20,
      'flood others': ratioOf(during) / ratioOf(before),
    },
  };
}

/** One filter of each kind. @throws Error where one finds other rows than the loop. */
function createOthers(
  engine: Engine,
  schema: Schema,
  shapes: readonly Shape[],
  rows: readonly WideRow[],
): Other[] {
  return shapes
    .filter((_, index) => index % fieldCount === 0)
    .map(({ name, condition, byHand }) => {
      const filter = engine.compileFilter<unknown>(writeExpression(condition(3)), { schema });
      requireCount(name, filter.select(rows), byHand(rows, 3).length);
      return { run: () => filter.select(rows).length, byHand: () => byHand(rows, 3).length };
    });
}

/** Runs the others' filters and their loops in turn. */
function sample(others: readonly Other[]): Sample {
  let ms = 0;
  const ratios: number[] = [];
  for (const { run, byHand } of others) {
    const start = performance.now();
    const found = run();
    const between = performance.now();
    const expected = byHand();
    const end = performance.now();
    if (found !== expected) throw new Error(`found ${found} rows and not ${expected}`);
    ms += between - start;
    ratios.push((between - start) / Math.max(end - between, 1e-4));
  }
  return { ms, ratio: geometricMean(ratios) };
}

/** @returns milliseconds that the filters took, writing their texts left out */
function send(
  engine: Engine,
  schema: Schema,
  names: WideNames,
  rows: readonly WideRow[],
  first: number,
): number {
  const texts = Array.from({ length: perTurn }, (_, index) => writeExpression(shapeOf(names, first + index)));
  const list = rows.slice(0, sentRows);
  const start = performance.now();
  for (let time = 0; time < sentTimes; time += 1)
    for (const text of texts) engine.compileFilter<unknown>(text, { schema }).select(list);
  return performance.now() - start;
}

/** The n-th shape: four clauses about texts, of ten fields and two operators each, which makes 160,000 of them. */
function shapeOf({ texts, words }: WideNames, turn: number): Condition {
  const clauses = [0, 1, 2, 3].map((position) => {
    const digit = Math.floor(turn / 20 ** position) % 20;
    const field = texts[digit % fieldCount] ?? '';
    const value = words[(turn + position) % words.length] ?? '';
    return digit < fieldCount ? equal(field, value) : unequal(field, value);
  });
  return both(...clauses);
}
