// Filter an array: compile once, use as often as you like.
import { compileFilter } from 'tamis';

const jobs = [
  { ID: 'web', Status: 'running', Priority: 70, Datacenters: ['dc1'] },
  { ID: 'etl', Status: 'pending', Priority: 30, Datacenters: ['dc2'] },
  { ID: 'api', Status: 'running', Priority: 50, Datacenters: ['dc1', 'dc2'] },
];

const filter = compileFilter('Status == "running" and "dc1" in Datacenters');

console.log(filter.select(jobs).map((job) => job.ID));
console.log(filter.count(jobs), 'of', jobs.length);
console.log(jobs.filter(filter.test).length === filter.count(jobs));

// Prints:
// [ 'web', 'api' ]
// 2 of 3
// true
