import type { TableName } from '../state/tables.js';

/** The kinds of objects in an export, in the order in which they are written, and where they are kept. */
export const exportedKinds = [
  ['namespace', 'namespaces'],
  ['node', 'nodes'],
  ['job', 'jobs'],
  ['deployment', 'deployments'],
  ['evaluation', 'evaluations'],
  ['allocation', 'allocations'],
] as const satisfies readonly (readonly [kind: string, table: TableName])[];

export type ExportedKind = (typeof exportedKinds)[number][0];
