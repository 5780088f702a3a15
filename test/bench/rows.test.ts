import { describe, expect, it } from 'vitest';
import { filterCases } from '../../bench/cases/cases.js';
import { loadRows, type RowKind } from '../../bench/data/rows.js';
import type { ShapeMode } from '../../bench/data/shape.js';

const size = 2000;
const rows = { mono: loadRows('mono', size), poly: loadRows('poly', size) };
const kinds: readonly RowKind[] = ['jobs', 'nodes'];
const modes: readonly ShapeMode[] = ['mono', 'poly'];

function keyLists(mode: ShapeMode, kind: RowKind): Set<string> {
  return new Set((rows[mode][kind] as readonly object[]).map((row) => Object.keys(row).join()));
}

describe('the rows of the benchmarks', () => {
  it.each(kinds)('are always the same %s, however many are made', (kind) => {
    expect(loadRows('poly', 50)[kind]).toEqual(rows.poly[kind].slice(0, 50));
  });

  it('are created only on demand', () => {
    expect(loadRows('mono', 3, ['nodes'])).toMatchObject({ jobs: [], nodes: { length: 3 } });
  });

  it.each(kinds)('have one shape of %s, or hundreds', (kind) => {
    expect(keyLists('mono', kind).size).toBe(1);
    expect(keyLists('poly', kind).size).toBeGreaterThan(100);
  });

  it('have about forty attributes, in one order or many', () => {
    const ordersOf = (mode: ShapeMode): Set<string> =>
      new Set(rows[mode].nodes.map(({ Attributes }) => Object.keys(Attributes).join()));
    expect(Object.keys(rows.mono.nodes[0]?.Attributes ?? {})).toHaveLength(40);
    expect(ordersOf('mono').size).toBe(1);
    expect(ordersOf('poly').size).toBeGreaterThan(100);
  });

  it.each(kinds)('have the same values of %s in both modes, but for optional keys', (kind) => {
    expect(rows.mono[kind]).toMatchObject(rows.poly[kind] as object[]);
  });

  it.each(modes)('hold as many matches of each case as it says (%s)', (mode) => {
    const found = filterCases.map(({ id, byHand }) => [id, byHand(rows[mode]).length]);
    expect(found).toEqual(filterCases.map(({ id, matches }) => [id, matches[size]]));
  });

  it('have twelve regions and two architectures', () => {
    expect(new Set(rows.mono.jobs.map(({ Region }) => Region)).size).toBe(12);
    expect(new Set(rows.mono.nodes.map(({ NodeResources }) => NodeResources.Cpu.Arch))).toEqual(
      new Set(['arm64', 'amd64']),
    );
  });
});
