import { fieldIndex, type FieldIndex, type Schema } from 'tamis';
import { allocationFilterSchema, type Allocation } from '../model/allocation.js';
import { deploymentFilterSchema, type Deployment } from '../model/deployment.js';
import { evaluationFilterSchema, type Evaluation } from '../model/evaluation.js';
import { jobFilterSchema, type Job } from '../model/job.js';
import { nodeFilterSchema, type Node } from '../model/node.js';

/** Fields by which filters find rows. A field that the schema lacks ends the start of the program. */
function fieldsOf<T>(schema: Schema, ...names: readonly string[]): readonly FieldIndex<T>[] {
  return names.map((name) => fieldIndex<T>(schema, name));
}

export const jobFields = fieldsOf<Job>(
  jobFilterSchema,
  'Status',
  'Type',
  'Namespace',
  'Priority',
  'Datacenters',
  'NodePool',
);
export const nodeFields = fieldsOf<Node>(
  nodeFilterSchema,
  'Status',
  'Datacenter',
  'NodeClass',
  'NodePool',
  'SchedulingEligibility',
);
export const deploymentFields = fieldsOf<Deployment>(deploymentFilterSchema, 'Status', 'JobID', 'Namespace');
export const evaluationFields = fieldsOf<Evaluation>(
  evaluationFilterSchema,
  'Status',
  'Type',
  'TriggeredBy',
  'JobID',
  'Namespace',
);
export const allocationFields = fieldsOf<Allocation>(
  allocationFilterSchema,
  'ClientStatus',
  'DesiredStatus',
  'TaskGroup',
  'JobID',
  'NodeID',
  'DeploymentID',
  'EvalID',
  'Namespace',
);
