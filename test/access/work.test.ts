import { expect, it } from 'vitest';
import { definePolicy } from '../../src/entries/access.js';
import { createList, type Query } from '../../src/entries/query.js';
import { createTable } from '../../src/entries/table.js';
import { defineSchema, t } from '../../src/index.js';

// Time is not measured: the reads of fields are counted, which are the work of a query.

const schema = defineSchema({ ID: t.string, Tenant: t.string, Level: t.int });
interface Doc {
  readonly ID: string;
  readonly Tenant: string;
  readonly Level: number;
}

const policy = definePolicy({
  schema,
  caller: defineSchema({ tenant: t.string }),
  actions: ['read'],
  rules: [{ effect: 'allow', actions: ['read'], when: 'Tenant == @caller.tenant' }],
});

/** Returns how often fields are read by a query of a caller who sees 10 rows and not 500 others, all of one level. */
async function readsOf(hidden: number, query: Query<Doc>): Promise<number> {
  let reads = 0;
  const row = (ID: string, Tenant: string, level: number): Doc => ({
    ...{ ID, Tenant },
    get Level() {
      reads += 1;
      return level;
    },
  });
  const table = createTable(schema, {
    key: 'ID',
    rows: 'share',
    indexes: ['Level', 'Tenant'],
    sorts: ['Level'],
  });
  table.putAll(Array.from({ length: 500 }, (_, at) => row(`b${at}`, 'blue', hidden)));
  table.putAll(Array.from({ length: 10 }, (_, at) => row(`r${at}`, 'red', at % 3)));
  const list = createList(table) as object as ReturnType<typeof createList<Doc>>;
  const run = async (): Promise<void> => {
    await list.page(query);
    await list.count(query);
    await list.facets(query, ['Level']);
  };
  // The first queries build what later ones use.
  for (let times = 0; times < 3; times += 1) await run();
  reads = 0;
  await run();
  return reads;
}

it.each(['Level == 1', 'Level > 1', 'Level in [1, 2]', 'Level == 1 or Level == 7', 'not (Level == 1)'])(
  'a query costs the same whatever values hidden rows have: %s',
  async (filter) => {
    const access = policy.access({ tenant: 'red' }, 'read');
    const [present, absent] = [await readsOf(1, { filter, access }), await readsOf(7, { filter, access })];
    expect(present).toBe(absent);
    expect(present).toBeGreaterThan(0);
    expect(present).toBeLessThan(200);
  },
);

it.each(['Level == 1', 'Level > 0'])(
  'a query of a caller without rights reads no row: %s',
  async (filter) => {
    const nothing = definePolicy({
      schema,
      caller: defineSchema({ admin: t.bool }),
      actions: ['read'],
      rules: [{ effect: 'allow', actions: ['read'], when: 'caller.admin == true' }],
    });
    const access = nothing.access({ admin: false }, 'read');
    expect(access.kind).toBe('none');
    for (const sort of [{}, { sort: 'Level', perPage: 5 }])
      expect(await readsOf(1, { filter, access, ...sort })).toBe(0);
  },
);
