import type { Job, TaskGroup } from '../data/job.js';
import type { Node } from '../data/node.js';
import type { Rows } from '../data/rows.js';

/*
 * The denominator of every ratio: for each case the loop that a good engineer would write by hand, the predicate inline
 * in a loop of its own. They look alike, and must not be folded into one: a shared loop or reader would lose exactly
 * what is measured here, the inline caches that each of them has to itself.
 */

export function selectE1({ jobs }: Rows): Job[] {
  const selected: Job[] = [];
  for (const job of jobs) if (job.Status === 'running') selected.push(job);
  return selected;
}

export function selectE2({ jobs }: Rows): Job[] {
  const selected: Job[] = [];
  for (const job of jobs) {
    if (job.Status === 'running' && job.Type === 'service' && job.Namespace !== 'default') selected.push(job);
  }
  return selected;
}

export function selectE3({ nodes }: Rows): Node[] {
  const selected: Node[] = [];
  for (const node of nodes) if (node.NodeResources.Cpu.Arch === 'arm64') selected.push(node);
  return selected;
}

export function selectE4({ nodes }: Rows): Node[] {
  const selected: Node[] = [];
  for (const node of nodes) if (node.Attributes['cpu.arch'] === 'arm64') selected.push(node);
  return selected;
}

export function selectE5({ jobs }: Rows): Job[] {
  const selected: Job[] = [];
  for (const job of jobs) if (holdsDc1(job.Datacenters)) selected.push(job);
  return selected;
}

function holdsDc1(datacenters: readonly string[]): boolean {
  for (const datacenter of datacenters) if (datacenter === 'dc1') return true;
  return false;
}

export function selectE6({ jobs }: Rows): Job[] {
  const selected: Job[] = [];
  for (const job of jobs) if (job.Name.startsWith('web-')) selected.push(job);
  return selected;
}

const frontend = /frontend/i;

export function selectE7({ jobs }: Rows): Job[] {
  const selected: Job[] = [];
  for (const job of jobs) if (frontend.test(job.Name)) selected.push(job);
  return selected;
}

export function selectE8({ jobs }: Rows): Job[] {
  const selected: Job[] = [];
  for (const job of jobs) {
    const region = job.Region;
    if (
      region === 'us-central1' ||
      region === 'europe-west1' ||
      region === 'europe-north1' ||
      region === 'asia-south1' ||
      region === 'africa-south1'
    ) {
      selected.push(job);
    }
  }
  return selected;
}

export function selectE9({ jobs }: Rows): Job[] {
  const selected: Job[] = [];
  for (const job of jobs) if (job.Priority === 70) selected.push(job);
  return selected;
}

export function selectE10({ jobs }: Rows): Job[] {
  const selected: Job[] = [];
  for (const job of jobs) if (isEmpty(job.Meta)) selected.push(job);
  return selected;
}

function isEmpty(map: Readonly<Record<string, string>>): boolean {
  for (const _ in map) return false;
  return true;
}

export function selectE11({ jobs }: Rows): Job[] {
  const selected: Job[] = [];
  for (const job of jobs) if (hasCache(job.TaskGroups)) selected.push(job);
  return selected;
}

function hasCache(groups: readonly TaskGroup[]): boolean {
  for (const group of groups) if (group.Name === 'cache') return true;
  return false;
}
