import { setFlagsFromString } from 'node:v8';
import { runInThisContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { scanRows, fullRange, type SortedRows } from '../../src/lists/table/sorted-rows.js';
import { emptyRows, deleteRow, getRow, putRow, putRows } from '../../src/lists/table/table-rows.js';

interface Thing {
  readonly ID: string;
  readonly CreateIndex: number;
}

const empty = emptyRows<Thing>({
  key: ({ ID }) => ID,
  listOrder: { index: ({ CreateIndex }) => CreateIndex, text: ({ ID }) => ID },
});

function ids(rows: SortedRows<Thing>): string[] {
  return [...scanRows(rows, fullRange, false)].map(({ ID }) => ID);
}

describe('a table', () => {
  it('finds rows by their key, and has them in the order of lists too', () => {
    const table = putRow(putRow(empty, { ID: 'a', CreateIndex: 9 }), { ID: 'b', CreateIndex: 3 });
    expect(getRow(table, 'a')).toEqual({ ID: 'a', CreateIndex: 9 });
    expect(getRow(table, 'c')).toBeNull();
    expect(ids(table.primary)).toEqual(['a', 'b']);
    expect(ids(table.listed)).toEqual(['b', 'a']);
    expect(getRow(empty, 'a')).toBeNull();
  });

  it('moves a row in its list when its place there changes', () => {
    const table = putRows(empty, [
      { ID: 'a', CreateIndex: 1 },
      { ID: 'b', CreateIndex: 2 },
    ]);
    const moved = putRow(table, { ID: 'a', CreateIndex: 3 });
    expect(ids(moved.listed)).toEqual(['b', 'a']);
    expect(moved.listed.size).toBe(2);
    expect(ids(table.listed)).toEqual(['a', 'b']);
  });

  it('deletes a row everywhere, and nothing where there is none', () => {
    const table = putRows(empty, [{ ID: 'a', CreateIndex: 1 }]);
    const without = deleteRow(table, 'a');
    expect(ids(without.primary)).toEqual([]);
    expect(ids(without.listed)).toEqual([]);
    expect(deleteRow(table, 'b')).toBe(table);
  });

  it('leaves rows that are made alike in the one shape that the runtime keeps for them', () => {
    setFlagsFromString('--allow-natives-syntax');
    const haveSameShape = runInThisContext('(a, b) => %HaveSameMap(a, b)') as (
      a: unknown,
      b: unknown,
    ) => boolean;
    const base = { ID: '', CreateIndex: 0 };
    const rows = Array.from({ length: 200 }, (_, at) => ({ ...base, ID: `r${at}`, CreateIndex: at }));
    const late = rows
      .slice(100)
      .reduce((table, row) => putRow(table, row), putRows(empty, rows.slice(0, 100)));
    const cached = [...scanRows(late.primary, fullRange, false)];
    const shapes = cached.filter((row, at) => cached.findIndex((each) => haveSameShape(each, row)) === at);
    // The runtime makes a second one while it learns how they are made.
    expect(shapes.length).toBeLessThanOrEqual(2);
  });
});
