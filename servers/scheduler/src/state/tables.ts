import { aclPolicyShape, type AclPolicy } from '../model/acl-policy.js';
import { aclTokenShape, type AclToken } from '../model/acl-token.js';
import { allocationShape, type Allocation } from '../model/allocation.js';
import { deploymentShape, type Deployment } from '../model/deployment.js';
import { evaluationShape, type Evaluation } from '../model/evaluation.js';
import { jobKey, jobShape, type Job } from '../model/job.js';
import { jobSummaryKey, jobSummaryShape, type JobSummary } from '../model/job-summary.js';
import type { ClusterFlag } from '../model/cluster-flag.js';
import { namespaceShape, type Namespace } from '../model/namespace.js';
import { nodeShape, type Node } from '../model/node.js';
import type { StructShape } from '../model/shape.js';
import {
  allocationFields,
  deploymentFields,
  evaluationFields,
  jobFields,
  nodeFields,
  sortedJobFields,
} from './filter-fields.js';
import { createTable, type Table } from './table.js';

/** What each table holds. */
export interface Rows {
  readonly jobs: Job;
  readonly job_versions: Job;
  readonly job_summaries: JobSummary;
  readonly nodes: Node;
  readonly deployments: Deployment;
  readonly evaluations: Evaluation;
  readonly allocations: Allocation;
  readonly namespaces: Namespace;
  readonly acl_tokens: AclToken;
  readonly acl_policies: AclPolicy;
  readonly marks: ClusterFlag;
  readonly capacity_marks: ClusterFlag;
  readonly load_marks: ClusterFlag;
}

export type TableName = keyof Rows;

/** The further indexes of each table. */
interface IndexNames extends Readonly<Record<TableName, string>> {
  readonly jobs: never;
  readonly job_versions: never;
  readonly job_summaries: never;
  readonly nodes: never;
  readonly deployments: 'created' | 'job';
  readonly evaluations: 'created' | 'job';
  readonly allocations: 'created' | 'job' | 'node';
  readonly namespaces: never;
  readonly acl_tokens: 'secret';
  readonly acl_policies: never;
  readonly marks: never;
  readonly capacity_marks: never;
  readonly load_marks: never;
}

export type Tables = { readonly [N in TableName]: Table<Rows[N], IndexNames[N]> };

interface Created {
  readonly ID: string;
  readonly CreateIndex: number | bigint;
}

/** Oldest first. */
const created = { index: (row: Created) => row.CreateIndex, text: (row: Created) => row.ID };

interface OfJob extends Created {
  readonly Namespace: string;
  readonly JobID: string;
}

/** By job. The blank, which no job ID holds, keeps the rows of job `a` apart from those of `a.b`. */
const job = { text: (row: OfJob) => `${ofJobPrefix(row)}${row.ID}` };

/** What the places of all rows of a job begin with. */
export function ofJobPrefix({ Namespace, JobID }: Pick<OfJob, 'Namespace' | 'JobID'>): string {
  return `${Namespace}.${JobID} `;
}

/** By the node that they are placed on. */
const node = { text: (row: Allocation) => `${onNodePrefix(row.NodeID)}${row.ID}` };

/** What the places of all allocations on a node begin with. */
export function onNodePrefix(nodeId: string): string {
  return `${nodeId} `;
}

/** All tables, empty. The one place that declares keys and indexes. */
export const emptyTables: Tables = Object.freeze({
  jobs: createTable<Job>(jobKey, {}, { fields: jobFields, sorted: sortedJobFields }),
  job_versions: createTable<Job>(jobVersionKey),
  job_summaries: createTable<JobSummary>(jobSummaryKey),
  nodes: createTable<Node>((node) => node.ID, {}, { fields: nodeFields }),
  deployments: createTable<Deployment, 'created' | 'job'>(
    (deployment) => deployment.ID,
    { created, job },
    { fields: deploymentFields, listedBy: 'created' },
  ),
  evaluations: createTable<Evaluation, 'created' | 'job'>(
    (evaluation) => evaluation.ID,
    { created, job },
    { fields: evaluationFields, listedBy: 'created' },
  ),
  allocations: createTable<Allocation, 'created' | 'job' | 'node'>(
    (allocation) => allocation.ID,
    { created, job, node },
    { fields: allocationFields, listedBy: 'created' },
  ),
  namespaces: createTable<Namespace>((namespace) => namespace.Name),
  acl_tokens: createTable<AclToken, 'secret'>((token) => token.AccessorID, {
    secret: { text: (token) => token.SecretHash },
  }),
  acl_policies: createTable<AclPolicy>((policy) => policy.Name),
  marks: createTable<ClusterFlag>((mark) => mark.Key),
  capacity_marks: createTable<ClusterFlag>((mark) => mark.Key),
  load_marks: createTable<ClusterFlag>((mark) => mark.Key),
});

/** What the rows of each table look like, where that is declared; the storage keeps those in less room. */
export const tableShapes: ReadonlyMap<TableName, StructShape> = new Map<TableName, StructShape>([
  ['jobs', jobShape],
  ['job_versions', jobShape],
  ['job_summaries', jobSummaryShape],
  ['nodes', nodeShape],
  ['deployments', deploymentShape],
  ['evaluations', evaluationShape],
  ['allocations', allocationShape],
  ['namespaces', namespaceShape],
  ['acl_tokens', aclTokenShape],
  ['acl_policies', aclPolicyShape],
]);

export const tableNames = Object.keys(emptyTables) as readonly TableName[];

/** The key of one version of a job: padded, so that versions stand in the order of their numbers. */
export function jobVersionKey(version: Pick<Job, 'Namespace' | 'ID' | 'Version'>): string {
  return `${jobVersionPrefix(version)}${version.Version.toString().padStart(20, '0')}`;
}

/** What the keys of all versions of a job begin with. */
export function jobVersionPrefix(job: Pick<Job, 'Namespace' | 'ID'>): string {
  return `${jobKey(job)} `;
}
