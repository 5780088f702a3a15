import type { Schema } from 'tamis';
import { allocations } from '../../../scheduler/src/model/allocation.js';
import { deployments } from '../../../scheduler/src/model/deployment.js';
import { evaluations } from '../../../scheduler/src/model/evaluation.js';
import { jobs } from '../../../scheduler/src/model/jobs.js';
import { nodes } from '../../../scheduler/src/model/node.js';
import type { ResourceName } from './protocol.js';

/** What filters see of each list: the schemas of the server itself, which is built with the page. */
export const schemas: Readonly<Record<ResourceName, Schema>> = {
  jobs: jobs.schema,
  nodes: nodes.schema,
  allocations: allocations.schema,
  deployments: deployments.schema,
  evaluations: evaluations.schema,
};
