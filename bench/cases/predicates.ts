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
}

export const handWrittenTests: Readonly<Record<string, HandWrittenTest>> = {
  E1: onJobs((job) => job.Status === 'running'),
  E2: onJobs((job) => job.Status === 'running' && job.Type === 'service' && job.Namespace !== 'default'),
  E3: onNodes((node) => node.NodeResources.Cpu.Arch === 'arm64'),
  E4: onNodes((node) => node.Attributes['cpu.arch'] === 'arm64'),
  E5: onJobs((job) => {
    const datacenters = job.Datacenters;
    for (let position = 0; position < datacenters.length; position += 1)
      if (datacenters[position] === 'dc1') return true;
    return false;
  }),
  E6: onJobs((job) => job.Name.startsWith('web-')),
  E7: onJobs((job) => frontend.test(job.Name)),
  E8: onJobs((job) => {
    const region = job.Region;
    return (
      region === 'us-central1' ||
      region === 'europe-west1' ||
      region === 'europe-north1' ||
      region === 'asia-south1' ||
      region === 'africa-south1'
    );
  }),
  E9: onJobs((job) => job.Priority === 70),
  E10: onJobs((job) => {
    for (const _ in job.Meta) return false;
    return true;
  }),
  E11: onJobs((job) => {
    const groups = job.TaskGroups;
    for (let position = 0; position < groups.length; position += 1)
      // The position is below the length.
      if ((groups[position] as TaskGroup).Name === 'cache') return true;
    return false;
  }),
};

const frontend = /frontend/i;

function onJobs(test: (job: Job) => boolean): HandWrittenTest {
  // It is asked about rows of its kind only.
  return { kind: 'jobs', test: test as HandWrittenTest['test'] };
}

function onNodes(test: (node: Node) => boolean): HandWrittenTest {
  return { kind: 'nodes', test: test as HandWrittenTest['test'] };
}
