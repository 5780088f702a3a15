import type * as FilterSets from '../../src/entries/filter-set.js';
import { createRandom, seedOf, type Random } from '../data/random.js';
import { loadEngine, loadFilterSets, type Engine } from '../engine.js';
import { digits, type Report } from '../harness/report.js';
import { median } from '../harness/stats.js';
import { bytesUsed } from './memory.js';
import type { Scenario, ScenarioContext } from './scenario.js';

export const setScenario: Scenario = {
  name: 'set',
  about: 'which of 1,000 to 100,000 saved filters hold for one row',
  run: measureSets,
};

/** How many filters there are, and how many of them share a value on average. */
const sizes = [
  { filters: 1_000, sharing: 2 },
  { filters: 10_000, sharing: 2 },
  { filters: 100_000, sharing: 2 },
  { filters: 100_000, sharing: 20 },
] as const;

const rowCount = 1_000;
/** Number of rows that all filters evaluate one by one, and size of their batches: compiled, 100,000 take a gigabyte. */
const checkedRows = 10;
const chunk = 10_000;
const listLength = 3;

/** The fields of the rows, and how many values each has. */
interface Field {
  readonly name: string;
  readonly values: readonly string[];
}

/** What filters and rows are drawn from. */
interface Domain {
  readonly owner: Field;
  readonly id: Field;
  readonly zone: Field;
  readonly state: Field;
  readonly labels: Field;
  readonly weight: string;
  readonly price: string;
  /** Prices lie below. */
  readonly maxPrice: number;
}

type Row = Readonly<Record<string, unknown>>;
type Schema = ReturnType<Engine['defineSchema']>;

/** What was measured with one size. Times in microseconds of the processor. */
interface SetFigures {
  readonly filters: number;
  readonly candidates: number;
  readonly buffered: number;
  readonly perRow: number;
  readonly spread: number;
  readonly oneByOne: number;
  readonly perAdd: number;
  readonly perExchange: number;
  readonly bytes: number;
}

async function measureSets({ seed, rounds, onProgress }: ScenarioContext): Promise<Report> {
  const engine = await loadEngine();
  const { createFilterSet } = await loadFilterSets();
  const figures: SetFigures[] = [];
  for (const [turn, { filters, sharing }] of sizes.entries()) {
    onProgress(`${filters} filters`);
    const random = createRandom(seedOf(seed, turn));
    const domain = drawDomain(random, Math.ceil(filters / sharing));
    const schema = schemaOf(engine, domain);
    const texts = Array.from({ length: filters }, (_, at) => drawFilter(random, domain, at));
    const rows = Array.from({ length: rowCount }, () => drawRow(random, domain));
    figures.push(measureSet(engine, createFilterSet, schema, texts, rows, rounds));
  }
  const [, tenThousand] = figures;
  return {
    title: 'set: which saved filters hold for one row (microseconds of the processor)',
    header: [
      'filters',
      'candidates',
      'hold',
      'match',
      'one by one',
      'ratio',
      'add',
      'remove + add',
      'bytes each',
    ],
    rows: figures.map((each) => [
      each.filters.toLocaleString('en'),
      digits(each.candidates),
      digits(each.buffered),
      `${digits(each.perRow)} ±${digits(each.spread)} us`,
      `${digits(each.oneByOne)} us`,
      digits(each.oneByOne / each.perRow),
      `${digits(each.perAdd)} us`,
      `${digits(each.perExchange)} us`,
      digits(each.bytes),
    ]),
    notes: [
      `Six forms of filters; candidates and hold: for a row, on average. In the last row ten times as many filters share a value.`,
      `One by one: the filters' own tests, on ${checkedRows} rows, which found the same.`,
    ],
    figures: { 'set 10000': tenThousand?.perRow ?? NaN },
  };
}

function measureSet(
  engine: Engine,
  createFilterSet: (typeof FilterSets)['createFilterSet'],
  schema: Schema,
  texts: readonly string[],
  rows: readonly Row[],
  rounds: number,
): SetFigures {
  const bytes = bytesUsed();
  const set = createFilterSet(schema, { maxFilters: texts.length });
  const adding = timeOf(() => {
    for (const [at, text] of texts.entries()) set.add(String(at), text);
  });
  const buffered = bytesUsed() - bytes;
  const match = (): void => {
    for (const row of rows) set.match(row);
  };
  for (let time = 0; time < 4; time += 1) match();
  const before = set.stats();
  match();
  const after = set.stats();
  const times = Array.from({ length: rounds }, () => timeOf(match) / rows.length);
  const exchanging = timeOf(() => {
    for (const [at, row] of rows.entries()) {
      const id = String(at % texts.length);
      set.remove(id);
      set.add(id, texts[at % texts.length] ?? '');
      set.match(row);
    }
  });
  const perRow = median(times);
  return {
    filters: texts.length,
    candidates: (after.candidates - before.candidates) / rows.length,
    buffered: (after.matched - before.matched) / rows.length,
    perRow,
    spread: median(times.map((time) => Math.abs(time - perRow))),
    oneByOne: evaluateOneByOne(engine, schema, set, texts, rows.slice(0, checkedRows)),
    perAdd: adding / texts.length,
    perExchange: exchanging / rows.length - perRow,
    bytes: buffered / texts.length,
  };
}

