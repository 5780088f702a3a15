import { createNamespace, noRows, type ClusterRows } from '@tamis/scheduler-state/cluster/cluster-rows.js';
import { summariseJob } from '@tamis/scheduler-model/job-summary.js';
import { namespaces } from './fixtures.js';
import { createSampleRandom } from './random.js';
import { sampleDeployment } from './sample-deployments.js';
import { sampleChild, sampleJob } from './sample-jobs.js';
import { sampleNode } from './sample-nodes.js';

/** The size of a sample. */
export interface SampleSize {
  readonly nodes: number;
  readonly jobs: number;
  readonly deployments: number;
}

export const defaultSampleSize: SampleSize = Object.freeze({ nodes: 400, jobs: 5_000, deployments: 800 });

/** Every so many jobs one is a child that a periodic or parameterised job has started. */
const childEvery = 40;

/** A cluster of made-up nodes, jobs and deployments: the same rows for the same size and seed. */
export function sampleCluster(size = defaultSampleSize, seed = 4_646): ClusterRows {
  const random = createSampleRandom(seed);
  const rows = noRows();
  let index = 10;
  const nextIndex = (): number => (index += random.int(1, 4));

  for (const [name, description] of namespaces) {
    rows.namespaces.push(createNamespace(name, description, nextIndex()));
  }
  for (let at = 0; at < size.nodes; at += 1) rows.nodes.push(sampleNode(random, at, nextIndex()));
  for (let at = 0; at < size.jobs; at += 1) {
    const parent = at % childEvery === childEvery - 1 ? rows.jobs.find(startsOthers(at)) : undefined;
    if (parent !== undefined) {
      const child = sampleChild(parent, at, nextIndex());
      rows.jobs.push(child);
      rows.job_summaries.push(summariseJob(child, null, child.ModifyIndex));
    } else {
      const { job, summary } = sampleJob(random, at, nextIndex());
      rows.jobs.push(job);
      rows.job_summaries.push(summary);
    }
  }
  const services = rows.jobs.filter((job) => job.Type === 'service');
  for (let at = 0; at < size.deployments && services.length > 0; at += 1) {
    rows.deployments.push(sampleDeployment(random, at, random.pick(services), nextIndex()));
  }
  return rows;
}

/** Jobs with children, looked for from a place that moves on. */
function startsOthers(at: number): (job: ClusterRows['jobs'][number], place: number) => boolean {
  return (job, place) =>
    place >= at / 2 && job.ParentID === '' && (job.Periodic !== null || job.ParameterizedJob !== null);
}
