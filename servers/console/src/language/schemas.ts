import type { Schema } from 'tamis';
import { allocations } from '@tamis/scheduler-model/allocation.js';
import { deployments } from '@tamis/scheduler-model/deployment.js';
import { evaluations } from '@tamis/scheduler-model/evaluation.js';
import { jobs } from '@tamis/scheduler-model/jobs.js';
import { nodes } from '@tamis/scheduler-model/node.js';
import type { ResourceName } from './protocol.js';

/** The filter schemas of each list, built from those of the server. */
export const schemas: Readonly<Record<ResourceName, Schema>> = {
  jobs: jobs.schema,
  nodes: nodes.schema,
  allocations: allocations.schema,
  deployments: deployments.schema,
  evaluations: evaluations.schema,
};