/** @returns microseconds for a row. @throws Error where the set found others. */
function evaluateOneByOne(
  engine: Engine,
  schema: Schema,
  set: FilterSets.FilterSet,
  texts: readonly string[],
  rows: readonly Row[],
): number {
  const found = rows.map((): string[] => []);
  let time = 0;
  for (let from = 0; from < texts.length; from += chunk) {
    const tests = texts
      .slice(from, from + chunk)
      .map((text) => engine.compileFilter<unknown>(text, { schema }).test);
    const evaluate = (take: (row: number, filter: number) => void): void => {
      for (const [at, row] of rows.entries())
        for (const [index, test] of tests.entries()) if (test(row)) take(at, from + index);
    };
    evaluate((row, filter) => found[row]?.push(String(filter)));
    let count = 0;
    time += timeOf(() => {
      evaluate(() => {
        count += 1;
      });
    });
    if (count > texts.length * rows.length) throw new Error('more than all');
  }
  for (const [at, row] of rows.entries()) {
    const ids = [...set.match(row).ids].sort().join();
    if (ids !== (found[at] ?? []).sort().join()) throw new Error(`row ${at}: the set found others`);
  }
  return time / rows.length;
}

/** Microseconds of the processor, which those who share the machine do not take. */
function timeOf(run: () => void): number {
  const start = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(start);
  return user + system;
}

function drawDomain(random: Random, variety: number): Domain {
  const names = new Set<string>();
  const name = (): string => {
    const word = drawWord(random, 4 + random.int(8));
    return names.has(word) ? name() : (names.add(word), word);
  };
  const field = (count: number): Field => ({
    name: name(),
    values: Array.from({ length: count }, (_, at) => `${drawWord(random, 5)}-${at}`),
  });
  return {
    owner: field(variety),
    id: field(variety),
    zone: field(20),
    state: field(6),
    labels: field(50),
    weight: name(),
    price: name(),
    maxPrice: variety * 10,
  };
}

function drawWord(random: Random, length: number): string {
  return Array.from({ length }, () => String.fromCharCode(97 + random.int(26))).join('');
}

function schemaOf({ defineSchema, t }: Engine, domain: Domain): Schema {
  return defineSchema({
    [domain.owner.name]: t.string,
    [domain.id.name]: t.string,
    [domain.zone.name]: t.string,
    [domain.state.name]: t.string,
    [domain.labels.name]: t.list(t.string),
    [domain.weight]: t.int,
    [domain.price]: t.float64,
  });
}

/** The filters' forms in turn. */
function drawFilter(random: Random, domain: Domain, turn: number): string {
  const { owner, id, zone, state, labels, weight, price, maxPrice } = domain;
  const is = (field: Field): string => `${field.name} == "${random.pick(field.values)}"`;
  const low = random.int(maxPrice);
  switch (turn % 6) {
    case 0:
      return `${is(owner)} and ${is(state)}`;
    case 1:
      return `${is(state)} and ${is(owner)} and ${weight} > ${random.int(100)}`;
    case 2:
      return `${owner.name} in ["${random.pick(owner.values)}", "${random.pick(owner.values)}"] and "${random.pick(labels.values)}" in ${labels.name}`;
    case 3:
      return `${id.name} starts with "${random.pick(id.values)}" and ${weight} >= ${random.int(100)}`;
    case 4:
      return `${price} >= ${low} and ${price} < ${low + 10} and ${state.name} != "${random.pick(state.values)}"`;
    default:
      return `(${is(owner)} or ${is(id)}) and ${is(zone)}`;
  }
}

function drawRow(random: Random, domain: Domain): Row {
  return {
    [domain.owner.name]: random.pick(domain.owner.values),
    [domain.id.name]: random.pick(domain.id.values),
    [domain.zone.name]: random.pick(domain.zone.values),
    [domain.state.name]: random.pick(domain.state.values),
    [domain.labels.name]: Array.from({ length: listLength }, () => random.pick(domain.labels.values)),
    [domain.weight]: random.int(100),
    [domain.price]: random.int(domain.maxPrice * 100) / 100,
  };
}
