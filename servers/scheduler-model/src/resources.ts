import type { StructType } from 'tamis';
import { aclPolicies } from './acl-policy.js';
import { aclTokens } from './acl-token.js';
import { allocations } from './allocation.js';
import { classCapacityFlags, clusterFlags, nodeUsageFlags } from './cluster-flag.js';
import { deployments } from './deployment.js';
import { evaluations } from './evaluation.js';
import { jobSummaries } from './job-summary.js';
import { jobs, jobVersions, placedJobs } from './jobs.js';
import { namespaces } from './namespace.js';
import { nodes } from './node.js';
import { periodicLaunches } from './periodic-launches.js';
import { scalingEvents } from './scaling-events.js';
import type { ExportDeclaration, Resource } from './resource.js';

/** All resources by table name, in export order. All other lists of resources derive from it. */
export const resources = {
  namespaces,
  nodes,
  jobs,
  job_versions: jobVersions,
  placed_jobs: placedJobs,
  job_summaries: jobSummaries,
  scaling_events: scalingEvents,
  periodic_launches: periodicLaunches,
  deployments,
  evaluations,
  allocations,
  acl_tokens: aclTokens,
  acl_policies: aclPolicies,
  marks: clusterFlags,
  capacity_marks: classCapacityFlags,
  load_marks: nodeUsageFlags,
} as const;

export type TableName = keyof typeof resources;

/** The row type of each table. */
export type Rows = { readonly [N in TableName]: Parameters<(typeof resources)[N]['key']>[0] };

/** Returns the resource of a table whose name the compiler does not know. */
export function resourceOf(table: TableName): Resource<Rows[TableName]> {
  const resource: unknown = resources[table];
  return resource as Resource<Rows[TableName]>;
}

export const tableNames = Object.keys(resources) as readonly TableName[];

/** Tables whose changes are published as events. One commit must not write the same row of these twice. */
export const eventTables = [
  'namespaces',
  'nodes',
  'jobs',
  'deployments',
  'evaluations',
  'allocations',
  'acl_tokens',
  'acl_policies',
] as const satisfies readonly TableName[];

export type EventTable = (typeof eventTables)[number];

/** Row shapes of each table, which stores use to save space. */
export const tableShapes: ReadonlyMap<TableName, StructType> = new Map(
  tableNames.map((name) => [name, resources[name].shape]),
);

/** A resource that exports contain, with its position there. */
export interface ExportedResource extends Resource<Rows[TableName]>, ExportDeclaration<Rows[TableName]> {
  /** Name of its objects in export lines, such as `node`. */
  readonly kind: string;
  readonly table: TableName;
}

export const exportedResources: readonly ExportedResource[] = tableNames.flatMap((table) => {
  const resource = resourceOf(table);
  const { exported, name } = resource;
  return exported === null || name === null
    ? []
    : [{ ...resource, ...exported, table, kind: name.toLowerCase() }];
});
