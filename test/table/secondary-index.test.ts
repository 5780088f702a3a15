import fc from 'fast-check';
import { expect, it } from 'vitest';
import { defineSchema, t } from '../../src/index.js';
import { createList } from '../../src/entries/query.js';
import { createTable } from '../../src/entries/table.js';

const schema = defineSchema({ id: t.string, tags: t.list(t.string), level: t.int });
const tag = fc.nat({ max: 30 }).map((number) => `t${number}`);
const row = fc.record({
  id: fc.constantFrom('a', 'b', 'c'),
  // Short and long lists: the keys of a long one are compared by a set.
  tags: fc.oneof(fc.array(tag, { maxLength: 4 }), fc.array(tag, { minLength: 9, maxLength: 40 })),
  level: fc.nat({ max: 2 }),
});

it('finds the rows of each list element after puts and deletions, in order', async () => {
  const writes = fc.array(fc.oneof(row, fc.constantFrom('a', 'b', 'c')), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(writes, async (all) => {
      const table = createTable(schema, { key: 'id', indexes: ['tags'], sorts: ['level'] });
      const expected = new Map<string, { id: string; tags: string[]; level: number }>();
      for (const each of all) {
        if (typeof each === 'string') expect(table.delete(each)).toBe(expected.delete(each));
        else {
          table.put(each);
          expected.set(each.id, each);
        }
      }
      const list = createList(table);
      const sorted = [...expected.values()].sort((a, b) => a.level - b.level || (a.id < b.id ? -1 : 1));
      for (const name of ['t0', 't1', 't30']) {
        const { items } = await list.page({ filter: `"${name}" in tags`, sort: 'level' });
        expect(items).toEqual(sorted.filter(({ tags }) => tags.includes(name)));
      }
    }),
  );
});
