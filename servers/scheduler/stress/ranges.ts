/**
 * Shows the cost of filters served by an ordered index, of pages of sorted lists, and of such indexes for a write:
 * `npm run proof:ranges -w servers/scheduler -- --rows 1000000`. Exits with code 1 if an index finds different rows than a scan,
 * or sorts them differently.
 */
import { parseArgs } from 'node:util';
import { list, planFilter, type FilterPlan } from 'tamis';
import { createListScan, chooseAccessPath, type AccessPath, chooseSortedPath } from 'tamis/query';
import { rangeIndexName, sortedTable, emptyRows, putRow, putRows, type TableRows } from 'tamis/table';
import type { Job } from '@tamis/scheduler-model/job.js';
import { jobs } from '@tamis/scheduler-model/jobs.js';
import { largeCluster } from './large-cluster.js';
import { printMetrics, type Metric } from '../../http/stress/proof.js';
import { median } from './request.js';

const { values } = parseArgs({ options: { rows: { type: 'string', default: '1000000' } } });
const rows = Number(values.rows);
if (!Number.isSafeInteger(rows) || rows < 1_000) throw new RangeError('--rows must be at least 1000');

const filters = [
  'Priority >= 80 and Status == "running"',
  'Priority > 70 and Priority <= 80',
  'ID starts with "job-0000"',
  'Status in ["pending", "blocked"]',
  `ModifyIndex > ${rows - 500}`,
  'SubmitTime > 2026-11-01',
] as const;

/** Sorted lists: filters that match nothing, few, many and all. */
const sorted = [
  ['-SubmitTime', ''],
  ['Priority', 'Status == "running"'],
  ['-Status', 'Meta.owner == "search"'],
  ['Name', 'Status == "blocked"'],
  ['-ModifyIndex', 'Meta.owner == "nobody"'],
  ['-Name', 'Priority >= 80 and Type == "batch"'],
] as const;

const figures: Metric[] = [];
let mistakes = 0;

const all = largeCluster(rows).jobs ?? [];
const withRanges = fill('with ordered indexes', true);
const plain = fill('without ordered indexes', false);
for (const filter of filters) compareWays(filter);
for (const [sort, filter] of sorted) compareOrders(sort, filter);
timeWrites('with ordered indexes', withRanges);
timeWrites('without ordered indexes', plain);
process.stdout.write(printMetrics(figures));
process.exitCode = mistakes === 0 ? 0 : 1;

function note(name: string, value: number, unit: string): void {
  figures.push({ name, value, unit });
}

function fill(name: string, isSorted: boolean): TableRows<Job> {
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  const declared = Object.entries(jobs.indexes).filter(
    ([index, { field }]) => isSorted || field === null || index !== rangeIndexName(field.field),
  );
  const table = putRows(emptyRows<Job, string>({ ...jobs, indexes: Object.fromEntries(declared) }), all);
  globalThis.gc?.();
  const used = process.memoryUsage().heapUsed - before;
  if (globalThis.gc !== undefined) note(`memory of the tables, ${name}`, used / 2 ** 20, 'MiB');
  return table;
}

/** A page and all rows, by the way that the server takes and by a scan. */
function compareWays(filter: string): void {
  const plan = planFilter<Job>(filter, { schema: jobs.schema, indexes: jobs.filterIndexes }).at();
  const { primary, indexes } = withRanges;
  const selection = { rows: primary, keyPrefix: 'default.', where: null, keyField: jobs.idField };
  const path = chooseAccessPath({ ...selection, indexes }, plan);
  const scan = chooseAccessPath(selection, { ...unplanned(plan), filter: plan.filter });
  const field = path.index?.field ?? 'no index';
  for (const perPage of [50, 0]) {
    const what = perPage === 0 ? 'all rows' : `a page of ${perPage}`;
    const choosing = medianTime(() => chooseAccessPath({ ...selection, indexes }, plan));
    const byIndex = search(path, perPage);
    const byScan = search(scan, perPage);
    if (
      byIndex.found.length !== byScan.found.length ||
      byIndex.found.some((id, at) => id !== byScan.found[at])
    ) {
      mistakes += 1;
      process.stderr.write(`Not so: ${filter} finds the same by index and by scan\n`);
    }
    note(`${filter}: ${what}, ${byIndex.found.length} found, by ${field}`, choosing + byIndex.time, 'ms');
    note(`${filter}: ${what}, by scan`, byScan.time, 'ms');
  }
}

/** The first page in the order of a field, and the first of a sort of all rows that match. */
function compareOrders(sort: string, filter: string): void {
  const isDescending = sort.startsWith('-');
  const field = jobs.sorts.get(sort.replace('-', ''));
  const inOrder = field === undefined ? null : sortedTable<Job>(withRanges, field);
  if (field === undefined || inOrder === null) throw new Error(`Nothing sorts by ${sort}`);
  const plan =
    filter === '' ? null : planFilter<Job>(filter, { schema: jobs.schema, indexes: jobs.filterIndexes }).at();
  const selection = {
    rows: withRanges.primary,
    keyPrefix: 'default.',
    where: null,
    indexes: withRanges.indexes,
  };
  const choose = (): AccessPath<Job> => {
    return chooseSortedPath(selection, { field, rows: inOrder }, plan);
  };
  const { found, time } = search(choose(), 50, isDescending);
  const choosing = medianTime(choose);
  const start = performance.now();
  const matching = all.filter((job) => plan === null || plan.filter.test(job));
  const { items } = list(matching, { order: inOrder.order, perPage: 50, reverse: isDescending });
  const naive = performance.now() - start;
  if (items.length !== found.length || items.some(({ ID }, at) => ID !== found[at])) {
    mistakes += 1;
    process.stderr.write(`Not so: ${filter} sorted by ${sort} is the same by index and by a sort\n`);
  }
  const what = `sort=${sort}, ${filter === '' ? 'no filter' : filter}: a page of 50, ${found.length} found`;
  note(what, choosing + time, 'ms');
  note(`${what}, by a sort of all that match`, naive, 'ms');
}

function unplanned(plan: FilterPlan<Job>): FilterPlan<Job> {
  return { ...plan, lookups: [], ranges: [] };
}

function search(
  path: AccessPath<Job>,
  perPage: number,
  reverse = false,
): { readonly found: readonly string[]; readonly time: number } {
  let found: readonly string[] = [];
  const time = medianTime(() => {
    const scan = createListScan({ path, where: null, perPage, reverse, nextToken: '' });
    scan.advance(() => false);
    found = scan.pager.page().items.map(({ ID }) => ID);
  });
  return { found, time };
}

function medianTime(work: () => unknown): number {
  const times: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    const start = performance.now();
    work();
    times.push(performance.now() - start);
  }
  return median(times);
}

/** Jobs that change their index, their time and now and then their priority, as registrations do. */
function timeWrites(name: string, table: TableRows<Job>): void {
  const writes = 5_000;
  let changed = table;
  const start = performance.now();
  for (let at = 0; at < writes; at += 1) {
    const job = all[(at * 7_919) % all.length];
    if (job === undefined) continue;
    const Priority = at % 10 === 0 ? 50 : job.Priority;
    changed = putRow(changed, {
      ...job,
      Priority,
      ModifyIndex: rows + 100 + at,
      SubmitTime: BigInt(at) * 10n ** 15n,
    });
  }
  note(`a write, ${name}`, ((performance.now() - start) / writes) * 1_000, 'us');
}
