import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { defineSchema, t } from '../../src/index.js';
import { listEndpoint } from '../../src/entries/http.js';
import { createTable } from '../../src/entries/table.js';
import { openHosts, type Hosts } from './support/hosts.js';

const document = readFileSync(new URL('../../docs/http-lists.md', import.meta.url), 'utf8');
const rows = JSON.parse(/```json\n(.*?)```/s.exec(document)?.[1] ?? '[]') as never[];
const examples = [...document.matchAll(/^\| `(\?[^`]*)` *\| (\d+) *\| (.*?) *\|$/gm)].map(
  ([, query = '', status = '', response = '']) => ({ query, status: Number(status), response }),
);

let hosts: Hosts;
beforeAll(async () => {
  const schema = defineSchema({ ID: t.string, Status: t.string, Priority: t.int });
  const table = createTable(schema, { key: 'ID', sorts: ['Priority'], firstIndex: 10 });
  table.putAll(rows);
  hosts = await openHosts(listEndpoint(table));
});
afterAll(() => hosts.close());

it('the document has examples', () => expect(examples.length).toBeGreaterThan(10));

it.each(examples)('$query has the documented result, on every host', async (example) => {
  for (const host of hosts.names) {
    const { status, headers, text } = await hosts.run(host, example.query);
    expect(status).toBe(example.status);
    if (status === 200) expect(`\`${text}\``).toBe(example.response);
    else expect(headers['content-type']).toBe('text/plain; charset=utf-8');
  }
});
