import { noRows, type ClusterRows } from '@tamis/scheduler-state/cluster/cluster-rows.js';
import type { Job } from '@tamis/scheduler-model/job.js';
import { completeJob } from '@tamis/scheduler-model/job-defaults.js';

export const teams = ['core', 'search', 'billing', 'data', 'edge'] as const;
export const datacenters = ['dc1', 'dc2', 'dc3', 'dc4', 'dc5', 'dc6', 'dc7', 'dc8'] as const;
const firstIndex = 10;

/** One job in ten thousand has this status. */
export const rareStatus = 'blocked';

/** The ID of a job, by its place in the order of IDs. */
export function jobIdAt(at: number): string {
  return `job-${String(at).padStart(8, '0')}`;
}

/** The differences between the jobs of a large cluster. */
export interface Varied {
  readonly ID: string;
  readonly Type: 'batch' | 'service';
  readonly Priority: number;
  readonly Status: string;
  readonly datacenter: string;
  readonly owner: string;
}

/** The job at a place in the order of IDs. */
export function variedAt(at: number): Varied {
  return {
    ID: jobIdAt(at),
    Type: at % 4 === 0 ? 'batch' : 'service',
    Priority: 40 + (at % 5) * 10,
    Status: at % 10_000 === 5_000 ? rareStatus : at % 9 === 0 ? 'pending' : 'running',
    datacenter: datacenters[at % datacenters.length] ?? '',
    owner: teams[at % teams.length] ?? '',
  };
}

/** Jobs that differ in the filtered fields and share everything else, so that a million fit into memory. */
export function largeCluster(count: number): ClusterRows {
  const groups = [{ Name: 'web', Count: 3, Tasks: [{ Name: 'server', Driver: 'docker' }] }];
  const place = { namespace: 'default', region: 'global' };
  const base = completeJob({ ID: 'base', TaskGroups: groups }, place);
  const owners = new Map<string, Job['Meta']>(teams.map((owner) => [owner, { owner }]));
  const places = new Map<string, Job['Datacenters']>(datacenters.map((name) => [name, [name]]));
  const jobs = Array.from({ length: count }, (_, at): Job => {
    const { ID, Type, Priority, Status, datacenter, owner } = variedAt(at);
    return {
      ...base,
      ID,
      Name: ID,
      Type,
      Priority,
      Datacenters: places.get(datacenter) ?? null,
      Status,
      Meta: owners.get(owner) ?? null,
      CreateIndex: firstIndex + at,
      ModifyIndex: firstIndex + at,
      JobModifyIndex: firstIndex + at,
    };
  });
  return { ...noRows(), jobs };
}
