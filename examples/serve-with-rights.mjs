// Lists of a program with Fastify: each team sees its own jobs, and a client follows what is running.
import fastify from 'fastify';
import { defineSchema, t } from 'tamis';
import { definePolicy } from 'tamis/access';
import { listClient } from 'tamis/client';
import { HttpError, listEndpoint, listPlugin } from 'tamis/http';
import { createTable } from 'tamis/table';

const schema = defineSchema({ ID: t.string, Team: t.string, Status: t.string, Priority: t.int });
const jobs = createTable(schema, { key: 'ID', indexes: ['Status'], sorts: ['Priority'], firstIndex: 1 });
jobs.put({ ID: 'api', Team: 'web', Status: 'running', Priority: 70 });
jobs.put({ ID: 'etl', Team: 'data', Status: 'running', Priority: 50 });
jobs.put({ ID: 'mail', Team: 'web', Status: 'dead', Priority: 30 });

const policy = definePolicy({
  schema,
  caller: defineSchema({ team: t.string }),
  actions: ['read'],
  rules: [{ effect: 'allow', actions: ['read'], when: 'Team == @caller.team' }],
});
const teams = new Map([
  ['Bearer w', 'web'],
  ['Bearer d', 'data'],
]);
const list = listEndpoint(jobs, {
  caller(head) {
    const team = teams.get(head.header('authorization'));
    if (team === undefined) throw new HttpError(401, 'Which team are you?', { 'WWW-Authenticate': 'Bearer' });
    return team;
  },
  access: (team) => policy.access({ team }, 'read'),
  fields: ['ID', 'Status', 'Priority'], // the team cannot be filtered by
});

const app = fastify();
await app.register(listPlugin, { '/v1/jobs': list }); // closed with the app
const url = `${await app.listen({ port: 0, host: '127.0.0.1' })}/v1/jobs`;

const web = listClient(url, { headers: { Authorization: 'Bearer w' } });
console.log(await web.count(), (await web.page({ sort: '-Priority', perPage: 1 })).items);
console.log(
  await listClient(url)
    .page()
    .catch(({ status, message }) => `${status} ${message}`),
);
for await (const change of web.watch({ filter: 'Status == "running"' })) {
  if (change.kind === 'changes') {
    console.log(change.entered, change.left);
    break;
  }
  console.log(change.page.items);
  jobs.delete('etl'); // of another team: it wakes no client
  jobs.batch((rows) => {
    rows.delete('api');
    rows.put({ ID: 'mail', Team: 'web', Status: 'running', Priority: 30 });
  });
}
await app.close();

// Prints:
// 2 [ { ID: 'api', Status: 'running', Priority: 70 } ]
// 401 Which team are you?
// [ { ID: 'api', Status: 'running', Priority: 70 } ]
// [ { ID: 'mail', Status: 'running', Priority: 30 } ] [ { ID: 'api' } ]
