import type * as Access from '../../src/entries/access.js';
import type * as Lists from '../../src/entries/query.js';
import type * as Tables from '../../src/entries/table.js';
import { loadEngine } from '../engine.js';
import { requireCount } from '../harness/expected-results.js';
import { digits, duration, type Report } from '../harness/report.js';
import { median } from '../harness/stats.js';
import type { Scenario, ScenarioContext } from './scenario.js';

export const accessScenario: Scenario = {
  name: 'access',
  about: 'pages and counts of a caller who sees 0.1 % of 100,000 rows, and the cost of an access filter',
  run: measureAccess,
};

const rowCount = 100_000;
const tenants = 1_000;
const rule = '@Tenant in caller.tenants and Level <= @caller.level';

/** Runs of the first function per run of the other: it is a hundred times faster. */
const repeats = 100;
/** Rounds before the measurement, in which the engine optimises its code. */
const warmUp = 30;

/** Runs two functions alternately. Returns the median times of one run in ms, and the median of their ratios. */
async function compare(
  rounds: number,
  one: () => unknown,
  other: () => unknown,
): Promise<readonly [one: number, other: number, ratio: number]> {
  const times: [number, number][] = [];
  for (let round = 0; round < rounds + warmUp; round += 1) {
    const start = performance.now();
    for (let run = 0; run < repeats; run += 1) await one();
    const middle = performance.now();
    await other();
    if (round >= warmUp) times.push([(middle - start) / repeats, performance.now() - middle]);
  }
  return [
    median(times.map(([first]) => first)),
    median(times.map(([, second]) => second)),
    median(times.map(([first, second]) => second / first)),
  ];
}

async function measureAccess({ rounds, seed, onProgress }: ScenarioContext): Promise<Report> {
  const { compileFilter, defineSchema, t } = await loadEngine();
  const load = async (subpath: string): Promise<unknown> => import(`tamis/${subpath}`);
  const { definePolicy } = (await load('access')) as typeof Access;
  const { createTable } = (await load('table')) as typeof Tables;
  const { createList } = (await load('query')) as typeof Lists;
  const schema = defineSchema({ ID: t.string, Tenant: t.string, Level: t.int, Title: t.string });
  const table = createTable(schema, { key: 'ID', indexes: ['Tenant'], sorts: ['Level'] });
  const tenantOf = (at: number): string => `t${(at * 7 + seed) % tenants}`;
  table.putAll(
    Array.from({ length: rowCount }, (_, at) => ({
      ...{ ID: `d${at}`, Tenant: tenantOf(at), Level: at % 5, Title: `Title ${at % 100}` },
    })),
  );
  const policy = definePolicy({
    schema,
    caller: defineSchema({ tenants: t.list(t.string), level: t.int }),
    actions: ['read'],
    rules: [{ effect: 'allow', actions: ['read'], when: rule }],
  });
  const list = createList(table);
  const who = { tenants: [tenantOf(3)], level: 9 };
  const access = policy.access(who, 'read');
  const visible = (row: { readonly Tenant: string; readonly Level: number | bigint }): boolean =>
    who.tenants.includes(row.Tenant) && row.Level <= who.level;
  const expected = rowCount / tenants;
  requireCount('access', (await list.page({ access })).items, expected);
  requireCount('visible', (await list.page({ visible })).items, expected);
  const filter = 'Level != 4';
  const lines: string[][] = [];
  const figures: Record<string, number> = {};
  for (const [name, run] of [
    ['page of 50', (rights: object) => list.page({ ...rights, filter, perPage: 50 })],
    ['page of 50, sorted', (rights: object) => list.page({ ...rights, filter, sort: '-Level', perPage: 50 })],
    ['count', (rights: object) => list.count({ ...rights, filter })],
  ] as const) {
    onProgress(name);
    const [own, other, ratio] = await compare(
      rounds,
      () => run({ access }),
      () => run({ visible }),
    );
    lines.push([name, duration(own), duration(other), digits(ratio)]);
    figures[`access ${name}`] = ratio;
  }
  onProgress('access filters');
  let next = 0;
  const tenantNow = (): string => `u${(next += 1)}`;
  const compileMany = (): void => {
    for (let at = 0; at < repeats; at += 1)
      compileFilter(`Tenant in ["${tenantNow()}"] and Level <= 9`, { schema });
  };
  const freshOne = (): unknown => policy.access({ ...who, tenants: [tenantNow()] }, 'read');
  const [fresh, all, ratio] = await compare(rounds, freshOne, compileMany);
  const [known] = await compare(rounds, () => policy.access(who, 'read'), compileMany);
  figures['access filter'] = repeats / ratio;
  return {
    title: 'access: a caller who sees 0.1 % of 100,000 rows, by an indexed access filter and by a function',
    header: ['', 'access', 'visible', 'ratio'],
    rows: lines,
    notes: [
      `An access filter of new rights takes ${duration(fresh)}, ${digits(repeats / ratio)} times as long as compiling` +
        ` such a filter (${duration(all / repeats)}); one of known rights ${duration(known)}.`,
    ],
    figures,
  };
}
