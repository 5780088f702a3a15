// A page with its total and facets that stays current while rows are written.
import { defineSchema, t } from 'tamis';
import { applyChanges } from 'tamis/client';
import { createList } from 'tamis/query';
import { createTable } from 'tamis/table';

const schema = defineSchema({ ID: t.string, Status: t.string, Priority: t.int({ safe: true }) });
const jobs = createTable(schema, { key: 'ID', sorts: ['Priority'] });
jobs.putAll([
  { ID: 'job-1', Status: 'running', Priority: 10 },
  { ID: 'job-2', Status: 'dead', Priority: 20 },
  { ID: 'job-3', Status: 'running', Priority: 30 },
]);

const writes = [
  () => jobs.put({ ID: 'job-4', Status: 'running', Priority: 40 }),
  () => jobs.put({ ID: 'job-1', Status: 'dead', Priority: 10 }), // on another page, but counted
  () => jobs.delete('job-3'),
];

let page = null;
const query = { sort: '-Priority', perPage: 2, total: true, facets: ['Status'] };
for await (const change of createList(jobs).watch(query)) {
  page = applyChanges(page, change);
  const rows = page.items.map((job) => job.ID).join(' ');
  const counts = page.facets.Status.values.map(({ value, count }) => `${value} ${count}`).join(', ');
  console.log(`${rows} of ${page.total}: ${counts}`);
  const write = writes.shift();
  if (write === undefined) break;
  write();
}

// Prints:
// job-3 job-2 of 3: running 2, dead 1
// job-4 job-3 of 4: running 3, dead 1
// job-4 job-3 of 4: dead 2, running 2
// job-4 job-2 of 3: dead 2, running 1
