import type { Job, TaskGroup } from '../data/job.js';
import type { Node } from '../data/node.js';
import type { RowKind } from '../data/rows.js';

/*
 * The denominator of `filter.test`: for each case the predicate that one would write by hand to give it to
 * `rows.filter`. Like the loops they must not be folded into one.
 */

/** A predicate for the rows of one kind. */
export interface HandWrittenTest {
  readonly kind: RowKind;
  readonly test: (row: unknown) => boolean;
  /** `rows.filter` in a place where no other predicate comes, so that V8 may make a loop of it. */
  readonly alone: (rows: readonly unknown[]) => readonly unknown[];
}

const frontend = /frontend/i;

const testE1 = (job: Job): boolean => job.Status === 'running';

const testE2 = (job: Job): boolean =>
  job.Status === 'running' && job.Type === 'service' && job.Namespace !== 'default';

const testE3 = (node: Node): boolean => node.NodeResources.Cpu.Arch === 'arm64';

const testE4 = (node: Node): boolean => node.Attributes['cpu.arch'] === 'arm64';

const testE5 = (job: Job): boolean => {
  const datacenters = job.Datacenters;
  for (let position = 0; position < datacenters.length; position += 1)
    if (datacenters[position] === 'dc1') return true;
  return false;
};

const testE6 = (job: Job): boolean => job.Name.startsWith('web-');

const testE7 = (job: Job): boolean => frontend.test(job.Name);

const testE8 = (job: Job): boolean => {
  const region = job.Region;
  return (
    region === 'us-central1' ||
    region === 'europe-west1' ||
    region === 'europe-north1' ||
    region === 'asia-south1' ||
    region === 'africa-south1'
  );
};

const testE9 = (job: Job): boolean => job.Priority === 70;

const testE10 = (job: Job): boolean => {
  for (const _ in job.Meta) return false;
  return true;
};

const testE11 = (job: Job): boolean => {
  const groups = job.TaskGroups;
  for (let position = 0; position < groups.length; position += 1)
    // The position is below the length.
    if ((groups[position] as TaskGroup).Name === 'cache') return true;
  return false;
};

export const handWrittenTests: Readonly<Record<string, HandWrittenTest>> = {
  E1: onJobs(testE1, (jobs) => jobs.filter(testE1)),
  E2: onJobs(testE2, (jobs) => jobs.filter(testE2)),
  E3: onNodes(testE3, (nodes) => nodes.filter(testE3)),
  E4: onNodes(testE4, (nodes) => nodes.filter(testE4)),
  E5: onJobs(testE5, (jobs) => jobs.filter(testE5)),
  E6: onJobs(testE6, (jobs) => jobs.filter(testE6)),
  E7: onJobs(testE7, (jobs) => jobs.filter(testE7)),
  E8: onJobs(testE8, (jobs) => jobs.filter(testE8)),
  E9: onJobs(testE9, (jobs) => jobs.filter(testE9)),
  E10: onJobs(testE10, (jobs) => jobs.filter(testE10)),
  E11: onJobs(testE11, (jobs) => jobs.filter(testE11)),
};

function onJobs(test: (job: Job) => boolean, alone: (jobs: readonly Job[]) => Job[]): HandWrittenTest {
  // Both are evaluated on rows of their kind only.
  return { kind: 'jobs', test: test as HandWrittenTest['test'], alone: alone as HandWrittenTest['alone'] };
}

function onNodes(test: (node: Node) => boolean, alone: (nodes: readonly Node[]) => Node[]): HandWrittenTest {
  return { kind: 'nodes', test: test as HandWrittenTest['test'], alone: alone as HandWrittenTest['alone'] };
}
