// A list endpoint with nothing but node:http. Frameworks look the same: take the query, answer 400 for a FilterError.
import { createServer } from 'node:http';
import { compileFilter, defineSchema, FilterError, list, ListQueryError, t } from 'tamis';

const schema = defineSchema({ ID: t.string, Owner: t.string, Status: t.string, Meta: t.map(t.string) });
const jobs = [
  { ID: 'api', Owner: 'ann', Status: 'running', Meta: { 'cost.center': '42' } },
  { ID: 'etl', Owner: 'bob', Status: 'running', Meta: {} },
  { ID: 'web', Owner: 'ann', Status: 'running', Meta: { 'cost.center': '7' } },
];

const server = createServer((request, response) => {
  const { searchParams } = new URL(request.url ?? '/', 'http://localhost');
  try {
    // First the rights of the caller, then the filter: it must not be able to ask about what the caller may not see.
    const visible = jobs.filter((job) => job.Owner === 'ann');
    const text = searchParams.get('filter') ?? '';
    const page = list(visible, {
      ...(text === '' ? {} : { filter: compileFilter(text, { schema, unresolved: 'absent' }) }),
      order: { text: (job) => job.ID },
      perPage: Number(searchParams.get('per_page') ?? 0),
      nextToken: searchParams.get('next_token'),
    });
    if (page.nextToken !== null) response.setHeader('X-Next-Token', page.nextToken);
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify(page.items.map((job) => job.ID)));
  } catch (error) {
    if (!(error instanceof FilterError || error instanceof ListQueryError)) throw error;
    response.writeHead(400, { 'Content-Type': 'text/plain; charset=utf-8' });
    response.end(error instanceof FilterError ? error.frame : error.message);
  }
});

await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const base = `http://127.0.0.1:${server.address().port}`;
const ask = async (query) => {
  const answer = await fetch(`${base}/jobs?${new URLSearchParams(query)}`);
  console.log(answer.status, answer.headers.get('X-Next-Token'), await answer.text());
};

await ask({ filter: 'Status == "running"', per_page: '1' });
await ask({ filter: 'Meta["cost.center"] == "7"' });
await ask({ filter: 'Owner == "bob"' });
await ask({ filter: 'Meta["cost.center" == "7"' });
server.close();

// Prints:
// 200 web ["api"]
// 200 null ["web"]
// 200 null []
// 400 null   1 | Meta["cost.center" == "7"
//     |                    ^^ expected "]", found "=="
//   hint: A bracket is still open.
