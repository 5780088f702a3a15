import fc from 'fast-check';
import { defineSchema, list, t } from 'tamis';
import { describe, expect, it } from 'vitest';
import { exportedResources, resources } from '@tamis/scheduler-model/resources.js';
import {
  rangeIndexes,
  stringIndex,
  valueIndexes,
  deleteRow,
  emptyRows,
  putRow,
  putRows,
  groupRows,
  scanRows,
  fullRange,
  updateIndex,
} from 'tamis/table';
import { emptyTables } from '@tamis/scheduler-state/state/tables.js';

interface Item {
  readonly id: string;
  readonly age: number;
  readonly Status: unknown;
  readonly Rank: unknown;
  readonly Tags: readonly string[] | null;
}

const schema = defineSchema({ Status: t.string, Rank: t.int, Tags: t.list(t.string) });
const order = { index: (item: Item) => item.age, text: (item: Item) => item.id };

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

const digitsOf = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? `${each}n` : each));

const empty = emptyRows<Item, string>({
  key: ({ id }) => id,
  listOrder: order,
  indexes: {
    ...valueIndexes<Item>(schema, ['Status', 'Tags']),
    ...rangeIndexes<Item>(schema, ['Rank']),
    first: stringIndex((row) => row.Tags?.[0] ?? 'none'),
  },
});

describe('rows in groups', () => {
  it('are those with each key, in the order of the index, after any changes', () => {
    fc.assert(
      fc.property(fc.array(item, { maxLength: 6 }), fc.array(change, { maxLength: 30 }), (start, changes) => {
        let table = putRows(empty, start);
        const before = table;
        const old = digitsOf(before);
        for (const each of changes) {
          table = 'put' in each ? putRow(table, each.put) : deleteRow(table, each.drop);
        }
        const rows = [...scanRows(table.listed, fullRange, false)];
        for (const index of Object.values(table.indexes)) {
          const { keysOf, isSearchable = (row) => keysOf(row) !== null } = index.declaration;
          const groups = new Set(rows.flatMap((row) => keysOf(row) ?? []));
          expect(index.groups.size).toBe(groups.size);
          expect(index.unindexed).toBe(rows.filter((row) => !isSearchable(row)).length);
          for (const key of groups) {
            const members = rows.filter((row) => keysOf(row)?.includes(key));
            const group = groupRows(index, key);
            expect(group.size).toBe(members.length);
            expect([...scanRows(group, fullRange, false)]).toEqual(
              list(members, { order: index.order }).items,
            );
          }
          expect(groupRows(index, 'nothing').size).toBe(0);
        }
        const ranks = [...scanRows(groupRows(table.indexes['byRank'] as never), fullRange, false)] as Item[];
        // What is not an integer is at the end.
        const positionOf = ({ Rank }: Item): number => (typeof Rank === 'number' ? Rank : Infinity);
        expect(ranks.map(positionOf)).toEqual(
          rows.map(positionOf).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)),
        );
        expect(digitsOf(before)).toBe(old);
      }),
      { numRuns: 200 },
    );
  });

  it('come and go one by one', () => {
    const { Status: index } = empty.indexes;
    if (index === undefined) throw new Error('no index');
    const row: Item = { id: 'a', age: 1, Status: 'run', Rank: 0, Tags: null };
    const one = updateIndex(index, null, row);
    expect(groupRows(one, 'run').size).toBe(1);
    expect(updateIndex(one, row, null).groups.size).toBe(0);
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
    const { indexes, listed } = emptyTables()[name];
    const found = Object.entries(indexes).filter(([, { order }]) => order === listed.order);
    expect(found.map(([index]) => index).filter((index) => index !== 'job')).toEqual(names);
  });

  it('are described to filters by value, by range and by ID', () => {
    const namesOf = (name: 'jobs' | 'allocations'): string[] =>
      resources[name].filterIndexes.map(({ field }) => field);
    expect(namesOf('jobs')).toEqual([
      ...['Status', 'Type', 'Namespace', 'Priority', 'Datacenters', 'NodePool'],
      ...['Priority', 'SubmitTime', 'CreateIndex', 'ModifyIndex', 'ID'],
    ]);
    expect(namesOf('allocations')).not.toContain('ID');
  });

  it('are exported, those that others refer to first', () => {
    const kinds = exportedResources.map(({ kind }) => kind);
    expect(kinds).toEqual(['namespace', 'node', 'job', 'deployment', 'evaluation', 'allocation']);
  });
});
