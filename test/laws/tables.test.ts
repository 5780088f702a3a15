import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defineSchema, t } from '../../src/index.js';
import {
  createStore,
  createTable,
  defineTable,
  RowError,
  type ChangeGroup,
  type Table,
} from '../../src/entries/table.js';
import { createList } from '../../src/entries/query.js';
import { drawnLists, lastOfEach, type DrawnRow } from './drawn-list.js';

const steps = drawnLists.chain((drawn) =>
  fc.record({
    drawn: fc.constant(drawn),
    batches: fc.array(
      fc.record({
        steps: fc.array(
          fc.oneof(
            drawn.row.map((row) => ({ kind: 'put', row }) as const),
            drawn.row.map((row) => ({ kind: 'delete', key: String(row[drawn.key]) }) as const),
            fc.array(drawn.row, { maxLength: 6 }).map((rows) => ({ kind: 'putAll', rows }) as const),
          ),
          { maxLength: 5 },
        ),
        isBroken: fc.boolean().map((broken) => broken),
      }),
      { maxLength: 8 },
    ),
  }),
);

const contentsOf = (table: { rows(): Iterable<DrawnRow> }): readonly DrawnRow[] => [...table.rows()];

describe('a table', () => {
  it('is a map of its rows: snapshots never change, batches are atomic, changes lead from one to the next', () =>
    fc.assert(
      fc.property(steps, ({ drawn, batches }) => {
        const { schema, key, indexes, sorts } = drawn;
        const table = createTable(schema, { key, indexes, sorts } as never) as object as Table<DrawnRow>;
        const model = new Map<string, DrawnRow>();
        const reported: ChangeGroup[] = [];
        table.changes.subscribe((group) => reported.push(group));
        const seen = [{ snapshot: table.snapshot(), rows: contentsOf(table) }];
        for (const { steps: actions, isBroken } of batches) {
          const next = new Map(model);
          const before = { index: table.index, reported: reported.length };
          const write = (): number =>
            table.batch((rows) => {
              for (const action of actions) {
                if (action.kind === 'put') {
                  rows.put(action.row);
                  next.set(String(action.row[key]), action.row);
                } else if (action.kind === 'putAll') {
                  rows.putAll(action.rows);
                  for (const row of action.rows) next.set(String(row[key]), row);
                } else expect(rows.delete(action.key)).toBe(next.delete(action.key));
              }
              expect([...next].map(([each]) => rows.get(each))).toEqual([...next.values()]);
              if (isBroken) throw new Error('broken');
            });
          if (isBroken) expect(write).toThrow('broken');
          else {
            const same = (a: unknown, b: unknown): boolean => {
              try {
                expect(a).toEqual(b);
                return true;
              } catch {
                return false;
              }
            };
            const index = write();
            const isSame = same(new Map([...model].sort()), new Map([...next].sort()));
            expect(index > before.index).toBe(!isSame);
            expect(reported.length > before.reported).toBe(!isSame);
            model.clear();
            for (const [id, row] of next) model.set(id, row);
          }
          if (isBroken) expect([table.index, reported.length]).toEqual([before.index, before.reported]);
          expect(new Map(contentsOf(table).map((row) => [row[key], row]))).toEqual(new Map(model));
          expect(table.size).toBe(model.size);
          seen.push({ snapshot: table.snapshot(), rows: contentsOf(table) });
        }
        for (const { snapshot, rows } of seen) {
          expect(contentsOf(snapshot as object as Table<DrawnRow>)).toEqual(rows);
          // What came after it leads to what there is.
          const groups = table.changes.since(snapshot.index);
          if (groups === 'gone') throw new Error('too few changes to be forgotten');
          const replayed = new Map(rows.map((row) => [String(row[key]), row]));
          for (const { changes } of groups)
            for (const { key: id, before, after } of changes) {
              expect(replayed.get(id) ?? null).toEqual(before);
              if (after === null) replayed.delete(id);
              else replayed.set(id, after as DrawnRow);
            }
          expect(replayed).toEqual(new Map(contentsOf(table).map((row) => [String(row[key]), row])));
        }
      }),
      { numRuns: 300 },
    ));

  it('keeps copies: who changes a row that was put, or deeper in it, changes nothing', () =>
    fc.assert(
      fc.asyncProperty(
        drawnLists.chain((drawn) =>
          fc.tuple(fc.constant(drawn), fc.array(drawn.row, { minLength: 1, maxLength: 6 })),
        ),
        async ([{ schema, key, indexable, sorts }, rows]) => {
          const table = createTable(schema, {
            key,
            indexes: indexable,
            sorts,
          } as never) as object as Table<DrawnRow>;
          const cached = lastOfEach(structuredClone(rows), key);
          for (const row of rows) table.put(row);
          const spoil = (value: unknown): void => {
            if (typeof value !== 'object' || value === null) return;
            for (const name of Object.keys(value)) {
              spoil((value as Record<string, unknown>)[name]);
              (value as Record<string, unknown>)[name] = 'spoilt';
            }
            if (Array.isArray(value)) value.push('more');
          };
          rows.forEach(spoil);
          const { index } = table;
          for (const row of cached) table.put(row);
          expect(table.index).toBe(index);
          expect(new Set((await createList(table).page({})).items)).toEqual(new Set(cached));
          for (const row of cached) expect(table.delete(String(row[key]))).toBe(true);
          expect(table.size).toBe(0);
        },
      ),
      { numRuns: 300 },
    ));

  it('takes no row of the wrong kind, says where it is wrong, and changes nothing', () =>
    fc.assert(
      fc.property(
        drawnLists.chain((drawn) =>
          fc.tuple(
            fc.constant(drawn),
            drawn.row,
            fc.nat({ max: 20 }),
            fc.constantFrom(undefined, Symbol('x'), { odd: 1 }, [[1]]),
          ),
        ),
        ([{ schema, key }, row, at, wrong]) => {
          const table = createTable(schema, { key } as never) as object as Table<DrawnRow>;
          table.put(row);
          const { index } = table;
          const name = Object.keys(row)[at % Object.keys(row).length] ?? key;
          const type = schema.root.properties.get(name)?.type;
          // A nullable struct may be left out, and takes what has its fields.
          if (type?.kind === 'struct' && wrong === undefined) return;
          const broken = { ...row, [name]: wrong };
          const put = (): void => table.put(broken);
          expect(put).toThrow(RowError);
          try {
            put();
          } catch (error) {
            expect((error as RowError).path.startsWith(name)).toBe(true);
            expect((error as RowError).message).toContain(name);
          }
          expect(() => table.batch((rows) => (rows.delete(String(row[key])), rows.put(broken)))).toThrow(
            RowError,
          );
          expect([table.index, table.size]).toEqual([index, 1]);
        },
      ),
      { numRuns: 300 },
    ));
});

