import { describe, expect, it } from 'vitest';
import { defineSchema, t } from '../../src/index.js';
import { createTable, RowError } from '../../src/entries/table.js';

const part = t.struct({ Size: t.int, Marks: t.map(t.string) });
const schema = defineSchema({
  ID: t.string,
  At: t.nullable(t.time),
  Tags: t.list(t.string),
  Pair: t.array(t.int, 2),
  Parts: t.map(part),
  Rest: t.any,
});

const row = (changed: object = {}): object => ({
  ID: 'a',
  At: null,
  Tags: ['x'],
  Pair: [1, 2],
  Parts: { one: { Size: 1, Marks: { a: 'b' } } },
  Rest: { deep: [new Date(0), new Map([['k', new Set([1])]])] },
  ...changed,
});

function put(given: object, rows: 'copy' | 'share' = 'copy'): object | null {
  const table = createTable(schema, { key: 'ID', rows });
  table.put(given as never);
  return table.get('a');
}

function nested(levels: number): object {
  let value: object = {};
  for (let level = 0; level < levels; level += 1) value = { in: value };
  return value;
}

describe('a row that is put', () => {
  it('is copied with all that is in it, and is left as it was', () => {
    const given = row() as {
      readonly Parts: { readonly one: { Size: number; Marks: Record<string, string> } };
    };
    const before = structuredClone(given);
    const { one } = given.Parts;
    const { Marks } = one;
    const cached = put(given);
    expect(cached).toEqual(before);
    expect(given).toEqual(before);
    expect(given.Parts.one).toBe(one);
    expect(one.Marks).toBe(Marks);
    Marks['a'] = 'other';
    one.Size = 9;
    expect(cached).toEqual(before);
  });

  it('keeps its own Dates in data of any kind', () => {
    const at = new Date(0);
    const cached = put(row({ Rest: [at] }));
    at.setTime(5);
    expect(cached).toEqual(row({ Rest: [new Date(0)] }));
  });

  it('becomes plain data, absent fields null and others left out', () => {
    const given = new Map<string, unknown>([
      ...Object.entries(row({ At: new Date(0), Tags: new Set(['y']), Other: 1 })),
    ]);
    given.delete('Rest');
    expect(put(given)).toEqual(row({ At: '1970-01-01T00:00:00.000Z', Tags: ['y'], Rest: null }));
    expect(Object.keys(put(row({ Other: 1 })) ?? {})).toEqual([...schema.root.properties.keys()]);
  });

  it('keeps what is undefined in data of any kind, where it is not the same as null', () => {
    expect(put(row({ Rest: { a: undefined } }))).toStrictEqual(row({ Rest: { a: undefined } }));
    expect(put(row({ Rest: undefined }))).toStrictEqual(row({ Rest: null }));
  });

  it('is the row itself where rows are trusted, and must be plain', () => {
    const given = row();
    expect(put(given, 'share')).toBe(given);
    expect(given).toEqual(row());
    for (const changed of [{ At: new Date(0) }, { At: undefined }, { Tags: new Set(['y']) }, { Pair: [1] }])
      expect(() => put(row(changed), 'share')).toThrow(RowError);
    expect(() => put(new Map(Object.entries(given)), 'share')).toThrow(RowError);
  });

  it.each([
    [{ At: 5 }, 'At', 'At must be a nullable time, got 5'],
    // oxlint-disable-next-line no-sparse-arrays
    [{ Tags: ['a', , 'b'] }, 'Tags[1]', 'Tags[1] is required (string)'],
    [{ Pair: [1, 2, 3] }, 'Pair', 'Pair must have 2 elements, got 3'],
    [{ Pair: [1, 'b', 3] }, 'Pair[1]', 'Pair[1] must be an int'],
    [{ Parts: new Map() }, 'Parts', 'Parts must be a map'],
    [{ Parts: { 'a b': { Size: 1 } } }, 'Parts["a b"].Marks', 'is required (map)'],
    [{ Rest: { f: [() => 1] } }, 'Rest.f[0]', 'Rest.f[0] must be data, got a function'],
    [{ Rest: { f: Symbol('s') } }, 'Rest.f', 'must be data, got a symbol'],
    [{ ID: undefined }, 'ID', 'ID is required (string)'],
  ])('%# is refused where it does not fit', (changed, path, problem) => {
    expect(() => put(row(changed))).toThrow(expect.objectContaining({ path }));
    expect(() => put(row(changed))).toThrow(problem);
  });

  it('is refused where it has no end', () => {
    const circle: Record<string, unknown> = {};
    circle['in'] = circle;
    expect(put(row({ Rest: nested(400) }))).toEqual(row({ Rest: nested(400) }));
    for (const Rest of [circle, nested(600)]) expect(() => put(row({ Rest }))).toThrow('500 levels deep');
  });
});
