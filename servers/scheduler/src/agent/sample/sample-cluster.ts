import { createNamespace, noRows, type ClusterRows } from '@tamis/scheduler-state/cluster/cluster-rows.js';
import type { Job } from '@tamis/scheduler-model/job.js';
import { isStartedLater } from '@tamis/scheduler-model/started-later.js';
import { namespaces } from './fixtures.js';
import { createSampleRandom } from './random.js';
import { sampleChild, sampleJob, type SampleRole } from './sample-jobs.js';
import { drainAge, sampleNode } from './sample-nodes.js';
import { stampOf } from './sample-tasks.js';
import { createSampleWork } from './sample-work.js';

/** The size of a sample. */
export interface SampleSize {
  readonly nodes: number;
  readonly jobs: number;
}

export const defaultSampleSize: SampleSize = Object.freeze({ nodes: 300, jobs: 2_000 });

/** One of this many jobs is the child of a periodic or parameterised job. */
const childEvery = 40;
/** Number of jobs that run on every node of a small pool. They come first, before the nodes are full. */
const systemJobs = 12;

const hour = 3_600_000;
const day = 24 * hour;

/** Time between a job version and the next one, which is being rolled out, in ms. */
const rolloutDelay = 60_000;
/** Time since the lost node went down, in ms. */
const lostAge = hour / 2;

/**
 * Creates a cluster of sample nodes and jobs with their history until `now`, in ms since 1970. The same time, size and seed
 * result in the same rows. One node is down, one deployment has failed, and one waits for promotion.
 */
export function sampleCluster(now: number, size = defaultSampleSize, seed = 4_646): ClusterRows {
  const random = createSampleRandom(seed);
  const rows = noRows();
  let index = 10;
  const nextIndex = (): number => (index += 1);

  for (const [name, description] of namespaces) {
    rows.namespaces.push(createNamespace(name, description, nextIndex()));
  }
  for (let at = 0; at < size.nodes; at += 1) rows.nodes.push(sampleNode(random, at, nextIndex(), now));
  const work = createSampleWork(random, rows, nextIndex);
  /** Steps that are taken between the creation of jobs, with their ages, oldest first. */
  const steps: [age: number, step: () => void][] = [
    [lostAge, () => lose(now - lostAge)],
    [drainAge, () => work.close(({ DrainStrategy }) => DrainStrategy !== null)],
  ];

  function lose(at: number): void {
    const node = rows.nodes.find(({ NodePool, Status }) => NodePool === 'default' && Status === 'ready');
    if (node !== undefined) work.lose(node, at);
  }

  for (let at = 0; at < size.jobs; at += 1) {
    const age = ageOf(at, size.jobs);
    while ((steps[0]?.[0] ?? 0) > age) steps.shift()?.[1]();
    const submitted = now - age;
    const role = roleOf(at, size.jobs);
    const parents = role === null && at % childEvery === childEvery - 1 ? rows.jobs.filter(startsOthers) : [];
    const written = { index: nextIndex(), submitted };
    const job =
      parents.length > 0
        ? sampleChild(random.pick(parents), at, written)
        : sampleJob(random, at, role, written);
    if (role === 'canary' || role === 'failed') {
      const previous = { ...job, Version: Number(job.Version) - 1, Stable: true };
      work.run(previous, submitted);
      const at = submitted + rolloutDelay;
      const changed = nextIndex();
      const current = { ...job, SubmitTime: stampOf(at), ModifyIndex: changed, JobModifyIndex: changed };
      rows.job_versions.push(previous);
      rows.jobs.push(current);
      work.rollOut(current, previous, at, role === 'canary' ? 'waits' : 'fails');
    } else {
      rows.jobs.push(job);
      work.run(job, submitted);
    }
  }
  return rows;
}

/** Returns the age of the `at`-th job, in ms. A twentieth of them is spread over the last hour, the others over 120 days. */
function ageOf(at: number, jobs: number): number {
  const recent = Math.ceil(jobs / 20);
  const left = jobs - at;
  if (left <= recent) return (left / recent) * hour;
  return hour + ((left - recent) / (jobs - recent)) ** 3 * 120 * day;
}

function roleOf(at: number, jobs: number): SampleRole | null {
  if (at < systemJobs) return 'system';
  if (at === jobs - Math.ceil(jobs / 80)) return 'failed';
  if (at === jobs - Math.ceil(jobs / 200)) return 'canary';
  return at % Math.ceil(jobs / 3) === Math.floor(jobs / 4) ? 'blocked' : null;
}

/** Whether a job is periodic or parameterised. */
function startsOthers(job: Job): boolean {
  return isStartedLater(job) && !job.Stop;
}