const people = defineSchema({ name: t.string, age: t.int, tags: t.list(t.string) });
const shop = {
  people: defineTable(people, { key: 'name', indexes: ['tags'] }),
  pets: defineTable(people, { key: 'name' }),
};

describe('a store', () => {
  it('writes several tables under one index, and each has its own', () => {
    const store = createStore(shop, { firstIndex: 10 });
    const first = store.snapshot();
    store.write(({ people: rows }) => rows.put({ name: 'a', age: 1, tags: [] }));
    store.write(({ people: rows, pets }) => {
      rows.delete('a');
      pets.put({ name: 'b', age: 2, tags: ['x'] });
    });
    expect(store.snapshot()).toMatchObject({ index: 12, indexes: { people: 12, pets: 12 } });
    expect(first.tables.people.size + first.index).toBe(10);
    expect(store.changes.since(10)).toMatchObject([
      { index: 11, indexes: { people: 11 } },
      { index: 12, indexes: { people: 12, pets: 12 } },
    ]);
  });

  it('begins a new history with what is loaded', () => {
    const store = createStore(shop);
    const reported: string[] = [];
    store.changes.subscribe(({ kind }) => reported.push(kind));
    const { history, index } = store.snapshot();
    store.load({ pets: [{ name: 'b', age: 2, tags: ['x'] }] });
    expect(store.snapshot().history).not.toBe(history);
    expect(store.changes.since(index)).toBe('gone');
    store.load({}, { index: 5, history: 'before' });
    expect(store.snapshot()).toMatchObject({ index: 5, history: 'before' });
    expect(reported).toEqual(['reset', 'reset']);
    expect(() => store.load({ cats: [] } as never)).toThrow('there is no table "cats"');
  });

  it('refuses writes that wait, that are nested, and that go on', () => {
    const store = createStore(shop);
    expect(() => store.write(async () => undefined)).toThrow('must be synchronous');
    expect(() => store.write(() => store.write(() => 1))).toThrow('within another one');
    const cached = store.write(({ people: rows }) => rows);
    expect(() => cached.put({ name: 'a', age: 1, tags: [] })).toThrow('The write is finished');
    expect(store.snapshot().tables.people.size).toBe(0);
  });
});

describe('a definition', () => {
  it.each([
    [{ key: 'nme' }, 'key: unknown field "nme"'],
    [{ key: 'tags' }, 'key must be a string or integer field; tags is a list'],
    [{ key: 'name', indexes: ['tag'] }, 'indexes: unknown field "tag"'],
    [{ key: 'name', sorts: ['tags'] }, 'sorts must be fields with an order; tags is a list'],
    [{ key: 'name', rows: 'move' }, "rows must be 'copy' or 'share'"],
    [{ key: 'name', index: [] }, 'Did you mean indexes?'],
    [{ key: 5 }, 'key must be the name of a field or a function'],
  ])('%j is refused: %s', (options, problem) => {
    expect(() => defineTable(people, options as never)).toThrow(TypeError);
    expect(() => createTable(people, options as never)).toThrow(problem);
  });

  it.each([
    [{ name: '', age: 1, tags: [] }, '', 'must not be empty'],
    [{ name: '\ud800', age: 1, tags: [] }, '', 'an unpaired surrogate'],
    [{ name: 'x'.repeat(1_025), age: 1, tags: [] }, '', 'the maximum is 1024'],
    [{ name: 'a', age: 1.5, tags: [] }, 'age', 'must be an int'],
    [{ name: 'a', age: 1, tags: ['b', 5] }, 'tags[1]', 'must be a string'],
    [{ name: 'a', age: 1, tags: ['b'.repeat(1_048_576)] }, '', 'the maximum is 1048576'],
    [null, '', 'row must be'],
  ])('a row such as %.60j is refused at %s', (row, path, problem) => {
    const table = createTable(people, { key: 'name' });
    expect(() => table.put(row as never)).toThrow(expect.objectContaining({ path }));
    expect(() => table.put(row as never)).toThrow(problem);
  });

  it('a table has its own order, rows with one place in that of their keys', () => {
    const table = createTable(people, {
      key: 'name',
      order: { index: ({ age }) => -BigInt(age), text: () => '' },
    });
    table.putAll(['b', 'a', 'c'].map((name) => ({ name, age: name === 'c' ? 9 : 1, tags: [] })));
    expect([...table.rows()].map(({ name }) => name)).toEqual(['c', 'a', 'b']);
    expect([...table.rows('a')]).toHaveLength(1);
  });
});
