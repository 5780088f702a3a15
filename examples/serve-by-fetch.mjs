// A list for a runtime of the Fetch API, such as Deno, Bun or a worker, which takes a module that exports `fetch`.
import { defineSchema, t } from 'tamis';
import { listClient } from 'tamis/client';
import { listEndpoint } from 'tamis/http';
import { arraySource } from 'tamis/query';

const schema = defineSchema({ name: t.string, age: t.int });
const people = [
  { name: 'ann', age: 41 },
  { name: 'bob', age: 29 },
  { name: 'eve', age: 53 },
];
const endpoint = listEndpoint(
  arraySource(schema, () => people, { key: 'name', sorts: ['age'] }),
  {
    maxPerPage: 2,
    cors: { origins: '*' },
  },
);

const runtime = { fetch: endpoint.fetch }; // export default { fetch: endpoint.fetch };

const client = listClient('https://people.example/', {
  fetch: (url, init) => runtime.fetch(new Request(url, init)),
});
for await (const { items } of client.pages({ sort: '-age' })) console.log(items);
console.log(await client.count({ filter: 'age > 40' }));
console.log(await client.page({ filter: 'agee > 40' }).catch(({ message }) => message.split('\n')[0]));

// Prints:
// [ { name: 'eve', age: 53 }, { name: 'ann', age: 41 } ]
// [ { name: 'bob', age: 29 } ]
// 2
// 1:1: agee: there is no such field. Did you mean age?
