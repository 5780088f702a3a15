import fc from 'fast-check';
import { defineSchema, fieldIndex, orderedIndex, t, type IndexKey } from 'tamis';
import { describe, expect, it } from 'vitest';
import { findGroup, groupRows, withGroupedRow, withoutGroupedRow } from '../../src/state/grouped.js';
import { scanRows, wholeRange } from '../../src/state/sorted-rows.js';
import { createTable, deleteRow, putRow, putRows } from '../../src/state/table.js';
import { emptyTables } from '../../src/state/tables.js';

interface Item {
  readonly id: string;
  readonly age: number;
  readonly Status: unknown;
  readonly Rank: unknown;
  readonly Tags: readonly string[] | null;
}

const schema = defineSchema({ Status: t.string, Rank: t.int, Tags: t.list(t.string) });
const order = { index: (item: Item) => item.age, text: (item: Item) => item.id };
const fields = [fieldIndex<Item>(schema, 'Status'), fieldIndex<Item>(schema, 'Tags')];

const item: fc.Arbitrary<Item> = fc.record({
  id: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g'),
  age: fc.nat({ max: 3 }),
  // Few rows do not fit the schema.
  Status: fc.oneof(
    { weight: 20, arbitrary: fc.constantFrom('run', 'dead') },
    { weight: 1, arbitrary: fc.constant(5) },
  ),
  Rank: fc.constantFrom(0, 1, 5, -(2 ** 60), null, 'odd'),
  Tags: fc.option(fc.array(fc.constantFrom('x', 'y', 'z'), { maxLength: 3 })),
});
const change = fc.oneof(
  item.map((row) => ({ put: row }) as const),
  item.map(({ id }) => ({ drop: id }) as const),
);

const empty = createTable<Item, 'created'>(
  ({ id }) => id,
  { created: order },
  { fields, sorted: [orderedIndex<Item>(schema, 'Rank')], listedBy: 'created' },
);

describe('rows grouped by a field', () => {
  it('are those with each key, in the order of the list, after any changes', () => {
    fc.assert(
      fc.property(fc.array(item, { maxLength: 6 }), fc.array(change, { maxLength: 30 }), (start, changes) => {
        let table = putRows(empty, start);
        const before = table;
        const old = JSON.stringify(before);
        for (const each of changes) {
          table = 'put' in each ? putRow(table, each.put) : deleteRow(table, each.drop);
        }
        const rows = [...scanRows(table.indexes.created, wholeRange, false)];
        for (const { field, rows: inOrder, misfits } of table.sorted) {
          const fitting = rows.filter((row) => field.keysOf(row) !== null);
          const keyOfRow = (row: Item): IndexKey => field.keysOf(row)?.[0] ?? '';
          expect(misfits).toBe(rows.length - fitting.length);
          expect([...scanRows(inOrder, wholeRange, false)]).toEqual(
            fitting.sort((a, b) => field.compare(keyOfRow(a), keyOfRow(b)) || (a.id < b.id ? -1 : 1)),
          );
        }
        for (const grouped of table.fields) {
          const keysOf = (row: Item): readonly string[] => grouped.field.keysOf(row) ?? [];
          const keys = new Set(rows.flatMap(keysOf));
          expect(grouped.groups.size).toBe(keys.size);
          expect(grouped.misfits).toBe(rows.filter((row) => grouped.field.keysOf(row) === null).length);
          for (const key of keys) {
            const group = findGroup(grouped, key);
            const expected = rows.filter((row) => keysOf(row).includes(key));
            expect(group?.size).toBe(expected.length);
            expect(group === null ? [] : [...scanRows(group, wholeRange, false)]).toEqual(expected);
          }
          expect(findGroup(grouped, 'nothing')).toBeNull();
        }
        expect(JSON.stringify(before)).toBe(old);
      }),
      { numRuns: 200 },
    );
  });

  it('come and go one by one', () => {
    const [field] = fields;
    if (field === undefined) throw new Error('no field');
    const row: Item = { id: 'a', age: 1, Status: 'run', Rank: 0, Tags: null };
    const one = withGroupedRow(groupRows(field, order, []), undefined, row);
    expect(findGroup(one, 'run')?.size).toBe(1);
    expect(withoutGroupedRow(one, row).groups.size).toBe(0);
  });
});

describe('the tables of the scheduler', () => {
  it.each<[table: 'jobs' | 'nodes' | 'deployments' | 'evaluations' | 'allocations', fields: string[]]>([
    ['jobs', ['Status', 'Type', 'Namespace', 'Priority', 'Datacenters', 'NodePool']],
    ['nodes', ['Status', 'Datacenter', 'NodeClass', 'NodePool', 'SchedulingEligibility']],
    ['deployments', ['Status', 'JobID', 'Namespace']],
    ['evaluations', ['Status', 'Type', 'TriggeredBy', 'JobID', 'Namespace']],
    [
      'allocations',
      [
        'ClientStatus',
        'DesiredStatus',
        'TaskGroup',
        'JobID',
        'NodeID',
        'DeploymentID',
        'EvalID',
        'Namespace',
      ],
    ],
  ])('%s are found by %j', (name, names) => {
    const { primary, indexes, fields } = emptyTables[name];
    expect(fields.map(({ field }) => field.field)).toEqual(names);
    const listed = 'created' in indexes ? indexes.created : primary;
    for (const grouped of fields) expect(grouped.order).toBe(listed.order);
  });
});
