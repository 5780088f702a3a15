// A list endpoint: filters, sorts, pages, counts and waits, with the rights of the caller. Fastify takes `.fastify`, a runtime of
// the Fetch API `.fetch`.
import { createServer } from 'node:http';
import { defineSchema, t } from 'tamis';
import { HttpError, listEndpoint } from 'tamis/http';
import { createTable } from 'tamis/table';

const schema = defineSchema({ ID: t.string, Owner: t.string, Status: t.string, Meta: t.map(t.string) });
const jobs = createTable(schema, { key: 'ID', indexes: ['Status'] });
jobs.put({ ID: 'api', Owner: 'ann', Status: 'running', Meta: { 'cost.center': '42' } });
jobs.put({ ID: 'etl', Owner: 'bob', Status: 'running', Meta: {} });
jobs.put({ ID: 'web', Owner: 'ann', Status: 'running', Meta: { 'cost.center': '7' } });

const endpoint = listEndpoint(jobs, {
  caller(head) {
    const name = head.header('x-user');
    if (name === null) throw new HttpError(401, 'Say who you are in X-User');
    return name;
  },
  cacheKey: (name) => name,
  visible: (name) => (job) => job.Owner === name,
  fields: ['ID', 'Meta'], // the others cannot be filtered by
});

const server = createServer(endpoint.node);
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const base = `http://127.0.0.1:${server.address().port}`;
const fetchPage = async (query) => {
  const response = await fetch(`${base}/?${new URLSearchParams(query)}`, { headers: { 'X-User': 'ann' } });
  console.log(response.status, response.headers.get('X-Next-Token'), await response.text());
};

await fetchPage({ per_page: '1' });
await fetchPage({ filter: 'ID == "etl"' });
await fetchPage({ count: 'true' });
await fetchPage({ filter: 'Meta["cost.center" == "7"' });
server.close();
endpoint.close();

// Prints:
// 200 web [{"ID":"api","Meta":{"cost.center":"42"}}]
// 200 null []
// 200 null {"total":2}
// 400 null 1:20: expected "]", found "=="
//   1 | Meta["cost.center" == "7"
//     |                    ^^
//   hint: The key is not closed; add ].
