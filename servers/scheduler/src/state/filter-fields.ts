import { fieldIndex, orderedIndex, type FieldIndex, type OrderedIndex, type Schema } from 'tamis';
import { allocationFilterSchema, type Allocation } from '../model/allocation.js';
import { deploymentFilterSchema, type Deployment } from '../model/deployment.js';
import { evaluationFilterSchema, type Evaluation } from '../model/evaluation.js';
import { jobFilterSchema, type Job } from '../model/job.js';
import { nodeFilterSchema, type Node } from '../model/node.js';

/** Fields by which filters find rows. A field that the schema lacks ends the start of the program. */
function fieldsOf<T>(schema: Schema, ...names: readonly string[]): readonly FieldIndex<T>[] {
  return names.map((name) => fieldIndex<T>(schema, name));
}

/** Fields of integers in whose order the rows are kept too. */
function sortedBy<T>(schema: Schema, ...names: readonly string[]): readonly OrderedIndex<T>[] {
  return names.map((name) => orderedIndex<T>(schema, name));
}

export const sortedJobFields = sortedBy<Job>(
  jobFilterSchema,
  'Priority',
  'SubmitTime',
  'CreateIndex',
  'ModifyIndex',
);

/** The field that the tables of jobs and nodes are in the order of, behind the namespace where there is one. */
export const jobID = orderedIndex<Job>(jobFilterSchema, 'ID');
export const nodeID = orderedIndex<Node>(nodeFilterSchema, 'ID');

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
