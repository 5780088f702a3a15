// Pages under a filter: every page is full, and rows that come and go between two pages do no harm.
import { compileFilter, list } from 'tamis';

const jobs = Array.from({ length: 10 }, (_, index) => ({
  ID: `job-${index}`,
  Status: index % 3 === 0 ? 'dead' : 'running',
}));
const filter = compileFilter('Status == "running"');
const order = { text: (job) => job.ID };

let nextToken = null;
do {
  const page = list(jobs, { filter, order, perPage: 2, nextToken });
  console.log(page.items.map((job) => job.ID).join(' '), '->', page.nextToken);
  nextToken = page.nextToken;
  // If the row that the token names is deleted, the next page begins after it.
  if (nextToken === 'job-4')
    jobs.splice(
      jobs.findIndex((job) => job.ID === 'job-4'),
      1,
    );
} while (nextToken !== null);

// Prints:
// job-1 job-2 -> job-4
// job-5 job-7 -> job-8
// job-8 -> null
