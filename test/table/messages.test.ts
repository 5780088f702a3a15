import { expect, it } from 'vitest';
import { listClient } from '../../src/entries/client.js';
import { createList } from '../../src/entries/query.js';
import { sqlMapping, text } from '../../src/entries/sql.js';
import { createTable } from '../../src/entries/table.js';
import { defineSchema, t } from '../../src/index.js';

const schema = defineSchema({ ID: t.string, Status: t.string, Priority: t.int });
const mapping = (table: string): unknown =>
  sqlMapping(schema, { dialect: 'postgres', table, columns: { ID: text('id') } });

it.each<[() => unknown, string]>([
  [
    () => createTable({} as never, { key: 'ID' }),
    'createTable: schema must be created with defineSchema() or parseSchema(), got an object',
  ],
  [
    () => createTable(schema, { key: 'Id' as 'ID' }),
    'createTable: key: unknown field "Id". Did you mean ID?',
  ],
  [
    () => createTable(schema, { key: 'ID', indexes: ['Stauts' as 'Status'] }),
    'createTable: indexes: unknown field "Stauts". Did you mean Status?',
  ],
  [
    () => createTable(schema, { key: 'ID', sorts: ['Priorty' as 'Priority'] }),
    'createTable: sorts: unknown field "Priorty". Did you mean Priority?',
  ],
  [
    () => createTable(defineSchema({ ID: t.bool }), { key: 'ID' as never }),
    'createTable: key must be a string or integer field; ID is a bool',
  ],
  [() => createTable(schema, { key: 'ID' }).put(null as never), 'row must be an object, got null'],
  [() => createTable(schema, { key: 'ID' }).put({ Status: 'x' } as never), 'ID is required (string)'],
  [
    () => createList(mapping('jobs') as never),
    'createList: expected a table, arraySource(), sqlListSource() or a function that returns rows; got a sqlMapping. Wrap it: sqlListSource(mapping, run, { key })',
  ],
  [
    () => mapping('public.jobs'),
    'sqlMapping: table must be a name without a dot, got "public.jobs". Did you mean ["public", "jobs"]?',
  ],
  [
    () => listClient(''),
    'listClient: url must be an absolute URL (http or https) or a path that begins with /, got ""',
  ],
])('names the option, what it must be and what was given (%#)', (act, message) => {
  expect(act).toThrow(expect.objectContaining({ message }));
});

it('suggests the query option that was meant', async () => {
  const list = createList(createTable(schema, { key: 'ID' }));
  await expect(Promise.resolve().then(() => list.page({ filtr: 'x' } as never))).rejects.toThrow(
    'unknown option "filtr". Did you mean filter?',
  );
});
