import type { Job, TaskGroup } from '../data/job.js';
import type { Node } from '../data/node.js';
import type { Rows } from '../data/rows.js';

/*
 * The denominator of every ratio: for each case the fastest plain loop that one would write by hand, the predicate
 * inline in a loop of its own. Loops over indexes are a third faster than `for of`. They look alike, and must not be
 * folded into one: a shared loop or reader would lose exactly what is measured here, the inline caches that each of them
 * has to itself. Every index is below the length of its list, which is what the assertions say.
 */

export function selectE1({ jobs }: Rows): Job[] {
  const selected: Job[] = [];
  for (let index = 0; index < jobs.length; index += 1) {
    const job = jobs[index] as Job;
    if (job.Status === 'running') selected.push(job);
  }
  return selected;
}

export function selectE2({ jobs }: Rows): Job[] {
  const selected: Job[] = [];
  for (let index = 0; index < jobs.length; index += 1) {
    const job = jobs[index] as Job;
    if (job.Status === 'running' && job.Type === 'service' && job.Namespace !== 'default') selected.push(job);
  }
  return selected;
}

export function selectE3({ nodes }: Rows): Node[] {
  const selected: Node[] = [];
  for (let index = 0; index < nodes.length; index += 1) {
    const node = nodes[index] as Node;
    if (node.NodeResources.Cpu.Arch === 'arm64') selected.push(node);
  }
  return selected;
}

export function selectE4({ nodes }: Rows): Node[] {
  const selected: Node[] = [];
  for (let index = 0; index < nodes.length; index += 1) {
    const node = nodes[index] as Node;
    if (node.Attributes['cpu.arch'] === 'arm64') selected.push(node);
  }
  return selected;
}

export function selectE5({ jobs }: Rows): Job[] {
  const selected: Job[] = [];
  for (let index = 0; index < jobs.length; index += 1) {
    const job = jobs[index] as Job;
    const datacenters = job.Datacenters;
    for (let position = 0; position < datacenters.length; position += 1) {
      if (datacenters[position] !== 'dc1') continue;
      selected.push(job);
      break;
    }
  }
  return selected;
}

export function selectE6({ jobs }: Rows): Job[] {
  const selected: Job[] = [];
  for (let index = 0; index < jobs.length; index += 1) {
    const job = jobs[index] as Job;
    if (job.Name.startsWith('web-')) selected.push(job);
  }
  return selected;
}

const frontend = /frontend/i;

export function selectE7({ jobs }: Rows): Job[] {
  const selected: Job[] = [];
  for (let index = 0; index < jobs.length; index += 1) {
    const job = jobs[index] as Job;
    if (frontend.test(job.Name)) selected.push(job);
  }
  return selected;
}

export function selectE8({ jobs }: Rows): Job[] {
  const selected: Job[] = [];
  for (let index = 0; index < jobs.length; index += 1) {
    const job = jobs[index] as Job;
    const region = job.Region;
    if (
      region === 'us-central1' ||
      region === 'europe-west1' ||
      region === 'europe-north1' ||
      region === 'asia-south1' ||
      region === 'africa-south1'
    )
      selected.push(job);
  }
  return selected;
}

export function selectE9({ jobs }: Rows): Job[] {
  const selected: Job[] = [];
  for (let index = 0; index < jobs.length; index += 1) {
    const job = jobs[index] as Job;
    if (job.Priority === 70) selected.push(job);
  }
  return selected;
}

export function selectE10({ jobs }: Rows): Job[] {
  const selected: Job[] = [];
  for (let index = 0; index < jobs.length; index += 1) {
    const job = jobs[index] as Job;
    if (isEmpty(job.Meta)) selected.push(job);
  }
  return selected;
}

function isEmpty(map: Readonly<Record<string, string>>): boolean {
  for (const _ in map) return false;
  return true;
}

export function selectE11({ jobs }: Rows): Job[] {
  const selected: Job[] = [];
  for (let index = 0; index < jobs.length; index += 1) {
    const job = jobs[index] as Job;
    const groups = job.TaskGroups;
    for (let position = 0; position < groups.length; position += 1) {
      if ((groups[position] as TaskGroup).Name !== 'cache') continue;
      selected.push(job);
      break;
    }
  }
  return selected;
}
