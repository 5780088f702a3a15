import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { createTable, RowError } from '../../src/entries/table.js';
import { compileFilter, defineSchema, t, type Schema } from '../../src/index.js';
import { fromJSONSchema } from '../../src/entries/json-schema.js';

// The table of docs/schemas.md: what missing and null mean for each declaration.

const page = readFileSync(new URL('../../docs/schemas.md', import.meta.url), 'utf8');
const rows = [...page.matchAll(/^\| (.*?) +\| (missing|null) +\| (accepted|rejected) +\| (.*?) +\|$/gm)];

const json = (type: unknown, required: readonly string[]): Schema =>
  fromJSONSchema({
    type: 'object',
    required: ['ID', ...required],
    properties: { ID: { type: 'string' }, F: { type } },
  });

const schemas: Readonly<Record<string, Schema>> = {
  '`t.string`': defineSchema({ ID: t.string, F: t.string }),
  '`t.nullable(t.string)`': defineSchema({ ID: t.string, F: t.nullable(t.string) }),
  'JSON Schema, `required`': json('string', ['F']),
  'JSON Schema, not `required`': json('string', []),
  'JSON Schema, `type: ["string","null"]`': json(['string', 'null'], []),
};

it('has a row for each declaration', () => expect(rows).toHaveLength(2 * Object.keys(schemas).length));

it.each(rows.map(([, declaration = '', property, put, reads]) => ({ declaration, property, put, reads })))(
  '$declaration, $property: $put, reads $reads',
  ({ declaration, property, put, reads }) => {
    const schema = schemas[declaration] as Schema;
    const row = property === 'missing' ? { ID: 'a' } : { ID: 'a', F: null };
    const table = createTable(schema, { key: 'ID' as never });
    const write = (): void => void table.put(row as never);
    if (put === 'accepted') expect(write).not.toThrow();
    else expect(write).toThrow(RowError);
    const given = put === 'accepted' ? [row, table.get('a')] : [row];
    for (const each of given) {
      expect(compileFilter('F is nil', { schema, check: false }).test(each as never)).toBe(reads === 'null');
      expect(compileFilter('F == ""', { schema, unresolved: 'absent' }).test(each as never)).toBe(
        reads !== 'null',
      );
    }
  },
);
