import { Status } from '../text/status.js';
import { ageColumn } from '../table/age-column.js';
import type { Column } from '../table/column.js';
import { JobLink, RowLink } from './links.js';

/** The fields of an allocation that tables of pages show. */
export interface AllocationRow {
  readonly ID: string;
  readonly Name: string;
  readonly Namespace: string;
  readonly JobID: string;
  readonly JobVersion: number;
  readonly TaskGroup: string;
  readonly NodeID: string;
  readonly NodeName: string;
  readonly ClientStatus: string;
  readonly DesiredStatus: string;
  readonly DeploymentStatus: { readonly Healthy: boolean | null; readonly Canary: boolean } | null;
  readonly ModifyIndex: number;
  readonly ModifyTime: number;
}

const id: Column<AllocationRow> = {
  title: 'Allocation',
  width: '12ch',
  render: ({ ID }) => <RowLink to="allocations" id={ID} />,
};
const status: Column<AllocationRow> = {
  title: 'Status',
  width: 'minmax(12ch, 1fr)',
  render: ({ ClientStatus }) => <Status status={ClientStatus} />,
};
const desired: Column<AllocationRow> = {
  title: 'Desired',
  width: '10ch',
  render: ({ DesiredStatus }) => DesiredStatus,
  from: 900,
};
const group: Column<AllocationRow> = {
  title: 'Group',
  width: 'minmax(10ch, 1fr)',
  render: ({ TaskGroup }) => TaskGroup,
};
const health: Column<AllocationRow> = {
  title: 'Health',
  width: 'minmax(12ch, 1fr)',
  render: ({ DeploymentStatus }) => healthText(DeploymentStatus),
  from: 600,
};
const version: Column<AllocationRow> = {
  title: 'Version',
  width: '9ch',
  isNumeric: true,
  render: ({ JobVersion }) => String(JobVersion),
  from: 900,
};
const node: Column<AllocationRow> = {
  title: 'Node',
  width: 'minmax(10ch, 1fr)',
  render: ({ NodeID, NodeName }) => <RowLink to="nodes" id={NodeID} name={NodeName} />,
};
const job: Column<AllocationRow> = {
  title: 'Job',
  width: 'minmax(12ch, 2fr)',
  render: ({ JobID, Namespace }) => <JobLink id={JobID} namespace={Namespace} />,
};
const changedAt = ageColumn<AllocationRow>('Changed', 'ModifyTime', { from: 900 });

/** Returns the health of an allocation in its deployment as a word. */
export function healthText(known: AllocationRow['DeploymentStatus'] | undefined): string {
  if (known === null || known === undefined) return '–';
  const word = known.Healthy === true ? 'healthy' : known.Healthy === false ? 'unhealthy' : 'not known yet';
  return known.Canary ? `${word}, canary` : word;
}

/** Columns on the page of a job. */
export const allocationsOfJob = [id, status, desired, group, health, version, node, changedAt];
/** Columns for allocations of several jobs. */
export const allocationsOfNode = [id, status, desired, job, group, version, changedAt];
