import { noRows, type ClusterRows } from '../src/cluster/cluster-rows.js';
import type { Intern } from '../src/model/intern.js';
import type { Job } from '../src/model/job.js';
import { completeJob } from '../src/model/job-defaults.js';

const teams = ['core', 'search', 'billing', 'data', 'edge'] as const;
const firstIndex = 10;

/** One job in ten thousand has this status. */
export const rareStatus = 'blocked';

/** The ID of a job, by its place in the order of IDs. */
export function jobIdAt(at: number): string {
  return `job-${String(at).padStart(8, '0')}`;
}

/** Jobs that differ in what filters ask about and share everything else, so that a million fit into memory. */
export function largeCluster(count: number, intern: Intern): ClusterRows {
  const groups = [{ Name: 'web', Count: 3, Tasks: [{ Name: 'server', Driver: 'docker' }] }];
  const place = { namespace: 'default', region: 'global' };
  const base = completeJob({ ID: 'base', TaskGroups: groups }, place, intern);
  const owners = teams.map((owner) => ({ owner }));
  const datacenters = Array.from({ length: 8 }, (_, at) => [`dc${at + 1}`]);
  const jobs = Array.from({ length: count }, (_, at): Job => {
    const ID = jobIdAt(at);
    return {
      ...base,
      ID,
      Name: ID,
      Type: at % 4 === 0 ? 'batch' : 'service',
      Priority: 40 + (at % 5) * 10,
      Datacenters: datacenters[at % datacenters.length] ?? null,
      Status: at % 10_000 === 5_000 ? rareStatus : at % 9 === 0 ? 'pending' : 'running',
      Meta: owners[at % owners.length] ?? null,
      CreateIndex: firstIndex + at,
      ModifyIndex: firstIndex + at,
      JobModifyIndex: firstIndex + at,
    };
  });
  return { ...noRows(), jobs };
}
