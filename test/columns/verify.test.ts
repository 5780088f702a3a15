import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { columns } from '../../src/entries/columns.js';
import { defineSchema, t } from '../../src/index.js';
import { createList } from '../../src/entries/query.js';
import { createTable } from '../../src/entries/table.js';

const schema = defineSchema({
  ID: t.string,
  Few: t.string,
  Size: t.int,
  Name: t.string,
  Tags: t.list(t.string),
  Meta: t.map(t.string),
});

interface Row {
  ID: string;
  Few: string;
  Size: number;
  Name: string;
  Tags: string[];
  Meta: Record<string, string>;
}

const rowAt = (at: number): Row => ({
  ID: `k${String(at)}`,
  Few: at % 3 === 0 ? 'a' : 'b',
  Size: at * 7_919,
  Name: `name-${String(at)}`,
  Tags: [`t${String(at % 4)}`],
  Meta: { owner: at % 5 === 0 ? 'core' : 'edge' },
});

/** Changes of a row in place, with the name that an error gives to the change. */
const changes: readonly (readonly [what: string, change: (row: Row) => void])[] = [
  ['Few', (row) => (row.Few = 'c')],
  ['Few', (row) => (row.Few = null as never)],
  ['Size', (row) => (row.Size += 1)],
  ['Size', (row) => (row.Size = NaN)],
  ['Tags', (row) => row.Tags.push('more')],
  ['Meta.owner', (row) => (row.Meta['owner'] = 'else')],
  ['what Name == @ID asks', (row) => (row.Name = row.ID)],
];

/** No column serves it. */
const cached = 'Name == @ID';
const filter = 'Few == "a" or Size > 50 or "t1" in Tags or Meta.owner == "core"';

async function tableOf(size: number, verify: boolean) {
  const table = createTable(schema, {
    ...{ key: 'ID', rows: 'share' },
    columns: columns(['Few', 'Size', 'Tags', 'Meta'], { budget: 1e7, verify }),
  });
  const rows = Array.from({ length: size }, (_, at) => rowAt(at));
  table.putAll(rows);
  const list = createList(table);
  for (let times = 0; times < 4; times += 1) {
    await list.count({ filter });
    await list.count({ filter: cached });
  }
  return { table, rows, list };
}

describe('rows that are changed after they were put', () => {
  it('are found, whichever they are, and nothing else is', () =>
    fc.assert(
      fc.asyncProperty(
        fc.nat({ max: 299 }),
        fc.constantFrom(...changes),
        fc.array(fc.nat({ max: 400 }), { maxLength: 5 }),
        async (position, [what, change], written) => {
          const { table, list } = await tableOf(300, true);
          // Other rows in their place are no change of theirs.
          for (const at of written) table.put({ ...rowAt(at), Few: 'd' });
          for (let times = 0; times < 300; times += 1) await list.count({ filter });
          // The cache is refreshed on use.
          for (let times = 0; times < 4; times += 1) await list.count({ filter: cached });
          const changed = table.get(`k${String(position)}`) as Row;
          change(changed);
          const requests = async (): Promise<void> => {
            // One of the rows is compared per query.
            for (let times = 0; times < table.size; times += 1) await list.count({ filter });
          };
          await expect(requests()).rejects.toThrow(
            `columns: the row "${changed.ID}" was changed after put: ${what} differs. Put a new row object instead`,
          );
        },
      ),
      { numRuns: 12 },
    ));

  it('are detected only on request', async () => {
    const { rows, list } = await tableOf(100, false);
    (rows[3] as Row).Few = 'c';
    for (let times = 0; times < 200; times += 1) await list.count({ filter });
    expect(() => columns('auto', { verify: 'yes' as never })).toThrow(
      'columns: verify is true or false, not "yes"',
    );
  });
});
